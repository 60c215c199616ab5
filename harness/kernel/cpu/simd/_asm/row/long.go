package main

import (
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/math"
)

const (
	block    = 4096
	partials = 64 * 4 // bytes
)

// long is the state shared by the kernels for rows of more than 8 elements. The stack
// frame holds the 64 partial sums of a block, and then 64 partial sums to which the
// sums of the blocks are added.
type long struct {
	math.Lane
	frame Mem
	n     reg.GPVirtual
	kept  int  // offset in the frame at which task.rows stores two numbers for each row
	light bool // the terms of a sum take few instructions
	bias  bool // a bias row is added to each row; its address is the last in each list of addresses
}

// rows emits a loop over the rows. For each row it runs the code that the function body
// emits, and then advances the operands to the next row. The list names has the names of the
// matrices, and the map operands has the name of the leading dimension of each. The list
// vectors has the operands with one element per row.
func (g *long) rows(operands map[string]string, names []string, vectors []string, body func(at map[string]reg.GPVirtual)) {
	at := map[string]reg.GPVirtual{}
	for _, name := range append(names, vectors...) {
		at[name] = param(name)
	}
	g.n = param("n")
	count := param("rows")
	again := label("row")
	Label(again)
	body(at)
	for _, name := range names {
		ADDQ(stride(operands[name]), at[name])
	}
	for _, name := range vectors {
		ADDQ(U8(4), at[name])
	}
	DECQ(count)
	JNZ(LabelRef(again))
}

// sweep emits a loop over the vectors of a row. For each vector it runs the code that the
// function body emits. The register count holds the number of elements, and the registers in
// the slice at hold the addresses of the row in each operand. The last vector is masked. The
// loop overwrites all these registers.
func (g *long) sweep(count reg.GPVirtual, at []reg.GPVirtual, body func(at []Mem, mask *math.Mask)) {
	var mem []Mem
	for _, p := range at {
		mem = append(mem, Mem{Base: p})
	}
	again, rest, done := label("vector"), label("rest"), label("done")
	SUBQ(U32(g.W), count)
	JL(LabelRef(rest))
	Label(again)
	body(mem, nil)
	for _, p := range at {
		ADDQ(U32(g.Bytes()), p)
	}
	SUBQ(U32(g.W), count)
	JGE(LabelRef(again))
	Label(rest)
	ADDQ(U32(g.W), count)
	JE(LabelRef(done))
	mask := g.FirstN(count)
	body(mem, &mask)
	Label(done)
}

// load returns the elements at the first address. If there is a bias, it adds the bias
// at the last address.
func (g *long) load(at []Mem, mask *math.Mask) math.Vec {
	v := g.Load(at[0], mask)
	switch {
	case !g.bias:
	case mask == nil:
		VADDPS(at[len(at)-1], v, v)
	default:
		VADDPS(g.Load(at[len(at)-1], mask), v, v)
	}
	return v
}

// biased returns the addresses in at, followed by the address of the bias if there is
// one.
func (g *long) biased(at []reg.GPVirtual) []reg.GPVirtual {
	if !g.bias {
		return at
	}
	return append(slices.Clone(at), param("bias"))
}

// max returns, in every lane, the maximum of the vector start and the elements of a row. The
// first address is that of the row. The method load adds the bias to the row.
func (g *long) max(at []reg.GPVirtual, start math.Vec) math.Vec {
	const accs = 4
	var acc [accs]math.Vec
	for i := range acc {
		acc[i] = g.Copy(start)
	}
	var p []reg.GPVirtual
	for _, a := range at {
		p = append(p, copyOf(a))
	}
	count := copyOf(g.n)
	again, rest := label("max"), label("rest")
	SUBQ(U32(accs*g.W), count)
	JL(LabelRef(rest))
	Label(again)
	for i := range acc {
		var mem []Mem
		for _, a := range p {
			mem = append(mem, Mem{Base: a, Disp: i * g.Bytes()})
		}
		v := g.load(mem, nil)
		VMAXPS(acc[i], v, acc[i]) // v > acc ? v : acc
	}
	for _, a := range p {
		ADDQ(U32(accs*g.Bytes()), a)
	}
	SUBQ(U32(accs*g.W), count)
	JGE(LabelRef(again))
	Label(rest)
	ADDQ(U32(accs*g.W), count)
	g.sweep(count, p, func(at []Mem, mask *math.Mask) {
		v := g.Choose(mask, g.load(at, mask), start)
		VMAXPS(acc[0], v, acc[0])
	})
	VMAXPS(acc[2], acc[0], acc[0])
	VMAXPS(acc[3], acc[1], acc[1])
	VMAXPS(acc[1], acc[0], acc[0])
	return g.Broadcast(g.halve(acc[0], func(a, b Op) { VMAXPS(b, a, a) }))
}

