package simd

import (
	"fmt"
	"testing"
)

// BenchmarkXentBoth computes XentBoth in place, as a training step does. The numbers of
// rows are those that training computes between two products. XentBoth overwrites the rows,
// so each iteration first copies them. The benchmarks with func=copy measure only this
// copy.
func BenchmarkXentBoth(b *testing.B) {
	for _, isa := range Available() {
		k := rowFor(isa)
		for _, shape := range [][2]int{{840, 6}, {128, 50}, {6400, 50}, {16, 10000}, {256, 10000}, {64, 33278}} {
			rows, n := shape[0], shape[1]
			x, y := make([]float32, rows*n), make([]float32, rows*n)
			target, loss, dloss := make([]int32, rows), make([]float32, rows), make([]float32, rows)
			for i := range x {
				x[i] = float32(i%97)/10 - 4.8
			}
			for _, f := range []string{"copy", "both"} {
				b.Run(fmt.Sprintf("isa=%v/func=%s/n=%d/rows=%d", isa, f, n, rows), func(b *testing.B) {
					for b.Loop() {
						copy(y, x)
						if f == "both" {
							k.XentBoth(&y[0], &loss[0], &y[0], &target[0], &dloss[0], rows, n, n, n)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows*n), "ns/element")
				})
			}
		}
	}
}

func BenchmarkRow(b *testing.B) {
	for _, isa := range Available() {
		k := rowFor(isa)
		for _, shape := range [][2]int{{4096, 2}, {512, 3}, {512, 4}, {1024, 5}, {512, 50}, {16, 10000}} {
			rows, n := shape[0], shape[1]
			x, y, dst := make([]float32, rows*n), make([]float32, rows*n), make([]float32, rows*n)
			target, loss := make([]int32, rows), make([]float32, rows)
			for i := range x {
				x[i] = float32(i%97)/10 - 4.8
				y[i] = float32(i%89) / 90
			}
			for _, c := range []struct {
				name string
				run  func()
			}{
				{"softmax", func() { k.Softmax(&dst[0], &x[0], rows, n, n, n) }},
				{"softmaxGrad", func() { k.SoftmaxGrad(&dst[0], &y[0], &x[0], rows, n, n, n, n) }},
				{"xent", func() { k.Xent(&loss[0], &x[0], &target[0], rows, n, n) }},
				{"xentBoth", func() { k.XentBoth(&dst[0], &loss[0], &x[0], &target[0], &loss[0], rows, n, n, n) }},
				{"onehot", func() { k.Onehot(&dst[0], &x[0], rows, n, n, n) }},
			} {
				b.Run(fmt.Sprintf("isa=%v/func=%s/n=%d/rows=%d", isa, c.name, n, rows), func(b *testing.B) {
					for b.Loop() {
						c.run()
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
				})
			}
		}
	}
}
