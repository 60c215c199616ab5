package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/asm/math"
)

// middle is the task for rows of up to four vectors, which stay in registers.
func (t task) middle(l math.Lane, frame Mem) {
	g := &long{Lane: l, frame: frame}
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
		t.rows(g, func(at map[string]reg.GPVirtual, keep func(sum, less reg.Register)) {
			t.inRegisters(g, vectors, &mask, none, exp, at, keep)
		})
		JMP(LabelRef(end))
		Label(more)
	}
	Label(end)
}

func (t task) inRegisters(g *long, vectors int, last *math.Mask, none math.Vec, exp func(math.Vec) math.Vec,
	at map[string]reg.GPVirtual, keep func(sum, less reg.Register)) {
	maskOf := func(i int) *math.Mask {
		if i == vectors-1 {
			return last
		}
		return nil
	}
	v := make([]math.Vec, vectors)
	for i := range v {
		v[i] = g.LoadElse(Mem{Base: at["x"], Disp: i * g.Bytes()}, maskOf(i), none)
	}
	most := g.Copy(none)
	for _, x := range v {
		VMAXPS(most, x, most) // x > most ? x : most
	}
	m := g.Broadcast(g.halve(most, func(a, b Op) { VMAXPS(b, a, a) }))
	var less reg.Register
	if t.loss {
		less = t.less(at, m)
	}
	for i, x := range v {
		if mask := maskOf(i); mask == nil {
			VSUBPS(m, x, x)
		} else {
			// Not -Inf, whose exponential costs a hundred cycles of underflow.
			g.SubKept(m, x, mask)
		}
		v[i] = exp(x)
		g.Keep(maskOf(i), v[i])
		if t.grad {
			g.Store(v[i], Mem{Base: at["dst"], Disp: i * g.Bytes()}, maskOf(i))
		}
	}
	// The partial sums of rule 5, 64 folded to 16.
	part := make([]math.Vec, 0, 2)
	for i := range min(2, vectors) {
		p := v[i]
		if i+2 < vectors {
			p = g.Vec()
			VADDPS(v[i+2], v[i], p)
		}
		part = append(part, p)
	}
	sum := g.Vec()
	if len(part) == 2 {
		VADDPS(part[1], part[0], sum)
	} else {
		VMOVAPS(part[0], sum)
	}
	total := g.halve(sum, func(a, b Op) { VADDPS(b, a, a) })
	if t.loss {
		keep(total, less)
	}
	if !t.output() {
		return
	}
	by := t.factors(g.Lane, total, at)
	var hit reg.Register
	if t.grad {
		hit = t.hit(at, by)
	}
	for i, e := range v {
		for _, f := range by {
			VMULPS(f, e, e)
		}
		g.Store(e, Mem{Base: at["dst"], Disp: i * g.Bytes()}, maskOf(i))
	}
	if t.grad {
		VMOVSS(hit, element(at["dst"], at["target"]))
	}
}
