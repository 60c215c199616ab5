package formal

import (
	"fmt"

	"pushdown/harness/rng"
)

// PatternString is one string of a stream.
type PatternString struct {
	Tokens []uint8 // valid until the next string is drawn
	N      int     // its length n
	From   int     // Tokens[:From] determine Tokens[From:]
}

// Determined returns the number of symbols of the string s that a network can predict with
// certainty, because the symbols before them determine them. These are the symbols of s
// from index s.From on and, in a counting language, also the first symbol of the next
// string.
func (p Pattern) Determined(s PatternString) int {
	n := len(s.Tokens) - s.From
	if p.Counts() {
		n++
	}
	return n
}

// PatternStream is the endless sequence of strings of one epoch. A string is a function
// of the pattern, the seed of the corpus, the split, the epoch, the index of the string
// and the range of lengths. So a stream can start at any string. A PatternStream is not
// safe for concurrent use.
type PatternStream struct {
	pattern Pattern
	lengths Range
	epoch   uint32
	next    uint32
	stream  rng.Stream
	tokens  []uint8
}

// Stream returns the strings of an epoch of a split, starting at the first.
func (p Pattern) Stream(seed uint64, split Split, epoch uint32, lengths Range) (*PatternStream, error) {
	if err := p.Check(lengths); err != nil {
		return nil, fmt.Errorf("stream of epoch %d: %w", epoch, err)
	}
	if split == "" {
		return nil, fmt.Errorf("stream of epoch %d: pattern %s: split has no name, want %s, %s or %s", epoch, p, Train, Dev, Test)
	}
	name := "corpora/formal/pattern/" + string(p) + "/" + string(split)
	return &PatternStream{pattern: p, lengths: lengths, epoch: epoch, stream: rng.New(seed, name)}, nil
}

// Index returns the index of the next string, from 0.
func (s *PatternStream) Index() uint32 { return s.next }

// Seek sets the index of the next string.
func (s *PatternStream) Seek(index uint32) { s.next = index }

// Next draws the next string. It draws the length n of the pattern first, then the random
// symbols of the string.
func (s *PatternStream) Next() PatternString {
	q := s.stream.Seq(s.next, s.epoch)
	s.next++
	n := s.lengths.Min + int(q.IntN(uint32(s.lengths.Max-s.lengths.Min)+1))
	var from int
	switch t := s.tokens[:0]; s.pattern {
	case Memorization:
		s.tokens, from = memorize(t, &q, n), n+1
	case Addition:
		s.tokens, from = add(t, &q, n)
	case AnB2n:
		s.tokens, from = repeat(repeat(t, 0, n), 1, 2*n), n+1
	case AnBmCnm:
		m := 1 + int(q.IntN(uint32(n-1)))
		s.tokens, from = repeat(repeat(repeat(t, 0, n-m), 1, m), 2, n), n+1
	default:
		for symbol := range s.pattern.Vocabulary() {
			t = repeat(t, uint8(symbol), n)
		}
		s.tokens, from = t, n+1
	}
	return PatternString{Tokens: s.tokens, N: n, From: from}
}

// repeat appends n copies of t.
func repeat(dst []uint8, t uint8, n int) []uint8 {
	for range n {
		dst = append(dst, t)
	}
	return dst
}

// memorize appends n random symbols, the separator, and the symbols in reverse order.
func memorize(dst []uint8, q *rng.Seq, n int) []uint8 {
	for range n {
		dst = append(dst, uint8(q.IntN(2)))
	}
	dst = append(dst, 2)
	for i := range n {
		dst = append(dst, dst[len(dst)-2-2*i])
	}
	return dst
}

// Tokens of an addition. The tokens of digits are their values.
const plus, equals, stop = 2, 3, 4

// add appends an addition whose two numbers together have n digits. It also returns the
// index at which the sum begins.
func add(dst []uint8, q *rng.Seq, n int) ([]uint8, int) {
	first := int(q.IntN(uint32(n) + 1))
	number := func(digits int) (lo, hi int) {
		lo = len(dst)
		if digits == 0 {
			dst = append(dst, 0)
		}
		for i := range digits {
			if i == 0 {
				dst = append(dst, 1)
			} else {
				dst = append(dst, uint8(q.IntN(2)))
			}
		}
		return lo, len(dst)
	}
	xLo, x := number(first)
	dst = append(dst, plus)
	yLo, y := number(n - first)
	dst = append(dst, equals)
	from, carry := len(dst), uint8(0)
	for x > xLo || y > yLo || carry > 0 {
		digit := carry
		if x > xLo {
			x--
			digit += dst[x]
		}
		if y > yLo {
			y--
			digit += dst[y]
		}
		dst = append(dst, digit&1)
		carry = digit >> 1
	}
	return append(dst, stop), from
}
