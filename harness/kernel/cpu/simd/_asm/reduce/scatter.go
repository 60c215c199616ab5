package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
)

// sumRows generates the sumRows of reduce_scatter.go. The sum of the finished chunks
// and the sum of the current chunk stay in registers.
//
//	if order[i] >= end { sum += part; part = +0; end = order[i] | 255 + 1 }
//	part += x[order[i]]
func sumRows(s lane.Set) {
	TEXT("sumRows"+s.Name, NOSPLIT, "func(dst, x *float32, order *int32, count, n, ldx int)")
	rem, off := arg("n"), GP64()
	ld := stride("ldx")
	s.Blocks(rem, off, []int{4}, func(u int, m *lane.Mask) {
		dst, x, order, count := arg("dst"), arg("x"), arg("order"), arg("count")
		ADDQ(off, dst)
		ADDQ(off, x)
		sum, part := s.Zeros(u), s.Zeros(u)
		end, four := GP64(), GP64()
		XORQ(end, end)
		MOVQ(U32(4), four)
		fold := func() {
			for i := range sum {
				VADDPS(part[i], sum[i], sum[i])
			}
		}
		lane.Loop(count, func() {
			row := GP64()
			same := lane.Fresh("same")
			MOVLQSX(Mem{Base: order}, row)
			CMPQ(row, end)
			JLT(LabelRef(same))
			fold()
			for _, v := range part {
				VXORPS(v, v, v)
			}
			MOVQ(row, end)
			ORQ(U32(chunk-1), end)
			INCQ(end)
			Label(same)
			IMULQ(ld, row)
			for i, v := range part {
				VADDPS(s.Source(Mem{Base: x, Index: row, Scale: 1, Disp: i * s.Bytes()}, m), v, v)
			}
		}, lane.Move{Pointer: order, By: reg.Register(four)})
		fold()
		for i, v := range sum {
			s.Store(v, Mem{Base: dst, Disp: i * s.Bytes()}, m)
		}
	})
	VZEROUPPER()
	RET()
}
