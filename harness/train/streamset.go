package train

import "fmt"

// StreamSet is a [Set] that reads strings of a stream one after the other, as an
// online run does, without learning from them: a batch takes up the states of
// the one before it but at the first string and where the stream starts anew.
type StreamSet struct {
	token, target []int32
	anew          []bool // before each symbol
	cuts          []int  // where batches begin, and the end
	steps         int
}

// NewStreamSet reads n strings of s from the first on, in batches of at most so
// many symbols.
func NewStreamSet(s Stream, first, n, steps int) (*StreamSet, error) {
	if first < 0 || n < 1 || steps < 1 {
		return nil, fmt.Errorf("train: reading %d strings from string %d on, %d symbols at a time, want at least 1 string and 1 symbol", n, first, steps)
	}
	r := &StreamSet{steps: steps}
	var p Piece
	for i := first; i < first+n; i++ {
		p.Reset()
		s.Fill(i, &p)
		if err := p.check(i); err != nil {
			return nil, fmt.Errorf("train: %w", err)
		}
		for t, token := range p.Token {
			at, anew := len(r.token), t == 0 && p.ResetStates || len(r.token) == 0
			if anew || at-r.cuts[len(r.cuts)-1] == steps {
				r.cuts = append(r.cuts, at)
			}
			r.token, r.target, r.anew = append(r.token, token), append(r.target, p.Target[t]), append(r.anew, anew)
		}
	}
	if len(r.token) == 0 {
		return nil, fmt.Errorf("train: reading %d strings from string %d on: none has a symbol", n, first)
	}
	r.cuts = append(r.cuts, len(r.token))
	return r, nil
}

// Bounds is one string of as many symbols as are read at a time.
func (r *StreamSet) Bounds() Bounds {
	return Bounds{Strings: 1, Rows: r.steps, Steps: r.steps, Examples: r.steps}
}

// Len is the number of batches.
func (r *StreamSet) Len() int { return len(r.cuts) - 1 }

// Fill makes b the i-th batch. Coordinates are the number of the symbol.
func (r *StreamSet) Fill(i int, b *Batch) {
	from := r.cuts[i]
	b.Continue = !r.anew[from]
	for at := from; at < r.cuts[i+1]; at++ {
		if class := r.target[at]; class >= 0 {
			b.Pick = append(b.Pick, int32(at-from))
			b.Target = append(b.Target, class)
		}
		b.Active = append(b.Active, 1)
		b.Token = append(b.Token, r.token[at])
		b.Coord = append(b.Coord, 0, int32(at), 0)
	}
}
