package simd

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// gemmShapes lists M, K and N of the products that take most of the time of the suites.
var gemmShapes = [][3]int{
	{128, 991, 3964}, // Penn Treebank LSTM, one step
	{128, 125, 500},
	{4480, 125, 1000}, // a projection to a vocabulary
	{64, 600, 2400},
	{10, 12, 48}, // a formal language
}

// BenchmarkGemm measures large products on one thread.
func BenchmarkGemm(b *testing.B) {
	for _, isa := range Available() {
		if isa == Generic {
			continue
		}
		c := newGemmContext(isa)
		for _, s := range gemmShapes {
			for _, form := range []string{"NN", "NT", "TN", "packed"} {
				b.Run(fmt.Sprintf("isa=%v/M=%d/K=%d/N=%d/form=%s", isa, s[0], s[1], s[2], form), func(b *testing.B) {
					benchmarkGemm(b, c, c.run, s[0], s[1], s[2], form)
				})
			}
		}
	}
}

// BenchmarkGemmEdges measures products of few rows. The right factor B fits in the L2 cache
// in half of the products and is larger in the others.
func BenchmarkGemmEdges(b *testing.B) {
	c := newGemmContext(Best())
	for _, s := range [][2]int{{125, 500}, {600, 2400}} {
		for m := 1; m <= 32; m++ {
			for _, form := range []string{"NN", "NT", "TN", "packed"} {
				b.Run(fmt.Sprintf("M=%d/K=%d/N=%d/form=%s", m, s[0], s[1], form), func(b *testing.B) {
					benchmarkGemm(b, c, c.run, m, s[0], s[1], form)
				})
			}
		}
	}
}

// BenchmarkGemmOdd measures shapes for which plain tiling is slow.
func BenchmarkGemmOdd(b *testing.B) {
	for _, s := range []struct {
		m, k, n int
		form    string
	}{
		{1, 90000, 1, "TN"}, {4, 50000, 2, "TN"}, {1, 50000, 48, "TN"}, {12, 50000, 48, "TN"},
		{90000, 1, 1, "NN"}, {90000, 4, 4, "NN"}, {90000, 12, 1, "NN"}, {90000, 1, 12, "NN"}, {90000, 12, 6, "NN"},
		{1, 991, 3964, "NN"}, {2, 600, 2400, "NN"}, {15, 991, 3964, "NN"}, {29, 600, 2400, "NN"},
		{128, 1024, 256, "NN"}, {128, 1024, 4096, "NN"}, {128, 1024, 4096, "NT"}, {1024, 512, 4096, "TN"},
	} {
		for _, isa := range Available() {
			if isa == Generic {
				continue
			}
			c := newGemmContext(isa)
			b.Run(fmt.Sprintf("isa=%v/M=%d/K=%d/N=%d/form=%s", isa, s.m, s.k, s.n, s.form), func(b *testing.B) {
				benchmarkGemm(b, c, c.run, s.m, s.k, s.n, s.form)
			})
		}
	}
}

func benchmarkGemm(b *testing.B, c *gemmContext, run func(*GemmArgs), m, k, n int, form string) {
	rng := rand.New(rand.NewPCG(1, 1))
	matrix := func(size int) *float32 {
		x := make([]float32, size)
		for i := range x {
			x[i] = float32(rng.Float64() - 0.5)
		}
		return &x[0]
	}
	a := GemmArgs{M: m, N: n, K: k, A: matrix(m * k), B: matrix(k * n), C: matrix(m * n),
		Lda: k, Ldb: n, Ldc: n, TA: form == "TN", TB: form == "NT"}
	if a.TA {
		a.Lda = m
	}
	if a.TB {
		a.Ldb = k
	}
	if form == "packed" {
		a.Packed = matrix(c.PackedLen(&a))
		c.pack(a.Packed, &a)
	}
	for b.Loop() {
		run(&a)
	}
	rate := 2 * float64(m) * float64(n) * float64(k) * float64(b.N) / b.Elapsed().Seconds()
	b.ReportMetric(rate/1e9, "GFLOP/s")
	b.ReportMetric(100*rate/Peak(), "peak-%")
}
