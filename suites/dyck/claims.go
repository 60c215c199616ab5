package dyck

import (
	"slices"

	"pushdown/harness/verdict"
)

// claims returns the measures of the claims that no printed table decides.
func claims() []verdict.Measure {
	// R09: for every m, a Dyck-RNN with a trained embedding fails if the embedding has
	// one number. It is perfect if the embedding has two numbers and the network twice
	// the hidden units. Failing is judged by the median over seeds, so that one lucky
	// seed cannot make the claim false. Being perfect is judged by the worst seed.
	r09 := verdict.Measure{Claim: "R09", Pair: func(one, two float64) bool { return one < 100 && two == 100 }}
	for _, e := range Unfrozen(depths...) {
		if e.Name == "dyckrnn-2d-byone" {
			continue
		}
		of := verdict.Median
		if e.Name == "dyckrnn-2d" {
			of = slices.Min[[]float64]
		}
		r09.Values = append(r09.Values, verdict.MeasureValue{Group: e.Row.Group(), Unit: "test-wcpa-%", Reduce: of})
	}
	// R08: no network for natural language exceeds a WCPA of 50 on closing brackets. The
	// claim stands next to the words "by using only m hidden units", so it is judged for
	// networks of that size.
	r08 := verdict.Measure{Claim: "R08", Holds: func(v []float64) bool { return slices.Max(v) <= 50 }}
	for _, m := range depths {
		for _, n := range networks {
			r08.Values = append(r08.Values, verdict.MeasureValue{Group: readout(m, n, m).Row.Group(), Unit: "test-wcpa-%", Reduce: verdict.Median})
		}
	}
	// S05: the baseline for m = 8 has a WCPA of zero because its accuracy is zero near
	// distance 300. Package verdict judges the WCPA from the rows of the table. This
	// measure judges the reason: in the median run, one of the distances at which the
	// accuracy is lowest must be near 300.
	s05 := verdict.Measure{Claim: "S05", Holds: func(v []float64) bool { return v[0] <= nearby },
		Values: []verdict.MeasureValue{{Group: second(8, Baseline).Row.Group(), Unit: "test-lowest-from-300", Reduce: verdict.Median}}}
	// S06 and S07: compared with the baseline, the attention model's validation WCPA
	// falls less from epoch to epoch (S06), and its best epoch comes sooner (S07). S07 is
	// judged for each m. S06 is not judged for m = 8, where the paper's table has a validation
	// WCPA of 0 for both networks, so that nothing can fall.
	less := func(baseline, attention float64) bool { return attention < baseline }
	s06, s07 := verdict.Measure{Claim: "S06", Pair: less}, verdict.Measure{Claim: "S07", Pair: less}
	// S09: the angles between the matrices of two cells are all above zero. The claim says
	// little, because it is true of almost any two matrices of that shape. S10: for m = 4
	// one cell reads opening brackets and the other reads closing brackets. S11: each word
	// is always read by the same cell. The model's equations imply S11.
	s09 := verdict.Measure{Claim: "S09", Holds: func(v []float64) bool { return slices.Max(v) < 1-rounding }}
	s10 := verdict.Measure{Claim: "S10", Holds: func(v []float64) bool { return v[0] == 1 }}
	s11 := verdict.Measure{Claim: "S11", Holds: func(v []float64) bool { return slices.Min(v) == 1 }}
	for _, e := range Table1(depths...) {
		cell := func(unit string, of func([]float64) float64) verdict.MeasureValue {
			return verdict.MeasureValue{Group: e.Row.Group(), Unit: unit, Reduce: of}
		}
		if e.Kind != Assignment { // the baseline, then attention
			s07.Values = append(s07.Values, cell("epochs-best", nil))
			if e.M != 8 {
				s06.Values = append(s06.Values, cell("wcpa-fall-%", nil))
			}
		}
		if e.Kind == Attention {
			s09.Values, s11.Values = append(s09.Values, cell("cosine-max", slices.Max[[]float64])), append(s11.Values, cell("cell-by-symbol", nil))
			if e.M == 4 {
				s10.Values = append(s10.Values, cell("kinds-apart", verdict.Median))
			}
		}
	}
	return []verdict.Measure{r08, r09, s05, s06, s07, s09, s10, s11}
}

// The computed cosine between equal matrices can be below 1 by up to the constant rounding:
// it has some tens of terms, each with an error of 2e-16.
const rounding = 1e-13
