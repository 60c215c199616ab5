package recognition

import (
	"fmt"
	"strconv"
	"strings"

	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/suite"
	"pushdown/harness/traces"
	"pushdown/harness/train"
)

// Trace is the data of one run that the figures show. As text, it has these kinds of lines:
//
//	epoch 1 0.2                number of the epoch, accuracy N in per cent
//	length 100 50 50           greatest length, number of strings, number of right answers
//	step ( 1:0:0:0.9987        symbol, weights of push, pop and no-op, top of the stack
type Trace struct {
	Seed    int
	Epochs  []float64 // N of the validation strings after each epoch, in per cent
	Lengths []Share   // N of longer strings, by range of lengths
	Steps   []Step    // on [sample]; nil for a network without NO-OP or another language
}

// Share says how many of the strings in a range of lengths a network classifies correctly.
type Share struct {
	// Length is the greatest length of the range, Cases the number of its strings, and
	// Correct the number of those that are classified correctly.
	Length, Cases, Correct int
}

// Percent returns the share in per cent.
func (s Share) Percent() float64 { return 100 * float64(s.Correct) / float64(s.Cases) }

// Step is the reaction of a network with a differentiable stack to a symbol: the weights
// of the actions, and the topmost cell of the stack after the actions.
type Step struct {
	Symbol               string // a letter, or End
	Push, Pop, Noop, Top float64
}

// drawn reports whether figures show the row. They show the rows of tables 1 to 4.
func (e Experiment) drawn() bool { return e.Row.Table != "" && e.Row.Table < "5" }

// Trace returns the lines that the figures need from a run.
func (e Experiment) Trace(dev kernel.Device, x *train.Experiment, res *train.Result, _ *suite.Measured) ([]traces.Line, error) {
	if !e.drawn() {
		return nil, nil
	}
	t := Trace{}
	for _, c := range res.Checks {
		t.Epochs = append(t.Epochs, c.Figures[0])
	}
	var err error
	if t.Lengths, err = e.Lengths(dev, res.Params, x.Seed); err != nil {
		return nil, err
	}
	t.Steps, err = e.Actions(dev, res.Params, x.Seed)
	return t.lines(), err
}

// lines returns the trace as text.
func (t Trace) lines() []traces.Line {
	var list traces.List
	for i, x := range t.Epochs {
		list.Add(traces.Decimal(x), "epoch %d", i+1)
	}
	for _, c := range t.Lengths {
		list.Add(strconv.Itoa(c.Correct), "length %d %d", c.Length, c.Cases)
	}
	for _, s := range t.Steps {
		word := traces.Decimal(s.Push) + ":" + traces.Decimal(s.Pop) + ":" + traces.Decimal(s.Noop) + ":" + traces.Decimal(s.Top)
		list.Add(word, "step %s", s.Symbol)
	}
	return list
}

// parseTrace parses the lines of a run. It rejects malformed lines.
func parseTrace(r traces.Run) (t Trace, err error) {
	t.Seed = r.Seed
	if err := r.Each(t.add); err != nil {
		return t, err
	}
	if len(t.Epochs) == 0 || len(t.Lengths) == 0 {
		return t, fmt.Errorf("seed %d: have %d epochs and %d lengths, want one or more", r.Seed, len(t.Epochs), len(t.Lengths))
	}
	return t, nil
}

// add adds a line of the run to the trace. A line begins with its kind, such as "length".
// The words in the middle, the parameter first, are the same for all seeds. Only the last
// word, the parameter word, depends on the seed.
func (t *Trace) add(kind string, first []string, word string) error {
	switch kind {
	case "epoch":
		x, err := traces.Within(word, 0, 100)
		if err != nil {
			return err
		}
		t.Epochs = append(t.Epochs, x)
		return traces.CheckNumber("epoch", first[0], len(t.Epochs))
	case "length":
		before := 0
		if n := len(t.Lengths); n > 0 {
			before = t.Lengths[n-1].Length
		}
		length, err := traces.Ascending("length", first[0], before)
		if err != nil {
			return err
		}
		cases, right, err := traces.Counts(first[1], word)
		if err != nil {
			return err
		}
		t.Lengths = append(t.Lengths, Share{length, cases, right})
	case "step":
		parts := strings.Split(word, ":")
		if len(parts) != 4 {
			return fmt.Errorf("have %d numbers in %.40q, want push, pop, no-op and top", len(parts), word)
		}
		s := Step{Symbol: first[0]}
		for i, to := range []*float64{&s.Push, &s.Pop, &s.Noop, &s.Top} {
			low := 0.0
			if i == 3 {
				low = -1
			}
			x, err := traces.Within(parts[i], low, 1)
			if err != nil {
				return err
			}
			*to = x
		}
		t.Steps = append(t.Steps, s)
	default:
		return fmt.Errorf("kind of line: have %q, want epoch, length or step", kind)
	}
	return nil
}

// agrees returns an error unless the trace and the golden row of its run have the same
// accuracy N on the validation strings at the best epoch. Traces hold rounded values, so
// agrees rounds the value of the row.
func agrees(_ suite.Row, run traces.Run, of golden.Row) error {
	t, err := parseTrace(run)
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
