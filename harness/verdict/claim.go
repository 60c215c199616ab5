package verdict

import (
	"fmt"
	"strconv"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// A need describes a sample that a claim depends on.
type need struct {
	group golden.Name
	unit  string
	by    string                          // the unit of the losses that choose one of the seeds; empty if none is chosen
	seeds int                             // the claim is undecided with fewer seeds; 0: MinSeeds, or 1 for an exact unit
	draw  func(sample) float64            // reduces a resample of the seeds to one value
	size  func(n int) int                 // the number of seeds in a resample of n seeds
	scale func(condensed float64) float64 // converts the value of draw to the scale of the claim
}

// claimNeeds lists the samples that a claim depends on. The values of these samples go to the
// function holds in the same order.
func claimNeeds(c papers.Claim, published *papers.Tables) ([]need, error) {
	same := func(v float64) float64 { return v }
	all := func(n int) int { return n }
	var needs []need
	m, measured := measureOf(c.ID)
	if c.Relation == nil && !measured {
		return nil, fmt.Errorf("claim %s: have no function for %q, want one given to RegisterMeasure", c.ID, c.Measure)
	}
	for _, k := range keys(c) {
		cell, ok := published.Number(k)
		if !ok {
			return nil, fmt.Errorf("claim %s: %v: have no such cell", c.ID, k)
		}
		q := cell.Quantity
		n := need{group: golden.Name(cell.Group()), unit: q.Unit, by: q.ChosenBy, draw: condenseBy(golden.Mean), size: all, scale: q.Printed}
		if cell.Counted() {
			n.seeds = 1
		}
		if q.Best || q.ChosenBy != "" {
			n.seeds = max(MinSeeds, q.Trials)
			n.draw = bestOf(q.Higher)
			n.size = func(int) int { return q.Trials }
		}
		if q.ChosenBy != "" {
			n.draw = sample.chosen
		}
		needs = append(needs, n)
	}
	for _, cell := range m.Values {
		n := need{group: cell.Group, unit: cell.Unit, by: cell.ChosenBy, draw: condenseBy(golden.Mean), size: all, scale: same}
		switch {
		case cell.ChosenBy != "":
			n.draw = sample.chosen
		case cell.Reduce != nil:
			n.draw = condenseBy(cell.Reduce)
		}
		needs = append(needs, n)
	}
	return needs, nil
}

// condenseBy turns a function of a list of values into the same function of a sample.
func condenseBy(of func([]float64) float64) func(sample) float64 {
	return func(s sample) float64 { return of(s.values) }
}

// keys returns the keys of the published cells in the relation of a claim. It
// returns nil if the claim has no relation.
func keys(c papers.Claim) []papers.Key {
	if c.Relation == nil {
		return nil
	}
	return c.Relation.Keys()
}

// holds reports whether a claim is true, and whether its premise is. values has one value for
// each sample that claimNeeds lists. If the claim has both a relation over published cells and
// a registered measure, both must be true.
func holds(c papers.Claim, values []float64) (yes, premise bool) {
	n := len(keys(c))
	yes = c.Relation == nil || c.Relation.Holds(values[:n])
	m, measured := measureOf(c.ID)
	if !measured {
		return yes, true
	}
	return yes && m.Holds(values[n:]), m.Premise == nil || m.Premise(values[n:])
}

// decideClaim decides a claim by a bootstrap over seeds, as the package comment describes. In
// each draw the claim is true or false, or its premise is false. It holds if it is true in at
// least 9,566 of the 10,000 draws, and fails if it is false in as many. Groups that f does not
// have are taken from the golden files in the argument beside.
func decideClaim(f *golden.File, id string, beside []*golden.File, published *papers.Tables) (golden.ClaimVerdict, error) {
	c, ok := published.Claim(id)
	if !ok {
		return golden.ClaimVerdict{}, fmt.Errorf("claim %q: have no published claim of that id, want one", id)
	}
	if c.Printed {
		return golden.ClaimVerdict{}, fmt.Errorf("claim %s: have a claim about the printed numbers, want one about results", id)
	}
	needs, err := claimNeeds(c, published)
	if err != nil {
		return golden.ClaimVerdict{}, err
	}
	samples := make([]sample, len(needs))
	var missing, short []golden.Field
	for i, n := range needs {
		var exact bool
		samples[i], exact = findSample(n, f, beside)
		seeds := n.seeds
		if seeds == 0 {
			seeds = MinSeeds
			if exact {
				seeds = 1
			}
		}
		what := string(n.group) + " " + n.unit
		switch have := len(samples[i].values); {
		case have == 0:
			missing = append(missing, field("missing", what))
		case have < seeds:
			short = append(short, field("short", fmt.Sprintf("%s: %d of %d seeds", what, have, seeds)))
		}
	}
	if gaps := append(missing, short...); len(gaps) > 0 {
		evidence := gaps[:1]
		if more := len(gaps) - 1; more > 0 {
			evidence = append(evidence, field("more", strconv.Itoa(more)))
		}
		return golden.ClaimVerdict{ID: id, Outcome: golden.Undecided, Evidence: golden.JoinFields(evidence)}, nil
	}

	yes, no := 0, 0
	resample := newResamples(needs, samples)
	for d := range Draws {
		switch is, premise := holds(c, resample.draw(d)); {
		case !premise:
		case is:
			yes++
		default:
			no++
		}
	}
	evidence := []golden.Field{field("draws", strconv.Itoa(Draws)), field("true", strconv.Itoa(yes))}
	if void := Draws - yes - no; void > 0 {
		evidence = append(evidence, field("void", strconv.Itoa(void)))
	}
	return golden.ClaimVerdict{ID: id, Outcome: decide(yes, no), Evidence: golden.JoinFields(evidence)}, nil
}

// drawError is the distance of the limit for a claim from 95 per cent of the draws. It is
// three standard errors of the number of draws in which a claim is true, if the claim is
// true in a draw with probability 0.05 or 0.95: 3 sqrt(0.05 x 0.95 x Draws), rounded up.
const drawError = 66

// decide returns the outcome of a claim from the numbers of draws in which it is true and
// false. The claim holds if it is true in at least 95 per cent of the draws plus drawError, and
// fails if it is false in as many. Otherwise it is undecided, because other draws could give
// another outcome.
func decide(yes, no int) golden.Outcome {
	const most = Draws*95/100 + drawError
	switch {
	case yes >= most:
		return golden.Holds
	case no >= most:
		return golden.Fails
	}
	return golden.Undecided
}

// findSample returns the sample that n describes. It looks first in f, then in the other
// golden files, which the argument beside lists, and takes the first sample that it finds. It
// also reports whether the unit never varies.
func findSample(n need, f *golden.File, beside []*golden.File) (s sample, exact bool) {
	for _, file := range append([]*golden.File{f}, beside...) {
		if s := sampleOf(file, n.group, n.unit, n.by); len(s.values) > 0 {
			u, _ := file.UnitOf(n.unit)
			return s, u.Exact
		}
	}
	return sample{}, false
}

// A resamples makes the bootstrap draws for a claim. A draw has one value for each element
// of the field needs.
type resamples struct {
	needs   []need
	samples []sample
	streams []resampler
	values  []float64 // of the last draw
	scratch []sample
	fixed   []bool // whether the value is the same in every draw
}

func newResamples(needs []need, samples []sample) *resamples {
	r := &resamples{
		needs: needs, samples: samples,
		streams: make([]resampler, len(needs)), values: make([]float64, len(needs)),
		scratch: make([]sample, len(needs)), fixed: make([]bool, len(needs)),
	}
	for i, n := range needs {
		r.streams[i] = newResampler(n.group)
		r.scratch[i] = samples[i].ofSize(n.size(len(samples[i].values)))
		if Deviation(samples[i].values) == 0 {
			r.fill(0, i)
			r.fixed[i] = true
		}
	}
	return r
}

// The method draw returns the values of the bootstrap draw with index d. They are valid
// until the next call.
func (r *resamples) draw(d int) []float64 {
	for i := range r.needs {
		if !r.fixed[i] {
			r.fill(d, i)
		}
	}
	return r.values
}

// fill computes value i of draw number d.
func (r *resamples) fill(d, i int) {
	r.samples[i].draw(r.scratch[i], r.streams[i], d)
	n := r.needs[i]
	r.values[i] = n.scale(n.draw(r.scratch[i]))
}
