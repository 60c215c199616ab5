// Package emulated provides a CUDA device for tests. The device runs on the interpreter of
// package ptxemu. The kernels, and the code that launches them, are the same as on a GPU.
// If a kernel faults, the device fails.
package emulated

import (
	"fmt"
	"slices"

	"pushdown/harness/kernel/cuda"
	"pushdown/harness/kernel/cuda/ptxemu"
)

// Driver is a [cuda.Driver] without hardware.
type Driver struct {
	// Machine runs the kernels.
	Machine *ptxemu.Machine
	// Guard, if not zero, is a value that Upload marks as undefined: a kernel that
	// reads an uploaded word with this value faults.
	Guard     uint32
	kernels   []*ptxemu.Kernel
	recording bool
	launches  []launch // of the graph that is being recorded
	graphs    map[cuda.Graph][]launch
	last      cuda.Graph
	// GraphLaunches is the number of graph launches.
	GraphLaunches int
}

// NewDriver returns a driver with a new machine.
func NewDriver() *Driver { return &Driver{Machine: ptxemu.NewMachine()} }

// New returns a device without hardware.
func New() *cuda.Device { return cuda.New(NewDriver()) }

// String returns the name of the device.
func (d *Driver) String() string { return "emulated" }

// Load parses the PTX text of a module and returns its kernels with the given names.
func (d *Driver) Load(text string, names ...string) ([]cuda.Function, error) {
	m, err := ptxemu.Parse(text)
	if err != nil {
		return nil, err
	}
	var list []cuda.Function
	for _, name := range names {
		k := m.Kernel(name)
		if k == nil {
			return nil, fmt.Errorf("emulated: no kernel %s, have %v", name, m.Kernels())
		}
		d.kernels = append(d.kernels, k)
		list = append(list, cuda.Function(len(d.kernels)-1))
	}
	return list, nil
}

// Alloc reserves words. If a kernel reads a word before it is written, the kernel faults.
func (d *Driver) Alloc(words int) (cuda.Pointer, error) {
	return cuda.Pointer(d.Machine.Alloc(words)), nil
}

// Free releases memory.
func (d *Driver) Free(p cuda.Pointer) error { return d.Machine.Free(uint64(p)) }

// Upload writes to the machine's memory.
func (d *Driver) Upload(to cuda.Pointer, x []uint32) error {
	if err := d.Machine.Write(uint64(to), x); err != nil || d.Guard == 0 {
		return err
	}
	for i, v := range x {
		if v == d.Guard {
			if err := d.Machine.Undefine(uint64(to)+4*uint64(i), 1); err != nil {
				return err
			}
		}
	}
	return nil
}

// Download reads the machine's memory.
func (d *Driver) Download(x []uint32, from cuda.Pointer) error {
	return d.Machine.Read(x, uint64(from))
}

// Clear sets words to zero.
func (d *Driver) Clear(to cuda.Pointer, words int) error {
	return d.Machine.Fill(uint64(to), 0, words)
}

// Launch runs a kernel to its end or, while a graph is recorded, adds it to the graph.
func (d *Driver) Launch(fn cuda.Function, grid, block [3]uint32, params []byte) error {
	if d.recording {
		d.launches = append(d.launches, launch{fn, grid, block, slices.Clone(params)})
		return nil
	}
	return d.Machine.Launch(d.kernels[fn], grid, block, params)
}

// Sync does nothing, since Launch returns after the kernel has ended.
func (d *Driver) Sync() error { return nil }

// Close does nothing.
func (d *Driver) Close() error { return nil }
