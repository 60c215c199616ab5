// Command optim writes optim_amd64.s: the updates of gradient descent and Adam.
//
//	cd _asm && go run ./optim -out ../optim_amd64.s
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
)

func main() {
	ConstraintExpr("amd64,!purego")
	for _, s := range lane.Both() {
		sgd(s)
		adam(s)
	}
	lane.Finish()
}

const (
	line  = 64   // bytes of a cache line
	ahead = 4096 // bytes by which adam prefetches ahead, more than the processor does by itself
)

func arg(name string) reg.Register { return Load(Param(name), GP64()) }

// sgd generates
//
//	w[i] = w[i] - lr*dw[i] // VMULPS, VSUBPS
func sgd(s lane.Set) {
	TEXT("sgd"+s.Name, NOSPLIT, "func(w, dw *float32, lr float32, n int)")
	w, dw, rem, off := arg("w"), arg("dw"), arg("n"), GP64()
	lr := s.Vec()
	p, err := Param("lr").Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSS(p.Addr, lr)
	s.Blocks(rem, off, []int{4}, func(u int, m *lane.Mask) {
		for i := range u {
			at := func(p reg.Register) Mem { return Mem{Base: p, Index: off, Scale: 1, Disp: i * s.Bytes()} }
			d, v := s.Vec(), s.Vec()
			VMULPS(s.Source(at(dw), m), lr, d)
			s.Load(at(w), v, m)
			VSUBPS(d, v, v)
			s.Store(v, at(w), m)
		}
	})
	VZEROUPPER()
	RET()
}

// adam generates the code below. Its scalars have the order of AdamScalars.
//
//	m[i] = FMA(B1, m[i], OneMinusB1*dw[i])            // VMULPS, VFMADD231PS
//	v[i] = FMA(B2, v[i], (OneMinusB2*dw[i])*dw[i])    // VMULPS, VMULPS, VFMADD231PS
//	step := (LR*m[i]) / (sqrt(v[i]*InvC2) + Eps)      // VMULPS, VMULPS, VSQRTPS, VADDPS, VDIVPS
//	w[i] = w[i] - step                                // VSUBPS
func adam(s lane.Set) {
	TEXT("adam"+s.Name, NOSPLIT, "func(w, m, v, dw *float32, n int, h *byte)")
	w, m1, m2, dw, rem, off := arg("w"), arg("m"), arg("v"), arg("dw"), arg("n"), GP64()
	h := arg("h")
	scalars := s.Vecs(7)
	for i, v := range scalars {
		VBROADCASTSS(Mem{Base: h, Disp: 4 * i}, v)
	}
	lr, invC2, b1, oneMinusB1, b2, oneMinusB2, eps := scalars[0], scalars[1], scalars[2], scalars[3], scalars[4], scalars[5], scalars[6]
	s.Blocks(rem, off, []int{2}, func(u int, m *lane.Mask) {
		for i := range u {
			at := func(p reg.Register) Mem { return Mem{Base: p, Index: off, Scale: 1, Disp: i * s.Bytes()} }
			if m == nil && i*s.Bytes()%line == 0 {
				for _, p := range []reg.Register{w, m1, m2, dw} {
					PREFETCHT0(at(p).Offset(ahead))
				}
			}
			d, first, second, t := s.Vec(), s.Vec(), s.Vec(), s.Vec()
			s.Load(at(dw), d, m)
			VMULPS(oneMinusB1, d, first)
			VFMADD231PS(s.Source(at(m1), m), b1, first)
			s.Store(first, at(m1), m)
			VMULPS(oneMinusB2, d, second)
			VMULPS(d, second, second)
			VFMADD231PS(s.Source(at(m2), m), b2, second)
			s.Store(second, at(m2), m)
			VMULPS(invC2, second, second)
			VSQRTPS(second, second)
			VADDPS(eps, second, second)
			VMULPS(lr, first, first)
			VDIVPS(second, first, first)
			s.Load(at(w), t, m)
			VSUBPS(first, t, t)
			s.Store(t, at(w), m)
		}
	})
	VZEROUPPER()
	RET()
}
