package simd

import (
	"testing"

	"pushdown/harness/numeric"
)

func TestMixMatchesFormula(t *testing.T) {
	eachISA(t, func(t *testing.T, isa ISA) {
		k := reduceFor(isa)
		for kind := range testDraws {
			for _, n := range testLengths(127, 128, 150) {
				if n == 0 {
					continue
				}
				r := newRand(n, kind)
				rows, blocks := r.IntN(5), 1+r.IntN(6)
				f := testDraws[kind].make(r)
				gap := r.IntN(2) * r.IntN(9)
				x, w, dy := newGuarded(rows, blocks*n, blocks*n+gap, f), newGuarded(rows, blocks, blocks+gap, f), newGuarded(rows, n, n+gap, f)

				dst := newGuarded(rows, n, n+2*gap, nil)
				k.Mix(dst.ptr(), w.ptr(), x.ptr(), rows, blocks, n, dst.ld, w.ld, x.ld)
				dst.want(t, labelFor(isa, "mix of", rows, blocks, n), func(i, j int) float32 {
					sum := w.at(i, 0) * x.at(i, j)
					for b := 1; b < blocks; b++ {
						sum = numeric.FMA(w.at(i, b), x.at(i, b*n+j), sum)
					}
					return sum
				})

				dst = newGuarded(rows, blocks*n, blocks*n+2*gap, nil)
				k.MixGrad(dst.ptr(), w.ptr(), dy.ptr(), rows, blocks, n, dst.ld, w.ld, dy.ld)
				dst.want(t, labelFor(isa, "mixGrad of", rows, blocks, n), func(i, j int) float32 {
					return dy.at(i, j%n) * w.at(i, j/n)
				})
			}
		}
	})
}
