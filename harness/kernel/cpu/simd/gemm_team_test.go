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
		{31, 37*panel + 1, 6000, 4, false, false}, // too few rows
		{256, 1024, 600, 4, false, false},
	} {
		a := GemmArgs{M: tc.m, N: tc.n, K: tc.k}
		if g.split(&a); g.parts != tc.parts && !(g.parts == 0 && tc.parts == 1) || g.parts > 1 && (g.byRows != tc.byRows || g.panels > 0 != tc.uneven) {
			t.Errorf("%d x %d x %d: %d parts, by rows %t, uneven %t, want %d, %t, %t",
				tc.m, tc.n, tc.k, g.parts, g.byRows, g.panels > 0, tc.parts, tc.byRows, tc.uneven)
		}
		if g.parts <= 1 {
			continue
		}
		covered := make([]byte, tc.m*tc.n)
		least, most := tc.m*tc.n, 0
		for part := range g.parts {
			size := 0
			g.pieces(&a, part, func(i0, i1, j0, j1 int) {
				if j0%panel != 0 {
					t.Errorf("%d x %d x %d: part %d starts at column %d, want a multiple of %d", tc.m, tc.n, tc.k, part, j0, panel)
				}
				for i := i0; i < i1; i++ {
					for j := j0; j < j1; j++ {
						covered[i*tc.n+j]++
					}
				}
				size += (i1 - i0) * (j1 - j0)
			})
			least, most = min(least, size), max(most, size)
		}
		if i := slices.IndexFunc(covered, func(n byte) bool { return n != 1 }); i >= 0 {
			t.Errorf("%d x %d x %d: element (%d,%d) is in %d parts, want 1", tc.m, tc.n, tc.k, i/tc.n, i%tc.n, covered[i])
		}
		if least == 0 || g.panels > 0 && float64(most*g.parts) > gemmUneven*float64(tc.m*tc.n) {
			t.Errorf("%d x %d x %d: parts have %d to %d elements", tc.m, tc.n, tc.k, least, most)
		}
	}
}
