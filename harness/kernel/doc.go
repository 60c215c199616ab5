// Package kernel defines the operations of a device and the numeric contract,
// version [ContractVersion]: what each operation computes, and in which order.
// harness/kernel/cpu implements the contract, and every device that follows this
// page gives the same bits. A frame is one pass over a program's instructions. It
// gives the number of active rows and the place of their data. A chunk is [Chunk]
// successive terms of a sum.
//
// # Promise
//
// For a given experiment, scale and seed, the parameters after any number of
// updates are bit-identical on every device, instruction set and number of
// threads, whether or not the run was interrupted and resumed.
//
// # Arithmetic
//
// Storage is float32. Every operation rounds to nearest even in the order written,
// subnormals are kept, and only what is written as an FMA is fused. Any NaN counts as
// equal to any other; -0 and infinities must be the same.
//
// Products. Each output of a matrix product is a sum over k in chunks of 256. Within a
// chunk there is one FMA per k, in increasing order, starting from +0. The result is
// the sum of the first chunk, to which the sums of the other chunks are added in
// increasing order; a sum without terms is +0. A sum is not padded with products of
// zeros: it can be -0 when its products underflow to -0, and one more FMA of zeros
// would make it +0. An accumulating product adds the finished result to C once. A bias
// is added to the finished result: result + bias. A program may join products whose
// results lie side by side, or the rows of many steps, into one product. It never joins
// or splits sums over k.
//
// A sum over rows, such as the gradient of a bias, is a product with a vector of ones: k
// counts the rows of the frame, which are packed rows or predictions. For finite values,
// the gradient of a lookup is a product with the one-hot matrix of the indices: for each
// index, the rows with that index are added. The chunk of a row follows from its number in
// the frame, not from the number of earlier rows with its index. The gradients of the
// weights of a stack or a list are sums over the rows of a stack-major matrix, whose
// columns are the stacks or lists. These sums follow the rule of products too.
//
// A product that sums over rows, and a [ColSum], may be computed in several frames. Every
// frame before the last nonempty one holds whole chunks. In a frame whose field Continues
// is set, the sum of every chunk, including the first, is added to the previous contents of
// the result; if the frame has no rows, the result is unchanged. After the last frame the
// result is the sum over all rows. Other instructions ignore Continues. An accumulating
// product must not run in a frame whose Continues is set.
//
// Sums along a row (softmax, cross-entropy, squared norms, [RowDot]) use 64 partial
// sums, which start from +0. Element i is added to partial i mod 64, in increasing
// order of i. The partials are folded by adding halves, from 64 to 1; partials
// without elements are +0. A row of more than 4,096 elements is cut into blocks of
// 4,096 from its start, each block is summed, and the sums of the blocks are summed
// by the same rule, recursively. Where products are summed ([RowDot], [SumSquares],
// [WeightedSumGradW], the gradient of softmax), each product is rounded before it
// is added.
//
// Comparisons. The maximum m of a row starts as its first element; a later x
// replaces it if x > m. [OneHot] marks the lowest index that holds the maximum. If
// the first element is NaN, it marks index 0; a later NaN is skipped. [Threshold] of
// NaN is 0. [FlushSmall] keeps NaN. [Clip] replaces only values below the lower
// bound or above the upper bound: NaN stays NaN, and -0 at a bound of 0 stays -0.
//
// Element functions are those of harness/numeric. The other operations compute the
// forms below. In a gradient, y is the result of the function, g its gradient, and dy
// the gradient of the new stack or list:
//
//	sigmoid gradient   g * (y * (1 - y))
//	tanh gradient      g * fma(-y, y, 1)
//	softmax            e = exp(x - max), inv = 1/sum e, e * inv
//	its gradient       y * (g - sum y*g)
//	cross-entropy      log(sum e) - (x[target] - max)
//	its gradient       (e*inv, less 1 at the target) * g
//	stack              t = pop*down; t = fma(push, up, t); t = fma(noop, s, t)
//	its gradient       t = pop * (dy of the cell above), or +0 for the top cell;
//	                   t = fma(push, dy of the cell below, t), except for the last;
//	                   t = fma(noop, dy, t)
//	pushed value       gradient: push * (dy of the top cell)
//	list               t = right*after; t = fma(left, before, t);
//	                   t = fma(insert, x, t); t = fma(noop, s, t)
//	its gradient       t = right * (dy of the cell before);
//	                   t = fma(left, dy of the cell after, t);
//	                   t = fma(insert, d, t), where d is dy of the cell before for
//	                   cells up to and including the head, dy of the cell itself
//	                   for the others;
//	                   t = fma(noop, dy, t)
//	mix                t = w[0]*x[0]; t = fma(w[a], x[a], t), a increasing
//	dropout            x * keep, keep = 1/(1-rate), or +0
//	noise              x + (mean + sd*z), the product rounded, then each sum
//	SGD                w - lr*g
//	Adam               m = fma(b1, m, (1-b1)*g); v = fma(b2, v, ((1-b2)*g)*g)
//	                   w - (lr'*m) / (sqrt(v*c) + eps)
//
// In a stack, up is the cell above (for the top cell, the pushed value) and down is
// the cell below (for the last cell, the empty value). In a list, before is the cell
// to the left and after the cell to the right. Beyond the ends of a list, before and
// after are the empty value, and dy is +0. An insertion replaces every cell by x. To
// the left of the head, x is the cell after; at the head, x is the inserted value; to
// the right of the head, x is the cell itself. In a stack or list without a no-op,
// the term of the no-op is left out.
//
// The constants of an experiment are computed in float64 and rounded once to float32:
// lr, b1, 1-b1, b2, 1-b2, eps, the bounds of clipping, the constants of [Scale],
// [Threshold], [FlushSmall], [Dropout] and [Noise], initial values and their bounds,
// and the empty value of a stack or a list. The same holds for lr' = lr/(1-b1^t) and
// c = 1/(1-b2^t) of Adam, where b1^t and b2^t are running products in float64, and
// for keep, which is computed from the rounded rate.
//
// # Gradients
//
// Gradients are those of the mean loss over the E predictions of a batch, times
// 2^s. The integer s >= 0 is part of the experiment. The gradient of each loss starts
// as 1/E times 2^s, computed in float64 and rounded once. If the experiment takes the
// mean over strings of their summed losses, E is the number of strings at the first
// step of the batch. Limits that a model sets on a gradient inside its graph are
// multiplied by 2^s. The finished parameter gradients are multiplied by 2^-s before
// the steps under Updates.
//
// Gradients of the same value are added in the order that package stepgraph states. The
// gradient of a part of a value, such as some of its columns, is added to that part
// only. If it is the first gradient of the value, the elements outside the part start
// at +0. If the gradients belong to parts that cover the value exactly once, they are
// placed side by side without additions.
//
// A stream is one string, read in batches of successive steps. The gradient of a
// batch goes back over the last W steps, including those of the batch, but not beyond
// the step at which the states were last reset. It is the gradient of one batch of
// all these steps with the current parameters, except that earlier steps keep the
// values that they computed with the parameters of their time.
//
// The gradients that a step carries back to the previous one start from +0 at the last
// step of each string in the batch. If the experiment truncates gradients every n
// steps, they also start from +0 at every step t with (t+1) mod n = 0, where t counts
// from the first step of the batch.
//
// # Updates
//
// Parameter gradients are clipped first by element, then by their global norm. The
// squared norm of each tensor is one sum along a row of all its elements. The squared
// norms are added in float32, from +0, in bytewise order of the tensors' names, and
// the root is rounded once. If norm > bound, both float32, every element is
// multiplied by bound/norm, which is rounded once. Then SGD or Adam follows.
//
// A run ends with an error if a mean loss or the norm used for clipping is not
// finite, or if a parameter is not finite when parameters are read (for validation,
// for a point of the trajectory, for a checkpoint, at the end). With train.Online.BestIfDiverged it ends with its
// best parameters instead.
//
// # Decisions
//
// The decisions below use the mean loss: the float64 sum of the float32 losses, divided
// by their number. The losses of a batch are added in the order of its predictions, and
// the batches in the order of their set. The decisions are computed in float64, with
// each operation rounded. The constants gain, factor, floor and least are settings of
// the experiment:
//
//	new best   loss < best - gain*best; the first loss is a new best
//	cut        lr = max(lr*factor, floor), if that is below lr
//	stop       lr < least, after a cut
//
// When a run goes back to its best parameters, Adam keeps its moments and the powers
// b1^t and b2^t.
//
// # Randomness
//
// Each random number of a run is made from one word of Philox4x32-10. Package rng
// states the generator, how seed and name give the key of a stream, the counter, and
// how a word becomes a number u in [0, 1) or a standard normal z.
//
//	initial values  stream init/<parameter>; Unit is the column, Row the row, T and
//	                Update are 0; word 0: lo + (hi-lo)*u or mean + sd*z, every
//	                operation rounded
//	dropout, noise  stream of the site's name; column j takes word j mod 4 of the
//	                block with Unit j/4; Row, T and Update are the numbers of the
//	                string, the time step and the update in the experiment
//
// Dropout keeps an element if u = (word >> 8) * 2^-24 is at least the rate, after
// the rate is rounded to float32.
//
// # Rows
//
// A batch of strings is packed. The strings are sorted by length, longest first,
// ties by index. Among the strings that are still active at step t, string b has row
// offset[t] + b. There is no padding, so no result can depend on it.
//
// # Memory
//
// A device holds all data of one program in one [Arena] of 4-byte words. An
// instruction names its operands by word, never by host address, so the same
// program also serves a device whose memory the host cannot see. A program is
// compiled once and run over [Frame] values, one for each step of a scan, so a
// device may turn a whole scan into one launch. The gaps between the rows of a result
// are not written.
//
// # Digests
//
// Runs are compared by digests of their parameters and state. Package checkpoint
// states the digested bytes.
package kernel

// ContractVersion is the version of the numeric contract that this page states. It is
// part of every experiment's hash. Version 1 is frozen: the digests in
// kerneltest/testdata pin the bits of its operations. A change of those bits needs a new
// version, with its reason stated here. After such a change, a golden file accepts new
// results only if their mean over the seeds lies in the range of the old values. New
// operations do not change the version.
const ContractVersion = 1

// Chunk is the number of terms in one running sum of a product or of a sum over rows.
// The finished sums of the chunks are then added in order. Assembly that divides a sum
// into chunks itself contains the same number.
const Chunk = 256
