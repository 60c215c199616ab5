package verdict

import (
	"cmp"
	"slices"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// A need describes a sample that a claim depends on.
type need struct {
	group golden.Name
	unit  string
	by    string               // the unit of the losses that choose one of the seeds; empty if none is chosen
	seeds int                  // the claim is undecided with fewer seeds; 0: MinSeeds, or 1 for an exact unit
	size  int                  // the number of seeds in a draw; 0: as many as the sample has
	value func(sample) float64 // computes the value that the claim compares from the seeds of a draw
}

// A ClaimVerdict says whether a claim is true of our runs. Where numbers have several readings, True, False and Lacking
// are those of the first, and Readings has the outcome under each.
type ClaimVerdict struct {
	Outcome  Outcome
	Readings []ClaimReading
	// True and False are the numbers of draws, of the [Draws] made, in which the claim is true
	// and false. In the others the networks drawn do not do what the claim presumes. They are
	// zero if Lacking is not empty.
	True, False int
	Lacking     []Lacking // the samples that are missing or too small; those that are missing come first
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

// needs lists the samples that a claim depends on in a scenario. The values of these samples go to the method
// holds in the same order. The list is empty if the claim is not one about our results: if it is
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
		figure := figureOf(q)
		n := need{group: r.groupIn(number, s), unit: q.Unit, by: q.ChosenBy, value: func(s sample) float64 { return q.Printed(figure(s)) }}
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

// holds reports whether a claim is true, and whether its premise is. values has one value for
// each sample that needs lists. If the claim has both a relation over printed numbers and
// a measure, both must be true.
func (r *Results) holds(c papers.Claim, values []float64) (yes, premise bool) {
	n := len(keys(c))
	yes = c.Relation == nil || c.Relation.Holds(values[:n])
	m, measured := r.measures[c.ID]
	if !measured {
		return yes, true
	}
	return yes && m.Holds(values[n:]), m.Premise == nil || m.Premise(values[n:])
}

// Claim decides a claim by a bootstrap over seeds in each scenario, as the package comment describes. In
// each draw the claim is true or false, or its premise is false. It holds if it is true in at
// least 9,566 of the 10,000 draws, and fails if it is false in as many. The result ok is false if
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

// bootstrap decides a claim from the samples that it needs.
func (r *Results) bootstrap(c papers.Claim, needs []need) (v ClaimVerdict) {
	samples := make([]sample, len(needs))
	var short []Lacking
	for i, n := range needs {
		want := n.seeds
		if f := r.FileOf(n.group); f != nil {
			samples[i] = sampleOf(f, n.group, n.unit, n.by)
			if u, _ := f.UnitOf(n.unit); u.Exact {
				want = cmp.Or(want, 1)
			}
		}
		lacking := Lacking{n.group, n.unit, len(samples[i].values), cmp.Or(want, MinSeeds)}
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
	values, drawn := make([]float64, len(needs)), make([]sample, len(needs))
	streams, fixed := make([]resampler, len(needs)), make([]bool, len(needs))
	for i, n := range needs {
		streams[i] = newResampler(n.group)
		drawn[i] = samples[i].ofSize(cmp.Or(n.size, len(samples[i].values)))
		fixed[i] = Deviation(samples[i].values) == 0 // the value is the same in every draw
	}
	for d := range Draws {
		for i, n := range needs {
			if d == 0 || !fixed[i] {
				samples[i].draw(drawn[i], streams[i], d)
				values[i] = n.value(drawn[i])
			}
		}
		switch is, premise := r.holds(c, values); {
		case !premise:
		case is:
			v.True++
		default:
			v.False++
		}
	}
	v.Outcome = decide(v.True, v.False)
	return v
}

// drawError is the distance of the limit for a claim from 95 per cent of the draws. It is
// three standard errors of the number of draws in which a claim is true, if the claim is
// true in a draw with probability 0.05 or 0.95: 3 sqrt(0.05 x 0.95 x Draws), rounded up.
const drawError = 66

// decide returns the outcome of a claim from the numbers of draws in which it is true and
// false. The claim holds if it is true in at least 95 per cent of the draws plus drawError, and
// fails if it is false in as many. Otherwise it is undecided, because other draws could give
// another outcome.
func decide(yes, no int) Outcome {
	const most = Draws*95/100 + drawError
	switch {
	case yes >= most:
		return Holds
	case no >= most:
		return Fails
	}
	return Undecided
}
