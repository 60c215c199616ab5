package dyck

import (
	"fmt"

	"pushdown/corpora/formal"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/metric"
	"pushdown/harness/suite"
	"pushdown/harness/traces"
	"pushdown/harness/train"
	"pushdown/models"
)

// Accuracy is the long-distance prediction accuracy of a model on a split.
type Accuracy struct {
	Loss float64 // mean nats
	LDPA *metric.LDPA
}

// Evaluate returns the accuracy of parameters on a split of the experiment's corpus.
func (e Experiment) Evaluate(dev kernel.Device, p *train.Params, seed uint64, split formal.Split) (*Accuracy, error) {
	lang, corpus, err := e.Sample(split)
	if err != nil {
		return nil, err
	}
	model, err := e.Model(e.M, e.K)
	if err != nil {
		return nil, err
	}
	set := NewStrings(lang, corpus, evalStrings)
	acc := &Accuracy{LDPA: metric.NewLDPA(metric.Paper, lang.Max)}
	var distances []int
	acc.Loss, err = train.Evaluate(model.Build, dev, set, seed, p, func(o *train.Outcome) error {
		var err error
		if distances, err = set.Distances(o.Index, distances[:0]); err != nil {
			return err
		}
		prob, err := o.Output(models.OutputProb, e.K)
		if err != nil {
			return err
		}
		for i, d := range distances {
			acc.LDPA.AddRow(d, prob[i*e.K:(i+1)*e.K], int(o.Batch.Target[i]))
		}
		return nil
	})
	return acc, err
}

// Measure measures the result of a run on the test strings.
func (e Experiment) Measure(dev kernel.Device, x *train.Experiment, res *train.Result) (*suite.Measured, error) {
	test, err := e.Evaluate(dev, res.Params, x.Seed, formal.Test)
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
			of = suite.Best(res.Checks)
		}
		values = append(values, golden.Value{Unit: "valid-ce", Value: of.Loss})
	}
	return &suite.Measured{Values: values, Detail: test.LDPA}, nil
}

// Trace returns the accuracy at each distance.
func (e Experiment) Trace(_ kernel.Device, _ *train.Experiment, _ *train.Result, m *suite.Measured) ([]traces.Line, error) {
	return Trace{LDPA: m.Detail.(*metric.LDPA).Counts()}.lines(), nil
}
