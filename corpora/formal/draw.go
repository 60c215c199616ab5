package formal

import (
	"fmt"

	"pushdown/harness/rng"
)

// mostAttempts is the number of attempts at a string before Draw gives up.
// The published corpora need some hundreds at most. A string of D2 of exactly 2,000
// symbols needs about 100,000 attempts, which take seconds. Longer strings need more.
const mostAttempts = 1 << 22

// Draw draws the parts of the corpus for a seed, in order. No two strings of the corpus
// are equal, so each string depends on the strings drawn before it.
func (r Recognition) Draw(seed uint64) ([]*Labelled, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	d := &drawing{Recognition: r, seed: seed, seen: map[string]bool{}, judge: r.Language.NewOracle()}
	u := d.stream("", "share").Float64(rng.At{})
	d.share = r.LeastDifficult + float64(u*(r.MostDifficult-r.LeastDifficult))
	var parts []*Labelled
	for _, p := range r.Parts {
		c, err := d.part(p)
		if err != nil {
			return nil, fmt.Errorf("recognition corpus of %v, seed %d, part %q: %w", r.Language, seed, p.Name, err)
		}
		parts = append(parts, c)
	}
	return parts, nil
}

// drawing is the state of Draw.
type drawing struct {
	Recognition
	seed  uint64
	share float64         // of difficult strings
	seen  map[string]bool // every string so far; only looked up, so its order does not matter
	judge Oracle
	buf   []uint8
}

// stream returns the random stream of a part for one purpose.
func (d *drawing) stream(part Split, purpose string) rng.Stream {
	return rng.New(d.seed, fmt.Sprintf("corpora/formal/%v/%s/%s", d.Language, part, purpose))
}

// part draws a part of the corpus. It draws all strings of the language first, and then
// a string outside of the language for each of them.
func (d *drawing) part(p Part) (*Labelled, error) {
	in, out := p.positives(), p.Strings-p.positives()
	c := &Labelled{Part: p, offsets: make([]int, 1, p.Strings+1)}
	texts := make([][]uint8, in)
	stream := d.stream(p.Name, "positive")
	for i := range texts {
		draw := func(q *rng.Seq) bool {
			c.attempts++
			var whole bool
			d.buf, whole = d.Language.draw(d.buf[:0], q, p.MinLength, p.MaxLength)
			return whole
		}
		if err := d.drawNew(stream, i, draw); err != nil {
			return nil, fmt.Errorf("string %d in the language: %w", i, err)
		}
		texts[i] = append([]uint8(nil), d.buf...)
	}
	difficult := make([]bool, out)
	order := make([]int32, out)
	d.stream(p.Name, "which").Perm(order, 0)
	for _, i := range order[:int(float64(d.share*float64(out))+0.5)] {
		difficult[i] = true
	}
	end := End(d.Language)
	streams := map[bool]rng.Stream{false: d.stream(p.Name, "ordinary"), true: d.stream(p.Name, "difficult")}
	for i, text := range texts {
		c.add(text, end, Positive)
		if i == out {
			break
		}
		kind, draw := Ordinary, func(q *rng.Seq) bool { return d.random(q, len(text)) }
		if difficult[i] {
			kind, draw = Difficult, func(q *rng.Seq) bool { return d.exchange(q, text) }
		}
		if err := d.drawNew(streams[difficult[i]], i, draw); err != nil {
			return nil, fmt.Errorf("string %d outside of the language, of %d symbols: %w", i, len(text), err)
		}
		c.add(d.buf, end, kind)
	}
	return c, nil
}

// drawNew calls the function draw, which leaves a string in d.buf, until draw returns true
// and the corpus does not have the string yet. The parameter i is the index of the string in
// its part, which selects the random numbers.
func (d *drawing) drawNew(stream rng.Stream, i int, draw func(q *rng.Seq) bool) error {
	for attempt := range uint32(mostAttempts) {
		q := stream.Seq(uint32(i), attempt)
		if draw(&q) && !d.seen[string(d.buf)] {
			d.seen[string(d.buf)] = true
			return nil
		}
	}
	return fmt.Errorf("have no new string after %d attempts, want one", mostAttempts)
}

// random sets d.buf to uniformly random symbols and reports whether this string is outside
// of the language.
func (d *drawing) random(q *rng.Seq, length int) bool {
	n := uint32(len(d.Language.Alphabet()))
	d.buf = d.buf[:0]
	for range length {
		d.buf = append(d.buf, uint8(q.IntN(n)))
	}
	return !accepts(d.judge, d.buf)
}

// exchange sets d.buf to a copy of a string in which one or three symbols, with equal
// probability, are replaced by others. In a string of fewer than three symbols it always
// replaces one. It reports whether the result is outside of the language.
func (d *drawing) exchange(q *rng.Seq, text []uint8) bool {
	n := uint32(len(d.Language.Alphabet()))
	d.buf = append(d.buf[:0], text...)
	changes := 1
	if q.IntN(2) == 1 && len(text) >= 3 {
		changes = 3
	}
	for changes > 0 {
		at := q.IntN(uint32(len(text)))
		if d.buf[at] != text[at] {
			continue
		}
		d.buf[at] = uint8((uint32(text[at]) + 1 + q.IntN(n-1)) % n)
		changes--
	}
	return !accepts(d.judge, d.buf)
}
