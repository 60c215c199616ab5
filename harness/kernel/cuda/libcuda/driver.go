//go:build linux && (amd64 || arm64) && !purego

package libcuda

import (
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"unsafe"

	"github.com/ebitengine/purego"

	"pushdown/harness/kernel/cuda"
)

// What the PTX that ships needs.
const (
	oldestDriver = 11000 // 11.0
	oldestMajor  = 8     // compute capability
)

// Attributes that are asked for.
const (
	attributeMajor     = 75 // of a device
	attributeMinor     = 76
	attributeLocal     = 3 // of a function
	attributeRegisters = 4
)

// block is memory that the garbage collector neither moves nor knows: what calls
// read and write through pointers.
type block struct {
	out    [4]uint64 // results of calls
	extra  [5]uintptr
	size   uintptr // of params
	params [4096]byte
	name   [256]byte
	keys   [4]uint32 // options of the translator
	values [4]uintptr
	log    [16 << 10]byte
	node   node // of a graph
}

// Driver is the first GPU of the machine.
type Driver struct {
	lib     *library
	name    string
	device  uintptr
	context uintptr
	modules []uintptr
	pinned  pinned
	graph   uintptr        // under way, 0: none is
	nodes   int            // of it
	args    [12]uintptr    // of the call under way
	held    unsafe.Pointer // memory of Go's that it reads or writes
	mem     []byte         // of b
	b       *block
}

var _ cuda.Driver = (*Driver)(nil)

// Open takes the first GPU.
func Open() (*Driver, error) { return open(places()) }

func open(names []string) (_ *Driver, err error) {
	lib, err := load(names)
	if err != nil {
		return nil, err
	}
	d := &Driver{lib: lib}
	if d.mem, err = syscall.Mmap(-1, 0, int(unsafe.Sizeof(block{})), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE); err != nil {
		return nil, fmt.Errorf("memory for calls of the driver: %w", err)
	}
	d.b = (*block)(unsafe.Pointer(unsafe.SliceData(d.mem)))
	if err := d.begin(); err != nil {
		_ = syscall.Munmap(d.mem) // the first error says more
		return nil, fmt.Errorf("%s: %w", lib.path, err)
	}
	return d, nil
}

// begin finds the GPU and makes its context.
func (d *Driver) begin() error {
	b := d.b
	if err := d.call(cuInit, 0); err != nil {
		return err
	}
	if err := d.call(cuDriverGetVersion, d.at(&b.out[0])); err != nil {
		return err
	}
	if v := int(uint32(b.out[0])); v < oldestDriver {
		return fmt.Errorf("have a driver for CUDA %s, need %s or later: install a newer one, or run with PUSHDOWN_DEVICE=cpu", versionText(v), versionText(oldestDriver))
	}
	if err := d.call(cuDeviceGetCount, d.at(&b.out[0])); err != nil {
		return err
	}
	if n := int32(b.out[0]); n < 1 {
		return fmt.Errorf("have a driver that sees %d GPUs, need one: look at nvidia-smi and CUDA_VISIBLE_DEVICES, or run with PUSHDOWN_DEVICE=cpu", n)
	}
	if err := d.call(cuDeviceGet, d.at(&b.out[0]), 0); err != nil {
		return err
	}
	d.device = uintptr(uint32(b.out[0]))
	if err := d.call(cuDeviceGetName, uintptr(unsafe.Pointer(&b.name)), uintptr(len(b.name)), d.device); err != nil {
		return err
	}
	d.name = short(text(b.name[:]))
	var capability [2]int32
	for i, attribute := range []uintptr{attributeMajor, attributeMinor} {
		if err := d.call(cuDeviceGetAttribute, d.at(&b.out[0]), attribute, d.device); err != nil {
			return err
		}
		capability[i] = int32(b.out[0])
	}
	if capability[0] < oldestMajor {
		return fmt.Errorf("have %s of compute capability %d.%d, need %d.0 or later, or PUSHDOWN_DEVICE=cpu", d.name, capability[0], capability[1], oldestMajor)
	}
	if err := d.call(cuDevicePrimaryCtxRetain, d.at(&b.out[0]), d.device); err != nil {
		return err
	}
	d.context = uintptr(b.out[0])
	return d.pin()
}

// at is the address of a word of the block.
func (d *Driver) at(p *uint64) uintptr { return uintptr(unsafe.Pointer(p)) }

// call calls a function of the library without a context.
func (d *Driver) call(s symbol, args ...uintptr) error {
	n := copy(d.args[:], args) // args itself would have to lie on the heap
	r, _, _ := purego.SyscallN(d.lib.fn[s], d.args[:n]...)
	if result := int(int32(r)); result != 0 {
		return d.fault(s, result)
	}
	return nil
}

// inside calls a function with the context current.
func (d *Driver) inside(s symbol, args ...uintptr) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := d.call(cuCtxSetCurrent, d.context)
	if err == nil {
		err = d.call(s, args...)
	}
	d.held = nil
	return err
}

// hold is the address of memory of Go's for the next call inside. What the driver
// refers to lies on the heap, which does not move; a stack does, when it grows.
func hold[T byte | uint32](d *Driver, x []T) uintptr {
	d.held = unsafe.Pointer(unsafe.SliceData(x))
	return uintptr(d.held)
}

// fault makes an error of a result.
func (d *Driver) fault(s symbol, result int) error {
	e := &Error{Call: symbols[s], Result: result, Name: "an unknown error", Text: "the driver does not know it"}
	for _, ask := range []struct {
		s  symbol
		to *string
	}{{cuGetErrorName, &e.Name}, {cuGetErrorString, &e.Text}} {
		d.b.out[3] = 0
		if r, _, _ := purego.SyscallN(d.lib.fn[ask.s], uintptr(result), d.at(&d.b.out[3])); int32(r) == 0 && d.b.out[3] != 0 {
			*ask.to = pointedText(&d.b.out[3])
		}
	}
	return advice(e)
}

// pointedText is the text at an address that the library has written.
func pointedText(p *uint64) string {
	at := *(**byte)(unsafe.Pointer(p))
	n := 0
	for n < 1000 && *(*byte)(unsafe.Add(unsafe.Pointer(at), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(at, n))
}

// text is what stands before the first zero.
func text(b []byte) string {
	s, _, _ := strings.Cut(string(b), "\x00")
	return s
}

// short is the name of a GPU as benchmark lines have it: h200 of NVIDIA H200.
func short(name string) string {
	return strings.ReplaceAll(strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), "nvidia "), " ", "-")
}

// String returns the name of the GPU.
func (d *Driver) String() string { return d.name }

// Close waits for the GPU and gives back all modules and the context.
func (d *Driver) Close() error {
	if d.b == nil {
		return nil
	}
	var first error
	keep := func(err error) {
		if first == nil && err != nil {
			first = err
		}
	}
	keep(d.Sync()) // no kernel runs when its module goes
	for _, m := range d.modules {
		keep(d.inside(cuModuleUnload, m))
	}
	keep(d.unpin())
	keep(d.call(cuDevicePrimaryCtxRelease, d.device))
	d.b = nil
	keep(syscall.Munmap(d.mem))
	return first
}
