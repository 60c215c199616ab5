package scan

import (
	"fmt"
	"slices"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// windows is how many windows of steps the memory of a stream holds. What is
// stored of a step is moved once in so many windows, less one; more of them leave
// the cache.
const windows = 4

// stream is where the present batch of a stream lies. Rows are those of the
// memory, which begins anew when it is full. Of a VM without a window all are 0.
type stream struct {
	base  int // first row of the batch
	from  int // first row of the window
	reach int // most steps that a gradient goes back; 0: the window

	blocks []kernel.Frame // frames over the rows of the window, block by block
	move   kernel.Code    // what later windows read of a step, from Current to CarryNext
	states kernel.Code    // states, from StateIn to StateOut
	ends   []kernel.Frame
	fresh  kernel.Code // what a window begins with
	clean  kernel.Code // what a string begins with; without a window, a gradient
}

// memoryRows is the number of rows that a VM holds at once.
func (o *Options) memoryRows() int {
	if o.Window == 0 {
		return o.Rows
	}
	return windows*o.Window + o.Steps
}

// checkWindow refuses bounds that are none of a stream.
func (o *Options) checkWindow() error {
	switch {
	case o.Window == 0:
		return nil
	case o.Strings != 1:
		return fmt.Errorf("scan: %d strings with a window of %d steps, want 1: a stream is one string", o.Strings, o.Window)
	case o.BPTT != 0:
		return fmt.Errorf("scan: gradients are cut every %d steps and after a window of %d, want one of both", o.BPTT, o.Window)
	case o.Steps > o.Window:
		return fmt.Errorf("scan: batches of %d steps, want at most the window of %d", o.Steps, o.Window)
	}
	return nil
}

// extend makes room for a batch of so many steps behind the last one, or at the
// start of the memory.
func (vm *VM) extend(steps int, anew bool) {
	s, w := &vm.stream, vm.plan.opts.Window
	if w == 0 {
		return
	}
	if anew {
		s.base, s.from = 0, 0
		return
	}
	s.base += vm.rows
	keep := min(w-steps, s.base-s.from)
	if s.base+steps > vm.plan.opts.memoryRows() {
		f := &s.ends[0]
		first := s.base - keep
		f.N, f.Start[kernel.Current], f.Start[kernel.CarryNext] = keep, first, 0
		vm.arena.Run(s.move, s.ends)
		f.N, f.Start[kernel.StateIn], f.Start[kernel.StateOut] = keep+1, first, 0
		vm.arena.Run(s.states, s.ends)
		s.base = keep
	}
	s.from = s.base - keep
}

// Reach has the gradients of the batches that are laid out from now on go back at
// most so many steps, their own among them, but through all of their own. 0, and
// what is more than the window, is the window. Only a VM with a window has it.
func (vm *VM) Reach(steps int) {
	if vm.plan.opts.Window == 0 || steps < 0 {
		panic(fmt.Sprintf("scan: reach of %d steps of a VM with a window of %d, want none below 0 and a window", steps, vm.plan.opts.Window))
	}
	vm.stream.reach = steps
}

// window fills the frames of a batch of a stream.
func (vm *VM) window() {
	s := &vm.stream
	from, end := s.from, s.base+vm.rows
	if s.reach > 0 {
		from = max(from, min(end-s.reach, s.base))
	}
	vm.all[0] = kernel.Frame{N: end - from}
	vm.all[0].Start[kernel.Current], vm.all[0].Start[kernel.StateOut] = from, from+1
	s.blocks = vm.blocksOf(s.blocks[:0], from, end)
	vm.forward = slices.Grow(vm.forward[:0], vm.lens)[:vm.lens]
	for t := range vm.forward {
		vm.step(&vm.forward[t], s.base+t)
	}
	if !vm.plan.train {
		return
	}
	vm.backward = slices.Grow(vm.backward[:0], end-from)[:end-from]
	for i := range vm.backward {
		vm.step(&vm.backward[i], end-1-i)
		vm.backward[i].Tail, vm.backward[i].Back = min(i, 1), i
	}
}

// step is the frame of one row of a stream.
func (vm *VM) step(f *kernel.Frame, row int) {
	f.N = 1
	for _, slot := range [...]kernel.Slot{kernel.Current, kernel.StateIn, kernel.StateOut} {
		f.Start[slot], f.Strings[slot] = row, 1
	}
	f.Start[kernel.StateOut]++
	f.Start[kernel.Carry] = (row + 1) % 2 * vm.plan.opts.carried()
	f.Start[kernel.CarryNext] = row % 2 * vm.plan.opts.carried()
}

// compileMoves prepares the move of what later windows read.
func (vm *VM) compileMoves() (err error) {
	s := &vm.stream
	if s.clean, err = vm.arena.Compile(vm.plan.clean); err != nil || vm.plan.opts.Window == 0 {
		return err
	}
	s.ends = make([]kernel.Frame, 1)
	if s.fresh, err = vm.arena.Compile(vm.plan.fresh); err != nil {
		return err
	}
	if s.move, err = vm.arena.Compile(vm.plan.moves()); err != nil {
		return err
	}
	var states []kernel.Instr
	for _, x := range vm.plan.states {
		states = append(states, moved(x.out.at, x.in.at))
	}
	s.states, err = vm.arena.Compile(states)
	return err
}

// stored has the blocks of rows that the forward phases write and the backward
// ones read: what is kept of a step for the windows that it will be in.
func (p *plan) stored() (list []kernel.Arg) {
	wanted := map[int]bool{}
	for _, code := range p.code[BackPre:] {
		for i := range code {
			read, _ := p.touches(&code[i])
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

// written has the regions that inputs and the forward phases before the head fill.
func (p *plan) written() map[int]bool {
	written := map[int]bool{}
	for _, in := range p.g.Inputs {
		if in.Domain == stepgraph.Step {
			written[p.of[in.Node].at.Off] = true
		}
	}
	for _, code := range p.code[Pre:Clear] {
		for i := range code {
			_, to := p.touches(&code[i])
			for _, r := range to {
				if r.slot != kernel.FixedSlot {
					written[r.at] = true
				}
			}
		}
	}
	return written
}

func (p *plan) moves() (code []kernel.Instr) {
	for _, b := range p.stored() {
		to := b
		to.Slot = kernel.CarryNext
		code = append(code, moved(to, b))
	}
	return code
}

// moved copies whole blocks.
func moved(to, from kernel.Arg) kernel.Instr {
	to.LD, from.LD = to.Row, from.Row
	return kernel.Instr{Op: kernel.Copy, Form: kernel.Rows, W: from.Row, Args: []kernel.Arg{to, from}, Note: "to the start of the memory"}
}

// checkStored refuses a plan of a stream in which the backward phases write over
// what the next windows read again.
func (p *plan) checkStored() error {
	if p.opts.Window == 0 {
		return nil
	}
	written := p.written()
	for phase := Clear; phase < NumPhases; phase++ {
		for i := range p.code[phase] {
			_, to := p.touches(&p.code[phase][i])
			for _, r := range to {
				if written[r.at] {
					return fmt.Errorf("scan: %v writes over @%d, which the next window reads again", p.code[phase][i].Note, r.at)
				}
			}
		}
	}
	return nil
}
