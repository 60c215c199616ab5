package cpu

// multiplier computes matrix products on the threads of a device.
type multiplier struct {
	team    *team
	context []*gemmContext // one a thread
	args    gemmArgs       // of the product being computed
	cut     int            // rows or columns of a part
	byCols  bool
	job     func(worker, part int)
}

// splitWork is the number of multiply-adds below which a product stays on one
// thread: about 10 microseconds of one core.
const splitWork = 1 << 20

func newMultiplier(opts Options) *multiplier {
	p := &multiplier{team: newTeam(opts.Threads)}
	for range opts.Threads {
		p.context = append(p.context, newGemmContext(opts.ISA))
	}
	p.job = p.part
	return p
}

func (p *multiplier) close() { p.team.close() }

// run computes a, split over rows or columns of C, whichever are more.
func (p *multiplier) run(a *gemmArgs) {
	n := len(p.context)
	if n == 1 || a.M*a.N*a.K < splitWork {
		p.context[0].run(a)
		return
	}
	p.args, p.byCols = *a, a.N > a.M
	extent := a.M
	if p.byCols {
		extent = a.N
	}
	const grain = 64 // a multiple of every kernel's panel
	p.cut = (extent/n + grain) / grain * grain
	p.team.do((extent+p.cut-1)/p.cut, p.job)
}

func (p *multiplier) part(worker, part int) {
	from := part * p.cut
	var a gemmArgs
	if p.byCols {
		a = p.args.part(0, p.args.M, from, min(from+p.cut, p.args.N))
	} else {
		a = p.args.part(from, min(from+p.cut, p.args.M), 0, p.args.N)
	}
	p.context[worker].run(&a)
}
