package simd

import (
	"math/rand/v2"
	"testing"
)

// TestGemmAgain divides the values of k into several ranges of whole chunks and computes
// one range after the other. The field Continue is set for all ranges but the first. The
// result must equal the whole product, bit for bit.
func TestGemmAgain(t *testing.T) {
	sizes := [][2]int{{1, 1}, {1, 40}, {3, 2}, {7, 33}, {30, 1}}
	pieces := [][]int{{256}, {512, 1}, {256, 256, 256, 3}, {1024, 256, 70}, {256, 0}}
	rng := rand.New(rand.NewPCG(11, 12))
	for i, size := range sizes {
		for j, lengths := range pieces {
			whole := 0
			for _, n := range lengths {
				whole += n
			}
			p := newProduct(rng, size[0], size[1], whole, gemmDraws[(i+j)%len(gemmDraws)].draw)
			for _, isa := range Available() {
				g := NewGemmTeam(isa, 2, several(2))
				for _, f := range gemmForms {
					p.checkAgain(t, g, f, lengths)
				}
				if t.Failed() {
					t.Fatalf("isa=%v", isa)
				}
			}
		}
	}
	lengths := []int{GemmChunk, GemmChunk, 1}
	p := newProduct(rng, packRows, 2*BlockCols+1, 2*GemmChunk+1, gemmDraws[0].draw) // A is packed if it is transposed
	for _, isa := range Available() {
		p.checkAgain(t, NewGemmTeam(isa, 1, several(1)), form{ta: true}, lengths)
	}
}

// TestGemmAgainDeep is like TestGemmAgain, with a second range that is longer than
// deepK. The product of this range is itself computed in several parts.
func TestGemmAgainDeep(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: multiplies long rows: go test ./harness/kernel/cpu/simd -run GemmAgainDeep")
	}
	lengths := []int{GemmChunk, deepK + GemmChunk + 3}
	p := newProduct(rand.New(rand.NewPCG(13, 14)), packRows, 2*BlockCols+1, lengths[0]+lengths[1], gemmDraws[0].draw)
	for _, isa := range Available() {
		if isa != Generic {
			p.checkAgain(t, NewGemmTeam(isa, 1, several(1)), form{ta: true, gap: Crowded - 1}, lengths)
		}
	}
}

func (p *product) checkAgain(t *testing.T, g *GemmTeam, f form, lengths []int) {
	t.Helper()
	a, lda := p.lay(0, p.a, p.m, p.k, f.ta, f, 0)
	b, ldb := p.lay(1, p.b, p.k, p.n, f.tb, f, 0)
	z, ldc := p.lay(2, p.c, p.m, p.n, false, f, 0)
	first := guard + f.offset
	_, aCol := steps(lda, f.ta)
	bRow, _ := steps(ldb, f.tb)
	k := 0
	for i, n := range lengths {
		args := GemmArgs{M: p.m, N: p.n, K: n, A: &a[first+k*aCol], B: &b[first+k*bRow], C: &z[first],
			Lda: lda, Ldb: ldb, Ldc: ldc, TA: f.ta, TB: f.tb, Continue: i > 0}
		if f.packed {
			args.Packed = p.pack(g.Contexts[0], &args)
		}
		g.Run(&args)
		k += n
	}
	for i := range p.m {
		for j := range p.n {
			if got, want := z[first+i*ldc+j], p.sum[i*p.n+j]; !sameBits(got, want) {
				t.Fatalf("M=%d N=%d K=%v %v: C[%d,%d] is %g, want %g", p.m, p.n, lengths, f, i, j, got, want)
			}
		}
	}
}
