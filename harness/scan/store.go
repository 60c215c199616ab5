package scan

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

const lineWords = 16 // words of a cache line

// alloc reserves memory for rows of the given number of words, aligned to a cache line, and
// returns its first word. If an int is too small for the size of the arena, or was so for the
// number of rows, it sets tooLarge.
func (p *plan) alloc(rows, words int) int {
	at := p.words
	p.reserved = append(p.reserved, at)
	end := int64(at) + (int64(rows)*int64(words)+lineWords-1)/lineWords*lineWords
	if rows < 0 || end > math.MaxInt {
		p.tooLarge = true
		return at
	}
	p.words = int(end)
	return at
}

// store decides where each value is stored.
func (p *plan) store() {
	p.storeParams()
	for _, in := range p.g.Inputs {
		v := p.of[in.Node]
		switch in.Domain {
		case stepgraph.Step:
			v.at = p.stepBlocks(in.Width)
		case stepgraph.Example:
			v.at = p.blocks(in.Width, p.opts.MaxExamples)
		default:
			v.at = p.fixed(1, in.Width)
		}
		v.placed = true
	}
	p.outlive()
	p.reuse()
	p.outlive() // an overwritten value must live as long as the value in its place
	for _, s := range p.states {
		p.storeState(s)
	}
	for _, m := range p.merges {
		p.storeMerged(m)
	}
	p.joinParts()
	p.reuseDead()
	p.storeParts()
	p.storePlanarColumns()
	for _, g := range p.groups {
		p.storeLocals(g)
	}
	for _, v := range p.values {
		if v.live && !v.placed {
			p.place(v)
		}
	}
}

// storeParams lays out the parameters in bytewise order of their names.
func (p *plan) storeParams() {
	params := slices.Clone(p.g.Params)
	slices.SortFunc(params, func(a, b *stepgraph.Param) int { return strings.Compare(a.Name, b.Name) })
	l := &p.layout
	for _, q := range params {
		v := p.of[q.Node]
		if q.Frozen {
			v.at = p.fixed(q.Rows, q.Cols)
			l.Frozen = append(l.Frozen, Region{q.Name, v.at.Off, q.Rows, q.Cols})
			v.placed = true
			continue
		}
		l.Trainable = append(l.Trainable, Region{q.Name, l.Words, q.Rows, q.Cols})
		l.Words += (q.Rows*q.Cols + lineWords - 1) / lineWords * lineWords
	}
	l.Params = p.alloc(1, l.Words)
	if p.train {
		l.Grads = p.alloc(1, l.Words)
		for range p.opts.Moments {
			l.Moments = append(l.Moments, p.alloc(1, l.Words))
		}
	}
	l.Scalars = p.alloc(1, lineWords)
	l.Norms = p.alloc(1, len(l.Trainable))
	for _, r := range l.Trainable {
		q := p.g.Param(r.Name)
		v := p.of[q.Node]
		v.at = kernel.Arg{Slot: kernel.FixedSlot, Off: l.Params + r.At, LD: r.Cols}
		v.placed = true
		if q.Grad == nil {
			continue
		}
		if d := p.of[q.Grad]; !d.leaf && !d.placed && d.phase >= Head && d.layout.Domain == stepgraph.Static {
			d.at = kernel.Arg{Slot: kernel.FixedSlot, Off: l.Grads + r.At, LD: r.Cols}
			d.placed = true
		}
	}
}

// outlive finds the values that must stay in memory after their step, because they are
// read outside the phase that computes them.
func (p *plan) outlive() {
	for _, v := range p.values {
		if !v.live {
			continue
		}
		v.keep = v.isOutput
		for _, u := range v.uses {
			v.keep = v.keep || u.phase != v.phase || v.leaf && !u.phase.inLoop()
		}
	}
	for i := len(p.values) - 1; i >= 0; i-- {
		// A value that must outlive the step may be stored in the memory of an operand.
		// The operand must then outlive the step, too.
		switch v := p.values[i]; {
		case !v.live || !v.keep:
		case v.addsToPart():
			v.in[0].keep = true
		case v.is(stepgraph.SliceCols) && !v.in[0].leaf && 2*p.keptColumns(v.in[0]) >= v.in[0].cols:
			v.in[0].keep = true // keeping the whole input is cheaper than copying half of it or more
		case v.inPlaceOf != nil:
			v.inPlaceOf.keep = true
			if v.inPlaceOf.is(stepgraph.SliceCols) {
				v.inPlaceOf.in[0].keep = true
			}
		}
	}
	for _, s := range p.states {
		s.needsPrevBlock = s.in.isOutput
		for _, u := range s.in.uses {
			s.needsPrevBlock = s.needsPrevBlock || !u.phase.inLoop()
		}
		s.needsNextBlock = p.mayDropStates() && !s.out.layout.StackMajor && !s.out.isOutput && slices.ContainsFunc(s.out.uses, func(u *value) bool { return !u.phase.inLoop() })
		if s.carry == nil {
			continue
		}
		for _, u := range s.carry.uses {
			s.needsCarryBlock = s.needsCarryBlock || !u.phase.inLoop()
		}
	}
}

