package lm

import (
	"pushdown/corpora/text"
	"pushdown/harness/batch"
	"pushdown/harness/train"
)

// Columns returns a dataset of the first limit tokens of a part, or of all if limit is 0. They
// are divided into columns of equal length; tokens that do not fill the columns are left out.
// A batch has the next steps of every column, so its strings continue those of the batch before
// it. Use the Set of the dataset, with as many strings in a batch as there are columns.
func Columns[T text.Token](p *text.Part[T], limit, columns, steps int) batch.Dataset[T] {
	tokens, n := p.Stream(), p.Tokens()
	if limit > 0 {
		n = min(n, limit)
	}
	length := n / columns
	d := batch.Dataset[T]{
		Text: func(i int) []T { return tokens[i%columns*length+i/columns*steps:] },
		Fill: func(p *batch.Packed[T], b *train.Batch) {
			batch.PredictNext(p, b)
			b.Continue = int(p.List[0].String) >= columns
		},
	}
	for at := 0; at < length; at += steps {
		for c := range columns {
			d.List = append(d.List, batch.Prefix{String: int32(at/steps*columns + c), Len: int32(min(steps, length-at))})
		}
	}
	return d
}
