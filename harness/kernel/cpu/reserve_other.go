//go:build !linux

package cpu

// reserve allocates on the heap, since this system offers no huge pages here.
func reserve(words int) (mem []float32, free func() error, err error) { return heap(words) }
