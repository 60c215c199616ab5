// Package optim turns gradients into updates and validation losses into
// decisions.
//
// [Optimizer] applies a [Rule], SGD or Adam, to the parameters of a scan.VM on
// its device; gradients are clipped before by global norm or element by
// element. What a compiled program needs anew at each update (the learning
// rate, the corrections of Adam) are run-time scalars.
//
// Elements are clipped first, then the norm: where it exceeds its bound every
// element is multiplied by bound/norm, rounded once. The norm is computed on the
// device and compared on the host, which waits for it once an update; a device
// on which that costs too much may do sum, comparison and product in one
// operation of its own, in the same order and to the same bits.
//
// [Plateau] watches the validation loss: it says when a new best was reached,
// when the learning rate is to be cut, when training is to stop. It decides on
// float64 sums of float32 row losses in row order, so its decisions are as
// reproducible as the parameters. A cut that goes back to the best parameters
// leaves the moments and the powers of beta as they are.
package optim
