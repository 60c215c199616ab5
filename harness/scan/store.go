package scan

import (
	"fmt"
	"slices"
	"strings"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

const lineWords = 16 // a cache line

// alloc reserves words, aligned to a cache line.
func (p *plan) alloc(words int) int {
	at := p.words
	p.reserved = append(p.reserved, at)
	p.words += (words + lineWords - 1) / lineWords * lineWords
	return at
}

// store decides where each value lies.
func (p *plan) store() {
	p.storeParams()
	for _, in := range p.g.Inputs {
		v := p.of[in.Node]
		switch in.Domain {
		case stepgraph.Step:
			v.at = p.stepBlocks(in.Width)
		case stepgraph.Example:
			v.at = p.blocks(in.Width, p.opts.Examples)
		default:
			v.at = p.fixed(1, in.Width)
		}
		v.placed = true
	}
	p.outlive()
	p.reuse()
	p.outlive() // what is overwritten lives as long
	for _, s := range p.states {
		p.storeState(s)
	}
	for _, m := range p.merges {
		p.storeMerged(m)
	}
	p.storeInside()
	p.storePlanes()
	for _, g := range p.groups {
		p.storeLocals(g)
	}
	for _, v := range p.values {
		if v.live && !v.placed {
			p.place(v)
		}
	}
}

// storeParams lays the parameters out in bytewise order of their names.
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
		l.Trained = append(l.Trained, Region{q.Name, l.Words, q.Rows, q.Cols})
		l.Words += (q.Rows*q.Cols + lineWords - 1) / lineWords * lineWords
	}
	l.Params = p.alloc(l.Words)
	if p.train {
		l.Grads = p.alloc(l.Words)
		for range p.opts.Moments {
			l.Moments = append(l.Moments, p.alloc(l.Words))
		}
	}
	l.Scalars = p.alloc(lineWords)
	l.Norms = p.alloc(len(l.Trained))
	for _, r := range l.Trained {
		q := p.g.Param(r.Name)
		v := p.of[q.Node]
		v.at = kernel.Arg{Slot: kernel.FixedSlot, Off: l.Params + r.At, LD: r.Cols}
		v.placed = true
		if q.Grad == nil {
			continue
		}
		if d := p.of[q.Grad]; !d.leaf && !d.placed && d.phase >= Head && d.place.Domain == stepgraph.Static {
			d.at = kernel.Arg{Slot: kernel.FixedSlot, Off: l.Grads + r.At, LD: r.Cols}
			d.placed = true
		}
	}
}

// outlive finds the values that are read outside the phase that computes them.
func (p *plan) outlive() {
	for _, v := range p.values {
		if !v.live {
			continue
		}
		v.keep = v.outside
		for _, u := range v.uses {
			v.keep = v.keep || u.phase != v.phase || v.leaf && !u.phase.inLoop()
		}
	}
	for i := len(p.values) - 1; i >= 0; i-- {
		// What is added into a part stays in place if both outlive the step.
		switch v := p.values[i]; {
		case !v.live || !v.keep:
		case v.addsToPart():
			v.in[0].keep = true
		case v.is(stepgraph.SliceCols) && !v.in[0].leaf && 2*v.cols >= v.in[0].cols:
			v.in[0].keep = true // less than to copy so much of it
		case v.onto != nil:
			v.onto.keep = true
			if v.onto.is(stepgraph.SliceCols) {
				v.onto.in[0].keep = true
			}
		}
	}
	for _, s := range p.states {
		s.needsPrevBlock = s.in.outside
		for _, u := range s.in.uses {
			s.needsPrevBlock = s.needsPrevBlock || !u.phase.inLoop()
		}
		s.needsNextBlock = p.passing() && !s.out.place.StackMajor && !s.out.outside && slices.ContainsFunc(s.out.uses, func(u *value) bool { return !u.phase.inLoop() })
		if s.carry == nil {
			continue
		}
		for _, u := range s.carry.uses {
			s.needsCarryBlock = s.needsCarryBlock || !u.phase.inLoop()
		}
	}
}

// fixed is a matrix at one place.
func (p *plan) fixed(rows, cols int) kernel.Arg {
	return kernel.Arg{Slot: kernel.FixedSlot, Off: p.alloc(rows * cols), LD: cols}
}

// stepBlocks is a value with a block for each step that is held at once.
func (p *plan) stepBlocks(width int) kernel.Arg {
	at := p.blocks(width, p.opts.memoryRows())
	p.rowBlocks = append(p.rowBlocks, at)
	return at
}

// blocks is a row value with a block for each of some rows.
func (p *plan) blocks(width, rows int) kernel.Arg {
	return kernel.Arg{Slot: kernel.Current, Off: p.alloc(rows * width), Row: width, LD: width}
}

