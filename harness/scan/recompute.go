package scan

import (
	"slices"

	"pushdown/harness/kernel"
)

// Sizes of segments; the package comment explains segments.
const (
	keepBytes    = 1 << 20 // a batch whose states take fewer bytes keeps them all; half of a second-level cache
	segmentBytes = 1 << 18 // approximate number of bytes of the states in a segment
	leastSegment = 8       // minimum number of steps in a segment
)

// mayRepeat lists the operations that can be run a second time to recompute states. Each of
// them writes its first operand only.
var mayRepeat = map[kernel.Op]bool{
	kernel.Copy: true, kernel.Add: true, kernel.Sub: true, kernel.Mul: true, kernel.Fill: true,
	kernel.Gather: true, kernel.ToStackMajor: true, kernel.ScaleCols: true, kernel.Stack: true, kernel.List: true,
}

// recompute decides whether the memory of states is used again before the batch ends. If so,
// it sets p.dropStates. The conditions are that states are read only in the loops over the
// steps, that Options.Window is 0, and that values can share memory. In training, the
// backward loop needs the states a second time, so instructions of the forward loop must be
// able to compute them again; recompute stores these instructions in p.recomputed.
func (p *plan) recompute() {
	if p.noSharing || p.opts.Window > 0 || len(p.states) == 0 || p.statesReadOutsideLoops() {
		return
	}
	if !p.train {
		p.dropStates = true
		return
	}
	again := p.stateInstrs()
	if again == nil {
		return
	}
	// Running the instructions again gives the same states only if no instruction
	// overwrites what they read, and no other instruction writes what they write.
	read, written := map[region]bool{}, map[region]bool{}
	for i, in := range p.code[Loop] {
		if !again[i] {
			continue
		}
		from, to := p.accesses(&in)
		for _, r := range from {
			read[r] = read[r] || !written[r]
		}
		for _, r := range to {
			if read[r] {
				p.recomputed = nil
				return
			}
			written[r] = true
		}
		p.recomputed = append(p.recomputed, in)
	}
	// The backward loop may overwrite what is stored for each step, because it comes to a
	// step after the states of its segment have been computed again.
	p.dropStates = true
	for phase := range NumPhases {
		for i, in := range p.code[phase] {
			_, to := p.accesses(&in)
			if (phase != Loop || !again[i]) && slices.ContainsFunc(to, func(r region) bool {
				return written[r] || read[r] && phase >= Loop && (phase < BackLoop || r.slot != kernel.Current)
			}) {
				p.dropStates, p.recomputed = false, nil
				return
			}
		}
	}
}

// stateInstrs reports which instructions of the forward loop compute the states. It returns
// nil if the operation of one of them is not in mayRepeat.
func (p *plan) stateInstrs() (list []bool) {
	list = make([]bool, len(p.code[Loop]))
	wanted := map[region]bool{}
	for i, in := range slices.Backward(p.code[Loop]) {
		from, to := p.accesses(&in)
		if !slices.ContainsFunc(to, func(r region) bool { return r.slot == kernel.StateOut || wanted[r] }) {
			continue
		}
		if !mayRepeat[in.Op] && p.forceSegment == 0 {
			return nil
		}
		list[i] = true
		for _, r := range from {
			wanted[r] = true
		}
	}
	return list
}

// accesses returns the regions that an instruction reads and writes.
func (p *plan) accesses(in *kernel.Instr) (read, written []region) {
	for i := range in.Body {
		r, w := p.accesses(&in.Body[i])
		read, written = append(read, r...), append(written, w...)
	}
	for i, a := range in.Args {
		if a.Slot == kernel.Absent || a.Slot == kernel.Local {
			continue
		}
		use := kernel.Ops[in.Op].Args[i].Use
		if in.Op == kernel.MatMul && use == kernel.Updates && in.I[2] == 0 { // it adds to nothing
			use = kernel.Writes
		}
		for _, r := range p.regions(in, a) {
			if use != kernel.Reads {
				written = append(written, r)
			}
			if use == kernel.Reads || use == kernel.Updates {
				read = append(read, r)
			}
		}
	}
	return read, written
}

// statesReadOutsideLoops reports whether a state is an output, or an instruction outside the
// loops over the steps uses the blocks of a state.
func (p *plan) statesReadOutsideLoops() bool {
	if slices.ContainsFunc(p.states, func(s *state) bool { return s.in.isOutput || s.out.isOutput }) {
		return true
	}
	inState := func(r region) bool { return r.slot == kernel.StateIn || r.slot == kernel.StateOut }
	for i, code := range p.code {
		for j := range code {
			read, written := p.accesses(&code[j])
			if !Phase(i).inLoop() && slices.ContainsFunc(append(read, written...), inState) {
				return true
			}
		}
	}
	return false
}

