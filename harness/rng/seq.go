package rng

// Seq reads a stream in order. It is for samplers that need an unknown number of
// draws for each string. Draw d is word d%4 of the block at {Unit: d/4, Row:
// string, T: attempt}. Each (string, attempt) has its own 2^34 draws. So any string
// can be drawn without the strings before it, and a new attempt does not depend on
// the number of draws of the failed one. A Seq is not safe for concurrent use.
type Seq struct {
	stream Stream
	next   At // coordinate of the next block
	buf    [4]uint32
	draws  uint32 // number of words returned, modulo 2^32
}

// Seq returns the sequence of the string with the given index and of the given
// attempt. The sequence starts at its first draw.
func (s Stream) Seq(index, attempt uint32) Seq {
	return Seq{stream: s, next: At{Row: index, T: attempt}}
}

// Uint32 returns the next 32 random bits.
func (q *Seq) Uint32() uint32 {
	if q.draws%4 == 0 {
		q.refill()
	}
	q.draws++
	return q.buf[q.draws%4]
}

// refill computes the next block of four words and stores it in buf. Uint32 increments draws
// before it uses it as an index of buf, so the first word of the block goes to buf[1] and
// the last one to buf[0]. This order, and the directive that keeps refill from being
// inlined, make Uint32 simple enough for the compiler to inline.
//
//go:noinline
func (q *Seq) refill() {
	at, s := q.next, q.stream
	q.buf[1], q.buf[2], q.buf[3], q.buf[0] = philox(at.Unit, at.Row, at.T, at.Update, s.k0, s.k1)
	q.next.Unit++
}

// IntN returns an integer in [0, n), with exactly equal probabilities. If it rejects a
// word it uses the next word of the sequence. It panics if n is 0.
func (q *Seq) IntN(n uint32) uint32 {
	if n == 0 {
		panic("rng: IntN below 0, want n of at least 1")
	}
	for {
		if v, ok := below(q.Uint32(), n); ok {
			return v
		}
	}
}

// Float64 returns a multiple of 2^-53 in [0, 1) from the next two words; the first one
// is the high half.
func (q *Seq) Float64() float64 {
	high := q.Uint32()
	return unit64(high, q.Uint32())
}
