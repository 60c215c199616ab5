package simd

const (
	// gemmShare is the least number of FMAs that are worth handing to a thread. That many take
	// a few microseconds. Handing them over takes a few hundred nanoseconds.
	gemmShare = 1 << 17

	gemmRows = 8 // fewest rows that are computed at full speed

	// gemmUneven is the size of the largest part, divided by its size if all parts have two pieces, from
	// which on the second piece pays.
	gemmUneven = 1.02
)

// GemmTeam computes products on several threads. Each part consists of ranges of rows and
// columns of C, so the bits do not depend on the number of threads.
type GemmTeam struct {
	do       shareOut
	Contexts []*gemmContext // one for each worker
	job      func(worker, part int)
	packJob  func(worker, part int)

	// The product being computed. The number of rows or columns in each part is a multiple
	// of the field unit, except in the last part. If the field panels is not 0, each part has two
	// pieces: so many panels of columns, and some rows of the columns left over.
	args        GemmArgs
	byRows      bool
	parts, unit int
	panels      int
	packed      *float32 // where B is packed
}

// shareOut calls job for each part from 0 to parts-1, on the available workers.
type shareOut = func(parts int, job func(worker, part int))

// NewGemmTeam returns a team of the given number of workers. The function do
// distributes the parts of a product among them.
func NewGemmTeam(isa ISA, workers int, do shareOut) *GemmTeam {
	g := &GemmTeam{do: do}
	for range workers {
		g.Contexts = append(g.Contexts, newGemmContext(isa))
	}
	g.job, g.packJob = g.part, g.packPart
	return g
}

// Run computes the product. It must not be called from a job of the team.
func (g *GemmTeam) Run(a *GemmArgs) {
	if g.split(a); g.parts <= 1 {
		g.Contexts[0].run(a)
		return
	}
	g.args = *a
	g.do(g.parts, g.job)
	g.args = GemmArgs{}
}

// Pack does the work of gemmContext.pack on several threads: it writes the packed form of
// op(B), the right factor of the product, to dst.
func (g *GemmTeam) Pack(dst *float32, a *GemmArgs) {
	const share = 1 << 15 // least number of elements for which a thread is used
	panel := g.Contexts[0].PackedPanel()
	g.parts = min(len(g.Contexts), a.N*a.K/share, a.N/panel)
	if g.parts <= 1 || g.Contexts[0].Table.Lanes == 0 {
		g.Contexts[0].pack(dst, a)
		return
	}
	g.args, g.unit, g.packed = *a, panel, dst
	g.do(g.parts, g.packJob)
	g.args, g.packed = GemmArgs{}, nil
}

func (g *GemmTeam) packPart(worker, part int) {
	from, to := g.bounds(g.args.N, g.unit, part)
	g.Contexts[worker].packPart(g.packed, &g.args, from, to)
}

// split decides how to split a product. It chooses one part for each thread, or fewer parts
// if they would have less than gemmShare FMAs each. Usually a part is a range of columns of
// C, in whole panels but for the last part. But if C has more rows than columns, or has too few
// columns for a whole panel in each part, a part is a range of rows.
//
// Panels can divide columns unevenly: of 600 columns, which are 19 panels of 32, one of two
// threads would have 10 panels, 7 per cent more than half. Then all parts have the same number of
// panels, and the columns left over are divided between rows, unless that is hardly more even.
func (g *GemmTeam) split(a *GemmArgs) {
	g.panels = 0
	g.parts = min(len(g.Contexts), a.M*a.N*a.K/gemmShare)
	if g.parts <= 1 {
		return
	}
	panel := g.Contexts[0].PackedPanel()
	g.byRows = a.M > a.N || a.N < g.parts*panel
	size := a.N
	g.unit = panel
	if g.byRows {
		size, g.unit = a.M, gemmRows
	}
	units := (size + g.unit - 1) / g.unit
	g.parts = min(g.parts, units)
	if g.byRows {
		return
	}
	each := a.N / (g.parts * panel) // panels
	rest := a.N - g.parts*each*panel
	columns := a.M * g.largest(a.N, panel)
	pieces := a.M*each*panel + rest*g.largest(a.M, gemmRows)
	if float64(columns) > gemmUneven*float64(pieces) {
		g.panels = each
	}
}

// largest returns the size of the largest part if size is divided into g.parts parts of whole units.
func (g *GemmTeam) largest(size, unit int) int {
	units := (size + unit - 1) / unit
	return min(size, (units+g.parts-1)/g.parts*unit)
}

// part computes one part of g.args.
func (g *GemmTeam) part(worker, part int) {
	g.pieces(&g.args, part, func(i0, i1, j0, j1 int) {
		p := g.args.Part(i0, i1, j0, j1)
		g.Contexts[worker].run(&p)
	})
}

// pieces calls do for each piece of a part of the product a, which split has split: rows i0 to i1-1 and
// columns j0 to j1-1. A part has one piece, or two if g.panels is not 0. The second may be empty.
func (g *GemmTeam) pieces(a *GemmArgs, part int, do func(i0, i1, j0, j1 int)) {
	switch {
	case g.byRows:
		from, to := g.bounds(a.M, g.unit, part)
		do(from, to, 0, a.N)
	case g.panels > 0:
		cols := g.panels * g.unit
		do(0, a.M, part*cols, (part+1)*cols)
		from, to := g.bounds(a.M, gemmRows, part)
		do(from, to, g.parts*cols, a.N)
	default:
		from, to := g.bounds(a.N, g.unit, part)
		do(0, a.M, from, to)
	}
}

// bounds returns the range of one part if size is divided into g.parts parts of whole units, except that the
// last part may end with part of a unit.
func (g *GemmTeam) bounds(size, unit, part int) (from, to int) {
	units := (size + unit - 1) / unit
	return units * part / g.parts * unit, min(size, units*(part+1)/g.parts*unit)
}
