package simd

import (
	"fmt"
	"testing"
)

func BenchmarkVec(b *testing.B) {
	for _, isa := range Available() {
		v := vecOf(isa)
		seen := map[string]bool{}
		for _, c := range vecCases() {
			if seen[c.name] { // measure each operation with only one of its constants
				continue
			}
			seen[c.name] = true
			for _, n := range []int{120, 65536} {
				b.Run(fmt.Sprintf("isa=%v/func=%s/n=%d", isa, c.name, n), func(b *testing.B) {
					x, y, dst := make([]float32, n), make([]float32, n), make([]float32, n)
					for i := range x {
						x[i] = float32(i%97)/10 - 4.8
						y[i] = float32(i%89)/90 + 0.01
					}
					b.SetBytes(int64(4 * n))
					for b.Loop() {
						c.run(v, &dst[0], &x[0], &y[0], n)
					}
				})
			}
		}
	}
}
