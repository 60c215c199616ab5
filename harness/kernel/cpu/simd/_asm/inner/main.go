// Command inner writes gemm_inner_amd64.s: sums of the products of two vectors, with
// a chunk of 256 products in each lane.
//
//	cd _asm && go run ./inner -out ../gemm_inner_amd64.s
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
)

const (
	chunk  = 256 // products in a running sum
	chunks = 16  // chunks in parallel, in two registers of eight, since an FMA waits for the previous one on its register
	turn   = 4   // elements of each chunk per iteration
)

func main() {
	ConstraintExpr("amd64,!purego")
	TEXT("innerChunks", NOSPLIT, "func(sums, a, b *float32)")
	Doc("innerChunks is described with gemmContext.innerBlocks.")
	sums, a, b := Load(Param("sums"), GP64()), Load(Param("a"), GP64()), Load(Param("b"), GP64())
	n := GP64()
	MOVQ(U32(chunk/turn), n)
	sum := [2]VecPhysical{Y0, Y1}
	for _, s := range sum {
		VXORPS(s, s, s)
	}
	Label("next")
	for i, s := range sum {
		elements(a, 8*i, x, spare)
		elements(b, 8*i, y, spare)
		for k := range turn {
			VFMADD231PS(y[k], x[k], s)
		}
	}
	ADDQ(U32(4*turn), a)
	ADDQ(U32(4*turn), b)
	DECQ(n)
	JNZ(LabelRef("next"))
	for i, s := range sum {
		VMOVUPS(s, Mem{Base: sums, Disp: 32 * i})
	}
	VZEROUPPER()
	RET()
	lane.Finish()
}

// Registers are assigned by hand, since AVX2 has only sixteen.
var (
	x     = [turn]VecPhysical{Y2, Y3, Y4, Y5}
	y     = [turn]VecPhysical{Y6, Y7, Y8, Y9}
	spare = [turn]VecPhysical{Y10, Y11, Y12, Y13}
)

// elements loads the next four elements of eight chunks into four registers, with a
// lane for each chunk. It loads chunks i and i+4 into the halves of one register and
// transposes each half.
func elements(p Register, first int, to, t [turn]VecPhysical) {
	at := func(i int) Mem { return Mem{Base: p, Disp: 4 * chunk * (first + i)} }
	for i, v := range to {
		VMOVUPS(at(i), v.AsX())
		VINSERTF128(Imm(1), at(i+4), v, v)
	}
	VUNPCKLPS(to[1], to[0], t[0])
	VUNPCKHPS(to[1], to[0], t[1])
	VUNPCKLPS(to[3], to[2], t[2])
	VUNPCKHPS(to[3], to[2], t[3])
	VUNPCKLPD(t[2], t[0], to[0])
	VUNPCKHPD(t[2], t[0], to[1])
	VUNPCKLPD(t[3], t[1], to[2])
	VUNPCKHPD(t[3], t[1], to[3])
}
