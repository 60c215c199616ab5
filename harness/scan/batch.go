package scan

import (
	"fmt"
	"math"
	"slices"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// Begin lays out a batch: active holds for each step the number of strings
// still going, which must not rise; there are the given number of predictions.
// States start anew at their initial values.
func (vm *VM) Begin(active []int, examples int) error {
	if err := vm.check(active, examples); err != nil {
		return err
	}
	vm.extend(len(active), true)
	vm.since = 0
	vm.layOut(active, examples)
	vm.arena.Run(vm.start, vm.forward[:1])
	if vm.segment > 0 {
		vm.arena.Run(vm.empty, vm.forward[:min(2, vm.lens)])
	}
	if vm.plan.opts.Window > 0 {
		vm.arena.Run(vm.stream.clean, vm.forward[:1])
	}
	return nil
}

// Continue lays out a batch that takes up the states of the last one, of the
// same strings; Forward has run before. With a window its steps are those before
// the batch's own, as many as there are since Begin.
func (vm *VM) Continue(active []int, examples int) error {
	if vm.lens == 0 || len(active) == 0 || active[0] != vm.active[vm.lens-1] {
		return fmt.Errorf("scan: cannot continue: the batch starts with %v strings, the last one ended with %v", head(active), tail(vm.active[:vm.lens]))
	}
	if !vm.ran {
		return fmt.Errorf("scan: cannot continue: the last batch of %d steps has not been run, so its strings have no states to go on from", vm.lens)
	}
	if err := vm.check(active, examples); err != nil {
		return err
	}
	if vm.plan.opts.Window > 0 {
		vm.extend(len(active), false)
	} else {
		vm.carryOver()
	}
	vm.since = math.MaxInt32
	vm.layOut(active, examples)
	return nil
}

func head(x []int) any {
	if len(x) == 0 {
		return "no"
	}
	return x[0]
}

func tail(x []int) any {
	if len(x) == 0 {
		return "no"
	}
	return x[len(x)-1]
}

// check refuses a batch beyond the bounds that the VM was compiled with.
func (vm *VM) check(active []int, examples int) error {
	o := &vm.plan.opts
	if len(active) == 0 || len(active) > o.Steps {
		return fmt.Errorf("scan: batch of %d steps, want 1 to %d", len(active), o.Steps)
	}
	if examples < 0 || examples > o.Examples {
		return fmt.Errorf("scan: batch of %d examples, want 0 to %d", examples, o.Examples)
	}
	rows := 0
	for t, n := range active {
		if n < 1 || n > o.Strings || t > 0 && n > active[t-1] {
			return fmt.Errorf("scan: %d strings active at step %d, want 1 to %d and no more than before", n, t, o.Strings)
		}
		rows += n
	}
	if rows > o.Rows {
		return fmt.Errorf("scan: batch of %d rows, want at most %d", rows, o.Rows)
	}
	return nil
}

func (vm *VM) layOut(active []int, examples int) {
	vm.batch, vm.rows, vm.examp, vm.lens = active[0], 0, examples, len(active)
	vm.ran, vm.fresh = false, false
	for _, n := range active {
		vm.rows += n
	}
	vm.active = append(vm.active[:0], active...)
	for i, in := range vm.plan.g.Inputs {
		if in.Domain != stepgraph.Static && in.Name != stepgraph.InputSeed {
			vm.unset[i] = vm.plan.of[in.Node].live && vm.count(in) > 0
		}
	}
	vm.frames()
}

// frames fills the frames of the batch.
func (vm *VM) frames() {
	o := &vm.plan.opts
	first, base := vm.batch, vm.stream.base
	vm.all[0] = kernel.Frame{N: vm.rows}
	vm.all[0].Start[kernel.StateIn], vm.all[0].Start[kernel.StateOut] = base, base+first
	vm.head = vm.head[:0]
	for at := 0; at == 0 || at < vm.examp; at += vm.plan.headRows {
		f := vm.all[0]
		f.N, f.Continues = min(vm.plan.headRows, vm.examp-at), at > 0
		f.Start[kernel.Current] = at
		vm.head = append(vm.head, f)
	}
	vm.blocks = vm.blocksOf(vm.blocks[:0], base, base+vm.rows)
	if o.Window > 0 {
		vm.window()
		return
	}
	vm.forward = slices.Grow(vm.forward[:0], vm.lens)[:vm.lens]
	off, before, beforeOff := 0, first, 0
	for t, n := range vm.active {
		f := &vm.forward[t] // what is not set here never is
		f.N, f.Tail, f.Back = n, 0, math.MaxInt32
		f.Start[kernel.Current], f.Strings[kernel.Current] = off, n
		f.Start[kernel.StateIn], f.Strings[kernel.StateIn] = beforeOff, before
		f.Start[kernel.StateOut], f.Strings[kernel.StateOut] = first+off, n
		if t+1 < vm.lens && (o.BPTT == 0 || (t+1)%o.BPTT != 0) {
			f.Tail = vm.active[t+1]
		}
		f.Start[kernel.Carry] = (t + 1) % 2 * o.carried()
		f.Start[kernel.CarryNext] = t % 2 * o.carried()
		before, beforeOff = n, first+off
		off += n
	}
	vm.segments()
	if !vm.plan.train {
		return
	}
	vm.backward = slices.Grow(vm.backward[:0], vm.lens)[:vm.lens]
	for i := range vm.backward {
		if t := vm.lens - 1 - i; t < len(vm.recomputed) {
			vm.backward[i] = vm.recomputed[t]
		} else {
			vm.backward[i] = vm.forward[t]
		}
		vm.backward[i].Back = i
	}
}

// blocksOf appends the frames over some rows, block by block.
func (vm *VM) blocksOf(list []kernel.Frame, from, to int) []kernel.Frame {
	for row := from; row < to; row += vm.perBlock {
		f := kernel.Frame{N: min(vm.perBlock, to-row)}
		f.Start[kernel.Current], f.Start[kernel.StateOut] = row, vm.batch+row
		list = append(list, f)
	}
	return list
}
