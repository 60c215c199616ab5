// Command actiongrad generates actiongrad_amd64.s. Its kernels run in the backward pass of
// a network with stacks, after the gradient of the stacks has been computed. They compute
// the gradient of the actions, and add a gradient to the first rows of the stacks:
//
//	cd _asm && go run ./actiongrad -out ../actiongrad_amd64.s
//
// A row has only a few dozen numbers. The AVX kernels compute them one at a time. The
// AVX-512 kernels can permute the lanes as needed and so use vectors.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
)

func main() {
	ConstraintExpr("amd64,!purego")
	for n := 2; n <= 4; n++ {
		actionGrad(n)
	}
	avx512 := lane.Both()[1]
	for n := 2; n <= 4; n++ {
		wide(avx512, n)
	}
	addTurned()
	lane.Finish()
}

// Offsets of the fields of ActionGradArgs, in their order.
const (
	argPart  = 0  // four of 8 bytes
	argPlus  = 32 // four of 4 bytes
	argSum   = 48
	argHeld  = 56
	argY     = 64
	argDx    = 72
	argOut   = 80
	argS     = 88
	argHeldL = 96
	argHeldH = 100
	argOutL  = 104
	argOutH  = 108
)

func load(base reg.Register, disp int) reg.Register {
	r := GP64()
	MOVQ(Mem{Base: base, Disp: disp}, r)
	return r
}

func number(base reg.Register, disp int) reg.VecVirtual {
	x := XMM()
	VMOVSS(Mem{Base: base, Disp: disp}, x)
	return x
}

// clip returns x clamped to [lo, hi]. It returns x itself if x is NaN, and if x and a
// bound are zeros of different signs.
func clip(x, lo, hi reg.VecVirtual) reg.VecVirtual {
	y := XMM()
	VMAXSS(x, lo, y)
	VMINSS(y, hi, y)
	return y
}

// actionGrad generates the AVX kernel for n actions. The comment of ActionGradArgs in
// actiongrad.go states what it computes.
func actionGrad(n int) {
	TEXT("actionGrad"+string(rune('0'+n)), NOSPLIT, "func(a *byte)")
	a := Load(Param("a"), GP64())
	parts := make([]reg.Register, n)
	for i := range parts {
		parts[i] = load(a, argPart+8*i)
	}
	// Each of these rows has a number for each action of a stack. That of action i is at
	// offset 4*i.
	sum, held, y, dx, out := load(a, argSum), load(a, argHeld), load(a, argY), load(a, argDx), load(a, argOut)
	left := load(a, argS)
	zero := XMM()
	VXORPS(zero, zero, zero)
	lo, hi := number(a, argHeldL), number(a, argHeldH)
	Label("next")
	g, w, p := make([]reg.VecVirtual, n), make([]reg.VecVirtual, n), make([]reg.VecVirtual, n)
	for i := range n {
		x := XMM()
		VMOVSS(Mem{Base: parts[i]}, x)
		VADDSS(Mem{Base: a, Disp: argPlus + 4*i}, x, x)
		VMOVSS(x, Mem{Base: sum, Disp: 4 * i})
		g[i] = clip(x, lo, hi)
		VMOVSS(g[i], Mem{Base: held, Disp: 4 * i})
		w[i], p[i] = XMM(), XMM()
		VMOVSS(Mem{Base: y, Disp: 4 * i}, w[i])
		VMULSS(g[i], w[i], p[i])
		VADDSS(zero, p[i], p[i])
	}
	for i := 2; i < n; i++ { // in the order in which 64 partial sums are folded
		VADDSS(p[i], p[i-2], p[i-2])
	}
	VADDSS(p[1], p[0], p[0])
	// The bounds are loaded only here: with four actions, the code above needs all 16
	// registers of AVX.
	outLo, outHi := number(a, argOutL), number(a, argOutH)
	for i := range n {
		VSUBSS(p[0], g[i], g[i])
		VMULSS(g[i], w[i], g[i])
		VMOVSS(g[i], Mem{Base: dx, Disp: 4 * i})
		VMOVSS(clip(g[i], outLo, outHi), Mem{Base: out, Disp: 4 * i})
	}
	for _, r := range parts {
		ADDQ(U8(4), r)
	}
	for _, r := range []reg.Register{sum, held, y, dx, out} {
		ADDQ(U8(4*n), r)
	}
	DECQ(left)
	JNZ(LabelRef("next"))
	RET()
}

// addTurned generates an Adder, see actiongrad.go.
func addTurned() {
	TEXT("addTurned", NOSPLIT, "func(d, t, x *float32, rows, cols, ldd, ldt int, lo, hi float32)")
	d, t, x := Load(Param("d"), GP64()), Load(Param("t"), GP64()), Load(Param("x"), GP64())
	rows, cols := Load(Param("rows"), GP64()), GP64()
	ldd, ldt := Load(Param("ldd"), GP64()), Load(Param("ldt"), GP64())
	count, _ := Param("cols").Resolve()
	var bound [2]reg.VecVirtual
	for i, name := range []string{"lo", "hi"} {
		p, _ := Param(name).Resolve()
		bound[i] = XMM()
		VMOVSS(p.Addr, bound[i])
	}
	step, at, to, by, left := GP64(), GP64(), GP64(), GP64(), GP64()
	MOVQ(rows, step)
	SHLQ(U8(2), step)
	MOVQ(rows, left)
	Label("row")
	MOVQ(count.Addr, cols)
	MOVQ(x, at)
	XORQ(by, by)
	Label("column")
	v := XMM()
	VMOVSS(Mem{Base: at}, v)
	VMOVSS(v, Mem{Base: t, Index: by, Scale: 4})
	sum := XMM()
	VADDSS(Mem{Base: d, Index: by, Scale: 4}, v, sum)
	VMOVSS(clip(sum, bound[0], bound[1]), Mem{Base: d, Index: by, Scale: 4})
	ADDQ(step, at)
	INCQ(by)
	CMPQ(by, cols)
	JNE(LabelRef("column"))
	LEAQ(Mem{Base: d, Index: ldd, Scale: 4}, to)
	MOVQ(to, d)
	LEAQ(Mem{Base: t, Index: ldt, Scale: 4}, to)
	MOVQ(to, t)
	ADDQ(U8(4), x)
	DECQ(left)
	JNZ(LabelRef("row"))
	RET()
}
