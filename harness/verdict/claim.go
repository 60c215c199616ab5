package verdict

import (
	"cmp"
	"math"
	"slices"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// A need describes a sample that a claim depends on.
type need struct {
	group golden.Name
	unit  string
	by    string                // the unit of the losses that choose one of the seeds; empty if none is chosen
	seeds int                   // the claim is undecided with fewer seeds; 0: MinSeeds, or 1 for an exact unit
	size  int                   // the number of seeds in a draw; 0: as many as the sample has
	value func(sample) float64  // computes a number from the seeds of a draw
	mean  bool                  // whether that is their mean
	print func(float64) float64 // returns the number as the claim compares it; nil: as it is
}

// single reports whether the number is that of one of the seeds of a draw: the best or a chosen one.
func (n need) single() bool { return n.size != 0 || n.by != "" }

// A ClaimVerdict says whether a claim is true of our runs. Where numbers have several readings, True, False and Lacking
// are those of the first, and Readings has the outcome under each.
type ClaimVerdict struct {
	Outcome  Outcome
	Readings []ClaimReading
	// True and False are the numbers of draws, of the [Draws] made, in which the claim is true
	// and false. In the others the networks drawn do not do what the claim presumes. They are
	// zero if Lacking is not empty.
	True, False int
	// Parts is the number of comparisons that must be true for the claim to be true, each of which alone may decide that it fails,
	// and Least the number of draws in which the one is true that is true least often; means are moved further for these, see wider.
	Parts, Least int
	Lacking      []Lacking // the samples that are missing or too small; those that are missing come first
}

// A ClaimReading is the outcome of a claim under a combination of readings.
type ClaimReading struct {
	Label   string
	Outcome Outcome
	Lacking bool // whether samples are missing or too small
}

// Lacking describes a sample that is missing or too small to decide a claim.
type Lacking struct {
	Group      golden.Name
	Unit       string
	Have, Want int // numbers of seeds
}

// needs lists the samples that a claim depends on in a scenario. Their values go to the functions
// that parts lists in the same order. The list is empty if the claim is not one about our results: if it is
// about the printed numbers or about numbers that no run measures or that are only shown, or if
// neither a relation nor a measure says what decides it.
func (r *Results) needs(c papers.Claim, s scenario) []need {
	m, measured := r.measures[c.ID]
	if c.Printed || c.Measure != "" && !measured {
		return nil
	}
	var needs []need
	for _, k := range keys(c) {
		number, ok := papers.Published().Number(k)
		q := number.Quantity
		if !ok || q.Unit == "" || q.Shown {
			return nil
		}
		n := need{group: r.groupIn(number, s), unit: q.Unit, by: q.ChosenBy, value: figureOf(q), mean: !selects(q), print: q.Printed}
		switch {
		case selects(q):
			n.seeds, n.size = max(MinSeeds, q.Trials), q.Trials
		case number.Counted():
			n.seeds = 1
		}
		needs = append(needs, n)
	}
	for _, v := range m.Values {
		n := need{group: v.Group, unit: v.Unit, by: v.ChosenBy, value: mean}
		switch {
		case v.ChosenBy != "":
			n.value = sample.chosen
		case v.Reduce != nil:
			n.value = func(s sample) float64 { return v.Reduce(s.values) }
		default:
			n.mean = true
		}
		needs = append(needs, n)
	}
	return needs
}

// groups lists the rows on which the outcome of a claim depends, each once.
func (r *Results) groups(c papers.Claim) (list []golden.Name) {
	all, _ := scenarios(c)
	for _, s := range all {
		for _, n := range r.needs(c, s) {
			if !slices.Contains(list, n.group) {
				list = append(list, n.group)
			}
		}
	}
	return list
}

// keys returns the keys of the printed numbers in the relation of a claim. It
// returns nil if the claim has no relation.
func keys(c papers.Claim) []papers.Key {
	if c.Relation == nil {
		return nil
	}
	return c.Relation.Keys()
}

// parts lists what must be true for a claim to be true: the comparisons of its relation and the parts of its measure, if it has
// one. The argument of each has one value for each sample that needs lists.
func (r *Results) parts(c papers.Claim) (list []func(values []float64) bool) {
	n := len(keys(c))
	if c.Relation != nil {
		for i := range c.Relation.Parts() {
			list = append(list, func(v []float64) bool { return c.Relation.PartHolds(i, v[:n]) })
		}
	}
	if m, ok := r.measures[c.ID]; ok {
		for _, part := range m.parts() {
			list = append(list, func(v []float64) bool { return part(v[n:]) })
		}
	}
	return list
}

// premise reports whether what a claim presumes is true of the values of a draw.
func (r *Results) premise(c papers.Claim, values []float64) bool {
	m := r.measures[c.ID]
	return m.Premise == nil || m.Premise(values[len(keys(c)):])
}

// Claim decides a claim by a bootstrap over seeds in each scenario, as the package comment describes. In
// each draw the claim is true or false, or its premise is false; see decide. The result ok is false if
// the claim is not one about our results.
func (r *Results) Claim(c papers.Claim) (v ClaimVerdict, ok bool) {
	list, names := scenarios(c)
	if len(r.needs(c, list[0])) == 0 {
		return v, false
	}
	if v, ok = r.claims[c.ID]; !ok {
		v = r.bootstrap(c, r.needs(c, list[0]))
		v.Readings = []ClaimReading{{names[0], v.Outcome, len(v.Lacking) > 0}}
		for i, s := range list[1:] {
			x := r.bootstrap(c, r.needs(c, s))
			v.Readings = append(v.Readings, ClaimReading{names[i+1], x.Outcome, len(x.Lacking) > 0})
		}
		v.Outcome = claimUnderAll(v.Readings)
		r.claims[c.ID] = v
	}
	return v, true
}

// claimUnderAll returns the outcome of a claim from its outcomes under each combination of readings.
func claimUnderAll(list []ClaimReading) Outcome {
	has := func(o Outcome) bool {
		return slices.ContainsFunc(list, func(x ClaimReading) bool { return x.Outcome == o })
	}
	switch {
	case has(Holds) && has(Fails):
		return Undetermined
	case has(Undecided):
		return Undecided
	}
	return list[0].Outcome
}

// A source draws the values of a need.
type source struct {
	need
	all, drawn sample
	stream     resampler
	fixed      bool // whether the value is the same in every draw
	share      bool // whether values are percentages where higher is better
	centre     float64
	// The factors by which means are moved away from centre: for the claim, and for each of its comparisons alone.
	factor, partFactor float64
}

// source returns the source of a need of a claim that consists of so many parts, and what it lacks: nothing if Have is at least Want.
func (r *Results) source(n need, parts int) (*source, Lacking) {
	s := &source{need: n, stream: newResampler(n.group)}
	want := n.seeds
	if f := r.FileOf(n.group); f != nil {
		s.all = sampleOf(f, n.group, n.unit, n.by)
		u, _ := f.UnitOf(n.unit)
		if u.Exact {
			want = cmp.Or(want, 1)
		}
		s.share = IsShare(n.unit, u.Better == "higher")
	}
	runs := len(s.all.values)
	s.drawn, s.fixed = s.all.ofSize(cmp.Or(n.size, runs)), Deviation(s.all.values) == 0
	if runs > 0 {
		s.centre, s.factor, s.partFactor = mean(s.all), wider(runs, 1), wider(runs, parts)
	}
	return s, Lacking{n.group, n.unit, runs, cmp.Or(want, MinSeeds)}
}

// draw returns the value of a draw for the claim and that for its comparisons alone.
func (s *source) draw(d int) (value, far float64) {
	s.all.draw(s.drawn, s.stream, d)
	x := s.value(s.drawn)
	return s.moved(x, s.factor), s.moved(x, s.partFactor)
}

// moved returns a value as the claim compares it: moved away from the mean of all runs by a factor, if it is a mean.
func (s *source) moved(x, factor float64) float64 {
	if s.mean {
		if x = s.centre + float64(float64(x-s.centre)*factor); s.share {
			x = min(max(x, 0), whole)
		}
	}
	if s.print != nil {
		x = s.print(x)
	}
	return x
}

// bootstrap decides a claim from the samples that it needs.
func (r *Results) bootstrap(c papers.Claim, needs []need) (v ClaimVerdict) {
	parts := r.parts(c)
	if slices.ContainsFunc(needs, need.single) {
		// A draw is then what the paper's experiment would give, and not our estimate of a mean.
		all := parts
		parts = []func([]float64) bool{func(v []float64) bool {
			return !slices.ContainsFunc(all, func(part func([]float64) bool) bool { return !part(v) })
		}}
	}
	var sources []*source
	var short []Lacking
	for _, n := range needs {
		s, lacking := r.source(n, len(parts))
		sources = append(sources, s)
		switch {
		case lacking.Have == 0:
			v.Lacking = append(v.Lacking, lacking)
		case lacking.Have < lacking.Want:
			short = append(short, lacking)
		}
	}
	if v.Lacking = append(v.Lacking, short...); len(v.Lacking) > 0 {
		v.Outcome = Undecided
		return v
	}
	values, far, no := make([]float64, len(needs)), make([]float64, len(needs)), make([]int, len(parts))
	for d := range Draws {
		for i, s := range sources {
			if d == 0 || !s.fixed {
				values[i], far[i] = s.draw(d)
			}
		}
		if !r.premise(c, values) {
			continue
		}
		is := true
		for i, part := range parts {
			is = is && part(values)
			if !part(far) {
				no[i]++
			}
		}
		if is {
			v.True++
		} else {
			v.False++
		}
	}
	v.Parts, v.Least = len(parts), v.True+v.False-slices.Max(no)
	v.Outcome = decide(v.True, no)
	return v
}

// decide returns the outcome of a claim from the number of draws in which it is true, and those in which each of its parts
// is false. The claim holds if it is true in at least 95 per cent of the draws. It fails if one of its m parts is false in all
// draws but a share of 0.05/m: the share in which any of them is false would grow with m even if all were true. Both limits are
// three standard errors of counting further out, so that other draws would hardly give another outcome. Otherwise the claim
// is undecided.
func decide(yes int, no []int) Outcome {
	switch {
	case yes >= most(0.05):
		return Holds
	case slices.Max(no) >= most(0.05/float64(len(no))):
		return Fails
	}
	return Undecided
}

// most returns the least number of draws that is three standard errors more than all draws but a share of p.
func most(p float64) int {
	return min(Draws, int(math.Ceil(float64(Draws*(1-p))+float64(3*math.Sqrt(p*(1-p)*Draws)))))
}
