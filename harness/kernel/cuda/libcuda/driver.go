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

// Requirements of the PTX of this repository.
const (
	oldestDriver = 11000 // 11.0
	oldestMajor  = 8     // compute capability 8.0
)

// Attributes of devices and functions.
const (
	attributeMajor     = 75 // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
	attributeMinor     = 76 // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR
	attributeLocal     = 3  // CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES
	attributeRegisters = 4  // CU_FUNC_ATTRIBUTE_NUM_REGS
)

// block holds the data that calls of the library read and write through pointers. It
// is in memory from mmap, which the garbage collector does not manage.
type block struct {
	out    [4]uint64  // results of calls
	extra  [5]uintptr // says where the parameters of a launch are
	size   uintptr    // size of these parameters in bytes
	params [4096]byte // parameters of a kernel
	name   [256]byte
	keys   [4]uint32  // options of the PTX compiler
	values [4]uintptr // values of these options
	log    [16 << 10]byte
	node   node
}

// Driver is the first GPU of the machine.
type Driver struct {
	lib     *library
	name    string
	device  uintptr
	context uintptr
	modules []uintptr
	pinned  pinned
	graph   uintptr        // the graph that is being recorded, 0: none
	nodes   int            // nodes of graph
	args    [12]uintptr    // arguments of the current call
	held    unsafe.Pointer // Go memory that the current call reads or writes
	mem     []byte         // memory of b
	b       *block         // nil after Close
}

var _ cuda.Driver = (*Driver)(nil)

// Open returns the driver of the first GPU.
func Open() (*Driver, error) { return open(libraryNames()) }

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
		_ = syscall.Munmap(d.mem) // return the first error
		return nil, fmt.Errorf("%s: %w", lib.path, err)
	}
	return d, nil
}

// begin finds the GPU and retains its primary context.
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
	d.name = shortName(text(b.name[:]))
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
	d.pin()
	return nil
}

// at returns the address of a word in d.b, the memory through which calls of the library
// pass data.
func (d *Driver) at(p *uint64) uintptr { return uintptr(unsafe.Pointer(p)) }

// call calls a function of the library that needs no context.
func (d *Driver) call(s symbol, args ...uintptr) error {
	n := copy(d.args[:], args) // passing args on would make it escape to the heap
	r, _, _ := purego.SyscallN(d.lib.fn[s], d.args[:n]...)
	if result := int(int32(r)); result != 0 {
		return d.fault(s, result)
	}
	return nil
}

// inside makes the context current on the calling thread and calls a function of the
// library.
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

// hold returns the address of x for the next call of inside and keeps x alive until
// that call returns. Storing the pointer in d forces x onto the heap, which does not
// move, unlike a goroutine's stack.
func hold[T byte | uint32](d *Driver, x []T) uintptr {
	d.held = unsafe.Pointer(unsafe.SliceData(x))
	return uintptr(d.held)
}

// fault returns the error for a call of s that failed with the given result.
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

// pointedText returns the C string whose address the library has stored in *p.
func pointedText(p *uint64) string {
	at := *(**byte)(unsafe.Pointer(p))
	n := 0
	for n < 1000 && *(*byte)(unsafe.Add(unsafe.Pointer(at), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(at, n))
}

// text returns the bytes before the first zero byte as a string.
func text(b []byte) string {
	s, _, _ := strings.Cut(string(b), "\x00")
	return s
}

// shortName returns the name of a GPU in the form that benchmark lines use: h200 for
// NVIDIA H200.
func shortName(name string) string {
	return strings.ReplaceAll(strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), "nvidia "), " ", "-")
}

// String returns the name of the GPU.
func (d *Driver) String() string { return d.name }

// Close waits for the GPU and releases all modules and the context.
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
	keep(d.Sync()) // no kernel may run when its module is unloaded
	for _, m := range d.modules {
		keep(d.inside(cuModuleUnload, m))
	}
	keep(d.unpin())
	keep(d.call(cuDevicePrimaryCtxRelease, d.device))
	d.b = nil
	keep(syscall.Munmap(d.mem))
	return first
}
