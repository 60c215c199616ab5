package cpu

// gemmShare is the least work worth a thread's attention, in FMAs: a few
// microseconds, against some hundred nanoseconds to hand it over.
const gemmShare = 1 << 17

// gemmTeam computes products on several threads. The parts are ranges of rows or
// of columns of C, so the bits do not depend on their number.
type gemmTeam struct {
	do       shareOut
	contexts []*gemmContext // one for each worker
	job      func(worker, part int)
	packJob  func(worker, part int)

	// The product under way, cut into parts of whole units.
	args        gemmArgs
	byRows      bool
	parts, unit int
	packed      *float32 // where B is packed to
}

// shareOut runs a job for each of some parts, on the workers that there are.
type shareOut = func(parts int, job func(worker, part int))

// newGemmTeam returns a team of so many workers, to which do hands the parts out.
func newGemmTeam(isa ISA, workers int, do shareOut) *gemmTeam {
	g := &gemmTeam{do: do}
	for range workers {
		g.contexts = append(g.contexts, newGemmContext(isa))
	}
	g.job, g.packJob = g.part, g.packPart
	return g
}

// run computes the product. It must not be called from a job of the team.
func (g *gemmTeam) run(a *gemmArgs) {
	if g.split(a); g.parts <= 1 {
		g.contexts[0].run(a)
		return
	}
	g.args = *a
	g.do(g.parts, g.job)
	g.args = gemmArgs{}
}

// pack lays out op(B) of a at dst like gemmContext.pack.
func (g *gemmTeam) pack(dst *float32, a *gemmArgs) {
	const share = 1 << 15 // elements that are worth a thread's attention
	panel := g.contexts[0].packedPanel()
	g.parts = min(len(g.contexts), a.N*a.K/share, a.N/panel)
	if g.parts <= 1 || g.contexts[0].table.lanes == 0 {
		g.contexts[0].pack(dst, a)
		return
	}
	g.args, g.unit, g.packed = *a, panel, dst
	g.do(g.parts, g.packJob)
	g.args, g.packed = gemmArgs{}, nil
}

func (g *gemmTeam) packPart(worker, part int) {
	from, to := g.bounds(g.args.N, part)
	g.contexts[worker].packPart(g.packed, &g.args, from, to)
}

// split decides how to cut a product: along its longer side, into no more
// parts than there are threads, tiles and work.
func (g *gemmTeam) split(a *gemmArgs) {
	g.parts = min(len(g.contexts), a.M*a.N*a.K/gemmShare)
	if g.parts <= 1 {
		return
	}
	const tile = 8 // rows that are still computed at full speed
	panel := g.contexts[0].packedPanel()
	g.byRows = a.M > a.N || a.N < g.parts*panel
	size := a.N
	g.unit = panel
	if g.byRows {
		size, g.unit = a.M, tile
	}
	g.parts = min(g.parts, (size+g.unit-1)/g.unit)
}

// part computes one part.
func (g *gemmTeam) part(worker, part int) {
	a := &g.args
	var p gemmArgs
	if g.byRows {
		from, to := g.bounds(a.M, part)
		p = a.part(from, to, 0, a.N)
	} else {
		from, to := g.bounds(a.N, part)
		p = a.part(0, a.M, from, to)
	}
	g.contexts[worker].run(&p)
}

func (g *gemmTeam) bounds(size, part int) (from, to int) {
	units := (size + g.unit - 1) / g.unit
	return units * part / g.parts * g.unit, min(size, units*(part+1)/g.parts*g.unit)
}
