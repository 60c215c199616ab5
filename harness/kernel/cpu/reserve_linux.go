package cpu

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// reserve maps memory and asks Linux for huge pages. A scan walks through megabytes of
// states in every step, and with pages of 4 kB it would wait for address translation.
// Small arenas come from the Go heap.
func reserve(words int) (mem []float32, free func() error, err error) {
	const huge = 2 << 20 // bytes
	if 4*words < huge {
		return heap(words)
	}
	raw, err := unix.Mmap(-1, 0, 4*words+huge, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, nil, err
	}
	skip := -int(uintptr(unsafe.Pointer(&raw[0]))) & (huge - 1)
	_ = unix.Madvise(raw[skip:], unix.MADV_HUGEPAGE) // only a hint; kernels without huge pages refuse it
	return unsafe.Slice((*float32)(unsafe.Pointer(&raw[skip])), words), func() error { return unix.Munmap(raw) }, nil
}
