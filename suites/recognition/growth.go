package recognition

import (
	"slices"

	"pushdown/harness/batch"
	"pushdown/harness/train"
)

const (
	enough   = 95.0 // per cent
	patience = 2    // epochs
)

// grow has the strings of training come in by blocks, the shortest first. One
// more comes in after an epoch in which more than enough of what is there is
// judged rightly, by N, and after two epochs at the latest. An epoch has as many
// updates as ever: it goes through the strings that are there as often as that
// takes.
func (s *Shuffled) grow(blocks int) {
	if s.blocks = blocks; blocks < 2 {
		return
	}
	// The source has the same list.
	slices.SortStableFunc(s.data.List, func(a, b batch.Prefix) int { return int(a.Len - b.Len) })
	s.present = s.strings
	s.present.Set = s.data.Set(evalStrings)
	s.tell(nil)
}

// tell sees to how many blocks are there after these validations, whose last figure
// is what is judged rightly of those that were.
func (s *Shuffled) tell(checks []train.Check) {
	in, since := 1, 0
	for _, c := range checks {
		if since++; in < s.blocks && (c.Figures[len(c.Figures)-1] > enough || since >= patience) {
			in, since = in+1, 0
		}
	}
	there := len(s.data.List) * in / s.blocks
	s.Source.Limit(there)
	s.present.Limit(there)
}

// accuracy is N of what is there, the figure that decides.
func (s *Shuffled) accuracy() (visit func(*train.Outcome) error, after func() ([]float64, error)) {
	j := newJudge(s.present)
	return j.visit, func() ([]float64, error) { return []float64{j.found.N.Percent()}, nil }
}
