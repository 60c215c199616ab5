package patterns

import (
	"fmt"

	"pushdown/corpora/formal"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/metric"
	"pushdown/harness/train"
)

// Units of the suite's figures.
func Units() []golden.Unit {
	return []golden.Unit{
		{Name: "test-lengths-%", Better: "higher"},      // lengths of 1 to 60 of which every string is right
		{Name: "test-lengths-code-%", Better: "higher"}, // of 2 to 59, as the program counts
		{Name: "test-strings-60-%", Better: "higher"},   // strings of length 60 that are right
		{Name: "test-strings-long-%", Better: "higher"}, // mean share of the strings of 21 to 59
		{Name: "generalises-%", Better: "higher"},       // 100 if more than a third of the lengths are right, else 0
		{Name: "perfect-%", Better: "higher"},           // 100 if all are, else 0
		{Name: "pattern-%", Better: "higher"},           // 100 if the stacks do what the paper says of them, else 0
		{Name: "roles", Better: "higher"},               // of an addition that one stack each shows, of 4
		{Name: "valid-ce", Better: "lower"},
		{Name: "hidden", Better: "lower", Exact: true},
		{Name: "layers", Better: "lower", Exact: true},
		{Name: "params", Better: "lower", Exact: true},
		{Name: "epochs", Better: "lower"},
		{Name: "epochs-best", Better: "lower"},
		{Name: "symbols", Better: "lower"}, // read in training
		{Name: "train-min", Better: "lower"},
	}
}

// Tolerances says that everything but time is exact.
func Tolerances() []golden.Tolerance {
	var list []golden.Tolerance
	for _, u := range Units() {
		tol := golden.Tolerance{Unit: u.Name, Reason: "equal bits"}
		if u.Name == "train-min" {
			tol = golden.Tolerance{Unit: u.Name, Any: true, Reason: "wall time"}
		}
		list = append(list, tol)
	}
	return list
}

// testSeed is that of the test strings.
const testSeed = 10

// Measure tests the parameters of a restart.
func (e Experiment) Measure(dev kernel.Device, p *train.Params, seed uint64) (*metric.Lengths, error) {
	m, err := e.Network(seed).Model(e.Task, Memory{Cells: e.Cells})
	if err != nil {
		return nil, err
	}
	t, err := NewTest(e.Task, testSeed, shortest, e.Longest, e.PerLength)
	if err != nil {
		return nil, err
	}
	return t.Measure(m, dev, p)
}

// Outcome is what a finished run reports.
type Outcome struct {
	Row     golden.Row
	Lengths *metric.Lengths
	Trace   *Trace // of a run whose stacks a table or a figure shows
}

// Report measures the result of a run and lists its figures.
func (e Experiment) Report(dev kernel.Device, x *train.Experiment, res *train.Result) (*Outcome, error) {
	lengths, err := e.Measure(dev, res.Params, x.Seed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", x.Name, err)
	}
	n := e.Network(x.Seed)
	values := append(e.lengthValues(lengths),
		golden.Value{Unit: "hidden", Value: float64(n.Hidden)},
		golden.Value{Unit: "params", Value: float64(res.Params.Count())},
		golden.Value{Unit: "epochs", Value: res.Epochs(x)},
		golden.Value{Unit: "symbols", Value: float64(res.Rows)},
		golden.Value{Unit: "train-min", Value: res.Took.Minutes()},
	)
	if n.Layers > 0 {
		values = append(values, golden.Value{Unit: "layers", Value: float64(n.Layers)})
	}
	for i, c := range res.Checks {
		if c.Best {
			values = with(values, golden.Value{Unit: "valid-ce", Value: c.Loss}, golden.Value{Unit: "epochs-best", Value: float64(i + 1)})
		}
	}
	out := &Outcome{Lengths: lengths}
	if e.traced() {
		if out.Trace, err = e.Trace(dev, res.Params, x.Seed); err != nil {
			return nil, fmt.Errorf("%s: %w", x.Name, err)
		}
		if e.Task == formal.Addition {
			values = append(values, golden.Value{Unit: "roles", Value: float64(out.Trace.Roles())})
		} else {
			values = append(values, golden.Value{Unit: "pattern-%", Value: percent(out.Trace.Pattern())})
		}
	}
	out.Row = golden.Row{Name: golden.Name(x.Name), Values: values}
	return out, nil
}

// lengthValues are the figures of a test.
func (e Experiment) lengthValues(l *metric.Lengths) []golden.Value {
	all := l.Right(shortest, e.Longest)
	var long float64
	for n := 21; n < e.Longest; n++ {
		long += l.Of(n).Percent() / float64(e.Longest-21)
	}
	return []golden.Value{
		{Unit: "test-lengths-%", Value: all.Percent()},
		{Unit: "test-lengths-code-%", Value: l.Right(2, e.Longest-1).Percent()},
		{Unit: "test-strings-60-%", Value: l.Of(e.Longest).Percent()},
		{Unit: "test-strings-long-%", Value: long},
		{Unit: "generalises-%", Value: percent(3*all.Correct > all.Cases)},
		{Unit: "perfect-%", Value: percent(all.Correct == all.Cases)},
	}
}

// with adds values, or puts them in the place of those of their units.
func with(list []golden.Value, values ...golden.Value) []golden.Value {
	for _, v := range values {
		replaced := false
		for i := range list {
			if list[i].Unit == v.Unit {
				list[i], replaced = v, true
			}
		}
		if !replaced {
			list = append(list, v)
		}
	}
	return list
}

func percent(ok bool) float64 {
	if ok {
		return 100
	}
	return 0
}
