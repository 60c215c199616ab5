package verdict

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// judge computes the verdicts and claims that j selects from the rows of f. They
// replace the previous ones in f.
func judge(f *golden.File, j golden.Judge, published *papers.Tables) error {
	if j.All {
		f.Verdicts, f.Claims = nil, nil
	}
	for _, group := range j.Groups {
		group, _ := wholeOf(group)
		f.Verdicts = slices.DeleteFunc(f.Verdicts, func(v golden.Verdict) bool {
			k, err := papers.ParseKey(v.Key)
			c, ok := published.Number(k)
			return err == nil && ok && c.Group() == string(group)
		})
		for _, c := range published.At(string(group)) {
			if c.Quantity.Shown {
				continue
			}
			u, measured := f.UnitOf(c.Quantity.Unit)
			s := sampleOf(f, group, c.Quantity.Unit, c.Quantity.ChosenBy)
			if len(s.values) == 0 && c.Quantity.Untrained() {
				s = sampleOf(f, FirstEpochOf(group), c.Quantity.Unit, "")
			}
			if !measured || len(s.values) == 0 {
				continue // nothing measured, so no verdict
			}
			outcome, evidence := reproduce(c, s, u.Exact)
			f.Verdicts = append(f.Verdicts, golden.Verdict{Key: c.Key.String(), Outcome: outcome, Evidence: evidence})
		}
	}
	slices.SortFunc(f.Verdicts, func(a, b golden.Verdict) int { return cmp.Compare(a.Key, b.Key) })
	for _, id := range j.Claims {
		v, err := decideClaim(f, id, j.Beside, published)
		if err != nil {
			return err
		}
		f.Claims = append(slices.DeleteFunc(f.Claims, func(c golden.ClaimVerdict) bool { return c.ID == id }), v)
	}
	slices.SortFunc(f.Claims, func(a, b golden.ClaimVerdict) int { return cmp.Compare(a.ID, b.ID) })
	return nil
}

// misprints maps the key of a misprinted cell to a text that says what contradicts
// it.
var misprints = func() map[string]string {
	texts := make(map[string]string)
	for _, m := range papers.Misprints() {
		texts[m.Key] = m.Text
	}
	return texts
}()

// reproduce compares a published cell with the values of our seeds, by the rules of the
// package comment. It returns the outcome and the evidence. The parameter exact says that
// values in this unit never vary.
func reproduce(c papers.Number, s sample, exact bool) (golden.Outcome, string) {
	exact = exact || c.Counted()
	q, n := c.Quantity, len(s.values)
	evidence := []golden.Field{field("published", decimalText(c.Published))}
	if _, wrong := misprints[c.Key.String()]; wrong {
		return golden.Misprinted, golden.JoinFields(evidence)
	}
	evidence = append(evidence, field("half", decimalText(c.HalfDigit)), field("n", strconv.Itoa(n)))
	if need := needSeeds(q, exact); n < need {
		return golden.OpenRuns, golden.JoinFields(append(evidence, field("need", strconv.Itoa(need))))
	}
	if exact {
		x, margin := golden.Mean(s.values), golden.Round6(q.Margin.For(c.Published))
		evidence = append(evidence, field("value", decimalText(x)))
		if margin > 0 {
			evidence = append(evidence, field("margin", decimalText(margin)))
		}
		return outcomeOf(golden.Round6(x-(c.Published+c.HalfDigit)), golden.Round6((c.Published-c.HalfDigit)-x), margin, q.Higher, golden.Matches), golden.JoinFields(evidence)
	}
	var low, high float64
	spread := 0.0 // width of the interval if we had infinitely many runs; 0 for a best or a chosen run
	of := field("of", strconv.Itoa(q.Trials))
	switch {
	case q.ChosenBy != "":
		low, high = predictOf(s, q.Trials, sample.chosen, newResampler(golden.Name(c.Group())))
		evidence = append(evidence, field("chosen", decimalText(s.chosen())), of, field("by", q.ChosenBy))
	case q.Best:
		low, high = predictOf(s, q.Trials, bestOf(q.Higher), newResampler(golden.Name(c.Group())))
		evidence = append(evidence, field("best", decimalText(best(s.values, q.Higher))), of)
	default:
		low, high = predict(s.values, q.Trials)
		spread = 3.92 * Deviation(s.values) / math.Sqrt(float64(q.Trials))
		evidence = append(evidence, field("mean", decimalText(golden.Mean(s.values))), field("sd", decimalText(Deviation(s.values))), of)
	}
	if isShare(q.Unit, q.Higher) {
		low, high = min(max(low, 0), whole), min(max(high, 0), whole)
	}
	from, to := golden.Round6(low), golden.Round6(high)
	margin, width := golden.Round6(q.Margin.For(c.Published)), golden.Round6(q.Width.For(c.Published))
	evidence = append(evidence, field("low", decimalText(from)), field("high", decimalText(to)),
		field("margin", decimalText(margin)), field("width", decimalText(width)))

	near := golden.OpenRuns // the outcome if it does not differ
	switch {
	case golden.Round6(to-from) <= width:
		near = golden.Matches
	case golden.Round6(spread) > width:
		near = golden.OpenSpread
	}
	return outcomeOf(golden.Round6(from-(c.Published+c.HalfDigit)), golden.Round6((c.Published-c.HalfDigit)-to), margin, q.Higher, near), golden.JoinFields(evidence)
}

// outcomeOf returns the outcome for one of our values, or for an interval. The value or
// interval lies above the printed number by the distance in the parameter above, and below
// the printed number by the distance in the parameter below; the distance for the other side
// is negative. If neither distance exceeds margin, the outcome is the parameter near.
func outcomeOf(above, below, margin float64, higher bool, near golden.Outcome) golden.Outcome {
	switch {
	case above > margin && !higher, below > margin && higher:
		return golden.Worse
	case above > margin, below > margin:
		return golden.Better
	}
	return near
}

// needSeeds returns the number of seeds that a verdict on q needs. If the paper reports
// the best of k runs, or one of k runs chosen by its loss, a verdict needs several times
// k. With only k runs, about two draws in three would contain the best of them, so its
// value would always be an end of the interval.
func needSeeds(q *papers.Quantity, exact bool) int {
	switch {
	case exact:
		return 1
	case q.Best || q.ChosenBy != "":
		return MinSeeds * q.Trials
	}
	return MinSeeds
}

// field returns a field of the evidence.
func field(key, value string) golden.Field { return golden.Field{Key: key, Value: value} }

// decimalText formats a number of the evidence with six significant digits.
func decimalText(v float64) string { return golden.Number(golden.Round6(v)) }
