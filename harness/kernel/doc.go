// Package kernel says what a device must compute, and in which order: the
// numeric contract, version [ContractVersion]. harness/kernel/cpu implements
// it; a device that follows this page agrees with it in every bit. A frame is
// what one run of a program's instructions covers: so many rows, and where they
// lie. A chunk is [Chunk] successive terms of a sum.
//
// # Promise
//
// For one experiment, scale and seed the parameters after any number of
// updates are bit-identical on every device, instruction set and number of
// threads, run through or resumed.
//
// # Arithmetic
//
// Storage is float32. Every operation rounds to nearest even in the order
// written, subnormals are kept, and nothing is fused but where an FMA is
// written. NaN stands for all NaNs; -0 and infinities are exact.
//
// Products. Each output of a matrix product is a sum over k in chunks of 256:
// inside a chunk one FMA for each k, rising, the first onto +0. The result is
// the sum of the first chunk, to which the sums of the others are added, rising;
// without terms it is +0. Nothing is padded: an FMA of zeros onto a sum is not
// always without effect, since a product may underflow to -0. Adding into C is one
// addition of the finished result, and so is a bias, the result first. A plan may
// merge products side by side and hoist them over rows; it never merges or splits
// along k.
//
// Sums over rows (bias gradients) are products with a vector of ones; k counts
// the rows of the frame, which are packed rows, or predictions. The gradient of a
// lookup is the product with the one-hot matrix of the indices, as it is for
// finite values: for each index the rows that hold it are added, and a row's
// chunk is that of its number in the frame, however few of its neighbours hold the
// same. Sums over the rows of a stack or a list held stack-major (the gradients
// of its weights) follow the rule of products too.
//
// A product over rows and the sum of columns may be made piece by piece, in frames
// of which all but the last are whole chunks. In a frame with Continues every chunk,
// the first too, is added to what the result holds, so that it ends as the sum
// over all rows would; a frame without rows leaves it as it is. No other
// instruction looks at Continues, and a product that adds into C must not meet it.
//
// Sums along a row (softmax, cross-entropy, squared norms, [RowDot]): 64 partial
// sums, element i into partial i mod 64, rising, from +0; folded by adding
// halves, 64 to 1, those of no element being +0; beyond 4,096 elements the sums
// of blocks of 4,096 from the start of the row, then theirs by the same rule, as
// often as it takes. Where products are summed ([RowDot], [SumSquares],
// [WeightedSumGradW], the gradient of softmax) each is rounded first, then added.
//
// Comparisons. The maximum m of a row starts as its first element; a later x
// replaces it if x > m. [OneHot] marks the lowest index that reached m: the
// first of equals, and index 0 if the first element is NaN; a later NaN is
// passed over. [Threshold] of NaN is 0. [FlushSmall] leaves NaN. [Clip] replaces only what is below the
// lower bound or above the upper one: NaN stays NaN, and -0 at a bound of 0
// stays -0.
//
// Element functions are those of harness/numeric. Derived forms:
//
//	sigmoid gradient   g * (y * (1 - y))
//	tanh gradient      g * fma(-y, y, 1)
//	softmax            e = exp(x - max), inv = 1/sum e, e * inv
//	its gradient       y * (g - sum y*g)
//	cross-entropy      log(sum e) - (x[target] - max)
//	its gradient       (e*inv, less 1 at the target) * g
//	stack              t = pop*down; t = fma(push, up, t); t = fma(noop, s, t)
//	its gradient       t = pop*dy, of the cell above, +0 for the top cell;
//	                   t = fma(push, dy, t), of the cell below, none for the last;
//	                   t = fma(noop, dy, t)
//	of what is pushed  push*dy, of the top cell
//	list               t = right*after; t = fma(left, before, t);
//	                   t = fma(insert, x, t); t = fma(noop, s, t)
//	its gradient       t = right*dy, of the cell before; t = fma(left, dy, t), of
//	                   the cell after; t = fma(insert, dy, t), of the cell before
//	                   up to the head and of the cell itself beyond it;
//	                   t = fma(noop, dy, t)
//	mix                t = w[0]*x[0]; t = fma(w[a], x[a], t), a rising
//	dropout            x * keep, keep = 1/(1-rate), or +0
//	noise              x + (mean + sd*z), the product rounded, then each sum
//	SGD                w - lr*g
//	Adam               m = fma(b1, m, (1-b1)*g); v = fma(b2, v, ((1-b2)*g)*g)
//	                   w - (lr'*m) / (sqrt(v*c) + eps)
//
// A stack reads up from the cell above (the pushed one at the top) and down from
// the cell below (its empty value under the last); without a no-op that term is
// left out. A list reads the cell before, on the left, and the cell after, which
// are its empty value beyond the ends, where dy is +0; what an insertion brings, x,
// is the cell after before the head, the inserted one at the head and the cell
// itself after it. Without a no-op that term is left out, too.
//
// Numbers of an experiment (lr, b1, 1-b1, b2, 1-b2, eps, the bounds of clipping,
// the constants of [Scale], [Threshold], [FlushSmall], [Dropout] and [Noise], initial values and
// their bounds, the empty value of a stack or a list) are computed in float64 and rounded
// once. So are lr' = lr/(1-b1^t) and c = 1/(1-b2^t) of Adam, the powers being
// running products in float64, and keep, which comes from the rounded rate.
//
// # Gradients
//
// A gradient is that of the mean loss over the E predictions of a batch, times
// 2^s, where the whole number s >= 0 is part of the experiment: the gradient of
// each loss starts from 1/E, in float64, times 2^s, rounded once. Where the
// experiment takes the mean over strings of the sums of their losses, E is the
// number of strings that the batch begins with. Limits that a
// model sets to a gradient inside its graph are multiplied by 2^s. The finished
// parameter gradients are multiplied by 2^-s; everything below sees them so.
//
// Gradients that meet are added in the order that package stepgraph states. A
// gradient that covers a part of a value only is added there only. If it is the
// first to come, the other elements start at +0; if all are parts that cover the
// value once, they are laid side by side and nothing is added.
//
// The gradient of a batch of a stream, which is one string, goes back over the
// last W steps, the batch's own among them, but not beyond the start of the
// states: it is that of a batch of these steps with the present parameters, where
// what the earlier steps computed stands as it was computed then.
//
// Carried gradients of a string start from +0 at its last step in the batch and
// after each cut. With a limit of n steps the cuts come after the steps t with
// (t+1) mod n = 0, counted from the first step of the batch.
//
// # Updates
//
// Parameter gradients are clipped element by element first, then by their global
// norm: the squared norms of the tensors, each a sum along one row of all its
// elements, are added in float32, from +0, in bytewise order of the names, and
// the root is rounded once. Only if norm > bound, both float32, every element is
// multiplied by bound/norm, rounded once. Then SGD or Adam follows.
//
// A run ends with an error where a mean loss or the norm that is clipped by is
// not finite, and where parameters are read (a validation, a mark of the
// trajectory, a checkpoint, the end) and one of them is not.
//
// # Decisions
//
// The loss that decides is the float64 sum of the float32 losses over their
// number: those of a batch in the order of its predictions, batches in the
// order of their set. In float64, each operation rounded:
//
//	new best   loss < best - gain*best; the first is one
//	cut        lr = max(lr*factor, floor), if that is below lr
//	stop       lr < least, after a cut
//
// A return to the best parameters leaves the moments and the powers as they are.
//
// # Chance
//
// A random number of a run is made of one word of Philox4x32-10. Package rng
// states the generator, the key of a stream (seed, name), its counter and how a
// word becomes a number u in [0, 1) or a standard normal z.
//
//	initial values  stream init/<parameter>; Unit is the column, Row the row, T and
//	                Update are 0; word 0: lo + (hi-lo)*u or mean + sd*z, every
//	                operation rounded
//	dropout, noise  stream of the site's name; column j takes word j mod 4 of the
//	                block with Unit j/4, Row the string, T the time, Update the
//	                update, as the experiment numbers them
//
// Dropout keeps an element if u = (word >> 8) * 2^-24 is at least the rate, rounded
// to float32.
//
// # Rows
//
// A batch of strings is packed: sorted by length, longest first, ties by index;
// row = offset[t] + b over the strings still active at t. There is no padding,
// so no result can depend on it.
//
// # Memory
//
// A device holds everything of one program in one [Arena] of 4-byte words. An
// instruction names its operands by word, never by host address: the same
// program serves a device whose memory the host cannot see. Programs are
// compiled once and run over [Frame] values, one for each step of a scan, so a
// device may turn a whole scan into one launch. Words between the rows of a result
// are not written.
//
// # Digests
//
// What is compared are digests of parameters and of the state of a run. Package
// checkpoint states their bytes.
package kernel

// ContractVersion is the version of the numeric contract that this page
// states. It is part of every experiment's hash. Version 1 is frozen: the bits
// of its operations are held by the digests in kerneltest/testdata, every change
// of them needs a new number and its reason here, and golden files then take
// results within the spread of the old seeds only. Operations may be added.
const ContractVersion = 1

// Chunk is the number of terms of one running sum, over the inner extent of a
// product or over rows; finished sums are added to each other. Assembly that
// counts for itself has the same number.
const Chunk = 256
