package cpu

import (
	"math"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

// tile is the part of an instruction that one call computes: rows [r0, r1) and columns
// [c0, c1). worker is the number of the worker that computes it.
type tile struct{ r0, r1, c0, c1, worker int }

// tiled computes a tile of an instruction. The tiles of an instruction may be computed in
// any order and at the same time.
type tiled func(a *arena, in *kernel.Instr, f *kernel.Frame, t tile)

// cut says in which directions an instruction may be split.
type cut uint8

const (
	alongRows cut = 1 << iota // between rows
	alongCols                 // between columns
	anywhere  = alongRows | alongCols
)

// split returns a routine that calls fn for tiles, in parallel if there is enough
// work. cost is the approximate time per element, in picoseconds.
func split(by cut, cost int, fn tiled) run {
	return func(a *arena, in *kernel.Instr, f *kernel.Frame) {
		rows, cols := in.Extents(f)
		t := tile{r1: rows, c1: cols}
		if work := rows * cols * cost; work >= 2*a.dev.share.least {
			a.dev.share.run(a, in, f, t, by, work, fn)
			return
		}
		fn(a, in, f, t)
	}
}

const (
	// shareLeast is the least work of one part, in picoseconds: 4 microseconds. Handing
	// a part to a thread takes a few hundred nanoseconds, so smaller parts are not worth
	// it.
	shareLeast = 4e6

	// shareParts is the largest number of parts per thread. It is more than one, so that
	// a thread that starts late or is held up can leave some of its parts to others.
	shareParts = 4

	// shareLine is the number of float32 values in two cache lines. An instruction is
	// split between columns only at multiples of shareLine.
	shareLine = 32
)

// share splits instructions into tiles for a team. Every sum is computed in one tile,
// so the bits depend neither on the number of tiles nor on the thread that computes a
// tile.
type share struct {
	team  *team
	least int // least work of one part, in picoseconds
	job   func(worker, part int)

	// The instruction being run.
	fn     tiled
	a      *arena
	in     *kernel.Instr
	f      *kernel.Frame
	whole  tile
	byCols bool
	parts  int

	sites  []simd.Site   // one per worker
	losses [][64]float32 // for each worker, losses that are not needed

	// For SumSquares: the elements to sum, and their partial sums.
	elements tile
	sums     [64]float32
}

func newShare(t *team) *share {
	s := &share{team: t, least: shareLeast, sites: make([]simd.Site, t.n), losses: make([][64]float32, t.n)}
	if t.n == 1 {
		s.least = math.MaxInt / 2 // nothing is shared
	}
	s.job = s.part
	return s
}

// run splits a tile, the parameter whole, into parts and computes them in parallel. It must
// not be called from a job of the team.
func (s *share) run(a *arena, in *kernel.Instr, f *kernel.Frame, whole tile, by cut, work int, fn tiled) {
	most := min(s.team.n*shareParts, work/s.least)
	rows, lines := whole.r1-whole.r0, (whole.c1-whole.c0+shareLine-1)/shareLine
	s.byCols = by == alongCols || by == anywhere && rows < most && lines > rows
	if s.byCols {
		s.parts = min(most, lines)
	} else {
		s.parts = min(most, rows)
	}
	if s.parts <= 1 {
		fn(a, in, f, whole)
		return
	}
	s.fn, s.a, s.in, s.f, s.whole = fn, a, in, f, whole
	s.team.do(s.parts, s.job)
	s.fn, s.a, s.in, s.f = nil, nil, nil, nil
}

// part computes one part of s.whole.
func (s *share) part(worker, part int) {
	t := s.whole
	t.worker = worker
	if s.byCols {
		lines := (t.c1 - t.c0 + shareLine - 1) / shareLine
		t.c0, t.c1 = t.c0+lines*part/s.parts*shareLine, min(t.c1, t.c0+lines*(part+1)/s.parts*shareLine)
	} else {
		rows := t.r1 - t.r0
		t.r0, t.r1 = t.r0+rows*part/s.parts, t.r0+rows*(part+1)/s.parts
	}
	s.fn(s.a, s.in, s.f, t)
}
