package simd

import (
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

// several returns a function that distributes the parts of a job among n goroutines.
func several(n int) shareOut {
	return func(parts int, job func(worker, part int)) {
		var group sync.WaitGroup
		var next atomic.Int64
		for worker := range n {
			group.Go(func() {
				for {
					part := int(next.Add(1)) - 1
					if part >= parts {
						return
					}
					job(worker, part)
				}
			})
		}
		group.Wait()
	}
}

// TestGemmTeam compares products on 1 to 4 threads with the reference, bit for bit.
func TestGemmTeam(t *testing.T) {
	sizes := [][3]int{{5, 600, 100}, {300, 7, 100}, {64, 150, 40}, {1, 400, 700}, {400, 1, 700}, {33, 65, 257}, {128, 345, 40}, {67, 333, 50}, {3, 2, 10}}
	if testing.Short() {
		sizes = sizes[4:]
	}
	rng := rand.New(rand.NewPCG(8, 8))
	for i, size := range sizes {
		p := newProduct(rng, size[0], size[1], size[2], gemmDraws[i%len(gemmDraws)].draw)
		for n := 1; n <= 4; n++ {
			for _, isa := range Available() {
				if isa == Generic && i > 0 {
					continue
				}
				g := NewGemmTeam(isa, n, several(n))
				for _, f := range gemmForms {
					p.check(t, g.Contexts[0], g.Run, f)
				}
				if t.Failed() {
					t.Fatalf("isa=%v, %d threads", isa, n)
				}
			}
		}
	}
}

// TestGemmTeamPack compares matrices that a team has packed with those that one thread has.
func TestGemmTeamPack(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	for i, size := range [][2]int{{250, 700}, {248, 600}, {1100, 300}, {70, 2000}} {
		p := newProduct(rng, 1, size[0], size[1], gemmDraws[0].draw)
		tb := i%2 == 1
		b, ldb := p.lay(1, p.b, p.k, p.n, tb, form{tb: tb}, 0)
		a := GemmArgs{M: 1, N: p.n, K: p.k, B: &b[guard], Ldb: ldb, TB: tb}
		for _, isa := range Available() {
			for n := 2; n <= 4; n++ {
				g := NewGemmTeam(isa, n, several(n))
				have, want := make([]float32, g.Contexts[0].PackedLen(&a)), make([]float32, g.Contexts[0].PackedLen(&a))
				g.Contexts[0].pack(&want[0], &a)
				g.Pack(&have[0], &a)
				if isa != Generic && g.parts < 2 {
					t.Errorf("isa=%v: %d x %d, %d threads: packed in one part, want several", isa, p.k, p.n, n)
				}
				if !slices.Equal(have, want) {
					t.Errorf("isa=%v: %d x %d, %d threads: not as one thread packs it", isa, p.k, p.n, n)
				}
			}
		}
	}
}

// TestGemmTeamParts checks that the parts of a product cover it exactly once and start
// at packed panels, and that their number suits the amount of work.
func TestGemmTeamParts(t *testing.T) {
	g := NewGemmTeam(Best(), 4, nil)
	panel := g.Contexts[0].PackedPanel()
	for _, tc := range []struct {
		m, n, k, parts int
		byRows, uneven bool // uneven: panels divide the columns unevenly
	}{
		{10, 48, 12, 1, false, false},
		{1, 1, 1 << 20, 1, true, false},
		{64, 2400, 600, 4, false, false},
		{4480, 1000, 125, 4, true, false},
		{90000, 1, 12, 4, true, false},
		{1, 9000, 600, 4, false, false},
		{30, 12, 6000, 4, true, false},
		{64, 64, 65, 2, false, false},
		{32, 37*panel + 1, 6000, 4, false, true},
		{8, 37*panel + 1, 6000, 4, false, false}, // all rows left over would be in one part
		{256, 1024, 600, 4, false, false},
	} {
		a := GemmArgs{M: tc.m, N: tc.n, K: tc.k}
		if g.split(&a); g.parts != tc.parts && !(g.parts == 0 && tc.parts == 1) || g.parts > 1 && (g.byRows != tc.byRows || g.panels > 0 != tc.uneven) {
			t.Errorf("%d x %d x %d: %d parts, by rows %t, uneven %t, want %d, %t, %t",
				tc.m, tc.n, tc.k, g.parts, g.byRows, g.panels > 0, tc.parts, tc.byRows, tc.uneven)
		}
		checkPieces(t, g, &a)
	}
}

// TestGemmTeamPieces checks random products, on several numbers of threads.
func TestGemmTeamPieces(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	uneven := 0
	for _, n := range []int{2, 3, 5, 16} {
		g := NewGemmTeam(Best(), n, nil)
		for range 100 {
			a := GemmArgs{M: 1 + rng.IntN(150), N: 1 + rng.IntN(1000), K: 4000}
			g.split(&a)
			checkPieces(t, g, &a)
			uneven += min(g.panels, 1)
		}
	}
	if g := NewGemmTeam(Best(), 2, nil); uneven == 0 && g.Contexts[0].PackedPanel() > 1 {
		t.Error("no product has parts of two pieces")
	}
}

// checkPieces checks that the parts of a product cover it exactly once, start at packed panels and,
// if they have two pieces, are more even than without.
func checkPieces(t *testing.T, g *GemmTeam, a *GemmArgs) {
	t.Helper()
	if g.parts <= 1 {
		return
	}
	panel := g.Contexts[0].PackedPanel()
	covered := make([]byte, a.M*a.N)
	most := 0
	for part := range g.parts {
		size := 0
		g.pieces(a, part, func(i0, i1, j0, j1 int) {
			if j0%panel != 0 {
				t.Errorf("%d x %d x %d: part %d starts at column %d, want a multiple of %d", a.M, a.N, a.K, part, j0, panel)
			}
			for i := i0; i < i1; i++ {
				for j := j0; j < j1; j++ {
					covered[i*a.N+j]++
				}
			}
			size += max(0, i1-i0) * (j1 - j0)
		})
		if size == 0 {
			t.Errorf("%d x %d x %d: part %d is empty", a.M, a.N, a.K, part)
		}
		most = max(most, size)
	}
	if i := slices.IndexFunc(covered, func(n byte) bool { return n != 1 }); i >= 0 {
		t.Errorf("%d x %d x %d: element (%d,%d) is in %d parts, want 1", a.M, a.N, a.K, i/a.N, i%a.N, covered[i])
	}
	if columns := a.M * g.largest(a.N, panel); g.panels > 0 && most >= columns {
		t.Errorf("%d x %d x %d: the largest part has %d elements, by columns alone %d", a.M, a.N, a.K, most, columns)
	}
}
