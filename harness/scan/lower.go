package scan

import (
	"fmt"
	"math"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// plain maps the operations that become one instruction of the same operands.
var plain = map[stepgraph.Kind]kernel.Op{
	stepgraph.Copy: kernel.Copy, stepgraph.StopGrad: kernel.Copy, stepgraph.ClipGrad: kernel.Copy,
	stepgraph.Add: kernel.Add, stepgraph.Sub: kernel.Sub, stepgraph.Mul: kernel.Mul,
	stepgraph.Neg: kernel.Neg, stepgraph.OneMinus: kernel.OneMinus, stepgraph.Scale: kernel.Scale,
	stepgraph.Sigmoid: kernel.Sigmoid, stepgraph.Tanh: kernel.Tanh,
	stepgraph.SigmoidGrad: kernel.SigmoidGrad, stepgraph.TanhGrad: kernel.TanhGrad,
	stepgraph.Clip: kernel.Clip, stepgraph.Threshold: kernel.Threshold, stepgraph.MulOne: kernel.MulOne,
	stepgraph.AddRow: kernel.AddRow, stepgraph.MulRow: kernel.MulRow, stepgraph.MulCol: kernel.MulCol,
	stepgraph.ScaleDepth: kernel.ScaleCols, stepgraph.Mix: kernel.Mix,
	stepgraph.Softmax: kernel.Softmax, stepgraph.SoftmaxGrad: kernel.SoftmaxGrad, stepgraph.OneHot: kernel.OneHot,
	stepgraph.Gather: kernel.Gather, stepgraph.Pick: kernel.Gather,
	stepgraph.Dropout: kernel.Dropout, stepgraph.Noise: kernel.Noise,
}

// narrowing maps the operations whose instruction has the extents of its first
// operand, not of its result.
var narrowing = map[stepgraph.Kind]kernel.Op{
	stepgraph.RowDot: kernel.RowDot, stepgraph.ColSum: kernel.ColSum,
	stepgraph.FromDepth: kernel.FromDepth, stepgraph.DepthDot: kernel.DepthDot,
}

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
		p.into = v.group
		if err := p.lowerValue(v); err != nil {
			return err
		}
		p.into = nil
		if v.group != nil && (i+1 == len(p.order) || p.order[i+1].group != v.group) {
			p.lowerGroup(v)
		}
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
	if p.into != nil {
		p.into.body = append(p.into.body, in)
		return
	}
	p.code[at] = append(p.code[at], in)
}

// lowerGroup writes the group of which last is the last member.
func (p *plan) lowerGroup(last *value) {
	in := last.shape(kernel.Group)
	in.I[0], in.Body, in.Note = last.group.locals, last.group.body, ""
	p.emit(last.phase, in)
}

// shape returns an instruction over the extents of v.
func (v *value) shape(op kernel.Op) kernel.Instr {
	in := kernel.Instr{Op: op, Note: v.label()}
	switch {
	case v.place.Domain == stepgraph.Static:
		in.M, in.W = v.rows, v.cols
	case v.place.Depth:
		in.Form, in.W, in.S = kernel.Depth, v.rows, v.place.Stacks
	default:
		in.Form, in.W = kernel.Rows, v.cols
	}
	return in
}

// label names v in a printed program.
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

// args are v and its inputs.
func (p *plan) args(v *value) []kernel.Arg {
	args := []kernel.Arg{v.at}
	for _, x := range v.in {
		args = append(args, p.argOf(x, v))
	}
	return args
}

