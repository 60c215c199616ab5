package train

import "fmt"

// StreamSet is a [Set] that reads strings of a stream one after the other, as an
// online run does, but without learning. A batch continues from the states of the one
// before it, except at the first string and where the stream resets the states.
type StreamSet struct {
	token, target []int32
	reset         []bool // whether states are reset before each symbol
	cuts          []int  // start of each batch, and the end of the last one
	steps         int
}

// NewStreamSet returns a set of n consecutive strings of s. The parameter first is the
// index of the first of them. A batch has at most the given number of steps.
func NewStreamSet(s Stream, first, n, steps int) (*StreamSet, error) {
	if first < 0 || n < 1 || steps < 1 {
		return nil, fmt.Errorf("train: reading %d strings from string %d on, %d symbols at a time, want at least 1 string and 1 symbol", n, first, steps)
	}
	r := &StreamSet{steps: steps}
	var p StreamString
	for i := first; i < first+n; i++ {
		p.Reset()
		s.Fill(i, &p)
		if err := p.check(i); err != nil {
			return nil, fmt.Errorf("train: %w", err)
		}
		for t, token := range p.Token {
			at, reset := len(r.token), t == 0 && p.ResetStates || len(r.token) == 0
			if reset || at-r.cuts[len(r.cuts)-1] == steps {
				r.cuts = append(r.cuts, at)
			}
			r.token, r.target, r.reset = append(r.token, token), append(r.target, p.Target[t]), append(r.reset, reset)
		}
	}
	if len(r.token) == 0 {
		return nil, fmt.Errorf("train: reading %d strings from string %d on: none has a symbol", n, first)
	}
	r.cuts = append(r.cuts, len(r.token))
	return r, nil
}

// Bounds returns the sizes of a batch of one string with the maximum number of
// symbols.
func (r *StreamSet) Bounds() Bounds {
	return Bounds{Strings: 1, Rows: r.steps, Steps: r.steps, Examples: r.steps}
}

// Len returns the number of batches.
func (r *StreamSet) Len() int { return len(r.cuts) - 1 }

// Fill sets b to the i-th batch. In the coordinates of random numbers, the string and
// the update are 0, and the time is the index of the symbol in the set.
func (r *StreamSet) Fill(i int, b *Batch) {
	from := r.cuts[i]
	b.Continue = !r.reset[from]
	for at := from; at < r.cuts[i+1]; at++ {
		if class := r.target[at]; class >= 0 {
			b.ExampleRows = append(b.ExampleRows, int32(at-from))
			b.Target = append(b.Target, class)
		}
		b.Active = append(b.Active, 1)
		b.Token = append(b.Token, r.token[at])
		b.Coord = append(b.Coord, 0, int32(at), 0)
	}
}
