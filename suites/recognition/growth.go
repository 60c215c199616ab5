package recognition

import (
	"slices"

	"pushdown/corpora/formal"
	"pushdown/harness/train"
)

// growth has the strings of training come in by blocks, the shortest first. One
// more comes in after an epoch in which more than enough of what is there is
// judged rightly, by N, and after two epochs at the latest. An epoch has as many
// updates as ever: it goes through the strings that are there as often as that
// takes.
type growth struct {
	blocks   int
	shortest []int32 // strings by length; nil: all come at once
	in       int     // blocks that are there
	present  *Strings
}

const (
	enough   = 95.0 // per cent
	patience = 2    // epochs
	// Passes through what is there of the strings in an epoch are numbered below this.
	mostPasses = 1 << 10
)

// grow sets the growth up.
func (s *Shuffled) grow(blocks int) {
	if s.blocks = blocks; blocks < 2 {
		return
	}
	corpus := s.strings.corpus
	for i := range corpus.Len() {
		s.shortest = append(s.shortest, int32(i))
	}
	slices.SortStableFunc(s.shortest, func(a, b int32) int { return len(corpus.String(int(a))) - len(corpus.String(int(b))) })
	s.present = s.growing(s.strings.lang, corpus)
	s.tell(nil)
}

// growing is the set of what is there, which is looked at after each epoch. Its
// bounds are those of all strings.
func (g *growth) growing(lang formal.Language, corpus *formal.Labelled) *Strings {
	p := &Strings{lang: lang, corpus: corpus, size: evalStrings, oracle: lang.Judge(), order: g.shortest, there: corpus.Len()}
	p.measure()
	return p
}

// tell sees to how many blocks are there after these validations, whose last figure
// is what is judged rightly of those that were.
func (g *growth) tell(checks []train.Check) {
	g.in = 1
	since := 0
	for _, c := range checks {
		if since++; g.in < g.blocks && (c.Figures[len(c.Figures)-1] > enough || since >= patience) {
			g.in, since = g.in+1, 0
		}
	}
	g.present.there = g.there()
}

// there is the number of strings in the blocks.
func (g *growth) there() int { return len(g.shortest) * g.in / g.blocks }

// accuracy is N of what is there, the figure that decides.
func (g *growth) accuracy() (visit func(*train.Outcome) error, after func() ([]float64, error)) {
	j := newJudge(g.present)
	return j.visit, func() ([]float64, error) { return []float64{j.found.N.Percent()}, nil }
}
