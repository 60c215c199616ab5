package scan

import (
	"fmt"
	"maps"
	"slices"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// Losses reads the loss of each example of the batch into dst.
func (vm *VM) Losses(dst []float32) {
	vm.arena.Read(vm.plan.of[vm.plan.g.Loss].at.Off, dst[:vm.examples])
}

// Output reads the output with the given name into dst, row by row. An output that belongs
// to the predictions has one row per prediction. An output that is computed at each step
// has one row for each active string of each step, in the order of the steps.
func (vm *VM) Output(name string, dst []float32) error {
	n := vm.plan.g.Outputs[name]
	if n == nil {
		return fmt.Errorf("scan: the graph has no output %s, want one of %v", name, slices.Sorted(maps.Keys(vm.plan.g.Outputs)))
	}
	v := vm.plan.of[n]
	at := v.at
	if v.state != nil && v == v.state.in {
		at = v.state.prevAt
	}
	rows, off := vm.examples, at.Off
	switch v.layout.Domain {
	case stepgraph.Step:
		rows = vm.rows
		off += at.Row * vm.stream.base
		if at.Slot == kernel.StateOut {
			off += at.Row * vm.batch
		}
	case stepgraph.Static:
		rows = v.rows
	}
	if v.layout.StackMajor || at.LD != v.cols {
		return fmt.Errorf("scan: output %s is not stored as separate rows, which Output needs", name)
	}
	if want := rows * v.cols; len(dst) != want {
		return fmt.Errorf("scan: output %s has %d values, have room for %d", name, want, len(dst))
	}
	vm.arena.Read(off, dst)
	return nil
}

// Region returns the location of a parameter and whether it is trained.
func (vm *VM) Region(name string) (r Region, trained bool, err error) {
	l := vm.Layout()
	for _, r := range l.Trainable {
		if r.Name == name {
			r.At += l.Params
			return r, true, nil
		}
	}
	for _, r := range l.Frozen {
		if r.Name == name {
			return r, false, nil
		}
	}
	var names []string
	for _, p := range vm.plan.g.Params {
		names = append(names, p.Name)
	}
	return Region{}, false, fmt.Errorf("scan: the graph has no parameter %s, want one of %v", name, names)
}

// SetParam writes a parameter, row-major.
func (vm *VM) SetParam(name string, x []float32) error {
	r, _, err := vm.Region(name)
	if err != nil {
		return err
	}
	if len(x) != r.Rows*r.Cols {
		return fmt.Errorf("scan: parameter %s has %d values, want %d", name, len(x), r.Rows*r.Cols)
	}
	vm.arena.Write(r.At, x)
	return nil
}

// Param reads a parameter, row-major.
func (vm *VM) Param(name string) ([]float32, error) {
	r, _, err := vm.Region(name)
	if err != nil {
		return nil, err
	}
	x := make([]float32, r.Rows*r.Cols)
	vm.arena.Read(r.At, x)
	return x, nil
}

// Grad reads the gradient of a trained parameter, row-major.
func (vm *VM) Grad(name string) ([]float32, error) {
	r, trained, err := vm.Region(name)
	if err != nil {
		return nil, err
	}
	if !trained || !vm.plan.train {
		return nil, fmt.Errorf("scan: parameter %s has no gradient", name)
	}
	x := make([]float32, r.Rows*r.Cols)
	vm.arena.Read(r.At-vm.Layout().Params+vm.Layout().Grads, x)
	return x, nil
}
