//go:build !linux

package cpu

// reserve takes the heap where no better memory is to be had.
func reserve(words int) (mem []float32, free func() error, err error) { return heap(words) }