// keptColumns returns the number of columns of the slices of x that outlive their step.
func (p *plan) keptColumns(x *value) (n int) {
	for _, u := range x.uses {
		if u.is(stepgraph.SliceCols) && u.keep {
			n += u.cols
		}
	}
	return n
}

// fixed reserves a matrix at a fixed address.
func (p *plan) fixed(rows, cols int) kernel.Arg {
	return kernel.Arg{Slot: kernel.FixedSlot, Off: p.alloc(rows, cols), LD: cols}
}

// stepBlocks reserves a block for each step that is in memory at once.
func (p *plan) stepBlocks(width int) kernel.Arg {
	at := p.blocks(width, p.opts.memoryRows())
	p.rowBlocks = append(p.rowBlocks, at)
	return at
}

// blocks reserves memory for the given number of rows of the given width.
func (p *plan) blocks(width, rows int) kernel.Arg {
	return kernel.Arg{Slot: kernel.Current, Off: p.alloc(rows, width), Row: width, LD: width}
}

// storeState reserves the blocks of a state and two alternating buffers of its
// carried gradient.
func (p *plan) storeState(s *state) {
	w := s.in.width()
	s.block = p.alloc(p.opts.memoryRows()+p.opts.MaxStrings, w)
	arg := kernel.Arg{Off: s.block, Row: w, LD: w}
	if s.in.layout.StackMajor {
		arg.LD, arg.S = 0, s.in.layout.Stacks
	}
	arg.Slot = kernel.StateIn
	s.in.at, s.in.placed = arg, true
	arg.Slot = kernel.StateOut
	s.out.at, s.out.placed = arg, true
	for v := s.out; p.addsInPlace(v); v = v.in[0] {
		v.in[0].at, v.in[0].placed = arg, true
		v.within, v.overwrites = v.in[0], true
	}
	if s.needsPrevBlock {
		s.prevAt = p.stepBlocks(w)
	}
	if s.needsNextBlock {
		s.nextAt = p.stepBlocks(w)
	}
	if s.carry == nil || !s.carry.live && s.gradIn == nil {
		return
	}
	s.carryAt = p.alloc(2*p.opts.carryStrings(), w)
	carry := kernel.Arg{Slot: kernel.CarryIn, Off: s.carryAt, Row: w, LD: w}
	if s.in.layout.StackMajor {
		carry.LD = p.opts.carryStrings() * s.in.layout.Stacks
	}
	if s.needsCarryBlock {
		s.carryBlock = p.stepBlocks(w)
	}
	s.carry.at, s.carry.placed = carry, true
	passed := carry
	passed.Slot = kernel.CarryOut
	p.storeCarriedGrad(s, passed)
	d := s.gradIn
	for d != nil && !d.leaf && !d.placed && d.addsToPart() && p.alias(d) {
		d = d.in[0] // stored where the sum is
	}
	if d != nil && !d.leaf && !d.placed && d.phase == BackLoop && !d.keep && !p.alias(d) {
		d.at, d.placed = passed, true
	}
}

func (p *plan) storeMerged(m *merged) {
	first := m.products[0]
	m.weights = p.fixed(first.in[1].rows, m.cols)
	for _, v := range m.products {
		m.keep = m.keep || v.keep || !v.phase.inLoop()
	}
	switch {
	case first.layout.Domain == stepgraph.Example:
		m.result = p.fixed(p.headRows, m.cols)
	case m.keep:
		m.result = p.stepBlocks(m.cols)
	default:
		m.result = p.fixed(p.opts.MaxStrings, m.cols)
	}
	at := 0
	for _, v := range m.products {
		if v.placed {
			panic(fmt.Sprintf("scan: product %s merges, but has a place of its own", v.label()))
		}
		v.at, v.placed = m.result, true
		v.at.Off += at
		at += v.cols
	}
}

// alias reports whether v shares the memory of another value. There are four cases: v
// takes the place of an operand (inPlaceOf), v is a slice that every consumer can read in
// place, v is an addition into a value that nothing else reads, or v is the gradient of a
// loss in place of the logits.
func (p *plan) alias(v *value) bool {
	if v.inPlaceOf != nil {
		return true
	}
	if v.leaf || v.isOutput || p.noSharing {
		return false
	}
	x := v.in[0]
	switch v.kind() {
	case stepgraph.CrossEntropyGrad:
		return !x.leaf && !x.is(stepgraph.SliceCols) && !x.isOutput && x.merged == nil && !v.keep && !x.keep && len(x.uses) == 2 && p.lossPartner(v) != nil
	case stepgraph.SliceRows:
		return x.layout.StackMajor && !v.keep
	case stepgraph.SliceCols:
		if v.op.I[2] != 1 || x.leaf && x.state != nil && v.keep {
			return false
		}
		if !x.leaf && v.keep && !x.keep && x.phase.inLoop() {
			return false
		}
		for _, u := range v.uses {
			if !readsStrided(u, v) {
				return false
			}
		}
		return x.layout.Domain != stepgraph.Static
	case stepgraph.AddAtRows, stepgraph.AddAtCols:
		return !(x.state != nil && v.keep) && x.phaseOrCarry() == v.phase && readOnce(x)
	}
	return false
}

