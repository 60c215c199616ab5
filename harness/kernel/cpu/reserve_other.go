//go:build !linux

package cpu

// reserve allocates on the heap. The Linux version asks for huge pages.
func reserve(words int) (mem []float32, free func() error, err error) { return heap(words) }
