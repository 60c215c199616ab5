package suite

import (
	"fmt"
	"strings"

	"pushdown/harness/golden"
	"pushdown/harness/metric"
	"pushdown/harness/stepgraph"
	"pushdown/harness/train"
)

// Contradiction returns an error if a row says something else than its trajectory t, or says two
// things that cannot both be true. The units that it knows mean the same in all suites.
func Contradiction(r golden.Row, t golden.Trajectory) error {
	for _, v := range r.Values {
		split, of, ok := strings.Cut(v.Unit, "-")
		ce, has := r.Value(split + "-ce")
		_, soft := r.Value(v.Unit + "-soft") // the cross-entropy is that of the mixture then
		want := ce
		switch {
		case !ok || !has:
			continue
		case of == "ppl" && !soft, of == "ppl-soft":
			want = metric.Perplexity(ce)
		case of == "bpc":
			want = metric.BitsPerCharacter(ce)
		default:
			continue
		}
		if v.Value != want {
			return fmt.Errorf("%s: %s: have %v, want %v, since %s-ce is %v", r.Name, v.Unit, v.Value, want, split, ce)
		}
	}
	for _, p := range t.Points {
		loss, validated := p.Scalar(golden.LossKey)
		if have, ok := r.Value("valid-ce"); ok && validated && p.At < golden.Best && p.SHA256 == t.Result() {
			if have != loss {
				return fmt.Errorf("%s: valid-ce: have %v, want %v, the loss of these parameters after update %v", r.Name, have, loss, p.At)
			}
			break
		}
	}
	return nil
}

// Course returns an error if a run of x cannot have gone as its trajectory t and its row r say. The
// schedule decides on the losses of the validations again. What it decides must be what the two say of
// updates, epochs, learning rates and the best parameters; the graph gives the number of parameters.
func Course(x *train.Experiment, r golden.Row, t golden.Trajectory) (*train.Course, error) {
	fail := func(what string, have, want any) (*train.Course, error) {
		return nil, fmt.Errorf("%s: %s: have %v, want %v as the experiment and the validations of the run give", r.Name, what, have, want)
	}
	var updates []int
	var losses []float64
	at := map[golden.Step]int{} // the number of the validation
	for i, v := range t.Curve() {
		updates, losses = append(updates, int(v.Update)), append(losses, v.Loss)
		at[v.Update] = i
	}
	rates, result := map[int]float64{}, map[int]bool{} // by the number of the validation
	chosen := -1                                       // the last one whose parameters are the result, if it is kept
	for _, p := range t.Points {
		if rate, ok := p.Scalar(golden.RateKey); ok {
			rates[at[p.At]], result[at[p.At]] = rate, p.SHA256 == t.Result()
			if result[at[p.At]] {
				chosen = at[p.At]
			}
		}
	}
	slack := 0.0
	if t.Thinned != nil {
		slack = 1e-5 // more than the error of six digits, of two losses
	}
	fits := func(check int, rate float64, _ bool) bool {
		have, kept := rates[check]
		return have == rate || !kept
	}
	c, err := x.Course(updates, losses, slack, fits)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Name, err)
	}
	best := lastBest(c)
	if x.Best && !result[best] && slack > 0 { // another may have been the best, by less than the rounding
		other, err := x.Course(updates, losses, slack, func(check int, rate float64, isBest bool) bool {
			return fits(check, rate, isBest) && (check < chosen || isBest == (check == chosen))
		})
		if err == nil {
			c, best = other, lastBest(other)
		}
	}
	if x.Best && !result[best] {
		return fail("result", t.Result(), fmt.Sprintf("the parameters after validation %d, the best", best+1))
	}
	g, err := x.Build(stepgraph.Config{Training: true, Seed: x.Seed})
	if err != nil {
		return nil, err
	}
	params := "params"
	if _, ok := r.Value("params-whole"); ok {
		params = "params-whole"
	}
	want := map[string]float64{params: float64(g.CountParams())}
	if best >= 0 {
		want["epochs-best"] = c.Epochs[best]
	}
	if c.End != nil {
		want["updates"], want["epochs"] = float64(c.End.Updates), c.End.Epochs(x)
	}
	for _, v := range r.Values {
		if w, ok := want[v.Unit]; ok && v.Value != w {
			return fail(v.Unit, v.Value, w)
		}
	}
	return c, nil
}

// lastBest returns the number of the last validation of c that was a new best, or -1.
func lastBest(c *train.Course) int {
	best := -1
	for i, check := range c.Checks {
		if check.Best {
			best = i
		}
	}
	return best
}
