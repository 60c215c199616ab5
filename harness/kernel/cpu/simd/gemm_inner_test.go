package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// innerForms lists forms of inner products. In the first four, both vectors have no
// gaps, and each is stored as a row or as a column. The last two, one with gaps and one
// that accumulates, do not use the inner kernel.
var innerForms = []struct {
	form
	inner bool
}{
	{form{tb: true, offset: 1}, true}, {form{offset: 3}, true}, {form{ta: true, tb: true}, true}, {form{ta: true, offset: 2}, true},
	{form{ta: true, gap: 1}, false}, {form{tb: true, acc: true}, false},
}

// TestGemmInner compares inner products with the reference implementation. Their lengths
// are around one block and around several blocks. The test also checks that the inner
// kernel computes all whole blocks in the forms that use it, and none in the other forms.
func TestGemmInner(t *testing.T) {
	const block = innerBlock * GemmChunk
	rng := rand.New(rand.NewPCG(3, 14))
	eachGemm(t, func(t *testing.T, c *gemmContext) {
		if c.inner == nil {
			t.Skip("no inner kernel for this instruction set")
		}
		kernel, blocks := c.inner, 0
		c.inner = func(sums, a, b *float32) {
			blocks++
			kernel(sums, a, b)
		}
		for i, k := range []int{block - 1, block, block + 1, block + GemmChunk, 2*block - 1, 2 * block, 3*block + 5*GemmChunk + 17} {
			for _, draw := range gemmDraws {
				p := newProduct(rng, 1, 1, k, draw.draw)
				for _, f := range innerForms {
					blocks = 0
					p.check(t, c, c.run, f.form)
					if want := k / block; blocks != want && f.inner || blocks > 0 && !f.inner {
						t.Errorf("K=%d %v: have %d blocks of the inner kernel, want %d, or 0 for forms that do not use it", k, f.form, blocks, want)
					}
				}
				if t.Failed() {
					t.Fatalf("stopped at numbers of kind %s, length %d", draw.name, i)
				}
			}
		}
	})
}

// TestGemmInnerHardValues checks that every chunk starts from +0, and that the sum of
// the first chunk is stored, not added to a zero.
func TestGemmInnerHardValues(t *testing.T) {
	const k = 2 * innerBlock * GemmChunk
	negZero := float32(math.Copysign(0, -1))
	ulp := float32(math.Ldexp(1, -23))
	for _, c := range []struct {
		name string
		a    func(i int) float32
		b    func(i int) float32
		want float32
	}{
		{"products of -0 become +0", func(int) float32 { return negZero }, func(int) float32 { return 1 }, 0},
		{"sums that underflow stay -0", func(i int) float32 {
			if i%GemmChunk == 0 {
				return -1e-30
			}
			return negZero
		}, func(i int) float32 { return 1e-30 }, negZero},
		{"a half of the last place is lost in a chunk", func(i int) float32 {
			if i == 0 {
				return 1
			}
			return ulp / 2
		}, func(i int) float32 {
			if i < GemmChunk {
				return 1
			}
			return 0
		}, 1},
		{"later chunks are added one by one", func(i int) float32 {
			switch {
			case i == 0:
				return 1
			case i%GemmChunk == 0:
				return ulp / 2
			}
			return 0
		}, func(int) float32 { return 1 }, 1},
		{"in rising order", func(i int) float32 {
			if i == k-GemmChunk {
				return 1
			}
			if i%GemmChunk == 0 {
				return ulp / 2
			}
			return 0
		}, func(int) float32 { return 1 }, 1 + 16*ulp},
	} {
		a, b := make([]float32, k), make([]float32, k)
		for i := range a {
			a[i], b[i] = c.a(i), c.b(i)
		}
		want := gemmSum(a, b, 0, 1, 0, 1, k)
		if !sameBits(want, c.want) {
			t.Errorf("%s: reference: have %g, want %g", c.name, want, c.want)
		}
		eachGemm(t, func(t *testing.T, g *gemmContext) {
			got := float32(7)
			g.run(&GemmArgs{M: 1, N: 1, K: k, A: &a[0], B: &b[0], C: &got, Lda: 1, Ldb: 1, Ldc: 1, TA: true})
			if !sameBits(got, want) {
				t.Errorf("%s: have %g (%#08x), want %g (%#08x)", c.name, got, math.Float32bits(got), want, math.Float32bits(want))
			}
		})
	}
}

// TestGemmInnerContinues computes an inner product in several calls with Continue. Each
// but the last covers whole chunks, and some cover whole blocks. The test also checks
// that a product does not allocate.
func TestGemmInnerContinues(t *testing.T) {
	const block = innerBlock * GemmChunk
	rng := rand.New(rand.NewPCG(2, 71))
	lengths := []int{3 * GemmChunk, block, GemmChunk, 2*block + GemmChunk, 5}
	k := 0
	for _, n := range lengths {
		k += n
	}
	for _, isa := range Available() {
		g := NewGemmTeam(isa, 1, several(1))
		for _, draw := range gemmDraws {
			p := newProduct(rng, 1, 1, k, draw.draw)
			p.checkAgain(t, g, form{ta: true, offset: 1}, lengths)
		}
		x, y, z := make([]float32, block+9), make([]float32, block+9), float32(0)
		a := GemmArgs{M: 1, N: 1, K: len(x), A: &x[0], B: &y[0], C: &z, Lda: 1, Ldb: 1, Ldc: 1, TA: true}
		c := newGemmContext(isa)
		c.run(&a) // grows the buffers
		if n := testing.AllocsPerRun(10, func() { c.run(&a) }); n != 0 {
			t.Errorf("isa=%v: %v allocations, want 0", isa, n)
		}
	}
}

func BenchmarkGemmInner(b *testing.B) {
	for _, k := range []int{4096, 92000} {
		x, y, z := make([]float32, k), make([]float32, k), make([]float32, 1)
		b.Run(fmt.Sprintf("k=%d", k), func(b *testing.B) {
			c := newGemmContext(Best())
			a := GemmArgs{M: 1, N: 1, K: k, A: &x[0], B: &y[0], C: &z[0], Lda: 1, Ldb: 1, Ldc: 1, TA: true}
			for b.Loop() {
				c.run(&a)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(k), "ns/element")
		})
	}
}
