package recognition

import (
	"fmt"
	"slices"

	"pushdown/harness/golden"
	"pushdown/harness/traces"
)

// Trace is what the figures show of one run.
type Trace struct {
	Seed    int
	Epochs  []float64 // N of the validation strings after each epoch, in per cent
	Lengths []Share   // N of longer strings, by range of lengths
	Steps   []Step    // of [sample]; nil: a network without NO-OP, or another language
}

// Share is how many strings of a range of lengths are judged rightly.
type Share struct {
	Length, Cases, Correct int // Length is the greatest
}

// Percent is the share in per cent.
func (s Share) Percent() float64 { return 100 * float64(s.Correct) / float64(s.Cases) }

// Step is what a network with a differentiable stack does on reading a symbol:
// the weights of its actions, and the topmost cell after them.
type Step struct {
	Symbol               string // a letter, or End
	Push, Pop, Noop, Top float64
}

// Traces are the runs of one row, by seed.
type Traces struct {
	Row  golden.Name // the group of the runs
	Runs []Trace
}

func seedOf(t Trace) int { return t.Seed }

func (s *Traces) seeds() (list []int) {
	for _, t := range s.Runs {
		list = append(list, t.Seed)
	}
	return list
}

// Merge takes runs in, in the place of those of the same seeds.
func (s *Traces) Merge(runs ...Trace) error {
	merged := Traces{Row: s.Row, Runs: traces.Merge(s.Runs, runs, seedOf)}
	if err := merged.check(); err != nil {
		return err
	}
	*s = merged
	return nil
}

// check holds the runs against each other: they have as many epochs and see the
// same strings.
func (s *Traces) check() error {
	if err := traces.Ascending(s.Row, s.seeds()); err != nil {
		return fmt.Errorf("recognition: %w", err)
	}
	first := s.Runs[0]
	for _, t := range s.Runs {
		say := func(what string) error {
			return fmt.Errorf("recognition: traces of %s: seed %d has other %s than seed %d, need the same", s.Row, t.Seed, what, first.Seed)
		}
		switch {
		case len(t.Epochs) == 0 || len(t.Lengths) == 0:
			return fmt.Errorf("recognition: traces of %s: seed %d: have %d epochs and %d lengths, need one or more", s.Row, t.Seed, len(t.Epochs), len(t.Lengths))
		case len(t.Epochs) != len(first.Epochs):
			return say("epochs")
		case !slices.EqualFunc(t.Lengths, first.Lengths, func(a, b Share) bool { return a.Length == b.Length && a.Cases == b.Cases }):
			return say("lengths or cases")
		case !slices.EqualFunc(t.Steps, first.Steps, func(a, b Step) bool { return a.Symbol == b.Symbol }):
			return say("symbols")
		}
	}
	return nil
}

// learned is the run that judges most strings of the shortest range rightly, the
// first of equals.
func (s *Traces) learned() Trace {
	best := s.Runs[0]
	for _, t := range s.Runs {
		if t.Lengths[0].Correct > best.Lengths[0].Correct {
			best = t
		}
	}
	return best
}