// region is a range of memory that one call of alloc reserved, together with the slot
// through which an instruction accesses it. Operands in different regions do not overlap.
// This holds even for the states before and after a step: they are in the same range, but
// their slots start at different blocks of it.
type region struct {
	slot kernel.Slot
	at   int
}

// regions returns the regions of an operand: one, or one per column of planar
// columns.
func (p *plan) regions(in *kernel.Instr, a kernel.Arg) []region {
	list := []region{p.region(a)}
	if (in.Op == kernel.ToStackMajor || in.Op == kernel.FromStackMajor) && a.LD > 0 {
		for range in.W - 1 {
			a.Off += a.LD
			if r := p.region(a); r != list[len(list)-1] {
				list = append(list, r)
			}
		}
	}
	return list
}

func (p *plan) region(a kernel.Arg) region {
	i, found := slices.BinarySearch(p.reserved, a.Off)
	if !found {
		i--
	}
	return region{a.Slot, p.reserved[i]}
}

// segmentSteps returns the number of steps of a segment in the current batch, or 0
// if all states are kept.
func (vm *VM) segmentSteps() int {
	p := vm.plan
	if !p.dropStates {
		return 0
	}
	width := 0
	for _, s := range p.states {
		width += s.in.width()
	}
	steps := max(segmentBytes/(4*width*vm.batch), leastSegment)
	switch {
	case !p.train:
		steps = vm.steps
	case p.forceSegment > 0:
		steps = p.forceSegment
	case 4*width*vm.rows < keepBytes || vm.steps <= 2*steps:
		return 0
	}
	if _, _, end := vm.segmentRows(steps); end > p.opts.MaxRows+p.opts.MaxStrings {
		return 0
	}
	return steps
}

// segmentRows says where states are stored if segments have the given number of steps. Three
// blocks begin at row 0: that of the initial state, and two that are used in turn. The
// result near is the first row of the blocks for the steps of a segment, kept is the first
// row of the blocks of the kept states, and end is the row after the last block. Each block
// takes whole cache lines, so that the rows of a stack are aligned.
func (vm *VM) segmentRows(steps int) (near, kept, end int) {
	most := lines(vm.batch)
	near = 3 * most
	if !vm.plan.train {
		return near, near, near
	}
	kept = near + steps*most
	return near, kept, kept + vm.steps/steps*most
}

// lines rounds a number of words up to whole cache lines.
func lines(n int) int { return (n + lineWords - 1) / lineWords * lineWords }

// placeSegments decides which block each state of the current batch is stored in.
func (vm *VM) placeSegments() {
	vm.recomputed = vm.recomputed[:0]
	vm.segmentLen = vm.segmentSteps()
	if vm.segmentLen == 0 {
		return
	}
	once := vm.steps // the states from this step on, those of the last segment, are computed only once
	if vm.plan.train {
		once = (vm.steps - 1) / vm.segmentLen * vm.segmentLen
	}
	most := lines(vm.batch)
	near, kept, _ := vm.segmentRows(vm.segmentLen)
	in, strings := 0, vm.batch
	for t := range vm.forward {
		f := &vm.forward[t]
		f.Start[kernel.StateIn], f.Strings[kernel.StateIn] = in, strings
		if strings = lines(f.N); !vm.plan.train { // the two alternating blocks can have gaps between columns
			strings, f.StepsBefore = most, max(vm.minBack, t)
		}
		switch {
		case vm.plan.train && t == vm.steps-1:
			in = most // an alternating block, which the backward loop does not write: Continue reads it
		case t >= once:
			in = near + t%vm.segmentLen*most
		case vm.plan.train && (t+1)%vm.segmentLen == 0:
			in, kept = kept, kept+strings
		default:
			in = most + t%2*most
		}
		f.Start[kernel.StateOut], f.Strings[kernel.StateOut] = in, strings
	}
	if !vm.plan.train {
		return
	}
	for t, f := range vm.forward[:once] {
		if t%vm.segmentLen > 0 {
			f.Start[kernel.StateIn] = near + (t-1)%vm.segmentLen*most
		}
		if (t+1)%vm.segmentLen > 0 {
			f.Start[kernel.StateOut] = near + t%vm.segmentLen*most
		}
		vm.recomputed = append(vm.recomputed, f)
	}
}

// backLoop runs the backward loop, segment by segment.
func (vm *VM) backLoop() {
	once := len(vm.backward) - len(vm.recomputed)
	vm.arena.Run(vm.code[BackLoop], vm.backward[:once])
	for at := len(vm.recomputed); at > 0; at -= vm.segmentLen {
		vm.arena.Run(vm.remakeStates, vm.recomputed[at-vm.segmentLen:at-1]) // the last state of a segment has been kept
		vm.arena.Run(vm.code[BackLoop], vm.backward[vm.steps-at:vm.steps-at+vm.segmentLen])
	}
}
