// Package optim updates parameters by their gradients and makes decisions from
// validation losses.
//
// [Optimizer] applies a [Rule], SGD or Adam, to the parameters of a scan.VM on its
// device. It first clips the gradient by element, by global norm or both. Values that
// change with each update (the learning rate, Adam's bias corrections) are run-time
// scalars of the compiled program.
//
// Clipping by element comes first. Then, if the global norm exceeds its bound,
// every element is multiplied by bound/norm, rounded once. The device computes the
// norm, and the host compares it with the bound, so the host waits for the device
// once per update. If the wait costs too much on a device, one operation of the
// device may do the sum, the comparison and the product, in the same order and with
// the same bits.
//
// [Plateau] decides from the validation losses when there is a new best, when to
// cut the learning rate and when to stop. A validation loss is a float64 sum of
// float32 row losses in row order, so the decisions are as reproducible as the
// parameters. A cut that returns to the best parameters keeps the moments and the
// powers of beta.
package optim
