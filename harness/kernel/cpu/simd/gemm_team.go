package simd

// gemmShare is the least number of FMAs that are worth handing to a thread. That many take
// a few microseconds. Handing them over takes a few hundred nanoseconds.
const gemmShare = 1 << 17

// GemmTeam computes products on several threads. Each part is a range of rows or
// columns of C, so the bits do not depend on the number of threads.
type GemmTeam struct {
	do       shareOut
	Contexts []*gemmContext // one for each worker
	job      func(worker, part int)
	packJob  func(worker, part int)

	// The product being computed. The number of rows or columns in each part is a multiple
	// of the field unit, except in the last part.
	args        GemmArgs
	byRows      bool
	parts, unit int
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
// C. But if C has more rows than columns, or has too few columns for a whole panel in each
// part, a part is a range of rows. With enough rows, it also is one if ranges of columns would be
// much less even: of 345 columns, which are 11 panels of 32, one of two threads would have 185.
// Every part but the last has whole panels, or a number of rows that is a multiple of 8.
func (g *GemmTeam) split(a *GemmArgs) {
	g.parts = min(len(g.Contexts), a.M*a.N*a.K/gemmShare)
	if g.parts <= 1 {
		return
	}
	const tile = 8 // fewest rows that are computed at full speed
	panel := g.Contexts[0].PackedPanel()
	g.byRows = a.M > a.N || a.N < g.parts*panel ||
		a.M >= packRows*g.parts && g.largest(a.N, panel) > g.largest(a.M, tile)+0.05
	size := a.N
	g.unit = panel
	if g.byRows {
		size, g.unit = a.M, tile
	}
	g.parts = min(g.parts, (size+g.unit-1)/g.unit)
}

// largest returns the size of the largest of the parts into which size is divided, as a multiple of their
// mean.
func (g *GemmTeam) largest(size, unit int) float64 {
	most := 0
	for part := range g.parts {
		from, to := g.bounds(size, unit, part)
		most = max(most, to-from)
	}
	return float64(most*g.parts) / float64(size)
}

// part computes one part of g.args.
func (g *GemmTeam) part(worker, part int) {
	a := &g.args
	var p GemmArgs
	if g.byRows {
		from, to := g.bounds(a.M, g.unit, part)
		p = a.Part(from, to, 0, a.N)
	} else {
		from, to := g.bounds(a.N, g.unit, part)
		p = a.Part(0, a.M, from, to)
	}
	g.Contexts[worker].run(&p)
}

// bounds returns the range of one part if size is divided into g.parts parts of whole units, except that the
// last part may end with part of a unit.
func (g *GemmTeam) bounds(size, unit, part int) (from, to int) {
	units := (size + unit - 1) / unit
	return units * part / g.parts * unit, min(size, units*(part+1)/g.parts*unit)
}
