package dyck

import (
	"fmt"
	"slices"

	"pushdown/corpora/formal"
	"pushdown/harness/batch"
	"pushdown/harness/train"
)

// Strings gives the closing brackets of whole strings: each string is read
// once, and the model answers before each closing bracket. These are the
// examples of [NewPrefixes] at a fraction of the cost.
type Strings struct {
	*batch.Set[uint8]
	lang formal.BoundedDyck
}

// NewStrings cuts a corpus into batches of size strings.
func NewStrings(lang formal.BoundedDyck, corpus *formal.Corpus, size int) *Strings {
	return &Strings{brackets(lang, corpus).Set(size), lang}
}

// NewShuffled gives the strings of a corpus in batches of about size closing
// brackets, each of which is an example, read as by [Strings].
func NewShuffled(lang formal.BoundedDyck, corpus *formal.Corpus, size int, seed uint64) (*batch.Source[uint8], error) {
	s, err := brackets(lang, corpus).ByExamples(size, seed)
	if err != nil {
		return nil, fmt.Errorf("dyck: closing brackets: %w", err)
	}
	return s, nil
}

// brackets asks for each closing bracket of whole strings at the row before it.
// Examples stand in the order of their rows: by step, then by string. The last
// bracket of a string closes, so its row predicts nothing.
func brackets(lang formal.BoundedDyck, corpus *formal.Corpus) batch.Dataset[uint8] {
	return batch.Dataset[uint8]{
		Text: corpus.Body, List: batch.Whole(corpus.Len(), corpus.Body),
		Examples: func(s batch.Prefix) int { return int(s.Len) / 2 },
		Fill: func(p *batch.Packed[uint8], b *train.Batch) {
			b.Pick, b.Target = slices.Grow(b.Pick, p.Rows)[:p.Rows], slices.Grow(b.Target, p.Rows)[:p.Rows]
			found := 0
			for t, n := range p.Active[1:] {
				first := int32(p.Row(t, 0))
				for i, token := range b.Token[p.Row(t+1, 0):][:n] {
					b.Pick[found], b.Target[found] = first+int32(i), token-int32(lang.K)
					if int(token) >= lang.K {
						found++
					}
				}
			}
			b.Pick, b.Target = b.Pick[:found], b.Target[:found]
		},
	}
}

// Distances appends the distance of each example of batch i, in their order.
func (s *Strings) Distances(i int, dst []int) ([]int, error) {
	p := s.Batch(i)
	list, err := questions(p, nil, s.lang.Closings, 0, -1)
	if err != nil {
		return nil, err
	}
	distance := make([]int, p.Rows) // 0: no example
	for _, q := range list {
		distance[q.row] = q.distance
	}
	return append(dst, slices.DeleteFunc(distance, func(d int) bool { return d == 0 })...), nil
}

// question is a closing bracket that a model is asked for.
type question struct {
	row      int // of the batch
	distance int // to the opening bracket
	kind     int // type of the right one
}

// questions appends the brackets that find lists in the strings of a batch, whose
// brackets begin some tokens after the start, and are asked for some rows after
// the one that reads the token at their place.
func questions(p *batch.Packed[uint8], dst []question, find func([]formal.Closing, []uint8) ([]formal.Closing, error), start, later int) ([]question, error) {
	var found []formal.Closing
	for i, text := range p.Text {
		body := text[start:]
		var err error
		if found, err = find(found[:0], body); err != nil {
			return nil, fmt.Errorf("dyck: string %d: %w", p.List[i].String, err)
		}
		for _, c := range found {
			dst = append(dst, question{p.Row(int(c.At)+later, i), c.Distance(), int(body[c.Open])})
		}
	}
	return dst, nil
}
