package scan

import (
	"fmt"
	"math"
	"slices"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// Begin lays out a batch whose states start at their initial values. The list active holds
// the number of active strings at each step, which must not increase from step to step.
// The parameter examples is the number of predictions.
func (vm *VM) Begin(active []int, examples int) error {
	if err := vm.check(active, examples); err != nil {
		return err
	}
	vm.extend(len(active), true)
	vm.minBack = 0
	vm.layOut(active, examples)
	vm.arena.Run(vm.start, vm.forward[:1])
	if vm.segmentLen > 0 {
		vm.arena.Run(vm.clearStacks, vm.forward[:min(2, vm.steps)])
	}
	if vm.plan.opts.Window > 0 {
		vm.arena.Run(vm.stream.clearCarry, vm.forward[:1])
	}
	return nil
}

// Continue lays out a batch that starts from the states after the previous batch, for which
// Forward must have run. Its strings are those that were active in the last step of the
// previous batch. If Options.Window is set, gradients also go back into earlier batches, but
// not beyond the last Begin, and over at most Window steps, including those of the new batch.
func (vm *VM) Continue(active []int, examples int) error {
	if vm.steps == 0 || len(active) == 0 || active[0] != vm.active[vm.steps-1] {
		return fmt.Errorf("scan: cannot continue: the batch starts with %v strings, the last one ended with %v", head(active), tail(vm.active[:vm.steps]))
	}
	if !vm.forwardDone {
		return fmt.Errorf("scan: cannot continue: the last batch of %d steps has not been run, so there are no states to continue from", vm.steps)
	}
	if err := vm.check(active, examples); err != nil {
		return err
	}
	if vm.plan.opts.Window > 0 {
		vm.extend(len(active), false)
	} else {
		vm.carryOver()
	}
	vm.minBack = math.MaxInt32
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

// check returns an error if a batch exceeds the bounds that the VM was compiled
// with.
func (vm *VM) check(active []int, examples int) error {
	o := &vm.plan.opts
	if len(active) == 0 || len(active) > o.MaxSteps {
		return fmt.Errorf("scan: batch of %d steps, want 1 to %d", len(active), o.MaxSteps)
	}
	if examples < 0 || examples > o.MaxExamples {
		return fmt.Errorf("scan: batch of %d examples, want 0 to %d", examples, o.MaxExamples)
	}
	rows := 0
	for t, n := range active {
		if n < 1 || n > o.MaxStrings || t > 0 && n > active[t-1] {
			return fmt.Errorf("scan: %d strings active at step %d, want 1 to %d and no more than before", n, t, o.MaxStrings)
		}
		if o.Window > 0 && n != o.MaxStrings {
			return fmt.Errorf("scan: %d strings active at step %d of a stream, want its %d columns", n, t, o.MaxStrings)
		}
		rows += n
	}
	if rows > o.MaxRows {
		return fmt.Errorf("scan: batch of %d rows, want at most %d", rows, o.MaxRows)
	}
	return nil
}

func (vm *VM) layOut(active []int, examples int) {
	vm.batch, vm.rows, vm.examples, vm.steps = active[0], 0, examples, len(active)
	vm.forwardDone, vm.backwardPending, vm.isInOrder = false, false, false
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
	for at := 0; at == 0 || at < vm.examples; at += vm.plan.headRows {
		f := vm.all[0]
		f.N, f.Continues = min(vm.plan.headRows, vm.examples-at), at > 0
		f.Start[kernel.Current] = at
		if o.Window == 0 {
			f.Start[kernel.StateIn] = first + at // for moveOf
		}
		vm.head = append(vm.head, f)
	}
	vm.blocks = vm.blocksOf(vm.blocks[:0], base, base+vm.rows)
	if o.Window > 0 {
		vm.window()
		return
	}
	vm.forward = slices.Grow(vm.forward[:0], vm.steps)[:vm.steps]
	off, before, beforeOff := 0, first, 0
	for t, n := range vm.active {
		f := &vm.forward[t] // fields that are not set here are never set
		f.N, f.Tail, f.StepsBefore = n, 0, math.MaxInt32
		f.Start[kernel.Current], f.Strings[kernel.Current] = off, n
		f.Start[kernel.StateIn], f.Strings[kernel.StateIn] = beforeOff, before
		f.Start[kernel.StateOut], f.Strings[kernel.StateOut] = first+off, n
		if t+1 < vm.steps && (o.BPTT == 0 || (t+1)%o.BPTT != 0) {
			f.Tail = vm.active[t+1]
		}
		f.Start[kernel.CarryIn] = (t + 1) % 2 * o.carryStrings()
		f.Start[kernel.CarryOut] = t % 2 * o.carryStrings()
		before, beforeOff = n, first+off
		off += n
	}
	vm.placeSegments()
	if !vm.plan.train {
		return
	}
	vm.backward = slices.Grow(vm.backward[:0], vm.steps)[:vm.steps]
	for i := range vm.backward {
		if t := vm.steps - 1 - i; t < len(vm.recomputed) {
			vm.backward[i] = vm.recomputed[t]
		} else {
			vm.backward[i] = vm.forward[t]
		}
		vm.backward[i].StepsBefore = i
	}
}

// blocksOf divides the rows [from, to) into blocks of at most rowsPerBlock rows. It appends
// one frame for each block to the given list, since an instruction runs once per frame.
func (vm *VM) blocksOf(list []kernel.Frame, from, to int) []kernel.Frame {
	for row := from; row < to; row += vm.rowsPerBlock {
		f := kernel.Frame{N: min(vm.rowsPerBlock, to-row)}
		f.Start[kernel.Current], f.Start[kernel.StateOut] = row, vm.batch+row
		list = append(list, f)
	}
	return list
}
