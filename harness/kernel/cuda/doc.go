// Package cuda runs the numeric contract of harness/kernel on NVIDIA's GPUs.
package cuda