// halve combines the upper half of v with the lower half by op until one number is
// left. It returns this number in the first lane.
func (g *long) halve(v math.Vec, op func(a, b Op)) reg.Register {
	if g.Wide() {
		h := YMM()
		VEXTRACTF64X4(U8(1), v, h)
		op(v.AsY(), h)
	}
	x := XMM()
	if g.Wide() { // instructions with EVEX encoding can use all 32 registers
		VEXTRACTF32X4(U8(1), v.AsY(), x)
	} else {
		VEXTRACTF128(U8(1), v.AsY(), x)
	}
	op(v.AsX(), x)
	VPERMILPS(U8(0x4e), v.AsX(), x)
	op(v.AsX(), x)
	VPERMILPS(U8(0xb1), v.AsX(), x)
	op(v.AsX(), x)
	return v.AsX()
}

// clear zeroes 64 partials.
func (g *long) clear(p Mem) {
	z := g.Zero()
	for i := 0; i < partials; i += g.Bytes() {
		g.Store(z, p.Offset(i), nil)
	}
}

// fold returns the sum of the 64 partials at p. It adds the upper half to the lower half
// until one number is left.
func (g *long) fold(p Mem) reg.Register {
	k := partials / g.Bytes()
	v := make([]math.Vec, k/2)
	for i := range v {
		v[i] = g.Load(p.Offset(i*g.Bytes()), nil)
		VADDPS(p.Offset((i+k/2)*g.Bytes()), v[i], v[i])
	}
	for h := k / 4; h > 0; h /= 2 {
		for i := range h {
			VADDPS(v[i+h], v[i], v[i])
		}
	}
	return g.halve(v[0], func(a, b Op) { VADDPS(b, a, a) })
}

// sum emits code that computes the sum of terms along a row, in the first lane of the
// result. The function term emits code for a vector of terms, computed from vectors of the
// rows at the given addresses. Lanes of the terms outside the mask must be +0.
func (g *long) sum(at []reg.GPVirtual, term func(at []Mem, mask *math.Mask) math.Vec) reg.Register {
	p := make([]reg.GPVirtual, len(at))
	for i := range at {
		p[i] = copyOf(at[i])
	}
	high := g.frame.Offset(partials)
	rem, number := copyOf(g.n), zero()
	next, done := label("block"), label("sum")
	result := XMM()
	g.clear(high)
	Label(next)
	count := GP64()
	MOVQ(U32(block), count)
	CMPQ(rem, count)
	CMOVQLT(rem, count)
	SUBQ(count, rem)
	if g.Wide() {
		VMOVAPS(g.inRegisters(count, p, term), result)
	} else {
		VMOVAPS(g.inFrame(count, p, term), result)
	}
	CMPQ(g.n, U32(block))
	JLE(LabelRef(done))
	VADDSS(high.Idx(number, 4), result, result)
	VMOVSS(result, high.Idx(number, 4))
	INCQ(number)
	ANDQ(U8(63), number)
	TESTQ(rem, rem)
	JNZ(LabelRef(next))
	VMOVAPS(g.fold(high), result)
	Label(done)
	return result
}

// inFrame emits the sum of a block by 64 partial sums. While at least 64 elements are
// left, the partial sums stay in eight registers. Then they are stored on the stack frame,
// and the remaining elements are added to them there.
func (g *long) inFrame(count reg.GPVirtual, p []reg.GPVirtual, term func(at []Mem, mask *math.Mask) math.Vec) reg.Register {
	const eight = 8 * 8
	low, again, rest := g.frame, label("eight"), label("rest")
	var acc [8]math.Vec
	for i := range acc {
		acc[i] = g.Zero()
	}
	SUBQ(U32(eight), count)
	JL(LabelRef(rest))
	Label(again)
	for i := range acc {
		var mem []Mem
		for _, a := range p {
			mem = append(mem, Mem{Base: a, Disp: i * g.Bytes()})
		}
		VADDPS(term(mem, nil), acc[i], acc[i])
	}
	for _, a := range p {
		ADDQ(U32(4*eight), a)
	}
	SUBQ(U32(eight), count)
	JGE(LabelRef(again))
	Label(rest)
	ADDQ(U32(eight), count)
	for i := range acc {
		g.Store(acc[i], low.Offset(i*g.Bytes()), nil)
	}
	offset := zero()
	g.sweep(count, p, func(at []Mem, mask *math.Mask) {
		v := term(at, mask)
		VADDPS(low.Idx(offset, 1), v, v)
		g.Store(v, low.Idx(offset, 1), nil)
		ADDQ(U32(g.Bytes()), offset)
		ANDQ(U32(partials-1), offset)
	})
	return g.fold(low)
}