// storeState gives a state its blocks, and its carried gradient two buffers
// that take turns.
func (p *plan) storeState(s *state) {
	w := s.in.width()
	s.block = p.alloc((p.opts.memoryRows() + p.opts.Strings) * w)
	arg := kernel.Arg{Off: s.block, Row: w, LD: w}
	if s.in.place.StackMajor {
		arg.LD, arg.S = 0, s.in.place.Stacks
	}
	arg.Slot = kernel.StateIn
	s.in.at, s.in.placed = arg, true
	arg.Slot = kernel.StateOut
	s.out.at, s.out.placed = arg, true
	for v := s.out; p.addsOnto(v); v = v.in[0] {
		v.in[0].at, v.in[0].placed = arg, true
		v.within, v.over = v.in[0], true
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
	s.carryAt = p.alloc(2 * p.opts.carried() * w)
	carry := kernel.Arg{Slot: kernel.Carry, Off: s.carryAt, Row: w, LD: w}
	if s.in.place.StackMajor {
		carry.LD = p.opts.carried() * s.in.place.Stacks
	}
	if s.needsCarryBlock {
		s.carryBlock = p.stepBlocks(w)
	}
	s.carry.at, s.carry.placed = carry, true
	hand := carry
	hand.Slot = kernel.CarryNext
	p.storeChain(s, hand)
	d := s.gradIn
	for d != nil && !d.leaf && !d.placed && d.addsToPart() && p.alias(d) {
		d = d.in[0] // what is added to lies where the sum does
	}
	if d != nil && !d.leaf && !d.placed && d.phase == BackLoop && !d.keep && !p.alias(d) {
		d.at, d.placed = hand, true
	}
}

func (p *plan) storeMerged(m *merged) {
	first := m.products[0]
	m.weights = p.fixed(first.in[1].rows, m.cols)
	for _, v := range m.products {
		m.keep = m.keep || v.keep || !v.phase.inLoop()
	}
	switch {
	case first.place.Domain == stepgraph.Example:
		m.result = p.fixed(p.headRows, m.cols)
	case m.keep:
		m.result = p.stepBlocks(m.cols)
	default:
		m.result = p.fixed(p.opts.Strings, m.cols)
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

// alias tells whether v can share the memory of its first input: a slice that
// every consumer can read where it lies, or an addition into a gradient that
// nobody else reads.
func (p *plan) alias(v *value) bool {
	if v.onto != nil {
		return true
	}
	if v.leaf || v.outside || p.apart {
		return false
	}
	x := v.in[0]
	switch v.kind() {
	case stepgraph.CrossEntropyGrad:
		return !x.leaf && !x.is(stepgraph.SliceCols) && !x.outside && x.merged == nil && !v.keep && !x.keep && len(x.uses) == 2 && p.pairs(v) != nil
	case stepgraph.SliceRows:
		return x.place.StackMajor && !v.keep
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
		return x.place.Domain != stepgraph.Static
	case stepgraph.AddAtRows, stepgraph.AddAtCols:
		return !(x.state != nil && v.keep) && x.phaseOrCarry() == v.phase && readOnce(x)
	}
	return false
}

// addsOnto tells whether v, a state after the step, can be added up where it lies.
func (p *plan) addsOnto(v *value) bool {
	if p.apart || !v.addsToPart() {
		return false
	}
	x := v.in[0]
	return !x.leaf && !x.placed && x.phase == v.phase && x.onto == nil && x.place == v.place && readOnce(x)
}

// readOnce tells whether one operation alone reads what lies where x lies: x,
// and what x itself was added into.
func readOnce(x *value) bool {
	if len(x.uses) != 1 || x.outside || x.taken || x.next {
		return false
	}
	return x.within == nil || x.over
}

// phaseOrCarry is the phase of v; the carried gradient belongs to the loop.
func (v *value) phaseOrCarry() Phase {
	if v.leaf && v.state != nil && v == v.state.carry {
		return BackLoop
	}
	if v.leaf {
		return NumPhases
	}
	return v.phase
}

// readsStrided tells whether consumer u takes v with any distance between rows.
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

// place gives v a place of its own, or one inside its first input's.
func (p *plan) place(v *value) {
	v.placed = true
	if p.alias(v) {
		x := v.in[0]
		if v.onto != nil {
			x = v.onto
		}
		if !x.placed {
			p.place(x)
		}
		v.at = p.argOf(x, v)
		v.within, v.over = x, !v.is(stepgraph.SliceRows) && !v.is(stepgraph.SliceCols)
		switch v.kind() {
		case stepgraph.SliceRows:
			v.at.Skip += v.op.I[0]
		case stepgraph.SliceCols:
			v.at.Off += v.op.I[0]
		}
		return
	}
	if p.flat(v) {
		v.at, v.within = v.in[0].at, v.in[0]
		if v.is(stepgraph.FromStackMajor) {
			v.at.LD = v.cols
		}
		return
	}
	switch {
	case v.place.Domain == stepgraph.Static:
		v.at = p.fixed(v.rows, v.cols)
	case v.place.Domain == stepgraph.Example && v.keep:
		v.at = p.blocks(v.cols, p.opts.Examples)
	case v.place.Domain == stepgraph.Example:
		v.at = p.fixed(p.headRows, v.cols)
	case v.place.StackMajor && (v.keep || v.leaf):
		v.at = p.stepBlocks(v.width())
		v.at.LD, v.at.S = 0, v.place.Stacks
	case v.place.StackMajor:
		v.at = p.fixed(v.rows, p.opts.Strings*v.place.Stacks)
	case v.phase.inLoop() && !v.keep:
		v.at = p.fixed(p.opts.Strings, v.cols)
	default:
		v.at = p.stepBlocks(v.cols)
	}
}

// argOf returns x as consumer u reads it: outside the loops the copies of a
// state, before or after its step, and of its carried gradient.
func (p *plan) argOf(x, u *value) kernel.Arg {
	if x.next && !u.phase.inLoop() {
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

// blockRows is the number of rows of a block in the phases over all rows: as
// many as keep the widest value within about a quarter of a second-level
// cache, but enough that a product's weights are worth reading.
func (p *plan) blockRows() int {
	const words, least, most = 1 << 16, 256, 1 << 12
	widest := 1
	for _, v := range p.values {
		if v.live && !v.leaf && v.place.Domain == stepgraph.Step && !v.phase.inLoop() {
			widest = max(widest, v.cols)
		}
	}
	return min(max(words/widest/least*least, least), most)
}
