// Command vecmat generates vecmat_amd64.s, a row times a matrix:
//
//	cd _asm && go run ./vecmat -out ../vecmat_amd64.s
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
)

func main() {
	ConstraintExpr("amd64,!purego")
	for _, s := range lane.Both() {
		vecmat(s)
	}
	lane.Finish()
}

// most is the largest number of vectors of running sums. With so many, an FMA need not
// wait for the previous FMA on the same sum.
const most = 8

// vecmat generates the vecmat of vecmat.go. It computes blocks of up to eight vectors of
// columns. Columns that do not fill a vector are masked:
//
//	sum[j] = FMA(a[k], b[k][j], sum[j]) // VFMADD231PS, k increasing
func vecmat(s lane.Set) {
	TEXT("vecmat"+s.Name, NOSPLIT, "func(c, a, b *float32, k, n, ldb int, add *float32)")
	c, a, b := Load(Param("c"), GP64()), Load(Param("a"), GP64()), Load(Param("b"), GP64())
	n, ldb := Load(Param("n"), GP64()), Load(Param("ldb"), GP64())
	SHLQ(U8(2), ldb)
	k, _ := Param("k").Resolve()
	add := Load(Param("add"), GP64())
	from, with, left := GP64(), GP64(), GP64()
	Label("block")
	for u := 1; u < most; u++ {
		CMPQ(n, U32(u*s.N))
		JLE(LabelRef(name("wide", u)))
	}
	for u := most; u > 0; u-- {
		Label(name("wide", u))
		last := GP64()
		MOVQ(n, last)
		if u > 1 {
			SUBQ(U32((u-1)*s.N), last)
		}
		m := s.First(last)
		masks := make([]*lane.Mask, u)
		masks[u-1] = m
		sums := s.Zeros(u)
		MOVQ(b, from)
		MOVQ(a, with)
		MOVQ(k.Addr, left)
		x := s.Vec()
		top := lane.Fresh("k")
		Label(top)
		VBROADCASTSS(Mem{Base: with}, x)
		for i, sum := range sums {
			VFMADD231PS(s.Source(Mem{Base: from, Disp: i * s.Bytes()}, masks[i]), x, sum)
		}
		ADDQ(ldb, from)
		ADDQ(U8(4), with)
		DECQ(left)
		JNZ(LabelRef(top))
		store := lane.Fresh("store")
		TESTQ(add, add)
		JZ(LabelRef(store))
		for i, sum := range sums {
			VADDPS(s.Source(Mem{Base: add, Disp: i * s.Bytes()}, masks[i]), sum, sum)
		}
		Label(store)
		for i, sum := range sums {
			s.Store(sum, Mem{Base: c, Disp: i * s.Bytes()}, masks[i])
		}
		if u < most {
			JMP(LabelRef("done"))
			continue
		}
		SUBQ(U32(most*s.N), n)
		JLE(LabelRef("done"))
		ADDQ(U32(most*s.Bytes()), c)
		ADDQ(U32(most*s.Bytes()), b)
		TESTQ(add, add)
		JZ(LabelRef("block"))
		ADDQ(U32(most*s.Bytes()), add)
		JMP(LabelRef("block"))
	}
	Label("done")
	VZEROUPPER()
	RET()
}

func name(stem string, u int) string { return stem + string(rune('0'+u)) }
