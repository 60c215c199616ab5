package cpu

import (
	"math"
	"math/bits"

	"pushdown/harness/kernel"
)

// A scan multiplies by the same weights in every step. Where no instruction of
// a program writes the second operand of a product, a Run packs it once, if it
// has frames enough for that to pay, and all frames read what was packed.

// pack is an instruction whose second operand is packed.
type pack struct {
	in     *kernel.Instr
	run    run       // of the instruction
	mem    []float32 // nil before the first use
	ready  bool      // in the Run under way
	wanted bool      // for frames of one row too
}

// What it takes for packing to pay. A product of few rows reads B as it lies,
// one of very many hides the packing that it does itself; neither may read B
// from the wrong side without packing all of it.
const (
	packColumns = 2
	packFrames  = 4
	packFewest  = 28 // rows in a frame
	packMost    = 256
)

// pays tells whether to pack for some frames of some rows in all.
func (p *pack) pays(frames, rows int) bool {
	switch {
	case frames < 2 || rows >= packMost*frames:
		return false
	case p.in.I[1] == 1:
		return true
	}
	return frames >= packFrames && rows >= packFewest*frames
}

// findPacks puts the packing before the instructions that it may serve.
func (c *code) findPacks() {
	for i := range c.instrs {
		in := &c.instrs[i]
		if in.Op != kernel.MatMul && in.Op != kernel.Affine || in.Reduce || in.W < packColumns || in.K == 0 {
			continue
		}
		b := &in.Args[2]
		rows, cols := in.K, in.W
		if in.I[1] == 1 {
			rows, cols = cols, rows
		}
		if b.Slot != kernel.FixedSlot || b.Row != 0 || b.LD < cols {
			continue
		}
		from := b.Off + b.Skip*b.LD
		if writesInto(c.instrs, from, from+(rows-1)*b.LD+cols) {
			continue
		}
		p := &pack{in: in, run: c.runs[i], wanted: true}
		c.runs[i] = p.exec
		c.packs = append(c.packs, p)
	}
}

// results has a bit for each operand that an operation writes. An operation
// that is not listed is taken to write them all.
var results = [kernel.NumOps]uint16{
	kernel.Copy: 1, kernel.Add: 1, kernel.Sub: 1, kernel.Mul: 1, kernel.Neg: 1, kernel.OneMinus: 1,
	kernel.Scale: 1, kernel.Sigmoid: 1, kernel.Tanh: 1, kernel.SigmoidGrad: 1, kernel.TanhGrad: 1,
	kernel.Clip: 1, kernel.Threshold: 1, kernel.FlushSmall: 1, kernel.Fill: 1, kernel.MulOne: 1, kernel.AddRow: 1,
	kernel.MulRow: 1, kernel.MulCol: 1, kernel.CopyStride: 1, kernel.AddStride: 1, kernel.ZeroTail: 1,
	kernel.RowDot: 1, kernel.ColSum: 1, kernel.MatMul: 1, kernel.Affine: 1, kernel.SumSquares: 1,
	kernel.ToStackMajor: 1, kernel.FromStackMajor: 1, kernel.ScaleCols: 1, kernel.ColDot: 1, kernel.Stack: 1,
	kernel.StackGrad: 1<<5 - 1, kernel.List: 1, kernel.ListGrad: 1<<4 - 1,
	kernel.Softmax: 1, kernel.SoftmaxGrad: 1, kernel.OneHot: 1,
	kernel.WeightedSum: 1, kernel.WeightedSumGradW: 1, kernel.WeightedSumGradX: 1,
	kernel.Gather: 1, kernel.ScatterRows: 1, kernel.ScatterAdd: 1<<0 | 1<<3,
	kernel.CrossEntropy: 1, kernel.CrossEntropyGrad: 1, kernel.CrossEntropyBoth: 1<<0 | 1<<1,
	kernel.Dropout: 1, kernel.Noise: 1, kernel.SGD: 1, kernel.Adam: 1<<0 | 1<<1 | 1<<2,
}

// writesInto tells whether an instruction may write one of the words from from
// to to-1 in some frame.
func writesInto(instrs []kernel.Instr, from, to int) bool {
	for i := range instrs {
		in := &instrs[i]
		if in.Op == kernel.Group {
			if writesInto(in.Body, from, to) {
				return true
			}
			continue
		}
		mask := results[in.Op]
		if mask == 0 {
			mask = math.MaxUint16
		}
		for ; mask != 0; mask &= mask - 1 {
			j := bits.TrailingZeros16(mask)
			if j >= len(in.Args) {
				break
			}
			arg := &in.Args[j]
			if arg.Slot == kernel.Absent || arg.Slot == kernel.Local {
				continue
			}
			if first, end := reach(in, arg); first < to && from < end {
				return true
			}
		}
	}
	return false
}

// reach bounds the words of a result. One that moves, or has as many rows as
// the frame, begins with its first block.
func reach(in *kernel.Instr, arg *kernel.Arg) (first, end int) {
	if arg.Slot != kernel.FixedSlot || arg.Row != 0 || in.Form != kernel.Fixed || arg.LD <= 0 {
		return arg.Off, math.MaxInt
	}
	first = arg.Off + arg.Skip*arg.LD
	switch op := in.Op; {
	case op == kernel.SGD, op == kernel.Adam:
		return first, first + in.M*in.W
	case op <= kernel.MulCol, op == kernel.MatMul, op == kernel.Affine:
		return first, first + (in.M-1)*arg.LD + in.W
	}
	return first, math.MaxInt // its results have other extents, or may have
}

// fill packs for a Run.
func (p *pack) fill(a *arena, frames []kernel.Frame) {
	rows := 0
	for i := range frames {
		n, _ := p.in.Extents(&frames[i])
		rows += n
	}
	if p.ready = p.pays(len(frames), rows); !p.ready {
		return
	}
	g := a.product(p.in, &frames[0])
	if p.mem == nil {
		mem, free, err := reserve(a.dev.product.contexts[0].packedLen(&g))
		if err != nil {
			p.ready = false // the products pack for themselves
			return
		}
		p.mem = mem
		a.frees = append(a.frees, free)
	}
	a.dev.product.pack(&p.mem[0], &g)
}

// exec runs the instruction.
func (p *pack) exec(a *arena, in *kernel.Instr, f *kernel.Frame) {
	if p.ready {
		a.packed = &p.mem[0]
	}
	p.run(a, in, f)
	a.packed = nil
}
