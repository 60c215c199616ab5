package dyck

import (
	"fmt"

	"pushdown/corpora/formal"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/train"
)

// LanguageUnits are those of the figures of a language model. Without a further
// word valid and test are of the model as it is tested, an attention model
// choosing sharply; soft is that model at the temperature at which its
// parameters were the best.
func LanguageUnits() []golden.Unit {
	list := []golden.Unit{
		{Name: "params", Better: "lower", Exact: true},       // of the cells, as the paper counts
		{Name: "params-whole", Better: "lower", Exact: true}, // all that is trained
		{Name: "updates", Better: "lower"},
		{Name: "epochs", Better: "lower"},
		{Name: "epochs-best", Better: "lower"},                  // to the best validation loss
		{Name: "valid-ce", Better: "lower"},                     // the best, at the temperature of training
		{Name: "wcpa-fall-%", Better: "lower"},                  // sum of the falls of validation WCPA from epoch to epoch
		{Name: "kinds-apart", Better: "higher"},                 // 1: opening and closing brackets have different cells, else 0
		{Name: "cosine-max", Better: "lower"},                   // of the smallest angle between the matrices of two cells
		{Name: "cell-by-symbol", Better: "higher", Exact: true}, // 1: the cell depends on the symbol read alone, else 0; of seed 1
		{Name: "test-lowest-from-300", Better: "lower"},         // from distance 300 to the nearest one with the lowest accuracy; of strings that are longer
		{Name: "train-min", Better: "lower"},
	}
	for _, split := range []string{"valid", "test"} {
		for _, kind := range []string{"", "-soft"} {
			list = append(list,
				golden.Unit{Name: split + "-ppl" + kind, Better: "lower"},
				golden.Unit{Name: split + "-wcpa" + kind + "-%", Better: "higher"},
				golden.Unit{Name: split + "-wcpa20" + kind + "-%", Better: "higher"},    // over distances with at least 20 cases
				golden.Unit{Name: split + "-wcpa-code" + kind + "-%", Better: "higher"}, // by the rule of the public code
			)
		}
	}
	return list
}

// Report measures the result of a run on the validation and test strings and
// lists its figures.
func (e LanguageModel) Report(dev kernel.Device, x *train.Experiment, res *train.Result) (*Outcome, error) {
	values := []golden.Value{
		{Unit: "params", Value: float64(e.core())},
		{Unit: "params-whole", Value: float64(res.Params.Count())},
		{Unit: "updates", Value: float64(res.Updates)},
		{Unit: "epochs", Value: res.Epochs(x)},
		{Unit: "train-min", Value: res.Took.Minutes()},
	}
	kinds := map[string]float64{"": 0} // the temperature of each way to test
	if n := len(res.Checks); n > 0 {
		best := best(res.Checks)
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
	out := &Outcome{}
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
				out.Test = &Accuracy{Loss: r.Loss, LDPA: r.Paper}
				found, err := e.asked(dev, x, res.Params, r)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", x.Name, err)
				}
				values = append(values, found...)
			}
		}
	}
	out.Row = golden.Row{Name: golden.Name(x.Name), Values: values}
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

// best is the last check that was a new best.
func best(checks []train.Check) (last train.Check) {
	for _, c := range checks {
		if c.Best {
			last = c
		}
	}
	return last
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