// addsInPlace reports whether v, a state after the step, can be computed in place
// of its first input.
func (p *plan) addsInPlace(v *value) bool {
	if p.noSharing || !v.addsToPart() {
		return false
	}
	x := v.in[0]
	return !x.leaf && !x.placed && x.phase == v.phase && x.inPlaceOf == nil && x.layout == v.layout && readOnce(x)
}

// readOnce reports whether a single operation reads x, and x is not a view of
// another value's memory.
func readOnce(x *value) bool {
	if len(x.uses) != 1 || x.isOutput || x.isGradResult || x.isNextState {
		return false
	}
	return x.within == nil || x.overwrites
}

// phaseOrCarry returns the phase of v. It returns BackLoop for a carried gradient, and
// NumPhases for any other leaf.
func (v *value) phaseOrCarry() Phase {
	if v.leaf && v.state != nil && v == v.state.carry {
		return BackLoop
	}
	if v.leaf {
		return NumPhases
	}
	return v.phase
}

// readsStrided reports whether the consumer u can read v if there are gaps between its
// rows.
func readsStrided(u, v *value) bool {
	switch u.kind() {
	case stepgraph.ToStackMajor, stepgraph.Stack, stepgraph.StackNoop, stepgraph.StackGrad, stepgraph.StackNoopGrad,
		stepgraph.List, stepgraph.ListNoop, stepgraph.ListGrad, stepgraph.ListNoopGrad, stepgraph.ScaleCols, stepgraph.ScatterRows:
		return false
	case stepgraph.Softmax, stepgraph.SoftmaxGrad, stepgraph.OneHot:
		return u.op.I[0] == v.cols
	case stepgraph.GatherRows, stepgraph.CrossEntropyGrad:
		return v == u.in[0]
	case stepgraph.AddRow, stepgraph.MulRow:
		return v == u.in[0]
	}
	return true
}

// place gives v memory of its own, or a place in the memory of another value.
func (p *plan) place(v *value) {
	v.placed = true
	if p.alias(v) {
		x, view := v.in[0], v.is(stepgraph.SliceRows) || v.is(stepgraph.SliceCols)
		if v.inPlaceOf != nil {
			x, view = v.inPlaceOf, false
		}
		if !x.placed {
			p.place(x)
		}
		v.at = p.argOf(x, v)
		v.within, v.overwrites = x, !view
		switch {
		case !view:
		case v.is(stepgraph.SliceRows):
			v.at.Skip += v.op.I[0]
		default:
			v.at.Off += v.op.I[0]
		}
		return
	}
	if p.isReshape(v) {
		v.at, v.within = v.in[0].at, v.in[0]
		if v.is(stepgraph.FromStackMajor) {
			v.at.LD = v.cols
		}
		return
	}
	switch {
	case v.layout.Domain == stepgraph.Static:
		v.at = p.fixed(v.rows, v.cols)
	case v.layout.Domain == stepgraph.Example && v.keep:
		v.at = p.blocks(v.cols, p.opts.MaxExamples)
	case v.layout.Domain == stepgraph.Example:
		v.at = p.fixed(p.headRows, v.cols)
	case v.layout.StackMajor && (v.keep || v.leaf):
		v.at = p.stepBlocks(v.width())
		v.at.LD, v.at.S = 0, v.layout.Stacks
	case v.layout.StackMajor:
		v.at = p.fixed(v.rows, p.opts.MaxStrings*v.layout.Stacks)
	case v.phase.inLoop() && !v.keep:
		v.at = p.fixed(p.opts.MaxStrings, v.cols)
	default:
		v.at = p.stepBlocks(v.cols)
	}
}

// argOf returns the location from which the consumer u reads x. A consumer outside the loops
// reads states and carried gradients from the copies that the loops make.
func (p *plan) argOf(x, u *value) kernel.Arg {
	if x.isNextState && !u.phase.inLoop() {
		for _, s := range p.states {
			if s.out == x && s.needsNextBlock {
				return s.nextAt
			}
		}
	}
	switch {
	case x.state == nil || u.phase.inLoop():
		return x.at
	case x == x.state.in:
		return x.state.prevAt
	case x == x.state.carry:
		return x.state.carryBlock
	}
	return x.at
}

// blockRows returns the number of rows of a block in the phases over all rows. In a
// block, the widest value takes at most 256 KiB, a fraction of a second-level cache.
// But a block always has at least 256 rows, to amortize reading the weights of a
// product.
func (p *plan) blockRows() int {
	const words, least, most = 1 << 16, 256, 1 << 12
	widest := 1
	for _, v := range p.values {
		if v.live && !v.leaf && v.layout.Domain == stepgraph.Step && !v.phase.inLoop() {
			widest = max(widest, v.cols)
		}
	}
	return min(max(words/widest/least*least, least), most)
}
