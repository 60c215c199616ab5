package rng

// Seq reads a stream in order, for samplers that need an unknown number of draws
// per string: draw d is word d%4 of the block at {Unit: d/4, Row: string,
// T: attempt}. Each (string, attempt) has its own 2^34 draws, so any string can
// be drawn without the ones before it, and starting a string over does not
// depend on how many draws the failed attempt took. A Seq is not safe for
// concurrent use.
type Seq struct {
	stream Stream
	next   At // block to be read when buf is used up
	buf    [4]uint32
	draws  uint32 // words handed out, modulo 2^32
}

// Seq returns the sequence of a string and an attempt, at its first draw.
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

// refill reads the next block. Word l goes to buf[(l+1)%4], and refill stays a
// call, because only so does the compiler inline Uint32.
//
//go:noinline
func (q *Seq) refill() {
	at, s := q.next, q.stream
	q.buf[1], q.buf[2], q.buf[3], q.buf[0] = philox(at.Unit, at.Row, at.T, at.Update, s.k0, s.k1)
	q.next.Unit++
}

// IntN returns an integer in [0, n), each exactly as likely as any other. A
// refused word is followed by the next word of the sequence. It panics when n
// is 0.
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

// Float64 returns a multiple of 2^-53 in [0, 1) from the next two words, the
// first one above.
func (q *Seq) Float64() float64 {
	high := q.Uint32()
	return unit64(high, q.Uint32())
}
