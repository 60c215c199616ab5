package simd

import (
	"fmt"
	"testing"
	"unsafe"
)

// benchReduce runs f for each instruction set and each shape of matrix.
func benchReduce(b *testing.B, shapes [][2]int, f func(k reduceTable, x *guarded)) {
	for _, isa := range Available() {
		k := reduceFor(isa)
		for _, s := range shapes {
			x := newGuarded(s[0], s[1], s[1], drawAny(newRand()))
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
	dst := newVector(4000, nil)
	benchReduce(b, [][2]int{{90000, 1}, {90000, 4}, {700, 64}, {700, 4000}}, func(k reduceTable, x *guarded) {
		k.ColSum(dst.ptr(), x.ptr(), x.rows, x.n, x.ld, false)
	})
}

func BenchmarkSumSquares(b *testing.B) {
	benchReduce(b, [][2]int{{1, 1000}, {1, 100000}}, func(k reduceTable, x *guarded) { k.SumSquares(x.ptr(), x.n) })
}

func BenchmarkGather(b *testing.B) {
	dst := newGuarded(90000, 1, 1, nil)
	ids := newIDs(90000, 6, newRand().IntN)
	benchReduce(b, [][2]int{{6, 1}, {6, 64}}, func(k reduceTable, x *guarded) {
		k.Gather(dst.ptr(), x.ptr(), unsafe.SliceData(ids), 90000/x.n, x.n, x.n, x.ld)
	})
}

// BenchmarkScatterAdd measures tables like those of character and word models, and
// tables with narrow rows.
func BenchmarkScatterAdd(b *testing.B) {
	for _, isa := range Available() {
		for _, c := range [][3]int{{90000, 1, 6}, {90000, 2, 6}, {840, 30, 6}, {6400, 128, 50}, {4480, 64, 10000}, {4480, 300, 33278}} {
			rows, n, vocab := c[0], c[1], c[2]
			x, dst := newGuarded(rows, n, n, drawAny(newRand())), newGuarded(vocab, n, n, nil)
			x.align()
			dst.align()
			ids, scratch := newIDs(rows, vocab, newRand().IntN), make([]int32, rows+vocab+1)
			k := reduceFor(isa)
			b.Run(fmt.Sprintf("isa=%v/rows=%d/n=%d/vocabulary=%d", isa, rows, n, vocab), func(b *testing.B) {
				for b.Loop() {
					k.ScatterAdd(dst.ptr(), x.ptr(), unsafe.SliceData(ids), rows, n, vocab, n, n, &scratch[0])
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
			})
		}
	}
}
