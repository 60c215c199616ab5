package scan

import (
	"fmt"

	"pushdown/harness/kernel"
)

// Snapshot is the state that a batch leaves for the batch that continues it. With a
// window (see [Options]), it also holds the states and values of earlier steps that the
// next window may need. Each word is a whole number or the bits of a floating-point
// number. Another VM with the same graph and options, on any device, can continue from
// a Snapshot.
type Snapshot struct {
	Strings int       // number of strings at the end of the batch
	Steps   int       // number of steps of the window before the next batch; 0 without a window
	Words   [][]int32 // words of each state, then of each value that a window keeps
}

// Snapshot returns the state for a batch that continues the current one. It panics if
// Forward has not run. If the current batch needs Backward, call it before Snapshot.
func (vm *VM) Snapshot() Snapshot {
	if !vm.forwardDone {
		panic("scan: Snapshot before Forward: want a batch that has been run")
	}
	c := Snapshot{Strings: vm.active[vm.steps-1]}
	first := 0
	if w := vm.plan.opts.Window; w > 0 {
		end := vm.stream.base + vm.rows
		c.Steps = min(w-1, (end-vm.stream.from)/c.Strings)
		first = end - c.Steps*c.Strings
	} else {
		vm.carryOver()
	}
	for _, b := range vm.carriedBlocks(c, first) {
		x := make([]int32, b.words)
		vm.arena.ReadInts(b.at, x)
		c.Words = append(c.Words, x)
	}
	return c
}

// Restore makes the next batch continue the batch after which the snapshot c was taken.
func (vm *VM) Restore(c Snapshot) error {
	o := &vm.plan.opts
	if c.Strings < 1 || c.Strings > o.MaxStrings || o.Window > 0 && c.Strings != o.MaxStrings || c.Steps < 0 || c.Steps > max(o.Window-1, 0) {
		return fmt.Errorf("scan: restoring: have %d strings after %d steps, want 1 to %d strings and at most %d steps", c.Strings, c.Steps, o.MaxStrings, max(o.Window-1, 0))
	}
	blocks := vm.carriedBlocks(c, 0)
	if len(c.Words) != len(blocks) {
		return fmt.Errorf("scan: restoring: have %d values, want %d", len(c.Words), len(blocks))
	}
	for i, b := range blocks {
		if len(c.Words[i]) != b.words {
			return fmt.Errorf("scan: restoring: have %d words of value %d, want %d", len(c.Words[i]), i, b.words)
		}
	}
	vm.stream.base, vm.stream.from = 0, 0
	vm.layOut([]int{c.Strings}, 0)
	for i, b := range blocks {
		vm.arena.WriteInts(b.at, c.Words[i])
	}
	if o.Window > 0 {
		vm.arena.Run(vm.stream.clearCarry, vm.forward[:1])
		vm.rows = c.Steps * c.Strings // the next batch is stored after them
	} else {
		vm.arena.Run(vm.restore, vm.forward[:1])
	}
	vm.forwardDone = true
	return nil
}

// carryOver copies the states at the end of the batch to the start of the memory.
func (vm *VM) carryOver() {
	last := vm.forward[vm.steps-1]
	last.Start[kernel.StateIn], last.Strings[kernel.StateIn] = 0, last.N
	vm.ends[0] = last
	vm.arena.Run(vm.copyStates, vm.ends)
}

// span is a range of the memory.
type span struct{ at, words int }

// carriedBlocks returns the ranges of the memory that the elements of c.Words are read from
// or written to, in the same order. The parameter row is the row of the memory that
// corresponds to the first row of c.
func (vm *VM) carriedBlocks(c Snapshot, row int) (list []span) {
	for _, s := range vm.plan.states {
		w := s.in.width()
		rows := c.Strings
		if vm.plan.opts.Window > 0 {
			rows += c.Steps * c.Strings
		}
		list = append(list, span{s.block + row*w, rows * w})
	}
	if vm.plan.opts.Window > 0 {
		for _, b := range vm.plan.storedBlocks() {
			list = append(list, span{b.Off + row*b.Row, c.Steps * c.Strings * b.Row})
		}
	}
	return list
}
