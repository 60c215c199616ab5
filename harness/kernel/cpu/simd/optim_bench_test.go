package simd

import (
	"fmt"
	"testing"
)

func BenchmarkAdam(b *testing.B) {
	h := &AdamScalars{LR: 0.1, InvC2: 1000, B1: 0.9, OneMinusB1: 0.1, B2: 0.999, OneMinusB2: 0.001, Eps: 1e-8}
	for _, isa := range Available() {
		for _, n := range []int{5, 1000, 100000} {
			f := func() float32 { return 0.5 }
			w, m, v, dw := newVector(n, f), newVector(n, f), newVector(n, f), newVector(n, f)
			k := optimFor(isa)
			b.Run(fmt.Sprintf("isa=%v/n=%d", isa, n), func(b *testing.B) {
				b.SetBytes(int64(4 * n))
				for b.Loop() {
					k.Adam(w.ptr(), m.ptr(), v.ptr(), dw.ptr(), n, h)
				}
			})
		}
	}
}
