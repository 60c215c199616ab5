// Package kernel says what a device must compute, and in which order: the
// numeric contract, version [ContractVersion]. harness/kernel/cpu implements
// it; a device that follows this page agrees with it in every bit.
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
// inside a chunk one FMA for each k, rising, the first onto +0; then the chunk
// sums are added, rising. Adding into C is one addition of the finished sum. A
// plan may merge products side by side and hoist them over rows; it never
// merges or splits along k.
//
// Sums over rows (bias gradients) are products with a vector of ones. The
// gradient of a lookup is the product with the one-hot matrix. Sums over the
// rows of a stack held depth by batch (the gradients of its weights) follow
// the rule of products too.
//
// Sums along a row (softmax, cross-entropy, squared norms, [RowDot]): 64 partial
// sums, element i into partial i mod 64, rising, from +0; folded by adding
// halves, 64 to 1; beyond 4,096 elements the sums of blocks of 4,096, then
// theirs by the same rule. Maxima run from the first element by a > b ? a : b.
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
//	mix                t = w[0]*x[0]; t = fma(w[a], x[a], t), a rising
//	dropout            x * (1/(1-rate)), the factor rounded once
//	noise              x + (mean + sd*z), the product rounded, then each sum
//	SGD                w - lr*g
//	Adam               m = fma(b1, m, (1-b1)*g); v = fma(b2, v, ((1-b2)*g)*g)
//	                   w - (lr'*m) / (sqrt(v*c) + eps)
//
// where lr' = lr/(1-b1^t) and c = 1/(1-b2^t) are computed in float64 by
// repeated products and rounded once. A global norm adds the squared norms of
// the tensors in bytewise order of their names, in float32.
//
// A gradient may be computed of the loss times a power of two, which is part of
// the experiment, and is divided by it again before anything looks at it.
//
// Gradients that meet are added in the order that package stepgraph states.
//
// # Rows
//
// A batch of strings is packed: sorted by length, longest first, ties by index;
// row = offset[t] + b over the strings still active at t. There is no padding,
// so no result can depend on it. Carried gradients of a string start from +0
// at its last step and after each cut.
//
// # Memory
//
// A device holds everything of one program in one [Arena] of 4-byte words. An
// instruction names its operands by word, never by host address: the same
// program serves a device whose memory the host cannot see. Programs are
// compiled once and run over [Frame] values, one for each step of a scan, so a
// device may turn a whole scan into one launch.
package kernel

// ContractVersion is the version of the numeric contract that this page
// states. It is part of every experiment's hash. Until version 1 is frozen,
// golden files may be regenerated; afterwards every change of order needs a
// new number.
const ContractVersion = 1
