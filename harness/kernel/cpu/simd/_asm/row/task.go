package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/math"
)

// task says what a kernel computes from the exponentials of a row and their sum.
type task struct {
	probs bool // dst = e * inv
	grad  bool // dst = (e * inv, less 1 at the target) * dloss
	loss  bool // loss = log(sum) - (x[target] - m)
	bias  bool // x + bias takes the place of x
}

// output reports whether the task has an operand dst.
func (t task) output() bool { return t.probs || t.grad }

// rows emits a loop that runs the code of body for each row. The register count holds the
// number of rows left. If the task computes losses, body calls the function keep with two
// registers: one holds the sum of the exponentials of the row, the other x[target] - m,
// where m is the maximum of the row. The function stores both numbers on the stack frame.
// After every W rows and at the end, the loop computes the logarithms of the stored sums
// as one vector, and from them the losses.
func (t task) rows(g *long, body func(at map[string]reg.GPVirtual, count reg.Register, keep func(sum, less reg.Register))) {
	at := map[string]reg.GPVirtual{"x": param("x")}
	if t.output() {
		at["dst"] = param("dst")
	}
	if t.grad {
		at["dloss"] = param("dloss")
	}
	if t.grad || t.loss {
		at["target"] = param("target")
	}
	g.n = param("n")
	count := param("rows")
	sums, lesses := g.frame.Offset(g.kept), g.frame.Offset(g.kept+g.Bytes())
	var kept reg.GPVirtual
	if t.loss {
		kept = zero()
	}
	again, flush := label("row"), label("flush")
	Label(again)
	body(at, count, func(sum, less reg.Register) {
		VMOVSS(sum, sums.Idx(kept, 4))
		VMOVSS(less, lesses.Idx(kept, 4))
	})
	ADDQ(stride("ldx"), at["x"])
	if t.output() {
		ADDQ(stride("ldd"), at["dst"])
	}
	if t.grad {
		ADDQ(U8(4), at["dloss"])
	}
	if t.grad || t.loss {
		ADDQ(U8(4), at["target"])
	}
	if !t.loss {
		DECQ(count)
		JNZ(LabelRef(again))
		return
	}
	INCQ(kept)
	DECQ(count)
	JZ(LabelRef(flush))
	CMPQ(kept, U32(g.W))
	JL(LabelRef(again))
	Label(flush)
	mask := g.FirstN(kept)
	v := g.Sparing().Log()(g.Load(sums, nil))
	VSUBPS(lesses, v, v)
	loss := param("loss") // the advanced address is stored in the argument, since registers are scarce
	g.Store(v, Mem{Base: loss}, &mask)
	LEAQ(Mem{Base: loss, Index: kept, Scale: 4}, loss)
	place, err := Param("loss").Resolve()
	if err != nil {
		panic(err)
	}
	MOVQ(loss, place.Addr)
	XORQ(kept, kept)
	TESTQ(count, count)
	JNZ(LabelRef(again))
}

// element returns the address of x[target].
func element(x, target reg.GPVirtual) Mem {
	t := GP64()
	MOVLQSX(Mem{Base: target}, t)
	return Mem{Base: x, Index: t, Scale: 4}
}

// less emits code that computes x[target] - m, where m is the maximum of the row. The code
// must come before dst is written, since dst may be the same memory as x.
func (t task) less(at map[string]reg.GPVirtual, m math.Vec) reg.Register {
	v := XMM()
	VMOVSS(element(at["x"], at["target"]), v)
	VSUBSS(m.AsX(), v, v)
	return v
}

// factors returns the factors by which the exponentials are multiplied: 1/sum and, for a
// gradient, dloss.
func (t task) factors(l math.Lane, sum reg.Register, at map[string]reg.GPVirtual) []math.Vec {
	inv := XMM()
	VMOVSS(math.Data(1), inv)
	VDIVSS(sum, inv, inv)
	list := []math.Vec{l.Broadcast(inv)}
	if t.grad {
		list = append(list, float(l, Mem{Base: at["dloss"]}))
	}
	return list
}

// hit emits code that computes the gradient at the target. There, and nowhere else in the
// row, 1 is subtracted from the probability. The parameter e is the address of the
// exponentials of the row, and by holds the two vectors that the method factors returns.
func (t task) hit(target reg.GPVirtual, e Mem, by []math.Vec) reg.Register {
	v, i := XMM(), GP64()
	MOVLQSX(Mem{Base: target}, i)
	VMOVSS(e.Idx(i, 4), v)
	VMULSS(by[0].AsX(), v, v)
	VSUBSS(math.Data(1), v, v)
	VMULSS(by[1].AsX(), v, v)
	return v
}

// The method long emits a kernel that performs the task on rows of any length.
func (t task) long(l math.Lane, frame Mem) {
	g := &long{Lane: l, frame: frame, bias: t.bias}
	if !l.Wide() {
		g.kept = 2 * partials // AVX-512 does not use the first partial sums of the frame
	}
	exp := l.ExpNeg()
	t.rows(g, func(at map[string]reg.GPVirtual, _ reg.Register, keep func(sum, less reg.Register)) {
		var target reg.Register
		if t.loss {
			target = XMM()
			VMOVSS(element(at["x"], at["target"]), target)
			if t.bias {
				VADDSS(element(param("bias"), at["target"]), target, target)
			}
		}
		var dst *reg.GPVirtual
		if t.output() {
			p := at["dst"]
			dst = &p
		}
		m, sum := g.exps(at["x"], dst, exp)
		if t.loss {
			VSUBSS(m.AsX(), target, target)
			keep(sum, target)
		}
		if !t.output() {
			return
		}
		by := t.factors(l, sum, at)
		var hit reg.Register
		if t.grad {
			hit = t.hit(at["target"], Mem{Base: at["dst"]}, by)
		}
		scale := func(at []Mem, mask *math.Mask) {
			v := l.Load(at[0], mask)
			for _, f := range by {
				VMULPS(f, v, v)
			}
			l.Store(v, at[0], mask)
		}
		p := []reg.GPVirtual{copyOf(*dst)}
		if l.Wide() {
			g.turns(copyOf(g.n), p, func() {}, func(_ int, at []Mem, mask *math.Mask) { scale(at, mask) })
		} else {
			g.sweep(copyOf(g.n), p, scale)
		}
		if t.grad {
			VMOVSS(hit, element(at["dst"], at["target"]))
		}
	})
}