func (p *plan) lowerValue(v *value) error {
	op := v.op
	if v.adds != nil {
		p.lowerMatMul(v.adds, v)
		return nil
	}
	if m := v.biased; m != nil {
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
	if k, ok := plain[op.Kind]; ok {
		in := v.shape(k)
		in.I, in.F = op.I, [2]float32{float32(op.F[0]), float32(op.F[1])}
		in.Args = p.args(v)
		if op.Kind == stepgraph.Clip && v.backward { // of a gradient, which is scaled
			for i := range in.F {
				in.F[i] = float32(math.Ldexp(float64(in.F[i]), p.opts.GradScale))
			}
		}
		switch op.Kind {
		case stepgraph.Mix:
			in.I[0] = v.in[0].cols
		case stepgraph.Pick:
			in.Args[1] = pinned(in.Args[1])
		}
		p.emit(v.phase, in)
		return nil
	}
	switch op.Kind {
	case stepgraph.MatMul:
		p.lowerMatMul(v, nil)
	case stepgraph.SliceRows, stepgraph.SliceCols, stepgraph.PadRows, stepgraph.PadCols,
		stepgraph.AddAtRows, stepgraph.AddAtCols, stepgraph.ConcatCols, stepgraph.ConcatRows:
		p.lowerShaping(v)
	case stepgraph.ToDepth:
		if v.within != nil {
			return nil
		}
		in := v.shape(kernel.ToDepth)
		in.Args = p.args(v)
		p.emit(v.phase, in)
	case stepgraph.RowDot, stepgraph.ColSum, stepgraph.FromDepth, stepgraph.DepthDot:
		in := v.in[0].shape(narrowing[op.Kind]) // over the extents of what is summed
		in.Args, in.Note = p.args(v), v.label()
		p.emit(v.phase, in)
	case stepgraph.MixGradWeights:
		in := v.in[1].shape(kernel.MixGradWeights) // extents of dy
		in.I[0], in.Args, in.Note = v.cols, p.args(v), v.label()
		p.emit(v.phase, in)
	case stepgraph.MixGradBlocks:
		in := v.in[1].shape(kernel.MixGradBlocks)
		in.I[0], in.Args, in.Note = v.in[0].cols, p.args(v), v.label()
		p.emit(v.phase, in)
	case stepgraph.Stack, stepgraph.StackNoop:
		p.lowerStack(v)
	case stepgraph.StackGrad, stepgraph.StackNoopGrad, stepgraph.StackGradPush, stepgraph.StackGradPop:
		p.lowerStackGrad(v)
	case stepgraph.ScatterAdd:
		in := v.in[0].shape(kernel.ScatterAdd)
		rows := p.opts.Rows
		if v.in[0].place.Domain == stepgraph.Example {
			rows = p.opts.Examples
		}
		scratch := p.fixed(1, rows+v.rows+lineWords)
		in.M, in.Args, in.Note = v.rows, append(p.args(v), scratch), v.label()
		p.emit(v.phase, in)
	case stepgraph.Unpick:
		zero := v.shape(kernel.Fill)
		zero.Args = []kernel.Arg{v.at}
		p.emit(Clear, zero)
		in := v.in[0].shape(kernel.ScatterRows)
		in.Args, in.Note = p.args(v), v.label()
		in.Args[0] = pinned(in.Args[0])
		p.emit(Head, in)
	default:
		return fmt.Errorf("scan: no instruction for %v", op)
	}
	return nil
}

// lowerMatMul writes a product, or adds it into a sum.
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

// lowerShaping writes slices, paddings, additions into a part, and
// concatenations as copies between places.
func (p *plan) lowerShaping(v *value) {
	op, args := v.op, p.args(v)
	byRows := op.Kind == stepgraph.SliceRows || op.Kind == stepgraph.PadRows || op.Kind == stepgraph.AddAtRows || op.Kind == stepgraph.ConcatRows
	if (op.Kind == stepgraph.SliceRows || op.Kind == stepgraph.SliceCols) && v.within == v.in[0] {
		return
	}
	// move copies or adds x, of the extents of from, to or from a part.
	move := func(k kernel.Op, from *value, dst, x kernel.Arg, dstStep, xStep int) {
		in := from.shape(k)
		in.Note = v.label()
		in.Args = []kernel.Arg{dst, x}
		if dstStep != 1 || xStep != 1 {
			in.Op = kernel.CopyStride
			if k == kernel.Add {
				in.Op = kernel.AddStride
			}
			in.I = [3]int{dstStep, xStep}
		} else if k == kernel.Add {
			in.Args = []kernel.Arg{dst, dst, x}
		}
		p.emit(v.phase, in)
	}
	shift := func(a kernel.Arg, by int) kernel.Arg {
		if byRows {
			a.Skip += by
		} else {
			a.Off += by
		}
		return a
	}
	switch op.Kind {
	case stepgraph.SliceRows, stepgraph.SliceCols:
		move(kernel.Copy, v, args[0], shift(args[1], op.I[0]), 1, op.I[2])
	case stepgraph.PadRows, stepgraph.PadCols:
		zero := v.shape(kernel.Fill)
		zero.Args = args[:1]
		p.emit(v.phase, zero)
		move(kernel.Copy, v.in[0], shift(args[0], op.I[0]), args[1], op.I[2], 1)
	case stepgraph.AddAtRows, stepgraph.AddAtCols:
		if v.within != v.in[0] {
			move(kernel.Copy, v, args[0], args[1], 1, 1)
		}
		move(kernel.Add, v.in[1], shift(args[0], op.I[0]), args[2], op.I[2], 1)
	case stepgraph.ConcatCols, stepgraph.ConcatRows:
		at := 0
		for i, x := range v.in {
			if x.within != v {
				move(kernel.Copy, x, shift(args[0], at), args[1+i], 1, 1)
			}
			if byRows {
				at += x.rows
			} else {
				at += x.cols
			}
		}
	}
}

func (p *plan) lowerStack(v *value) {
	in := v.shape(kernel.Stack)
	in.I[0], in.F[0] = v.op.I[0], float32(v.op.F[0])
	a := p.args(v)
	if v.op.Kind == stepgraph.Stack {
		in.Args = []kernel.Arg{a[0], a[1], a[2], a[3], {}, a[4]}
	} else {
		in.Args = a
	}
	p.emit(v.phase, in)
}

// lowerStackGrad writes all gradients of one stack step as one instruction, at
// the first of them.
func (p *plan) lowerStackGrad(first *value) {
	dy := first.in[0]
	in := dy.shape(kernel.StackGrad)
	in.Note = first.label()
	in.I[0] = first.op.I[0]
	in.Args = make([]kernel.Arg, 11)
	in.Args[5] = p.argOf(dy, first)
	// What a result does not need still has to point at something.
	in.Args[6], in.Args[7], in.Args[8], in.Args[10] = in.Args[5], in.Args[5], in.Args[5], in.Args[5]
	var s *value
	for _, u := range dy.uses {
		if u.phase != first.phase || u.done || u.leaf || u.op.I[0] != first.op.I[0] {
			continue
		}
		// Of several pushes that come together, the others have their own turn.
		switch u.kind() {
		case stepgraph.StackGrad, stepgraph.StackNoopGrad:
			if in.Args[0].Slot != kernel.Absent {
				continue
			}
			in.Args[0], in.Args[7], in.Args[8] = u.at, p.argOf(u.in[1], u), p.argOf(u.in[2], u)
			if u.is(stepgraph.StackNoopGrad) {
				in.Args[9] = p.argOf(u.in[3], u)
			}
		case stepgraph.StackGradPush:
			if s != nil && s != u.in[1] || in.Args[1].Slot != kernel.Absent {
				continue
			}
			s = u.in[1]
			in.Args[1], in.Args[6], in.Args[10] = u.at, p.argOf(s, u), p.argOf(u.in[2], u)
		case stepgraph.StackGradPop:
			if s != nil && s != u.in[1] || in.Args[2].Slot != kernel.Absent {
				continue
			}
			s = u.in[1]
			in.Args[2], in.Args[6], in.F[0] = u.at, p.argOf(s, u), float32(u.op.F[0])
		default:
			continue
		}
		u.done = true
	}
	p.emit(first.phase, in)
}

// lowerStateStart opens the loops: zeros for gradients of strings that do not go
// on, and the copies of what is read outside the loops.
func (p *plan) lowerStateStart(s *state) {
	if s.needsPrevBlock {
		in := s.in.shape(kernel.Copy)
		in.Args, in.Note = []kernel.Arg{s.prevAt, s.in.at}, "keep "+s.spec.Name
		p.emit(Loop, in)
	}
	if s.carry != nil && s.carry.placed && s.carry.live {
		in := s.carry.shape(kernel.ZeroTail)
		if s.gradIn == nil {
			in.Op = kernel.Fill // no step hands anything back
		}
		in.Args, in.Note = []kernel.Arg{s.carry.at}, "end of strings: carry."+s.spec.Name
		p.emit(BackLoop, in)
		if s.needsCarryBlock {
			in := s.carry.shape(kernel.Copy)
			in.Args, in.Note = []kernel.Arg{s.carryBlock, s.carry.at}, "keep carry."+s.spec.Name
			p.emit(BackLoop, in)
		}
	}
}

// lowerStateEnd closes the backward loop: gradients that were not computed in
// place are handed on.
func (p *plan) lowerStateEnd(s *state) {
	if s.gradIn == nil || s.carry == nil || !s.carry.live || s.gradIn.at.Slot == kernel.CarryNext && s.gradIn.at.Off == s.carryAt {
		return
	}
	in := s.carry.shape(kernel.Copy)
	dst := s.carry.at
	dst.Slot = kernel.CarryNext
	in.Args, in.Note = []kernel.Arg{dst, s.gradIn.at}, "hand back "+s.spec.Name
	p.emit(BackLoop, in)
}

// lowerGrad copies a gradient that lies elsewhere to its place beside the
// parameters.
func (p *plan) lowerGrad(q *stepgraph.Param) {
	if q.Grad == nil || q.Frozen {
		return
	}
	d := p.of[q.Grad]
	for _, r := range p.layout.Trained {
		if at := p.layout.Grads + r.At; r.Name == q.Name && d.at.Off != at {
			dst := kernel.Arg{Slot: kernel.FixedSlot, Off: at, LD: r.Cols}
			p.emit(BackStatic, kernel.Instr{Op: kernel.Copy, M: r.Rows, W: r.Cols, Args: []kernel.Arg{dst, d.at}, Note: "gradient of " + r.Name})
		}
	}
}
