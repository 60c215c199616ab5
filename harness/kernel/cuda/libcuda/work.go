//go:build linux && (amd64 || arm64) && !purego

package libcuda

import (
	"fmt"
	"unsafe"

	"pushdown/harness/kernel/cuda"
)

// Options of the PTX compiler.
const (
	jitErrorLog     = 5 // CU_JIT_ERROR_LOG_BUFFER
	jitErrorLogSize = 6 // CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES
)

// Keys by which a launch passes all parameters of a kernel as one buffer.
const (
	paramEnd    = iota // CU_LAUNCH_PARAM_END
	paramBuffer        // CU_LAUNCH_PARAM_BUFFER_POINTER
	paramSize          // CU_LAUNCH_PARAM_BUFFER_SIZE
)

// Load compiles the PTX text of a module and returns its kernels with the given names.
func (d *Driver) Load(text string, names ...string) ([]cuda.Function, error) {
	b := d.b
	b.log[0] = 0
	b.keys = [4]uint32{jitErrorLog, jitErrorLogSize}
	b.values = [4]uintptr{uintptr(unsafe.Pointer(&b.log)), uintptr(len(b.log))}
	err := d.inside(cuModuleLoadDataEx, d.at(&b.out[0]), hold(d, append([]byte(text), 0)), 2,
		uintptr(unsafe.Pointer(&b.keys)), uintptr(unsafe.Pointer(&b.values)))
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, logText(b.log[:]))
	}
	module := uintptr(b.out[0])
	d.modules = append(d.modules, module)
	var list []cuda.Function
	for _, name := range names {
		if err := d.inside(cuModuleGetFunction, d.at(&b.out[0]), module, hold(d, append([]byte(name), 0))); err != nil {
			return nil, fmt.Errorf("kernel %s: %w", name, err)
		}
		list = append(list, cuda.Function(b.out[0]))
	}
	return list, nil
}

// logText returns the error log of the PTX compiler.
func logText(log []byte) string {
	if s := text(log); s != "" {
		return s
	}
	return "the PTX compiler wrote no log"
}

// Resources holds the resources that a compiled kernel needs.
type Resources struct {
	Registers  int // registers of a thread
	LocalBytes int // bytes of local memory of a thread
}

// Resources returns the resources that a kernel needs.
func (d *Driver) Resources(fn cuda.Function) (Resources, error) {
	var u Resources
	for _, ask := range []struct {
		attribute uintptr
		to        *int
	}{{attributeRegisters, &u.Registers}, {attributeLocal, &u.LocalBytes}} {
		if err := d.inside(cuFuncGetAttribute, d.at(&d.b.out[0]), ask.attribute, uintptr(fn)); err != nil {
			return u, err
		}
		*ask.to = int(int32(d.b.out[0]))
	}
	return u, nil
}

// Alloc reserves the given number of words in the memory of the GPU.
func (d *Driver) Alloc(words int) (cuda.Pointer, error) {
	if err := d.inside(cuMemAlloc, d.at(&d.b.out[0]), uintptr(4*words)); err != nil {
		free := ""
		if d.inside(cuMemGetInfo, d.at(&d.b.out[1]), d.at(&d.b.out[2])) == nil {
			free = fmt.Sprintf("%d of %d MiB are free: ", d.b.out[1]>>20, d.b.out[2]>>20)
		}
		return 0, fmt.Errorf("%d MiB of the GPU's memory: %s%w", words>>18, free, err)
	}
	return cuda.Pointer(d.b.out[0]), nil
}

// Free releases memory of the GPU.
func (d *Driver) Free(p cuda.Pointer) error { return d.inside(cuMemFree, uintptr(p)) }

// Clear sets the given number of words to zero.
func (d *Driver) Clear(to cuda.Pointer, words int) error {
	if words == 0 {
		return nil
	}
	return d.inside(cuMemsetD32, uintptr(to), 0, uintptr(words))
}

// Launch starts a kernel or, while a graph is recorded, adds it to the graph.
func (d *Driver) Launch(fn cuda.Function, grid, block [3]uint32, params []byte) error {
	b := d.b
	if len(params) > len(b.params) {
		return fmt.Errorf("%d bytes of parameters, want at most %d", len(params), len(b.params))
	}
	copy(b.params[:], params)
	b.size = uintptr(len(params))
	b.extra = [5]uintptr{paramBuffer, uintptr(unsafe.Pointer(&b.params)), paramSize, uintptr(unsafe.Pointer(&b.size)), paramEnd}
	if d.graph != 0 {
		return d.addNode(fn, grid, block)
	}
	return d.inside(cuLaunchKernel, uintptr(fn), uintptr(grid[0]), uintptr(grid[1]), uintptr(grid[2]),
		uintptr(block[0]), uintptr(block[1]), uintptr(block[2]), 0, 0, 0, uintptr(unsafe.Pointer(&b.extra)))
}

// Sync waits for all earlier work.
func (d *Driver) Sync() error {
	d.pinned.used = 0
	return d.inside(cuCtxSynchronize)
}
