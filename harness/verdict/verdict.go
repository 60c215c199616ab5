package verdict

import (
	"cmp"
	"slices"
	"strconv"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// judge replaces the verdicts of f that j mentions by what follows from f's
// rows now.
func judge(f *golden.File, j golden.Judge, published *papers.Tables) error {
	for _, group := range j.Groups {
		f.Verdicts = slices.DeleteFunc(f.Verdicts, func(v golden.Verdict) bool {
			k, err := papers.ParseKey(v.Key)
			c, ok := published.Cell(k)
			return err == nil && ok && c.Group() == string(group)
		})
		for _, c := range published.At(string(group)) {
			u, measured := f.UnitOf(c.Quantity.Unit)
			s := sampleOf(f, group, c.Quantity.Unit, c.Quantity.By)
			if !measured || len(s.values) == 0 {
				continue // nothing measured, nothing to say
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

// reproduce compares a published cell with the values of our seeds: does the
// printed number, plus or minus half its last digit, meet the interval in
// which our runs predict it? exact says that the unit never varies.
func reproduce(c papers.Cell, s sample, exact bool) (golden.Outcome, string) {
	q, n := c.Quantity, len(s.values)
	evidence := []golden.Field{
		field("published", decimalText(c.Published)), field("half", decimalText(c.Half)), field("n", strconv.Itoa(n)),
	}
	if need := needSeeds(q, exact); n < need {
		return golden.Undecided, golden.JoinFields(append(evidence, field("need", strconv.Itoa(need))))
	}
	var low, high float64
	of := field("of", strconv.Itoa(q.Trials))
	switch {
	case q.By != "":
		low, high = predictOf(s, q.Trials, sample.chosen, newResampler(golden.Name(c.Group())))
		evidence = append(evidence, field("chosen", decimalText(s.chosen())), of, field("by", q.By))
	case q.Best:
		low, high = predictOf(s, q.Trials, bestOf(q.Higher), newResampler(golden.Name(c.Group())))
		evidence = append(evidence, field("best", decimalText(best(s.values, q.Higher))), of)
	default:
		low, high = predict(s.values, q.Trials)
		evidence = append(evidence, field("mean", decimalText(golden.Mean(s.values))), field("sd", decimalText(Deviation(s.values))))
	}
	low, high = golden.Round6(low), golden.Round6(high)
	evidence = append(evidence, field("low", decimalText(low)), field("high", decimalText(high)))

	below, above := golden.Round6(c.Published-c.Half), golden.Round6(c.Published+c.Half)
	outcome := golden.Reproduced
	switch {
	case above < low:
		outcome = golden.Worse
		if q.Higher {
			outcome = golden.Better
		}
	case high < below:
		outcome = golden.Better
		if q.Higher {
			outcome = golden.Worse
		}
	}
	return outcome, golden.JoinFields(evidence)
}

// needSeeds returns how many seeds a verdict on q needs: a best of k runs, or
// the chosen one of k, cannot be drawn from fewer than k.
func needSeeds(q *papers.Quantity, exact bool) int {
	switch {
	case q.Best || q.By != "":
		return max(MinSeeds, q.Trials)
	case exact:
		return 1
	}
	return MinSeeds
}

// field is a field of the evidence.
func field(key, value string) golden.Field { return golden.Field{Key: key, Value: value} }

// decimalText writes a number of the evidence: six digits.
func decimalText(v float64) string { return golden.Number(golden.Round6(v)) }
