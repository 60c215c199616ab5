//go:build linux && (amd64 || arm64) && !purego

package libcuda

import (
	"unsafe"

	"pushdown/harness/kernel/cuda"
)

// pinned is page-locked host memory, which the GPU reads and writes directly. Its first
// part is a queue of uploads: Upload returns when the words are in the queue, and the
// GPU copies them in stream order. The queue is empty after every call that waits for
// the GPU. The second part holds one download.
type pinned struct {
	base uintptr // 0: there is no pinned memory
	used int     // bytes in the queue
}

const (
	pinnedUp    = 4 << 20 // size of the queue of uploads in bytes
	pinnedDown  = 1 << 20 // size of the second part in bytes
	pinnedAlign = 64      // alignment of an upload, in bytes
)

// pin allocates the pinned memory. If that fails, copies do not use pinned memory.
func (d *Driver) pin() {
	if err := d.inside(cuMemHostAlloc, d.at(&d.b.out[0]), pinnedUp+pinnedDown, 0); err == nil {
		d.pinned.base = uintptr(d.b.out[0])
	}
}

func (d *Driver) unpin() error {
	if d.pinned.base == 0 {
		return nil
	}
	return d.inside(cuMemFreeHost, d.pinned.base)
}

// bytesAt returns n bytes of the pinned memory from the given offset.
func (d *Driver) bytesAt(at, n int) []byte {
	p := d.pinned.base + uintptr(at)
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&p)), n)
}

func bytesOf(x []uint32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 4*len(x))
}

// Upload copies words to the GPU, after all earlier work.
func (d *Driver) Upload(to cuda.Pointer, x []uint32) error {
	n, p := 4*len(x), &d.pinned
	if n == 0 {
		return nil
	}
	if p.base == 0 || n > pinnedUp {
		return d.inside(cuMemcpyHtoD, uintptr(to), hold(d, x), uintptr(n))
	}
	if p.used+n > pinnedUp {
		if err := d.wait(); err != nil {
			return err
		}
	}
	copy(d.bytesAt(p.used, n), bytesOf(x))
	from := p.base + uintptr(p.used)
	p.used += (n + pinnedAlign - 1) / pinnedAlign * pinnedAlign
	return d.inside(cuMemcpyHtoDAsync, uintptr(to), from, uintptr(n), 0)
}

// Download copies words from the GPU, after all earlier work, and waits for them.
func (d *Driver) Download(x []uint32, from cuda.Pointer) error {
	n := 4 * len(x)
	if n == 0 {
		return nil
	}
	if d.pinned.base == 0 || n > pinnedDown {
		return d.inside(cuMemcpyDtoH, hold(d, x), uintptr(from), uintptr(n))
	}
	if err := d.inside(cuMemcpyDtoHAsync, d.pinned.base+pinnedUp, uintptr(from), uintptr(n), 0); err != nil {
		return err
	}
	if err := d.wait(); err != nil {
		return err
	}
	copy(bytesOf(x), d.bytesAt(pinnedUp, n))
	return nil
}

// wait waits for the default stream, the only one in use.
func (d *Driver) wait() error {
	d.pinned.used = 0
	return d.inside(cuStreamSynchronize, 0)
}
