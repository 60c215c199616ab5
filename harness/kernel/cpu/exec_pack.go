package cpu

import (
	"math"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

// A scan multiplies by the same weights in every step. To pack the second operand of a
// product means to copy it in the order in which the kernel of the product reads it. If no
// instruction of a program writes to the operand, a Run packs it once for all frames,
// provided that there are enough frames.

// pack is a product whose second operand can be packed.
type pack struct {
	in      *kernel.Instr
	run     run  // the routine of the instruction, without packing
	wanted  bool // frames of one row read the packed operand too
	*packed      // the threads of a byString have it in common
}

// packed is a packed operand.
type packed struct {
	mem   []float32 // nil until first used
	ready bool      // mem is packed for the current Run
}

// Packing pays within these limits. With few rows, a product is faster if it reads its
// second operand in place. With very many rows, a product packs the operand itself, and
// this takes little of its time. An operand that is stored transposed must be packed for
// every product, even for one with few rows. Packing it once for all frames therefore
// pays for any number of rows below packMost.
const (
	packColumns = 2
	packFrames  = 4
	packFewest  = 28 // rows in a frame, on average
	packMost    = 256
)

// pays reports whether packing pays, given the number of frames, the total number of their
// rows, and the number of threads that divide the rows of each product.
func (p *pack) pays(frames, rows, threads int) bool {
	switch {
	case frames < 2 || rows >= packMost*threads*frames:
		return false
	case p.in.I[1] == 1:
		return true
	}
	return frames >= packFrames && rows >= packFewest*frames
}

// findPacks adds packing to the instructions that can use it.
func (c *code) findPacks() {
	for i := range c.instrs {
		in := &c.instrs[i]
		if in.Op != kernel.MatMul && in.Op != kernel.Affine || in.Reduce || in.W < packColumns || in.K == 0 {
			continue
		}
		if !c.keepsB(in) {
			continue
		}
		p := &pack{in: in, run: c.runs[i], wanted: true, packed: new(packed)}
		c.runs[i] = p.exec
		c.packs = append(c.packs, p)
	}
}

// keepsB reports whether the second operand of a product is the same matrix in every frame, and
// no instruction writes into it.
func (c *code) keepsB(in *kernel.Instr) bool {
	b := &in.Args[2]
	rows, cols := in.K, in.W
	if in.I[1] == 1 {
		rows, cols = cols, rows
	}
	if b.Slot != kernel.FixedSlot || b.Row != 0 || b.LD < cols {
		return false
	}
	from := b.Off + b.Skip*b.LD
	return !writesInto(c.instrs, from, from+(rows-1)*b.LD+cols)
}

// writesInto reports whether an instruction can write one of the words [from, to) in some
// frame.
func writesInto(instrs []kernel.Instr, from, to int) bool {
	for i := range instrs {
		in := &instrs[i]
		if in.Op == kernel.Group {
			if writesInto(in.Body, from, to) {
				return true
			}
			continue
		}
		for j := range in.Args {
			if kernel.Ops[in.Op].Args[j].Use == kernel.Reads {
				continue
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

// reach returns the range [first, end) of words that contains the result of an instruction.
// If the end of the range is not known, because it depends on the frame for example, the
// result end is math.MaxInt.
func reach(in *kernel.Instr, arg *kernel.Arg) (first, end int) {
	if arg.Slot != kernel.FixedSlot || arg.Row != 0 || in.Form != kernel.Fixed || arg.LD <= 0 {
		return arg.Off, math.MaxInt
	}
	first = arg.Off + arg.Skip*arg.LD
	switch row := &kernel.Ops[in.Op]; {
	case row.Args[0].Shape == kernel.Flat:
		return first, first + in.M*in.W
	case row.Element != nil, in.Op == kernel.MatMul, in.Op == kernel.Affine:
		return first, first + (in.M-1)*arg.LD + in.W
	}
	return first, math.MaxInt // the result can have extents other than M by W
}

// fill packs the operand for a Run if that pays. The given number of threads divide the rows of each product.
func (p *pack) fill(a *arena, frames []kernel.Frame, threads int) {
	rows := 0
	for i := range frames {
		n, _ := p.in.Extents(&frames[i])
		rows += n
	}
	if p.ready = p.pays(len(frames), rows, threads); !p.ready {
		return
	}
	var g simd.GemmArgs
	a.product(&g, p.in, &frames[0])
	if p.mem == nil {
		mem, free, err := reserve(a.dev.product.Contexts[0].PackedLen(&g))
		if err != nil {
			p.ready = false // the products do their own packing
			return
		}
		p.mem = mem
		a.frees = append(a.frees, free)
	}
	a.dev.product.Pack(&p.mem[0], &g)
}

// exec runs the instruction, with the packed operand if there is one.
func (p *pack) exec(a *arena, in *kernel.Instr, f *kernel.Frame) {
	if p.ready {
		a.packed = &p.mem[0]
	}
	p.run(a, in, f)
	a.packed = nil
}
