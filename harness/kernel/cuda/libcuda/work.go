//go:build linux && (amd64 || arm64) && !purego

package libcuda

import (
	"fmt"
	"unsafe"

	"pushdown/harness/kernel/cuda"
)

// Options of the translator.
const (
	jitErrorLog     = 5
	jitErrorLogSize = 6
)

// Parts of the parameters in the form that is one piece of memory.
const (
	paramEnd = iota
	paramBuffer
	paramSize
)

// Load translates a text.
func (d *Driver) Load(text string, names ...string) ([]cuda.Function, error) {
	b := d.b
	b.log[0] = 0
	b.keys = [4]uint32{jitErrorLog, jitErrorLogSize}
	b.values = [4]uintptr{uintptr(unsafe.Pointer(&b.log)), uintptr(len(b.log))}
	err := d.inside(cuModuleLoadDataEx, d.at(&b.out[0]), hold(d, append([]byte(text), 0)), 2,
		uintptr(unsafe.Pointer(&b.keys)), uintptr(unsafe.Pointer(&b.values)))
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, cut(b.log[:]))
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

func cut(log []byte) string {
	if s := text(log); s != "" {
		return s
	}
	return "the translator says nothing"
}

// Use is what the translator gave a kernel.
type Use struct {
	Registers int // of a thread
	Spilled   int // bytes of a thread in local memory
}

// Use returns what a kernel takes.
func (d *Driver) Use(fn cuda.Function) (Use, error) {
	var u Use
	for _, ask := range []struct {
		attribute uintptr
		to        *int
	}{{attributeRegisters, &u.Registers}, {attributeLocal, &u.Spilled}} {
		if err := d.inside(cuFuncGetAttribute, d.at(&d.b.out[0]), ask.attribute, uintptr(fn)); err != nil {
			return u, err
		}
		*ask.to = int(int32(d.b.out[0]))
	}
	return u, nil
}

// Alloc reserves memory of the GPU.
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

// Free gives it back.
func (d *Driver) Free(p cuda.Pointer) error { return d.inside(cuMemFree, uintptr(p)) }

// Clear sets words to zero.
func (d *Driver) Clear(to cuda.Pointer, words int) error {
	if words == 0 {
		return nil
	}
	return d.inside(cuMemsetD32, uintptr(to), 0, uintptr(words))
}

// Launch starts a kernel, or keeps it in the graph under way.
func (d *Driver) Launch(fn cuda.Function, grid, block [3]uint32, params []byte) error {
	b := d.b
	if len(params) > len(b.params) {
		return fmt.Errorf("%d bytes of parameters, want at most %d", len(params), len(b.params))
	}
	copy(b.params[:], params)
	b.size = uintptr(len(params))
	b.extra = [5]uintptr{paramBuffer, uintptr(unsafe.Pointer(&b.params)), paramSize, uintptr(unsafe.Pointer(&b.size)), paramEnd}
	if d.graph != 0 {
		return d.keep(fn, grid, block)
	}
	return d.inside(cuLaunchKernel, uintptr(fn), uintptr(grid[0]), uintptr(grid[1]), uintptr(grid[2]),
		uintptr(block[0]), uintptr(block[1]), uintptr(block[2]), 0, 0, 0, uintptr(unsafe.Pointer(&b.extra)))
}

// Sync waits for everything.
func (d *Driver) Sync() error {
	d.pinned.used = 0
	return d.inside(cuCtxSynchronize)
}
