package recognition

import (
	"cmp"
	"fmt"

	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/suite"
	"pushdown/harness/traces"
	"pushdown/harness/train"
)

// Trace is the data of one run that the figures show. Numbers other than counts are rounded by
// [traces.Rounded].
type Trace struct {
	Seed    int       `json:"-"`
	Epochs  []float64 `json:"epochs"`          // N of the validation strings after each epoch, in per cent
	Lengths []Share   `json:"lengths"`         // N of longer strings, by range of lengths
	Steps   []Step    `json:"steps,omitempty"` // on [sample]; nil for a network without NO-OP or another language
}

// Share says how many of the strings in a range of lengths a network classifies correctly.
type Share struct {
	// Length is the greatest length of the range, Cases the number of its strings, and
	// Correct the number of those that are classified correctly.
	Length  int `json:"length"`
	Cases   int `json:"cases"`
	Correct int `json:"correct"`
}

// Percent returns the share in per cent.
func (s Share) Percent() float64 { return 100 * float64(s.Correct) / float64(s.Cases) }

// Step is the reaction of a network with a differentiable stack to a symbol: the weights
// of the actions, and the topmost cell of the stack after the actions.
type Step struct {
	Symbol string  `json:"symbol"` // a letter, or End
	Push   float64 `json:"push"`
	Pop    float64 `json:"pop"`
	Noop   float64 `json:"noop"`
	Top    float64 `json:"top"`
}

// drawn reports whether figures show the row. They show the rows of tables 1 to 4.
func (e Experiment) drawn() bool { return e.Row.Table != "" && e.Row.Table < "5" }

// Trace returns the [Trace] of a run, or nil if no figure shows the row.
func (e Experiment) Trace(dev kernel.Device, x *train.Experiment, res *train.Result, _ *suite.Measured) (any, error) {
	if !e.drawn() {
		return nil, nil
	}
	t := Trace{}
	for _, c := range res.Checks {
		t.Epochs = append(t.Epochs, traces.Rounded(c.Figures[0]))
	}
	var err error
	if t.Lengths, err = e.Lengths(dev, res.Params, x.Seed); err != nil {
		return nil, err
	}
	t.Steps, err = e.Actions(dev, res.Params, x.Seed)
	for i, s := range t.Steps {
		t.Steps[i] = Step{s.Symbol, traces.Rounded(s.Push), traces.Rounded(s.Pop), traces.Rounded(s.Noop), traces.Rounded(s.Top)}
	}
	return t, err
}

// decode decodes the trace of a run. It returns an error for numbers that no run has.
func decode(r traces.Run) (Trace, error) {
	t, err := traces.Decode(r, Trace.check)
	t.Seed = r.Seed
	return t, err
}

func (t Trace) check() error {
	if len(t.Epochs) == 0 || len(t.Lengths) == 0 {
		return fmt.Errorf("have %d epochs and %d lengths, want one or more", len(t.Epochs), len(t.Lengths))
	}
	err, before := traces.Within("epoch", t.Epochs, 0, 100), 0
	for _, s := range t.Lengths {
		err = cmp.Or(err, traces.CheckShare("length", before, s.Length, int64(s.Correct), int64(s.Cases)))
		before = s.Length
	}
	for _, s := range t.Steps {
		err = cmp.Or(err, traces.Within("action on "+s.Symbol, []float64{s.Push, s.Pop, s.Noop}, 0, 1), traces.Within("top after "+s.Symbol, []float64{s.Top}, -1, 1))
	}
	return err
}

// agrees returns an error unless the trace and the golden row of its run have the same
// accuracy N on the validation strings at the best epoch. Traces hold rounded values, so
// agrees rounds the value of the row.
func agrees(_ suite.Row, run traces.Run, of golden.Row) error {
	t, err := decode(run)
	if err != nil {
		return err
	}
	best, _ := of.Value("epochs-best")
	want, ok := of.Value("valid-acc-%")
	if !ok || int(best) < 1 || int(best) > len(t.Epochs) {
		return fmt.Errorf("have %d epochs in the trace, want at least %v, the best epoch in the golden file", len(t.Epochs), best)
	}
	if have := t.Epochs[int(best)-1]; have != traces.Rounded(want) {
		return fmt.Errorf("N of epoch %v: have %v in the trace, want %v as in the golden file", best, have, want)
	}
	return nil
}
