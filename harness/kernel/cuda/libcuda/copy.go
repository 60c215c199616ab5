//go:build linux && (amd64 || arm64) && !purego

package libcuda

import (
	"unsafe"

	"pushdown/harness/kernel/cuda"
)

// pinned is memory of the host that the system does not move, so that the GPU
// copies to and from it by itself. Uploads pass through the first part, one behind
// the other; the call returns when the words are there, and the GPU copies them
// when it comes to it. Whatever waits for the GPU makes the part free again.
type pinned struct {
	base uintptr // 0: there is none
	used int     // bytes of the first part
}

const (
	pinnedUp   = 4 << 20 // bytes for uploads
	pinnedDown = 1 << 20 // behind them, for a download
	pinnedStep = 64      // where an upload begins
)

// pin takes that memory. Where the system gives none, copies go without.
func (d *Driver) pin() error {
	if err := d.inside(cuMemHostAlloc, d.at(&d.b.out[0]), pinnedUp+pinnedDown, 0); err == nil {
		d.pinned.base = uintptr(d.b.out[0])
	}
	return nil
}

func (d *Driver) unpin() error {
	if d.pinned.base == 0 {
		return nil
	}
	return d.inside(cuMemFreeHost, d.pinned.base)
}

// bytesAt are n bytes of the pinned memory.
func (d *Driver) bytesAt(at, n int) []byte {
	p := d.pinned.base + uintptr(at)
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&p)), n)
}

func bytesOf(x []uint32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 4*len(x))
}

// Upload copies words to the GPU after all that was launched.
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
	p.used += (n + pinnedStep - 1) / pinnedStep * pinnedStep
	return d.inside(cuMemcpyHtoDAsync, uintptr(to), from, uintptr(n), 0)
}

// Download copies words from the GPU after all that was launched.
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

// wait is Sync for the one stream that there is.
func (d *Driver) wait() error {
	d.pinned.used = 0
	return d.inside(cuStreamSynchronize, 0)
}
