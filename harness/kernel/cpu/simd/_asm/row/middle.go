package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/math"
)

// middle emits a kernel for rows of up to four vectors. A row stays in registers.
func (t task) middle(l math.Lane, frame Mem) {
	g := &long{Lane: l, frame: frame, kept: partials}
	exp, none := l.ExpNeg(), l.Copy(math.DataBits(minusInf))
	n, end := param("n"), label("end")
	for vectors := 1; vectors <= middle/l.W; vectors++ {
		more := label("more")
		if vectors < middle/l.W {
			CMPQ(n, U32(vectors*l.W))
			JG(LabelRef(more))
		}
		last := copyOf(n)
		SUBQ(U32((vectors-1)*l.W), last)
		mask := l.FirstN(last)
		r := &middling{task: t, long: g, last: &mask, none: none, v: make([]math.Vec, vectors)}
		r.v = r.load(param("x"))
		t.rows(g, func(at map[string]reg.GPVirtual, count reg.Register, keep func(sum, less reg.Register)) {
			r.row(exp, at, count, keep)
		})
		JMP(LabelRef(end))
		Label(more)
	}
	Label(end)
}

// middling is the state for rows of a fixed number of vectors.
type middling struct {
	task
	*long
	last *math.Mask // for the last vector
	none math.Vec
	v    []math.Vec // the next row
}

func (r *middling) mask(i int) *math.Mask {
	if i == len(r.v)-1 {
		return r.last
	}
	return nil
}

// load reads the row at x.
func (r *middling) load(x reg.GPVirtual) []math.Vec {
	v := make([]math.Vec, len(r.v))
	for i := range v {
		v[i] = r.LoadElse(Mem{Base: x, Disp: i * r.Bytes()}, r.mask(i), r.none)
	}
	return v
}

// row computes the row in r.v. Before it stores the result, it loads the next row into
// r.v, since a load from memory beside a masked store waits for that store. After the
// last row it loads the same row again.
func (r *middling) row(exp func(math.Vec) math.Vec, at map[string]reg.GPVirtual, count reg.Register, keep func(sum, less reg.Register)) {
	most := r.Copy(r.none)
	for _, x := range r.v {
		VMAXPS(most, x, most) // x > most ? x : most
	}
	m := r.Broadcast(r.halve(most, func(a, b Op) { VMAXPS(b, a, a) }))
	var less reg.Register
	if r.loss {
		less = r.less(at, m)
	}
	v := make([]math.Vec, len(r.v))
	for i, x := range r.v {
		d := r.Vec()
		if mask := r.mask(i); mask == nil {
			VSUBPS(m, x, d)
		} else {
			// The lanes outside the mask hold -Inf. They become +0, because the
			// exponential of -Inf would underflow, which takes a hundred cycles.
			r.SubKept(m, x, mask, d)
		}
		v[i] = exp(d)
		r.Keep(r.mask(i), v[i])
		if r.grad {
			r.Store(v[i], r.frame.Offset(i*r.Bytes()), nil)
		}
	}
	next := copyOf(at["x"])
	ADDQ(stride("ldx"), next)
	CMPQ(count, Imm(1))
	CMOVQEQ(at["x"], next)
	for i, x := range r.load(next) {
		VMOVAPS(x, r.v[i])
	}
	// Fold the 64 partial sums to 16.
	sum := r.Copy(v[0])
	if len(v) > 2 {
		VADDPS(v[2], sum, sum)
	}
	if len(v) > 3 {
		odd := r.Vec()
		VADDPS(v[3], v[1], odd)
		VADDPS(odd, sum, sum)
	} else if len(v) > 1 {
		VADDPS(v[1], sum, sum)
	}
	total := r.halve(sum, func(a, b Op) { VADDPS(b, a, a) })
	if r.loss {
		keep(total, less)
	}
	if !r.output() {
		return
	}
	by := r.factors(r.Lane, total, at)
	for i, e := range v {
		for _, f := range by {
			VMULPS(f, e, e)
		}
		r.Store(e, Mem{Base: at["dst"], Disp: i * r.Bytes()}, r.mask(i))
	}
	if r.grad {
		VMOVSS(r.hit(at["target"], r.frame, by), element(at["dst"], at["target"]))
	}
}
