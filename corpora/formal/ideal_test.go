package formal

import (
	"testing"

	"pushdown/harness/metric"
)

// scores returns the accuracy of an ideal predictor on the strings of c, by each of the
// definitions of accuracy in metric.Recognition. The predictor knows whether each prefix is
// viable and which symbol is due. It also estimates, after each symbol, whether the string is in
// the language: the estimate is yhat(t) after a viable prefix of t symbols, and 0 after other
// prefixes. At End the estimate is right.
func scores(lang Language, c *Labelled, yhat func(t int) float32) metric.Recognition {
	var r metric.Recognition
	judge := lang.NewOracle()
	symbols := Symbols(lang)
	closes := make([]bool, symbols)
	for s := range closes {
		closes[s] = judge.Closes(uint8(s))
	}
	for i := range c.Len() {
		a := metric.Answer{Valid: c.Valid(i), Closes: closes, End: int32(End(lang))}
		judge.Reset()
		for t, s := range c.String(i) {
			judge.Read(s)
			y, p, due := float32(0), make([]float32, symbols), int32(-1)
			if judge.Viable() {
				y = yhat(t + 1)
			}
			if s == End(lang) && judge.Viable() {
				y = 1
			}
			if next, ok := judge.Due(); ok {
				due, p[next] = int32(next), 1
			}
			a.Viable, a.Yhat, a.Due, a.Prob = append(a.Viable, judge.Viable()), append(a.Yhat, y), append(a.Due, due), append(a.Prob, p...)
		}
		r.Add(a)
	}
	return r
}

// bayes returns a function of a number t. The function returns the share of strings in the
// language among all strings of c whose first t symbols are a viable prefix.
func bayes(lang Language, c *Labelled) func(t int) float32 {
	in, all := make([]int, LongestPart), make([]int, LongestPart)
	judge := lang.NewOracle()
	for i := range c.Len() {
		judge.Reset()
		for t, s := range c.Body(i) {
			judge.Read(s)
			if !judge.Viable() {
				break
			}
			all[t+1]++
			if c.Valid(i) {
				in[t+1]++
			}
		}
	}
	return func(t int) float32 {
		if all[t] == 0 {
			return 0.5
		}
		return float32(in[t]) / float32(all[t])
	}
}

// TestIdealPredictors computes the accuracies of metric.Recognition for two ideal predictors,
// which know the due symbol and are right at the end. After a viable prefix, the first
// predictor estimates that the string is in the language with probability 1. The estimate of
// the second is the share of strings in the language among those with a viable prefix of this
// length. A judges the mean of the estimates over a string. It is below 100, because this
// mean is above 1/2 if the first wrong symbol of a string comes late.
//
// C is 100 if the estimate is above 1/2 after viable prefixes only, and after all of them. In
// palindromes no first symbol rules a string out, so the second estimate is exactly 1/2 after
// the first symbol of every string, and C is 0.
func TestIdealPredictors(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: draws whole corpora: go test ./corpora/formal -run IdealPredictors")
	}
	for _, c := range []struct {
		lang              Language
		difficult         float64
		sure, bayes, half float64 // A of each predictor, and the tolerance of both values
		bayesC            float64
	}{
		{Dyck{2}, 0.225, 95, 96, 0.7, 100},
		{Dyck{2}, 1, 79, 90, 1, 100},
		{Palindrome{}, 0.225, 94, 95, 0.7, 0},
	} {
		r := NewRecognition(c.lang)
		r.LeastDifficult, r.MostDifficult = c.difficult, c.difficult
		p := draw(t, r, 1)[2]
		sure := scores(c.lang, p, func(int) float32 { return 1 })
		posterior := scores(c.lang, p, bayes(c.lang, p))
		for _, s := range []metric.Recognition{sure, posterior} {
			if s.F.Percent() != 100 || s.N.Percent() != 100 || s.NStar.Percent() != 100 {
				t.Errorf("%v, %v difficult: %v, want 100 in F, N and N*", c.lang, c.difficult, &s)
			}
		}
		if a := sure.A.Percent(); a < c.sure-c.half || a > c.sure+c.half || sure.C.Percent() != 100 {
			t.Errorf("%v, %v difficult: %v of one who says 1, want A of %v and C of 100", c.lang, c.difficult, &sure, c.sure)
		}
		if a := posterior.A.Percent(); a < c.bayes-c.half || a > c.bayes+c.half || posterior.C.Percent() != c.bayesC {
			t.Errorf("%v, %v difficult: %v of the posterior, want A of %v and C of %v", c.lang, c.difficult, &posterior, c.bayes, c.bayesC)
		}
	}
}
