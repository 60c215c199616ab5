package scan

import (
	"fmt"
	"slices"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// windowsHeld returns the number of windows that the memory of a stream has room for. When
// the memory is full, the current window is copied to the start, about once in windowsHeld-1
// windows. With more room, copies would be rarer, but the memory would not fit into the
// cache. If a stream has several strings side by side, its windows are larger, so there is
// room for only two.
func (o *Options) windowsHeld() int {
	if o.MaxStrings > 1 {
		return 2
	}
	return 4
}

// stream says where in memory the current batch of a stream is, and holds the code that
// clears carried gradients and copies stored values. Rows are counted from the start of the
// memory. A step has one row for each string that is read side by side. When the memory is
// full, the window is copied to row 0. Without a window, the fields base and from stay 0.
type stream struct {
	base      int // first row of the batch
	from      int // first row of the window
	gradSteps int // maximum number of steps that a gradient goes back; 0: the window

	blocks      []kernel.Frame // frames over the rows of the window, block by block
	copyValues  kernel.Code    // copies the values that later windows read from slot Current to slot CarryOut
	copyStates  kernel.Code    // copies the states from slot StateIn to slot StateOut
	ends        []kernel.Frame
	clearWindow kernel.Code // runs before the backward pass over a window
	clearCarry  kernel.Code // runs when a string begins; without a window, before each backward pass
}

// memoryRows returns the number of rows that a VM holds at once.
func (o *Options) memoryRows() int {
	if o.Window == 0 {
		return o.MaxRows
	}
	return (o.windowsHeld()*o.Window + o.MaxSteps) * o.MaxStrings
}

// checkWindow returns an error if there is a window and another option does not suit a
// stream.
func (o *Options) checkWindow() error {
	switch {
	case o.Window == 0:
		return nil
	case o.BPTT != 0:
		return fmt.Errorf("scan: have truncation every %d steps and a window of %d, want only one of them", o.BPTT, o.Window)
	case o.MaxSteps > o.Window:
		return fmt.Errorf("scan: batches of %d steps, want at most the window of %d", o.MaxSteps, o.Window)
	}
	return nil
}

// extend makes room for a batch with the given number of steps. The batch follows the
// previous one or, if restart is set, is at the start of the memory.
func (vm *VM) extend(steps int, restart bool) {
	s, w, n := &vm.stream, vm.plan.opts.Window, vm.plan.opts.MaxStrings
	if w == 0 {
		return
	}
	if restart {
		s.base, s.from = 0, 0
		return
	}
	s.base += vm.rows
	keep := min((w-steps)*n, s.base-s.from)
	if s.base+steps*n > vm.plan.opts.memoryRows() {
		f := &s.ends[0]
		first := s.base - keep
		f.N, f.Start[kernel.Current], f.Start[kernel.CarryOut] = keep, first, 0
		vm.arena.Run(s.copyValues, s.ends)
		f.N, f.Start[kernel.StateIn], f.Start[kernel.StateOut] = keep+n, first, 0
		vm.arena.Run(s.copyStates, s.ends)
		s.base = keep
	}
	s.from = s.base - keep
}

// LimitGradient sets the maximum number of steps that gradients go back in the following
// batches, including the steps of the batch itself. A gradient always goes back over the
// whole batch, even if the limit is smaller. A limit of 0, or of more than Options.Window,
// stands for Options.Window. LimitGradient panics if Options.Window is 0 or the limit is
// negative.
func (vm *VM) LimitGradient(steps int) {
	if vm.plan.opts.Window == 0 || steps < 0 {
		panic(fmt.Sprintf("scan: LimitGradient: have %d steps in a VM with a window of %d, want a window and at least 0 steps", steps, vm.plan.opts.Window))
	}
	vm.stream.gradSteps = steps
}

// window sets the frames of a batch of a stream. A frame tells an instruction which rows
// to process and where they are in memory.
func (vm *VM) window() {
	s, n := &vm.stream, vm.batch
	from, end := s.from, s.base+vm.rows
	if s.gradSteps > 0 {
		from = max(from, min(end-s.gradSteps*n, s.base))
	}
	vm.all[0] = kernel.Frame{N: end - from}
	vm.all[0].Start[kernel.Current], vm.all[0].Start[kernel.StateOut] = from, from+n
	s.blocks = vm.blocksOf(s.blocks[:0], from, end)
	vm.forward = slices.Grow(vm.forward[:0], vm.steps)[:vm.steps]
	for t := range vm.forward {
		vm.step(&vm.forward[t], s.base/n+t)
	}
	if !vm.plan.train {
		return
	}
	steps := (end - from) / n
	vm.backward = slices.Grow(vm.backward[:0], steps)[:steps]
	for i := range vm.backward {
		vm.step(&vm.backward[i], end/n-1-i)
		vm.backward[i].Tail, vm.backward[i].StepsBefore = min(i, 1)*n, i
	}
}

// step sets *f to the frame of step t of a stream. Steps are counted from the start of the
// memory.
func (vm *VM) step(f *kernel.Frame, t int) {
	n := vm.batch
	f.N = n
	for _, slot := range [...]kernel.Slot{kernel.Current, kernel.StateIn, kernel.StateOut} {
		f.Start[slot], f.Strings[slot] = t*n, n
	}
	f.Start[kernel.StateOut] += n
	f.Start[kernel.CarryIn] = (t + 1) % 2 * vm.plan.opts.carryStrings()
	f.Start[kernel.CarryOut] = t % 2 * vm.plan.opts.carryStrings()
}

// compileMoves compiles the code that clears carried gradients and copies stored
// values.
func (vm *VM) compileMoves() (err error) {
	s := &vm.stream
	if s.clearCarry, err = vm.arena.Compile(vm.plan.clearCarry); err != nil || vm.plan.opts.Window == 0 {
		return err
	}
	s.ends = make([]kernel.Frame, 1)
	if s.clearWindow, err = vm.arena.Compile(vm.plan.clearWindow); err != nil {
		return err
	}
	if s.copyValues, err = vm.arena.Compile(vm.plan.windowCopies()); err != nil {
		return err
	}
	var states []kernel.Instr
	for _, x := range vm.plan.states {
		states = append(states, blockCopy(x.out.at, x.in.at))
	}
	s.copyStates, err = vm.arena.Compile(states)
	return err
}

// storedBlocks returns the blocks of rows that inputs or forward phases write and that
// backward phases read. The rows of a step must stay in memory as long as a window includes
// the step.
func (p *plan) storedBlocks() (list []kernel.Arg) {
	wanted := map[int]bool{}
	for _, code := range p.code[BackPre:] {
		for i := range code {
			read, _ := p.accesses(&code[i])
			for _, r := range read {
				wanted[r.at] = wanted[r.at] || r.slot == kernel.Current
			}
		}
	}
	written := p.written()
	for _, b := range p.rowBlocks {
		if wanted[b.Off] && written[b.Off] {
			list = append(list, b)
		}
	}
	return list
}

// written returns the regions of the arena that are written by inputs, or by the forward
// phases before the head. A key of the map is the index at which a region starts. Regions
// at fixed addresses are left out.
func (p *plan) written() map[int]bool {
	written := map[int]bool{}
	for _, in := range p.g.Inputs {
		if in.Domain == stepgraph.Step {
			written[p.of[in.Node].at.Off] = true
		}
	}
	for _, code := range p.code[Pre:Clear] {
		for i := range code {
			_, to := p.accesses(&code[i])
			for _, r := range to {
				if r.slot != kernel.FixedSlot {
					written[r.at] = true
				}
			}
		}
	}
	return written
}

func (p *plan) windowCopies() (code []kernel.Instr) {
	for _, b := range p.storedBlocks() {
		to := b
		to.Slot = kernel.CarryOut
		code = append(code, blockCopy(to, b))
	}
	return code
}

// blockCopy returns an instruction that copies whole rows of a block.
func blockCopy(to, from kernel.Arg) kernel.Instr {
	to.LD, from.LD = to.Row, from.Row
	return kernel.Instr{Op: kernel.Copy, Form: kernel.Rows, W: from.Row, Args: []kernel.Arg{to, from}, Note: "to the start of the memory"}
}

// checkStored returns an error if the backward phases of a stream overwrite values
// that the next window reads again.
func (p *plan) checkStored() error {
	if p.opts.Window == 0 {
		return nil
	}
	written := p.written()
	for phase := Clear; phase < NumPhases; phase++ {
		for i := range p.code[phase] {
			_, to := p.accesses(&p.code[phase][i])
			for _, r := range to {
				if written[r.at] {
					return fmt.Errorf("scan: %v writes over @%d, which the next window reads again", p.code[phase][i].Note, r.at)
				}
			}
		}
	}
	return nil
}
