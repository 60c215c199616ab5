package scan

import (
	"slices"

	"pushdown/harness/kernel"
)

// Sizes of segments; the package comment says what they are.
const (
	keepBytes    = 1 << 20 // states of a batch below which all are kept: half of a second-level cache
	segmentBytes = 1 << 18 // states of a segment, about
	leastSegment = 8       // steps
)

// cheap has the operations that may run again. All write their first operand.
var cheap = map[kernel.Op]bool{
	kernel.Copy: true, kernel.Add: true, kernel.Sub: true, kernel.Mul: true, kernel.Fill: true,
	kernel.ToStackMajor: true, kernel.ScaleCols: true, kernel.Stack: true, kernel.List: true,
}

// recompute finds out whether states need not be kept: nothing looks at them but
// the loops, and where there are gradients they can be computed again.
func (p *plan) recompute() {
	if p.apart || p.opts.Window > 0 || len(p.states) == 0 || p.statesLeaveLoops() {
		return
	}
	if !p.train {
		p.segments = true
		return
	}
	again := p.makeStates()
	if again == nil {
		return
	}
	// What has been read must not be changed since, nor by these instructions,
	// nor may another have changed what they write.
	read, written := map[region]bool{}, map[region]bool{}
	for i, in := range p.code[Loop] {
		if !again[i] {
			continue
		}
		from, to := p.touches(&in)
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
	p.segments = true
	for phase := range NumPhases {
		for i, in := range p.code[phase] {
			_, to := p.touches(&in)
			if (phase != Loop || !again[i]) && slices.ContainsFunc(to, func(r region) bool { return written[r] || read[r] && phase >= Loop }) {
				p.segments, p.recomputed = false, nil
				return
			}
		}
	}
}

// makeStates tells which instructions of the loop make the states; nil if one of
// them is not cheap.
func (p *plan) makeStates() (list []bool) {
	list = make([]bool, len(p.code[Loop]))
	wanted := map[region]bool{}
	for i, in := range slices.Backward(p.code[Loop]) {
		from, to := p.touches(&in)
		if !slices.ContainsFunc(to, func(r region) bool { return r.slot == kernel.StateOut || wanted[r] }) {
			continue
		}
		if !cheap[in.Op] && p.segment == 0 {
			return nil
		}
		list[i] = true
		for _, r := range from {
			wanted[r] = true
		}
	}
	return list
}

// touches returns what an instruction reads and writes.
func (p *plan) touches(in *kernel.Instr) (read, written []region) {
	for i := range in.Body {
		r, w := p.touches(&in.Body[i])
		read, written = append(read, r...), append(written, w...)
	}
	results := 1
	switch in.Op {
	case kernel.StackGrad:
		results = 5
	case kernel.ListGrad:
		results = 4
	case kernel.CrossEntropyBoth:
		results = 2
	}
	changes := in.Op == kernel.AddStride || in.Op == kernel.ZeroTail || in.Op == kernel.MatMul && in.I[2] == 1
	for i, a := range in.Args {
		if a.Slot == kernel.Absent || a.Slot == kernel.Local {
			continue
		}
		for _, r := range p.regions(in, a) {
			if i < results {
				written = append(written, r)
			}
			if i >= results || changes {
				read = append(read, r)
			}
		}
	}
	return read, written
}

// statesLeaveLoops tells whether something outside the loops reads a state where
// it lies.
func (p *plan) statesLeaveLoops() bool {
	if slices.ContainsFunc(p.states, func(s *state) bool { return s.in.outside || s.out.outside }) {
		return true
	}
	inState := func(r region) bool { return r.slot == kernel.StateIn || r.slot == kernel.StateOut }
	for i, code := range p.code {
		for j := range code {
			read, written := p.touches(&code[j])
			if !Phase(i).inLoop() && slices.ContainsFunc(append(read, written...), inState) {
				return true
			}
		}
	}
	return false
}

// region is what was reserved at once, with the slot that it is seen through.
// Operands in different regions do not overlap: a state before a step and that
// after it lie in different blocks.
type region struct {
	slot kernel.Slot
	at   int
}

// regions has the places of an operand: one, but of planes those of each.
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

// segmentSteps is the number of steps of a segment in the present batch, 0 if
// all states are kept.
func (vm *VM) segmentSteps() int {
	p := vm.plan
	if !p.segments {
		return 0
	}
	width := 0
	for _, s := range p.states {
		width += s.in.width()
	}
	steps := max(segmentBytes/(4*width*vm.batch), leastSegment)
	switch {
	case !p.train:
		steps = vm.lens
	case p.segment > 0:
		steps = p.segment
	case 4*width*vm.rows < keepBytes || vm.lens <= 2*steps:
		return 0
	}
	if _, _, end := vm.segmentRows(steps); end > p.opts.Rows+p.opts.Strings {
		return 0
	}
	return steps
}

// segmentRows returns where the blocks of states begin, in rows: those of a
// segment and those that are kept; and where they end. Before them lie the
// start and the two that take turns. Blocks are of whole cache lines, so that
// the rows of a stack are aligned.
func (vm *VM) segmentRows(steps int) (near, kept, end int) {
	most := lines(vm.batch)
	near = 3 * most
	if !vm.plan.train {
		return near, near, near
	}
	kept = near + steps*most
	return near, kept, kept + vm.lens/steps*most
}

// lines rounds up to whole cache lines.
func lines(n int) int { return (n + lineWords - 1) / lineWords * lineWords }

// segments places the states of the present batch.
func (vm *VM) segments() {
	vm.recomputed = vm.recomputed[:0]
	vm.segment = vm.segmentSteps()
	if vm.segment == 0 {
		return
	}
	once := vm.lens // the steps from here on, the last segment, are computed once
	if vm.plan.train {
		once = (vm.lens - 1) / vm.segment * vm.segment
	}
	most := lines(vm.batch)
	near, kept, _ := vm.segmentRows(vm.segment)
	in, strings := 0, vm.batch
	for t := range vm.forward {
		f := &vm.forward[t]
		f.Start[kernel.StateIn], f.Strings[kernel.StateIn] = in, strings
		if strings = lines(f.N); !vm.plan.train { // in two places, which need not be dense
			strings, f.Back = most, max(vm.since, t)
		}
		switch {
		case vm.plan.train && t == vm.lens-1:
			in = most // a block that takes turns, which nothing writes in the backward loop: Continue reads it
		case t >= once:
			in = near + t%vm.segment*most
		case vm.plan.train && (t+1)%vm.segment == 0:
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
		if t%vm.segment > 0 {
			f.Start[kernel.StateIn] = near + (t-1)%vm.segment*most
		}
		if (t+1)%vm.segment > 0 {
			f.Start[kernel.StateOut] = near + t%vm.segment*most
		}
		vm.recomputed = append(vm.recomputed, f)
	}
}

// backLoop runs the backward loop, segment by segment.
func (vm *VM) backLoop() {
	once := len(vm.backward) - len(vm.recomputed)
	vm.arena.Run(vm.code[BackLoop], vm.backward[:once])
	for at := len(vm.recomputed); at > 0; at -= vm.segment {
		vm.arena.Run(vm.states, vm.recomputed[at-vm.segment:at-1]) // the last state of a segment is kept
		vm.arena.Run(vm.code[BackLoop], vm.backward[vm.lens-at:vm.lens-at+vm.segment])
	}
}
