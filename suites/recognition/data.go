package recognition

import (
	"fmt"
	"slices"

	"pushdown/corpora/formal"
	"pushdown/harness/batch"
	"pushdown/harness/train"
)

// Strings gives the strings of a part of a corpus, the same batches in the same
// order. Every symbol is read, and at every row the model says which symbol
// follows and whether the string is in the language.
type Strings struct {
	*batch.Set[uint8]
	lang   formal.Language
	corpus *formal.Labelled
	label  Label
	oracle formal.Judge
}

// NewStrings cuts a part into batches of size strings; the last one has what is
// left.
func NewStrings(lang formal.Language, corpus *formal.Labelled, size int) *Strings {
	s, data := whole(lang, corpus)
	s.Set = data.Set(size)
	return s
}

// whole reads all strings of a part. They are not cut into batches yet.
func whole(lang formal.Language, corpus *formal.Labelled) (*Strings, batch.Dataset[uint8]) {
	s := &Strings{lang: lang, corpus: corpus, oracle: lang.Judge()}
	return s, batch.Dataset[uint8]{Text: corpus.String, List: batch.Whole(corpus.Len(), corpus.String), Fill: s.fill}
}

// fill adds targets, their weights, and labels. The last row of a string predicts
// no symbol.
func (s *Strings) fill(p *batch.Packed[uint8], b *train.Batch) {
	b.Pick, b.Coord = p.All(b.Pick), p.Coord(b.Coord)
	for t, n := range p.Active {
		for i, text := range p.Text[:n] {
			y := number(s.corpus.Valid(int(p.List[i].String)))
			next, w, judged := int32(0), float32(0), float32(1)
			if t+1 < len(text) {
				next, w, judged = int32(text[t+1]), y, number(s.label != AtEnd)
			}
			b.Target, b.Weight = append(b.Target, next), append(b.Weight, w)
			b.Label, b.Judged = append(b.Label, y), append(b.Judged, judged)
		}
	}
	if s.label != OfPrefix {
		return
	}
	for i, text := range p.Text {
		s.oracle.Reset()
		for t, symbol := range text {
			s.oracle.Read(symbol)
			b.Label[p.Row(t, i)] = number(s.oracle.Viable())
		}
	}
}

// number is 1 if something is true, else 0.
func number(ok bool) float32 {
	if ok {
		return 1
	}
	return 0
}

// Shuffled gives the strings of a part in a new order for each epoch. What does
// not fill a batch at the end of an epoch is left out of it.
type Shuffled struct {
	*batch.Source[uint8]
	data    batch.Dataset[uint8]
	strings *Strings // what is read
	blocks  int
	present *Strings // if strings come in by blocks: those that are there
}

// NewShuffled makes batches of size strings, whose order follows from the run's
// seed.
func NewShuffled(lang formal.Language, corpus *formal.Labelled, size int, seed uint64) (*Shuffled, error) {
	strings, data := whole(lang, corpus)
	source, err := data.Shuffled(size, seed)
	if err != nil {
		return nil, fmt.Errorf("recognition: %w", err)
	}
	return &Shuffled{Source: source, data: data, strings: strings}, nil
}

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
