package simd

import (
	"math/rand/v2"
	"testing"
)

// alongFor returns the state of a product as the kernels that run along the rows of B need it.
func alongFor(c *gemmContext, a *GemmArgs) *gemmBlocks {
	b := &gemmBlocks{gemmContext: c, GemmArgs: *a, fetches: a.M*a.K+a.K*a.N+a.M*a.N > fetchFrom}
	row, step := steps(a.Lda, a.TA)
	c.tile.ARow, c.tile.AStep = 4*row, 4*step
	return b
}

// runAlong computes a product along the rows of B, whatever its size. It checks that the context does not keep
// the matrices.
func runAlong(t *testing.T, c *gemmContext) func(a *GemmArgs) {
	return func(a *GemmArgs) {
		alongFor(c, a).runAlong()
		if c.along != (gemmAlong{}) || c.side.A != nil || c.side.C != nil {
			t.Errorf("%v: the context still has pointers to the matrices", a)
		}
	}
}

// eachAlong runs f with a context for each instruction set that can run along the rows of B.
func eachAlong(t *testing.T, f func(t *testing.T, c *gemmContext)) {
	eachGemm(t, func(t *testing.T, c *gemmContext) {
		if c.Table.along[1] == nil {
			t.Skip("no kernels that run along the rows of B")
		}
		f(t, c)
	})
}

// alongForms are the ways of storing a product whose B is read in place.
var alongForms = []form{{}, {ta: true, gap: 3, offset: 1}, {acc: true, gap: 1, offset: 5}, {ta: true, acc: true}}

// TestGemmAlong tests every number of rows with every number of columns up to two panels and a
// vector, and with values of K around the ends of chunks and of the parts of a chunk.
func TestGemmAlong(t *testing.T) {
	deep := []int{1, 5, 31, 32, 33, 63, 64, 65, 255, 256, 257, 511, 512, 513, 600}
	rng := rand.New(rand.NewPCG(31, 32))
	eachAlong(t, func(t *testing.T, c *gemmContext) {
		for m := 1; m <= alongRows; m++ {
			for n := 1; n <= 9*c.Table.Lanes; n++ {
				if testing.Short() && (m+n)%5 > 0 {
					continue
				}
				k := deep[(m+n)%len(deep)]
				p := newProduct(rng, m, n, k, gemmDraws[(m+n)%len(gemmDraws)].draw)
				p.check(t, c, runAlong(t, c), alongForms[n%len(alongForms)])
				if t.Failed() {
					return
				}
			}
		}
	})
}

// TestGemmAlongColumns tests numbers of columns around the end of a block.
func TestGemmAlongColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	eachAlong(t, func(t *testing.T, c *gemmContext) {
		for i, n := range []int{alongCols - 1, alongCols, alongCols + 1, 2*alongCols + 37} {
			for _, m := range []int{1, 7, alongRows} {
				p := newProduct(rng, m, n, GemmChunk+40, gemmDraws[i%2].draw)
				for _, f := range alongForms {
					p.check(t, c, runAlong(t, c), f)
				}
			}
		}
	})
}

// TestGemmAlongFewTerms tests products of few k, which run computes along the rows of B unless B is packed
// or stored transposed.
func TestGemmAlongFewTerms(t *testing.T) {
	rng := rand.New(rand.NewPCG(39, 40))
	eachAlong(t, func(t *testing.T, c *gemmContext) {
		for _, size := range [][3]int{{3, 300, 20}, {70, 257, 1}, {40, 512, 8}, {40, 512, 20}} {
			p := newProduct(rng, size[0], size[1], size[2], gemmDraws[0].draw)
			for _, f := range gemmForms {
				p.check(t, c, c.run, f)
			}
		}
	})
}

// TestGemmAlongAgain is like TestGemmAgain, with products that run computes along the rows of B.
func TestGemmAlongAgain(t *testing.T) {
	lengths := []int{GemmChunk, 2 * GemmChunk, GemmChunk + 3}
	rng := rand.New(rand.NewPCG(35, 36))
	for _, m := range []int{1, 5, alongRows} {
		p := newProduct(rng, m, fetchFrom/GemmChunk, 4*GemmChunk+3, gemmDraws[0].draw)
		for _, isa := range Available() {
			g := NewGemmTeam(isa, 1, several(1))
			a := GemmArgs{M: m, N: p.n, K: GemmChunk, Ldb: p.n + 1}
			if c := g.Contexts[0]; c.Table.along[1] != nil && !alongFor(c, &a).isAlong() {
				t.Fatalf("isa=%v: %v: not along the rows of B", isa, &a)
			}
			p.checkAgain(t, g, form{gap: 1}, lengths)
		}
	}
}
