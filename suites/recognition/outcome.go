package recognition

import (
	"fmt"

	"pushdown/corpora/formal"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/train"
)

// reported are the parts that a run is judged on and the words for them.
var reported = []struct {
	name  string
	split formal.Split
}{{"train", formal.Train}, {"valid", formal.Dev}, {"test", formal.Test}, {"long120", formal.Long120}, {"long160", formal.Long160}}

// Units of the suite's figures. acc is reading N of accuracy, acc-star N*, and
// acc-a, acc-f and acc-c the others, of the best parameters by the loss on the
// development strings. The best epoch is that of the highest N on the test
// strings, the first of equals, which a network that is not tested cannot know.
func Units() []golden.Unit {
	list := []golden.Unit{
		{Name: "params", Better: "lower", Exact: true},
		{Name: "updates", Better: "lower"},
		{Name: "epochs-best", Better: "lower"}, // to the best validation loss
		{Name: "valid-ce", Better: "lower"},    // that loss
		{Name: "epochs-top", Better: "lower"},  // to the best epoch on the test strings
		{Name: "test-acc-top-%", Better: "higher"},
		{Name: "train-min", Better: "lower"},
	}
	for _, p := range reported {
		for _, r := range readings {
			list = append(list, golden.Unit{Name: p.name + "-acc" + r + "-%", Better: "higher"})
		}
	}
	return list
}

// Tolerances says that everything but time is exact.
func Tolerances(units []golden.Unit) []golden.Tolerance {
	var list []golden.Tolerance
	for _, u := range units {
		tol := golden.Tolerance{Unit: u.Name, Reason: "equal bits"}
		if u.Name == "train-min" {
			tol = golden.Tolerance{Unit: u.Name, Any: true, Reason: "wall time"}
		}
		list = append(list, tol)
	}
	return list
}

// published tells whether the paper prints figures for the row.
func (e Experiment) published() bool {
	switch e.Row.Table {
	case "":
		return false
	case "6", "7", "8":
		return true
	}
	return e.Row.Task == ""
}

// Report judges the result of a run on all parts of the corpus and lists its
// figures.
func (e Experiment) Report(dev kernel.Device, x *train.Experiment, res *train.Result) (golden.Row, error) {
	epoch := func(c train.Check) float64 { return float64(c.Update) / float64(x.Train.PerEpoch()) }
	best, top := res.Checks[0], res.Checks[0]
	for _, c := range res.Checks {
		if c.Best {
			best = c
		}
		if ofTest(c) > ofTest(top) {
			top = c
		}
	}
	values := []golden.Value{
		{Unit: "params", Value: float64(res.Params.Count())},
		{Unit: "updates", Value: float64(res.Updates)},
		{Unit: "epochs-best", Value: epoch(best)},
		{Unit: "valid-ce", Value: best.Loss},
		{Unit: "epochs-top", Value: epoch(top)},
		{Unit: "test-acc-top-%", Value: ofTest(top)},
		{Unit: "train-min", Value: res.Took.Minutes()},
	}
	for _, p := range reported {
		found, err := e.Measure(dev, res.Params, x.Seed, p.split)
		if err != nil {
			return golden.Row{}, fmt.Errorf("%s: %s: %w", x.Name, p.name, err)
		}
		for i, v := range figures(found) {
			values = append(values, golden.Value{Unit: p.name + "-acc" + readings[i] + "-%", Value: v})
		}
	}
	return golden.Row{Name: golden.Name(x.Name), Values: values}, nil
}

// ofTest is N on the test strings, whose figures follow those of the development
// strings.
func ofTest(c train.Check) float64 { return c.Figures[len(readings)] }
