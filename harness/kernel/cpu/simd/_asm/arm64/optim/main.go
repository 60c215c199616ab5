// Command optim writes optim_arm64.s, the update routines of the optimisers:
//
//	go run ./arm64/optim -out ../optim_arm64.s
package main

import . "pushdown/harness/kernel/cpu/simd/asm/arm64/neon"

const w, m, v, dw, n, h = R(0), R(1), R(2), R(3), R(4), R(5)

func main() {
	Text("sgdNEON", 32)
	I("MOVD w+0(FP), %v", w)
	I("MOVD dw+8(FP), %v", dw)
	I("MOVD n+24(FP), %v", n)
	lr := Scalar("lr+16")
	Elementwise([]R{w, dw}, []R{w}, n, 4, func(x []V) []V {
		FMul(x[1], x[1], lr)
		FSub(x[0], x[0], x[1])
		return x[:1]
	})
	I("RET")
	adam()
	Finish()
}

// adam writes the update of Adam. In the order of the fields of AdamScalars, the constants
// are LR, InvC2, B1, OneMinusB1, B2, OneMinusB2 and Eps.
func adam() {
	Text("adamNEON", 48)
	for i, name := range []string{"w", "m", "v", "dw", "n", "h"} {
		I("MOVD %s+%d(FP), %v", name, 8*i, []R{w, m, v, dw, n, h}[i])
	}
	c := News(7)
	for i, r := range c {
		I("MOVWU %d(%v), %v", 4*i, h, Scratch)
		I("VDUP %v, %s", Scratch, r.All())
	}
	lr, invC2, b1, oneMinusB1, b2, oneMinusB2, eps := c[0], c[1], c[2], c[3], c[4], c[5], c[6]
	Elementwise([]R{w, m, v, dw}, []R{w, m, v}, n, 2, func(x []V) []V {
		w, m, v, d := x[0], x[1], x[2], x[3]
		newM, newV := New(), New()
		FMul(newM, d, oneMinusB1)
		FMla(newM, m, b1)
		FMul(newV, d, oneMinusB2)
		FMul(newV, newV, d)
		FMla(newV, v, b2)
		Scope(func() {
			root, step := New(), New()
			FMul(root, newV, invC2)
			FSqrt(root, root)
			FAdd(root, root, eps)
			FMul(step, newM, lr)
			FDiv(step, step, root)
			FSub(w, w, step)
		})
		return []V{w, newM, newV}
	})
	I("RET")
}
