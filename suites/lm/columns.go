package lm

import (
	"fmt"

	"pushdown/corpora/text"
	"pushdown/harness/batch"
	"pushdown/harness/train"
)

// Columns returns a dataset of the first limit tokens of a part, or of all if limit is 0. They
// are divided into columns of equal length; tokens that do not fill the columns are left out.
// A batch has the next steps of every column, so its strings continue those of the batch before
// it. Use the Set of the dataset, with as many strings in a batch as there are columns.
func Columns[T text.Token](p *text.Part[T], limit, columns, steps int) batch.Dataset[T] {
	d, _ := columnsOf(p, limit, columns, steps)
	return d
}

// columnsOf is like [Columns]. It also returns the place in the stream of the first token that a string of the
// dataset reads.
func columnsOf[T text.Token](p *text.Part[T], limit, columns, steps int) (batch.Dataset[T], func(i int) int) {
	tokens, n := p.Stream(), p.Tokens()
	if limit > 0 {
		n = min(n, limit)
	}
	length := n / columns
	start := func(i int) int { return i%columns*length + i/columns*steps }
	d := batch.Dataset[T]{
		Text: func(i int) []T { return tokens[start(i):] },
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
	return d, start
}

// ReadColumns makes x train on a text as a stream, and validate with it, in the given number of
// columns with an update every so many steps, for at most the given number of epochs. It reads
// the first limit tokens of each part, or all if limit is 0. The state carries over to the next
// update, the gradient does not.
func ReadColumns[T text.Token](x *train.Experiment, t *text.Text[T], limit, columns, steps, epochs int) error {
	least := min(t.Train.Tokens(), t.Valid.Tokens(), t.Test.Tokens())
	if limit > 0 {
		least = min(least, limit)
	}
	if limit < 0 || columns < 1 || columns > least || steps < 1 {
		return fmt.Errorf("lm: %s: have a limit of %d tokens, %d columns and an update every %d steps, want a limit of 0 or more, 1 to %d columns (the tokens of the shortest part), and at least 1 step",
			x.Name, limit, columns, steps, least)
	}
	source := Columns(t.Train, limit, columns, steps).Random().Set(columns)
	x.Train, x.Valid = source, Columns(t.Valid, limit, columns, steps).Set(columns)
	return SetEpochs(x, epochs)
}

// mostEpochs bounds the number of epochs, so that the number of updates does not overflow.
const mostEpochs = 1 << 20

// SetEpochs makes x stop after the given number of epochs at the latest. x.Train must be set.
func SetEpochs(x *train.Experiment, epochs int) error {
	if epochs < 1 || epochs > mostEpochs {
		return fmt.Errorf("lm: %s: have at most %d epochs, want 1 to %d", x.Name, epochs, mostEpochs)
	}
	x.MaxUpdates = epochs * x.Train.PerEpoch()
	return nil
}
