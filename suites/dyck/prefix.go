package dyck

import (
	"fmt"

	"pushdown/corpora/formal"
	"pushdown/harness/batch"
	"pushdown/harness/train"
)

// NewPrefixes gives batches of size independent (prefix, closing bracket) pairs:
// each update draws the next ones from the shuffled list of all pairs of the
// corpus. Their order follows from the run's seed.
func NewPrefixes(lang formal.BoundedDyck, corpus *formal.Corpus, size int, seed uint64) (*batch.Source[uint8], error) {
	var list []batch.Prefix
	for i := range corpus.Len() {
		for at, token := range corpus.Body(i) {
			if int(token) >= lang.K {
				list = append(list, batch.Prefix{String: int32(i), Len: int32(at)})
			}
		}
	}
	s, err := batch.Dataset[uint8]{
		Text: corpus.Body, List: list,
		Examples: func(batch.Prefix) int { return 1 },
		Fill: func(p *batch.Packed[uint8], b *train.Batch) {
			for i, x := range p.Text { // its last row is asked for the bracket that follows
				b.Pick = append(b.Pick, int32(p.Row(len(x)-1, i)))
				b.Target = append(b.Target, int32(x[:len(x)+1][len(x)])-int32(lang.K))
			}
		},
	}.Shuffled(size, seed)
	if err != nil {
		return nil, fmt.Errorf("dyck: prefixes: %w", err)
	}
	return s, nil
}
