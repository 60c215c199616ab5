package dyck

import (
	"fmt"

	"pushdown/corpora/formal"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

// Measure measures the result of a run on the validation and test strings.
func (e LanguageModel) Measure(dev kernel.Device, x *train.Experiment, res *train.Result) (*suite.Measured, error) {
	values := []golden.Value{
		{Unit: "params", Value: float64(e.core())},
		{Unit: "params-whole", Value: float64(res.Params.Count())},
		{Unit: "updates", Value: float64(res.Updates)},
		{Unit: "epochs", Value: res.Epochs(x)},
		{Unit: "train-min", Value: res.Took.Minutes()},
	}
	kinds := map[string]float64{"": 0} // the temperature of each way to test
	if n := len(res.Checks); n > 0 {
		best := suite.Best(res.Checks)
		values = append(values, golden.Value{Unit: "valid-ce", Value: best.Loss},
			golden.Value{Unit: "epochs-best", Value: float64(best.Update) / float64(x.Train.PerEpoch())},
			golden.Value{Unit: "wcpa-fall-%", Value: falls(res.Checks)})
		if e.Kind == Attention {
			kinds["-soft"] = best.Scalars[0]
		}
	}
	if e.Kind == Attention {
		split, cosine, err := e.differentiation(res.Params)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", x.Name, err)
		}
		values = append(values, golden.Value{Unit: "kinds-apart", Value: split}, golden.Value{Unit: "cosine-max", Value: cosine})
	}
	out := &suite.Measured{}
	for _, kind := range []string{"", "-soft"} {
		temperature, ok := kinds[kind]
		if !ok {
			continue
		}
		for _, split := range []struct {
			name string
			of   formal.Split
		}{{"valid", formal.Dev}, {"test", formal.Test}} {
			r, err := e.Read(dev, res.Params, x.Seed, split.of, temperature)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", x.Name, err)
			}
			found, err := r.values(split.name, kind)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", x.Name, split.name, err)
			}
			values = append(values, found...)
			if kind == "" && split.of == formal.Test {
				out.Detail = r.Paper
				found, err := e.asked(dev, x, res.Params, r)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", x.Name, err)
				}
				values = append(values, found...)
			}
		}
	}
	out.Values = values
	return out, nil
}

// asked are the figures that claims S05 and S11 rest on. The second holds or fails
// by what the model is, so one run shows it: that whose parameters are kept.
func (e LanguageModel) asked(dev kernel.Device, x *train.Experiment, p *train.Params, sharp *Scores) (list []golden.Value, err error) {
	if lang, err := e.Language(); err != nil {
		return nil, err
	} else if lang.Max > failing {
		list = append(list, golden.Value{Unit: "test-lowest-from-300", Value: float64(fromFailing(sharp.Paper.Counts()))})
	}
	if e.Kind != Attention || x.Seed != 1 {
		return list, nil
	}
	same, err := e.bySymbol(dev, p, x.Seed, sharp)
	if err != nil {
		return nil, err
	}
	value := golden.Value{Unit: "cell-by-symbol"}
	if same {
		value.Value = 1
	}
	return append(list, value), nil
}

// falls adds up by how much validation WCPA falls from check to check.
func falls(checks []train.Check) (sum float64) {
	for i := 1; i < len(checks); i++ {
		sum += max(0, checks[i-1].Figures[0]-checks[i].Figures[0])
	}
	return sum
}

// values are the figures of a reading.
func (r *Scores) values(split, kind string) ([]golden.Value, error) {
	list := []golden.Value{{Unit: split + "-ppl" + kind, Value: r.Perplexity()}}
	worst, err := r.Paper.Worst(1)
	if err != nil {
		return nil, err
	}
	often, err := r.Paper.Worst(frequent)
	if err != nil {
		return nil, err
	}
	code, err := r.Code.Worst(1)
	if err != nil {
		return nil, err
	}
	return append(list,
		golden.Value{Unit: split + "-wcpa" + kind + "-%", Value: worst.Percent()},
		golden.Value{Unit: split + "-wcpa20" + kind + "-%", Value: often.Percent()},
		golden.Value{Unit: split + "-wcpa-code" + kind + "-%", Value: code.Percent()}), nil
}
