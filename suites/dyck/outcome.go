package dyck

import (
	"fmt"

	"pushdown/corpora/formal"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/train"
)

// Units of the suite's figures.
func Units() []golden.Unit {
	return []golden.Unit{
		{Name: "test-wcpa-%", Better: "higher"},
		{Name: "test-ce", Better: "lower"},
		{Name: "valid-ce", Better: "lower"}, // of the parameters that are the result
		{Name: "params", Better: "lower", Exact: true},
		{Name: "updates", Better: "lower"},
		{Name: "epochs", Better: "lower"},
		{Name: "train-min", Better: "lower"},
	}
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

// Outcome is what a finished run reports.
type Outcome struct {
	Row  golden.Row
	Test *Accuracy
}

// Report measures the result of a run on the test strings and lists its
// figures.
func (e Experiment) Report(dev kernel.Device, x *train.Experiment, res *train.Result) (*Outcome, error) {
	test, err := e.Measure(dev, res.Params, x.Seed, formal.Test)
	if err != nil {
		return nil, err
	}
	if n := test.LDPA.Undefined(); n > 0 {
		return nil, fmt.Errorf("dyck: %s: %d of %d predictions are not numbers", x.Name, n, test.LDPA.Total().Cases)
	}
	worst, err := test.LDPA.Worst(1)
	if err != nil {
		return nil, err
	}
	values := []golden.Value{
		{Unit: "test-wcpa-%", Value: worst.Percent()},
		{Unit: "test-ce", Value: test.Loss},
		{Unit: "params", Value: float64(res.Params.Count())},
		{Unit: "updates", Value: float64(res.Updates)},
		{Unit: "epochs", Value: res.Epochs(x)},
		{Unit: "train-min", Value: res.Took.Minutes()},
	}
	if n := len(res.Checks); n > 0 {
		of := res.Checks[n-1]
		if x.Best {
			of = best(res.Checks)
		}
		values = append(values, golden.Value{Unit: "valid-ce", Value: of.Loss})
	}
	return &Outcome{golden.Row{Name: golden.Name(x.Name), Values: values}, test}, nil
}
