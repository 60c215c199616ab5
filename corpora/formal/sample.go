package formal

import (
	"fmt"
	"math"

	"pushdown/harness/rng"
)

// Stream returns the random stream for a corpus seed and a split.
func (d BoundedDyck) Stream(seed uint64, split Split) rng.Stream {
	return rng.New(seed, "corpora/formal/boundeddyck/"+string(split))
}

// Sample draws n strings of a split. The papers' corpora have 10,000, 4,000 and
// 10,000 strings for training, development and test.
func (d BoundedDyck) Sample(seed uint64, split Split, n int) (*Corpus, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	if split == "" {
		return nil, fmt.Errorf("sampling %v: split has no name, want %s, %s or %s", d, Train, Dev, Test)
	}
	if n < 1 || int64(n) > math.MaxUint32 {
		return nil, fmt.Errorf("sampling %v, split %s: %d strings, want 1 to %d", d, split, n, uint32(math.MaxUint32))
	}
	stream := d.Stream(seed, split)
	c := &Corpus{tokens: make([]uint8, 0, n*(d.Min+2)), offsets: make([]int, 1, n+1)}
	for i := range n {
		var attempts int
		c.tokens, attempts = d.appendString(c.tokens, stream, uint32(i))
		c.offsets = append(c.offsets, len(c.tokens))
		c.attempts += attempts
	}
	return c, nil
}

// AppendString draws only the string with the given index and appends it to dst, from
// START to END. It panics if the language is not valid.
func (d BoundedDyck) AppendString(dst []uint8, stream rng.Stream, index uint32) []uint8 {
	if err := d.Validate(); err != nil {
		panic("formal: " + err.Error())
	}
	dst, _ = d.appendString(dst, stream, index)
	return dst
}

func (d BoundedDyck) appendString(dst []uint8, stream rng.Stream, index uint32) ([]uint8, int) {
	for attempt := uint32(0); ; attempt++ {
		q := stream.Seq(index, attempt)
		if out, kept := d.attempt(dst, &q); kept {
			return out, int(attempt) + 1
		}
	}
}

// attempt draws one string. For each token it draws one integer in [0, 2k). A number below k is
// the type of an opening bracket. Any other number means the closing bracket or, if no bracket is
// open, END. If m brackets are open, attempt draws no number, because only the closing bracket is
// possible. It returns false as soon as the string cannot end within the maximum length, because
// the sampler discards longer strings.
func (d BoundedDyck) attempt(dst []uint8, q *rng.Seq) (out []uint8, kept bool) {
	var stack [mostDepth]uint8 // closing brackets due
	var (
		k     = uint32(d.K)
		most  = d.Max - 1 // brackets
		n     = 0         // brackets so far
		depth = 0
	)
	dst = append(dst, d.Start())
	for {
		choice := k
		if depth < d.M {
			choice = q.IntN(2 * k)
		}
		switch {
		case choice < k:
			if n+depth+2 > most {
				return nil, false
			}
			dst = append(dst, uint8(choice))
			stack[depth] = uint8(k + choice)
			depth++
			n++
		case depth > 0:
			depth--
			dst = append(dst, stack[depth])
			n++
		case n >= d.Min:
			return append(dst, d.End()), true
		}
	}
}
