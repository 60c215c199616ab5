package patterns

import (
	"fmt"

	"pushdown/corpora/formal"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/metric"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

// testSeed is that of the test strings.
const testSeed = 10

// Evaluate tests the parameters of a restart.
func (e Experiment) Evaluate(dev kernel.Device, p *train.Params, seed uint64) (*metric.Lengths, error) {
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

// detail is what traces show of a run.
type detail struct {
	lengths *metric.Lengths
	trace   *Trace  // of a run whose stacks a table or a figure shows
	loss    float64 // of the best validation
}

// Measure measures the result of a run.
func (e Experiment) Measure(dev kernel.Device, x *train.Experiment, res *train.Result) (*suite.Measured, error) {
	lengths, err := e.Evaluate(dev, res.Params, x.Seed)
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
	d := &detail{lengths: lengths}
	for i, c := range res.Checks {
		if c.Best {
			d.loss = c.Loss
			values = with(values, golden.Value{Unit: "valid-ce", Value: c.Loss}, golden.Value{Unit: "epochs-best", Value: float64(i + 1)})
		}
	}
	if e.traced() {
		if d.trace, err = e.Follow(dev, res.Params, x.Seed); err != nil {
			return nil, fmt.Errorf("%s: %w", x.Name, err)
		}
		if e.Task == formal.Addition {
			values = append(values, golden.Value{Unit: "roles", Value: float64(d.trace.Roles())})
		} else {
			values = append(values, golden.Value{Unit: "pattern-%", Value: percent(d.trace.Pattern())})
		}
	}
	return &suite.Measured{Values: values, Detail: d}, nil
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
