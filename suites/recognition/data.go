package recognition

import (
	"fmt"
	"slices"

	"pushdown/corpora/formal"
	"pushdown/harness/batch"
	"pushdown/harness/train"
)

// Strings is a set of the strings of a part of a corpus, with fixed batches in a fixed
// order. The model reads a string symbol by symbol. After each symbol it predicts the next
// one and whether the string is in the language.
type Strings struct {
	*batch.Set[uint8]
	lang   formal.Language
	corpus *formal.Labelled
	label  Label
	next   Next
	oracle formal.Oracle
}

// NewStrings cuts a part into batches. size is the number of strings in each batch but the
// last, which has the remaining strings.
func NewStrings(lang formal.Language, corpus *formal.Labelled, size int) *Strings {
	s, data := whole(lang, corpus)
	s.Set = data.Set(size)
	return s
}

// whole returns the dataset of all strings of a part, and a Strings whose method fill
// fills the batches of this dataset. The Strings has no batches of its own until the
// caller sets its embedded Set.
func whole(lang formal.Language, corpus *formal.Labelled) (*Strings, batch.Dataset[uint8]) {
	s := &Strings{lang: lang, corpus: corpus, oracle: lang.NewOracle()}
	return s, batch.Dataset[uint8]{Text: corpus.String, List: batch.Whole(corpus.Len(), corpus.String), Fill: s.fill}
}

// fill appends targets, their weights, and labels to a batch. The last row of a string
// predicts no symbol.
func (s *Strings) fill(p *batch.Packed[uint8], b *train.Batch) {
	b.ExampleRows, b.Coord = p.All(b.ExampleRows), p.Coord(b.Coord)
	for t, n := range p.Active {
		for i, text := range p.Text[:n] {
			y := number(s.corpus.Valid(int(p.List[i].String)))
			next, w, judged := int32(0), float32(0), float32(1)
			if t+1 < len(text) {
				next, w, judged = int32(text[t+1]), max(y, number(s.next == Everywhere)), number(s.label != AtEnd)
			}
			b.Target, b.Weight = append(b.Target, next), append(b.Weight, w)
			b.Label, b.LabelWeight = append(b.Label, y), append(b.LabelWeight, judged)
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

// number returns 1 if ok, else 0.
func number(ok bool) float32 {
	if ok {
		return 1
	}
	return 0
}

// Shuffled is a source of the strings of a part, in a new order for each epoch. Strings
// that do not fill a batch at the end of an epoch are left out of that epoch.
type Shuffled struct {
	*batch.Source[uint8]
	data    batch.Dataset[uint8]
	strings *Strings // all strings
	blocks  int
	inUse   *Strings // the strings in use; nil unless strings are added by blocks
}

// NewShuffled returns a source of the strings of a part. size is the number of strings in
// a batch. The run's seed determines the order of the strings.
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

// grow makes the source start with the shortest strings and add longer ones in the
// course of the training. It divides the strings, sorted by length, into the given
// number of blocks. The next block is added after an epoch with an accuracy N (see
// metric.Recognition) above 95 per cent on the strings in use, and after two epochs at
// the latest. The number of updates in an epoch does not change: an epoch passes
// through the strings in use several times if necessary.
func (s *Shuffled) grow(blocks int) {
	if s.blocks = blocks; blocks < 2 {
		return
	}
	// s.data and s.Source share this list, so sorting it here also sorts the strings of
	// the source.
	slices.SortStableFunc(s.data.List, func(a, b batch.Prefix) int { return int(a.Len - b.Len) })
	s.inUse = s.strings
	s.inUse.Set = s.data.Set(evalStrings)
	s.setLimit(nil)
}

// setLimit computes from all validations so far how many blocks are in use, and limits the
// source to them. The last number of each validation is the accuracy N on the strings that
// were in use then.
func (s *Shuffled) setLimit(checks []train.Validation) {
	in, since := 1, 0
	for _, c := range checks {
		if since++; in < s.blocks && (c.Figures[len(c.Figures)-1] > enough || since >= patience) {
			in, since = in+1, 0
		}
	}
	there := len(s.data.List) * in / s.blocks
	s.Source.Limit(there)
	s.inUse.Limit(there)
}

// accuracy returns functions that compute the accuracy N on the strings in use, for setLimit.
func (s *Shuffled) accuracy() (visit func(*train.BatchOutput) error, after func() ([]float64, error)) {
	j := newJudge(s.inUse)
	return j.visit, func() ([]float64, error) { return []float64{j.found.N.Percent()}, nil }
}
