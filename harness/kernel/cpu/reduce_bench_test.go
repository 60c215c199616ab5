package cpu

import (
	"fmt"
	"testing"
	"unsafe"
)

// benchReduce runs f for each instruction set and shape of matrix.
func benchReduce(b *testing.B, shapes [][2]int, f func(k reduceTable, x *plate)) {
	for _, isa := range Available() {
		k := reduceFor(isa)
		for _, s := range shapes {
			x := newPlate(s[0], s[1], s[1], plateAny(plateRand()))
			x.align()
			b.Run(fmt.Sprintf("isa=%v/rows=%d/n=%d", isa, s[0], s[1]), func(b *testing.B) {
				b.SetBytes(int64(4 * s[0] * s[1]))
				for b.Loop() {
					f(k, x)
				}
			})
		}
	}
}

func BenchmarkColSum(b *testing.B) {
	dst := plateVector(4000, nil)
	benchReduce(b, [][2]int{{90000, 1}, {90000, 4}, {700, 64}, {700, 4000}}, func(k reduceTable, x *plate) {
		k.colSum(dst.ptr(), x.ptr(), x.rows, x.n, x.ld, false)
	})
}

func BenchmarkSumSquares(b *testing.B) {
	benchReduce(b, [][2]int{{1, 1000}, {1, 100000}}, func(k reduceTable, x *plate) { k.sumSquares(x.ptr(), x.n) })
}

func BenchmarkGather(b *testing.B) {
	dst := newPlate(90000, 1, 1, nil)
	ids := newIDs(90000, 6, plateRand().IntN)
	benchReduce(b, [][2]int{{6, 1}, {6, 64}}, func(k reduceTable, x *plate) {
		k.gather(dst.ptr(), x.ptr(), unsafe.SliceData(ids), 90000/x.n, x.n, x.n, x.ld)
	})
}

func BenchmarkScatterAdd(b *testing.B) {
	dst := newPlate(6, 64, 64, nil)
	ids := newIDs(90000, 6, plateRand().IntN)
	scratch := make([]int32, scatterScratch(90000, 1, 6))
	benchReduce(b, [][2]int{{90000, 1}, {90000, 2}, {1400, 64}}, func(k reduceTable, x *plate) {
		k.scatterAdd(dst.ptr(), x.ptr(), unsafe.SliceData(ids), x.rows, x.n, 6, x.n, x.ld, &scratch[0])
	})
}
