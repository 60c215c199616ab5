package dyck

import (
	"fmt"
	"slices"

	"pushdown/harness/golden"
	"pushdown/harness/metric"
	"pushdown/harness/traces"
)

// Trace is what the figures of second-order-lstm show of one run of a language
// model: figure 2 the accuracy at each distance, figure 3 that of validation in
// the course of training, figures 4 and 6 what the cells of an attention model are.
type Trace struct {
	Seed   int
	LDPA   []metric.Count // of the test strings, by distance
	WCPA   []float64      // of the validation strings after each epoch, in per cent
	Random []float64      // degrees between two random matrices, the smallest angle first; nil: no attention model
	Angles []float64      // the same between the matrices of its two cells
	Cells  []Cell         // of the symbols of the vocabulary; nil: no attention model for m = 4
}

// Cell is the one that a symbol goes to, from 1, with its weight at the
// temperature of the best parameters.
type Cell struct {
	Symbol string
	Cell   int
	Weight float64
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

// check holds the runs against each other: they see the same strings, and have the
// same kind of model.
func (s *Traces) check() error {
	if err := traces.Ascending(s.Row, s.seeds()); err != nil {
		return fmt.Errorf("dyck: %w", err)
	}
	first := s.Runs[0]
	for _, t := range s.Runs {
		say := func(what string) error {
			return fmt.Errorf("dyck: traces of %s: seed %d has other %s than seed %d, need the same", s.Row, t.Seed, what, first.Seed)
		}
		switch {
		case len(t.LDPA) == 0 || len(t.WCPA) == 0:
			return fmt.Errorf("dyck: traces of %s: seed %d: have %d distances and %d epochs, need one or more", s.Row, t.Seed, len(t.LDPA), len(t.WCPA))
		case !slices.EqualFunc(t.LDPA, first.LDPA, func(a, b metric.Count) bool { return a.Distance == b.Distance && a.Cases == b.Cases }):
			return say("distances or cases")
		case !slices.Equal(t.Random, first.Random):
			return say("angles between random matrices")
		case len(t.Angles) != len(t.Random):
			return fmt.Errorf("dyck: traces of %s: seed %d: have %d angles, need %d as between random matrices", s.Row, t.Seed, len(t.Angles), len(t.Random))
		case !slices.EqualFunc(t.Cells, first.Cells, func(a, b Cell) bool { return a.Symbol == b.Symbol }):
			return say("symbols")
		}
	}
	return nil
}

// epochs is the length of the longest run.
func (s *Traces) epochs() (most int) {
	for _, t := range s.Runs {
		most = max(most, len(t.WCPA))
	}
	return most
}