// inRegisters sums a block, with the partials in four registers of AVX-512.
func (g *long) inRegisters(count reg.GPVirtual, p []reg.GPVirtual, term func(at []Mem, mask *math.Mask) math.Vec) reg.Register {
	var acc [4]math.Vec
	for i := range acc {
		acc[i] = g.Zero()
	}
	// The partials may end in registers other than those they began in: the sum below adds
	// those that are two registers apart, in either order.
	rotate := func() {
		first := g.Copy(acc[0])
		for i, v := range []math.Vec{acc[1], acc[2], acc[3], first} {
			VMOVAPS(v, acc[i])
		}
	}
	if g.light {
		rotate = nil
	}
	g.turns(count, p, rotate, func(i int, at []Mem, mask *math.Mask) {
		VADDPS(term(at, mask), acc[i], acc[i])
	})
	VADDPS(acc[2], acc[0], acc[0])
	VADDPS(acc[3], acc[1], acc[1])
	VADDPS(acc[1], acc[0], acc[0])
	return g.halve(acc[0], func(a, b Op) { VADDPS(b, a, a) })
}

// turns emits a loop over groups of four vectors. The register count holds the number of
// elements in all. For each vector of a group the loop runs the code that the function body
// emits; the argument i is the index of the vector in the group, 0 to 3. The vectors that
// remain are masked. Without the function rotate they run the same code as a group. With it, a
// loop runs the code for 0 and then that of rotate for each of them, which is shorter, but up to
// an eighth slower if the code of body takes only a few instructions. The code overwrites the
// registers count and at. AVX-512 only.
func (g *long) turns(count reg.GPVirtual, at []reg.GPVirtual, rotate func(), body func(i int, at []Mem, mask *math.Mask)) {
	const four = 4 * 16
	vector := func(i int, mask *math.Mask) {
		var mem []Mem
		for _, p := range at {
			mem = append(mem, Mem{Base: p, Disp: i * g.Bytes()})
		}
		body(i, mem, mask)
	}
	again, rest, one, done := label("four"), label("rest"), label("one"), label("done")
	SUBQ(U32(four), count)
	JL(LabelRef(rest))
	Label(again)
	for i := range 4 {
		vector(i, nil)
	}
	for _, p := range at {
		ADDQ(U32(4*four), p)
	}
	SUBQ(U32(four), count)
	JGE(LabelRef(again))
	Label(rest)
	ADDQ(U32(four), count)
	JE(LabelRef(done))
	if rotate == nil {
		for i := range 4 {
			mask := g.Next(count, i)
			vector(i, &mask)
		}
		Label(done)
		return
	}
	Label(one)
	mask := g.Next(count, 0)
	vector(0, &mask)
	rotate()
	for _, p := range at {
		ADDQ(U32(four), p)
	}
	SUBQ(U32(16), count)
	JG(LabelRef(one))
	Label(done)
}

// exps emits m = max(x) and the sum of e = exp(x - m). It stores e in dst unless dst
// is nil. m is in every lane, the sum in the first lane.
func (g *long) exps(x reg.GPVirtual, dst *reg.GPVirtual, exp func(math.Vec) math.Vec) (m math.Vec, sum reg.Register) {
	at := []reg.GPVirtual{x}
	m = g.max(g.biased(at), g.Copy(math.DataBits(minusInf)))
	if dst != nil {
		at = append(at, *dst)
	}
	at = g.biased(at)
	// With each cache line of this row, a line of the next row is prefetched to the L2
	// cache, since the memory is idle while the exponentials are computed.
	var next reg.Register
	if g.Wide() {
		next = stride("ldx")
	}
	return m, g.sum(at, func(at []Mem, mask *math.Mask) math.Vec {
		switch {
		case mask != nil:
		case g.Wide():
			PREFETCHT1(at[0].Idx(next, 1))
		case at[0].Disp%line == 0:
			PREFETCHT1(at[0].Idx(stride("ldx"), 1)) // no register is free to hold the stride
		}
		v := g.load(at, mask)
		VSUBPS(m, v, v)
		e := exp(v)
		if dst != nil {
			g.Store(e, at[1], mask)
		}
		g.Keep(mask, e)
		return e
	})
}

func longSoftmaxGrad(l math.Lane, frame Mem) {
	g := &long{Lane: l, frame: frame, light: true}
	g.rows(map[string]string{"dst": "ldd", "y": "ldy", "dy": "lddy"}, []string{"dst", "y", "dy"}, nil, func(at map[string]reg.GPVirtual) {
		d := g.Broadcast(g.sum([]reg.GPVirtual{at["y"], at["dy"]}, func(at []Mem, mask *math.Mask) math.Vec {
			v, w := l.Load(at[0], mask), l.Load(at[1], mask)
			VMULPS(v, w, w)
			return w
		}))
		g.sweep(copyOf(g.n), []reg.GPVirtual{copyOf(at["dst"]), copyOf(at["y"]), copyOf(at["dy"])}, func(at []Mem, mask *math.Mask) {
			v, w := l.Load(at[1], mask), l.Load(at[2], mask)
			VSUBPS(d, w, w)
			VMULPS(v, w, w)
			l.Store(w, at[0], mask)
		})
	})
}
