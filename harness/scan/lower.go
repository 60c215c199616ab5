package scan

import (
	"fmt"
	"math"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// lower writes the instructions of every phase.
func (p *plan) lower() error {
	for _, s := range p.states {
		p.lowerStateStart(s)
	}
	for _, m := range p.merges {
		at := 0
		for _, v := range m.products {
			dst := m.weights
			dst.Off += at
			p.emit(Update, kernel.Instr{Op: kernel.Copy, M: v.in[1].rows, W: v.cols, Args: []kernel.Arg{dst, v.in[1].at}, Note: "merge " + v.in[1].node.Name()})
			at += v.cols
		}
	}
	for i, v := range p.order {
		if v.done {
			continue
		}
		p.currentGroup = v.group
		if err := p.lowerValue(v); err != nil {
			return err
		}
		p.currentGroup = nil
		if v.group != nil && (i+1 == len(p.order) || p.order[i+1].group != v.group) {
			p.lowerGroup(v)
		}
		v.done = true // no later instruction computes v again
	}
	for _, s := range p.states {
		p.lowerStateEnd(s)
	}
	for _, q := range p.g.Params {
		p.lowerGrad(q)
	}
	if l := &p.layout; p.train && p.opts.GradScale > 0 && l.Words > 0 {
		at := kernel.Arg{Slot: kernel.FixedSlot, Off: l.Grads, LD: l.Words}
		p.emit(BackStatic, kernel.Instr{Op: kernel.Scale, M: 1, W: l.Words, F: [2]float32{float32(math.Ldexp(1, -p.opts.GradScale))},
			Args: []kernel.Arg{at, at}, Note: "undo the scale of the loss"})
	}
	return nil
}

func (p *plan) emit(at Phase, in kernel.Instr) {
	if p.currentGroup != nil {
		p.currentGroup.body = append(p.currentGroup.body, in)
		return
	}
	p.code[at] = append(p.code[at], in)
}

// lowerGroup writes the one instruction that computes a whole fused group. The parameter last
// is the last value of the group.
func (p *plan) lowerGroup(last *value) {
	in := last.shape(kernel.Group)
	in.I[0], in.Body, in.Note = last.group.locals, last.group.body, ""
	p.emit(last.phase, in)
}

// shape returns an instruction with operation op and the dimensions of v, but without
// operands.
func (v *value) shape(op kernel.Op) kernel.Instr {
	in := kernel.Instr{Op: op, Note: v.label()}
	switch {
	case v.layout.Domain == stepgraph.Static:
		in.M, in.W = v.rows, v.cols
	case v.layout.StackMajor:
		in.Form, in.W, in.S = kernel.StackMajor, v.rows, v.layout.Stacks
	default:
		in.Form, in.W = kernel.Rows, v.cols
	}
	return in
}

// label returns the text for v in printed programs.
func (v *value) label() string {
	text := fmt.Sprintf("%%%d", v.id)
	if v.op == nil {
		return text + " " + v.node.Name()
	}
	text += " = " + v.op.String()
	for _, x := range v.in {
		text += fmt.Sprintf(" %%%d", x.id)
	}
	return text
}

// args returns the operands of an instruction that computes v: v and its inputs.
func (p *plan) args(v *value) []kernel.Arg {
	args := []kernel.Arg{v.at}
	for _, x := range v.in {
		args = append(args, p.argOf(x, v))
	}
	return args
}

func (p *plan) lowerValue(v *value) error {
	op := v.op
	if v.addedProduct != nil {
		p.lowerMatMul(v.addedProduct, v)
		return nil
	}
	if m := v.biasProduct; m != nil {
		in := v.shape(kernel.Affine)
		in.I, in.K = m.op.I, m.in[0].cols
		in.Args = []kernel.Arg{v.at, p.argOf(m.in[0], m), p.argOf(m.in[1], m), p.argOf(v.in[1], v)}
		in.Note = m.label() + "; " + v.label()
		p.emit(v.phase, in)
		return nil
	}
	if op.Kind == stepgraph.CrossEntropy || op.Kind == stepgraph.CrossEntropyGrad {
		p.lowerCrossEntropy(v)
		return nil
	}
	row := op.Kind.Row()
	switch op.Kind {
	case stepgraph.MatMul:
		p.lowerMatMul(v, nil)
	case stepgraph.SliceRows, stepgraph.SliceCols, stepgraph.PadRows, stepgraph.PadCols,
		stepgraph.AddAtRows, stepgraph.AddAtCols, stepgraph.ConcatCols, stepgraph.ConcatRows:
		p.lowerShaping(v)
	case stepgraph.ToStackMajor:
		if v.within != nil {
			return nil
		}
		in := v.shape(kernel.ToStackMajor)
		in.Args = p.args(v)
		p.emit(v.phase, in)
	case stepgraph.RowDot, stepgraph.ColSum, stepgraph.FromStackMajor, stepgraph.ColDot:
		if v.within != nil && v.is(stepgraph.FromStackMajor) {
			return nil
		}
		in := v.in[0].shape(row.Op) // over the extents of the summed value
		in.Args, in.Note = p.args(v), v.label()
		if v.is(stepgraph.ColDot) {
			in.Nonzero = v.in[0].carriedNonzero()
		}
		p.emit(v.phase, in)
	case stepgraph.Noise:
		if len(v.in) == 1 {
			p.lowerNoise(v)
			return nil
		}
		p.lowerPlain(v, row.Op)
	case stepgraph.WeightedSumGradW:
		in := v.in[1].shape(kernel.WeightedSumGradW) // extents of dy
		in.I[0], in.Args, in.Note = v.cols, p.args(v), v.label()
		p.emit(v.phase, in)
	case stepgraph.WeightedSumGradX:
		in := v.in[1].shape(kernel.WeightedSumGradX)
		in.I[0], in.Args, in.Note = v.in[0].cols, p.args(v), v.label()
		p.emit(v.phase, in)
	case stepgraph.Stack, stepgraph.StackNoop:
		p.lowerStack(v)
	case stepgraph.StackGrad, stepgraph.StackNoopGrad, stepgraph.StackGradPush, stepgraph.StackGradPop:
		p.lowerStackGrad(v)
	case stepgraph.List, stepgraph.ListNoop:
		p.lowerList(v)
	case stepgraph.ListGrad, stepgraph.ListNoopGrad, stepgraph.ListGradLeft, stepgraph.ListGradRight, stepgraph.ListGradInsert:
		p.lowerListGrad(v)
	case stepgraph.ScatterAdd:
		in := v.in[0].shape(kernel.ScatterAdd)
		rows := p.opts.memoryRows()
		if v.in[0].layout.Domain == stepgraph.Example {
			rows = p.opts.MaxExamples
		}
		scratch := p.fixed(1, rows+v.rows+lineWords)
		in.M, in.Args, in.Note = v.rows, append(p.args(v), scratch), v.label()
		p.emit(v.phase, in)
	case stepgraph.ScatterRows:
		zero := v.shape(kernel.Fill)
		zero.Args = []kernel.Arg{v.at}
		p.emit(Clear, zero)
		in := v.in[0].shape(kernel.ScatterRows)
		in.Args, in.Note = p.args(v), v.label()
		in.Args[0] = p.headArg(in.Args[0])
		p.emit(Head, in)
	default:
		if row == nil {
			return fmt.Errorf("scan: no instruction for %v", op)
		}
		p.lowerPlain(v, row.Op)
	}
	return nil
}

// lowerPlain writes an instruction with operation k that computes v.
func (p *plan) lowerPlain(v *value, k kernel.Op) {
	op := v.op
	in := v.shape(k)
	in.I, in.F = op.I, [2]float32{float32(op.F[0]), float32(op.F[1])}
	in.Args = p.args(v)
	if k == kernel.Clip || k == kernel.FlushSmall {
		in.Nonzero = v.nonzero
	}
	if (op.Kind == stepgraph.Clip || op.Kind == stepgraph.FlushSmall) && v.backward { // a gradient, which is scaled
		for i := range in.F {
			in.F[i] = float32(math.Ldexp(float64(in.F[i]), p.opts.GradScale))
		}
	}
	switch op.Kind {
	case stepgraph.WeightedSum:
		in.I[0] = v.in[0].cols
	case stepgraph.Gather:
		in.K = v.in[0].rows
	case stepgraph.GatherRows:
		in.Args[1] = p.headArg(in.Args[1])
	}
	p.emit(v.phase, in)
}

// lowerMatMul writes the instruction that computes the product v. A product may also be
// computed as part of a sum: if the parameter sum is not nil, the instruction adds the product
// to the other operand of that sum. This operand is already stored where the sum will be.
func (p *plan) lowerMatMul(v, sum *value) {
	if m := v.merged; m != nil {
		if v != m.products[0] {
			return
		}
		in := v.shape(kernel.MatMul)
		in.W, in.K = m.cols, v.in[0].cols
		in.Args = []kernel.Arg{m.result, p.argOf(v.in[0], v), m.weights}
		in.Note = fmt.Sprintf("%d merged, from %s", len(m.products), v.label())
		p.emit(v.phase, in)
		return
	}
	in := v.shape(kernel.MatMul)
	in.I, in.Args = v.op.I, p.args(v)
	if sum != nil {
		in.I[2], in.Args[0], in.Note = 1, sum.at, in.Note+"; "+sum.label()
	}
	switch {
	case v.reduces():
		in.Form, in.M, in.Reduce = kernel.Fixed, v.rows, true
	case v.op.I[0] == 1:
		in.K = v.in[0].rows
	default:
		in.K = v.in[0].cols
	}
	p.emit(v.phase, in)
}

// lowerStateStart writes the instructions at the start of the loops over the steps. They
// clear the carried gradients of strings that have ended. They also copy states and carried
// gradients that are read outside the loops.
func (p *plan) lowerStateStart(s *state) {
	if s.needsPrevBlock {
		in := s.in.shape(kernel.Copy)
		in.Args, in.Note = []kernel.Arg{s.prevAt, s.in.at}, "keep "+s.spec.Name
		p.emit(Loop, in)
	}
	if s.carry != nil && s.carry.placed && s.carry.live {
		in := s.carry.shape(kernel.ZeroTail)
		if s.gradIn == nil {
			in.Op = kernel.Fill // no step passes a gradient back
		}
		in.Args, in.Note = []kernel.Arg{s.carry.at}, "end of strings: carry."+s.spec.Name
		p.lowerClearCarry(s)
		if p.opts.Window > 0 && s.gradIn != nil {
			p.lowerClearWindow(s)
		} else {
			p.emit(BackLoop, in)
		}
		if s.needsCarryBlock {
			in := s.carry.shape(kernel.Copy)
			in.Args, in.Note = []kernel.Arg{s.carryBlock, s.carry.at}, "keep carry."+s.spec.Name
			p.emit(BackLoop, in)
		}
	}
}

// lowerStateEnd writes the instructions at the end of the loops over the steps. They copy
// next states that are read outside the loops. They also copy the gradient for the previous
// step to the buffer of the carried gradient, if it was not computed there.
func (p *plan) lowerStateEnd(s *state) {
	if s.needsNextBlock {
		in := s.out.shape(kernel.Copy)
		in.Args, in.Note = []kernel.Arg{s.nextAt, s.out.at}, "keep next "+s.spec.Name
		p.emit(Loop, in)
	}
	if s.gradIn == nil || s.carry == nil || !s.carry.live || s.gradIn.at.Slot == kernel.CarryOut && s.gradIn.at.Off == s.carryAt {
		return
	}
	in := s.carry.shape(kernel.Copy)
	dst := s.carry.at
	dst.Slot = kernel.CarryOut
	in.Args, in.Note = []kernel.Arg{dst, s.gradIn.at}, "hand back "+s.spec.Name
	p.emit(BackLoop, in)
}

// lowerGrad copies a gradient that was computed elsewhere to its place in the
// gradient block.
func (p *plan) lowerGrad(q *stepgraph.Param) {
	if q.Grad == nil || q.Frozen {
		return
	}
	d := p.of[q.Grad]
	for _, r := range p.layout.Trainable {
		if at := p.layout.Grads + r.At; r.Name == q.Name && d.at.Off != at {
			dst := kernel.Arg{Slot: kernel.FixedSlot, Off: at, LD: r.Cols}
			p.emit(BackStatic, kernel.Instr{Op: kernel.Copy, M: r.Rows, W: r.Cols, Args: []kernel.Arg{dst, d.at}, Note: "gradient of " + r.Name})
		}
	}
}
