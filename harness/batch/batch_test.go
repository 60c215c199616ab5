package batch

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/rng"
	"pushdown/harness/train"
)

// ask fills in a batch whose tokens are there already. It adds a prediction of the next
// token at every step whose index is a multiple of the parameter every. It also adds the
// coordinates by which a network draws its random numbers; see [Packed.Coord].
func ask[T Token](p *Packed[T], b *train.Batch, every int) {
	PredictNext(p, b)
	b.Coord = p.Coord(b.Coord)
	if every == 1 {
		return
	}
	next := b.Target
	b.ExampleRows, b.Target = b.ExampleRows[:0], nil
	for t, n := range p.Active {
		for i := range n {
			if row := p.Row(t, i); t%every == 0 {
				b.ExampleRows, b.Target = append(b.ExampleRows, int32(row)), append(b.Target, next[row])
			}
		}
	}
}

// slow is a simple reference for packing. It packs prefixes one token at a time, sorted
// by descending length with a stable sort.
func slow[T Token](text [][]T, drawn []Prefix, every, update int) (b train.Batch) {
	drawn = slices.Clone(drawn)
	slices.SortStableFunc(drawn, func(x, y Prefix) int { return int(y.Len - x.Len) })
	for t := range drawn[0].Len {
		active := 0
		for _, s := range drawn {
			if t >= s.Len {
				continue
			}
			x := text[s.String][t:]
			if int(t)%every == 0 {
				b.ExampleRows, b.Target = append(b.ExampleRows, int32(len(b.Token))), append(b.Target, int32(x[1]))
			}
			b.Token, b.Coord = append(b.Token, int32(x[0])), append(b.Coord, s.String, t, int32(update))
			active++
		}
		b.Active = append(b.Active, active)
	}
	return b
}

// made returns random strings and a dataset with one prefix of each string. The tokens are
// numbers below the parameter symbols. The parameter lengths determines the lengths of the
// prefixes, one byte for each. Each string has one to three more tokens than its prefix.
func made[T Token](lengths []byte, symbols uint32, every int, seed uint64) (text [][]T, d Dataset[T]) {
	seq := rng.New(seed, "text").Seq(0, 0)
	for i, n := range lengths {
		s := Prefix{String: int32(i), Len: int32(n%40) + 1}
		x := make([]T, s.Len+1+int32(n%3))
		for t := range x {
			x[t] = T(seq.IntN(symbols))
		}
		text, d.List = append(text, x), append(d.List, s)
	}
	d.Text = func(i int) []T { return text[i] }
	d.Fill = func(p *Packed[T], b *train.Batch) { ask(p, b, every) }
	if every > 1 {
		d.Examples = func(s Prefix) int { return (int(s.Len) + every - 1) / every }
	}
	return text, d
}

// same compares batch i of s, which is a Source or a set, with the batch that the function
// slow makes. It also checks that the batch is within the bounds that Bounds returns.
func same[T Token](t *testing.T, s interface {
	Fill(int, *train.Batch)
	Bounds() train.Bounds
}, i int, b *train.Batch, text [][]T, drawn []Prefix, every, update int) {
	t.Helper()
	b.Reset()
	s.Fill(i, b)
	if want := slow(text, drawn, every, update); !reflect.DeepEqual(want, *b) {
		t.Fatalf("batch %d of %T (-want +have):\n%s", i, s, cmp.Diff(want, *b))
	}
	if m := s.Bounds(); len(drawn) > m.Strings || len(b.Token) > m.Rows || len(b.Active) > m.Steps || len(b.ExampleRows) > m.Examples {
		t.Fatalf("batch %d of %T has %d strings, %d rows, %d steps, %d examples, want at most %+v", i, s, len(drawn), len(b.Token), len(b.Active), len(b.ExampleRows), m)
	}
}

// shuffled returns the list in the random order that a Source uses in the pass with the given
// number.
func shuffled(list []Prefix, seed uint64, pass int) []Prefix {
	perm, to := make([]int32, len(list)), make([]Prefix, len(list))
	rng.New(seed, "order").Perm(perm, uint32(pass))
	for i, j := range perm {
		to[i] = list[j]
	}
	return to
}

// compareAll compares all batches of sets and of both kinds of source with the batches that
// the function slow makes. It does so for several epochs and begins with the last one.
func compareAll[T Token](t *testing.T, lengths []byte, symbols uint32, every, size, limit int, seed uint64) {
	t.Helper()
	text, d := made[T](lengths, symbols, every, seed)
	var b train.Batch

	set, most := d.Set(size), train.Bounds{}
	for i := 2*set.Len() - 1; i >= 0; i-- {
		at := i % set.Len() * size
		drawn := d.List[at:min(at+size, len(d.List))]
		same(t, set, i, &b, text, drawn, every, i/set.Len())
		most.Strings, most.Rows = max(most.Strings, b.Active[0]), max(most.Rows, len(b.Token))
		most.Steps, most.Examples = max(most.Steps, len(b.Active)), max(most.Examples, len(b.ExampleRows))
		if p := set.Batch(i % set.Len()); p.Rows != len(b.Token) || len(p.List) != len(drawn) || !slices.Equal(p.Active, b.Active) {
			t.Fatalf("batch %d has %d strings in %d rows, %v, want %d in %d, %v", i, len(p.List), p.Rows, p.Active, len(drawn), len(b.Token), b.Active)
		}
	}
	if set.Bounds() != most {
		t.Fatalf("bounds %+v of a set, want %+v", set.Bounds(), most)
	}

	source, err := d.Shuffled(size, seed)
	if fits := size <= len(d.List); fits != (err == nil) {
		t.Fatalf("batches of %d of %d: error %v", size, len(d.List), err)
	} else if fits {
		for u := 3*source.PerEpoch() - 1; u >= 0; u-- {
			list := shuffled(d.List, seed, u/source.PerEpoch())
			same(t, source, u, &b, text, list[u%source.PerEpoch()*size:][:size], every, u)
		}
		source.Limit(limit)
		set.Limit(limit)
		if want := (limit + size - 1) / size; set.Len() != want {
			t.Fatalf("%d batches of %d of %d strings, want %d", set.Len(), size, limit, want)
		}
		there := d.List[:max(limit, size)]
		each := len(there) / size // batches in a pass
		for u := 2*source.PerEpoch() - 1; u >= 0; u-- {
			epoch, at := u/source.PerEpoch(), u%source.PerEpoch()
			same(t, source, u, &b, text, shuffled(there, seed, 1024*epoch+at/each)[at%each*size:][:size], every, u)
		}
		source.Limit(len(d.List)) // in the middle of a pass
		same(t, source, 0, &b, text, shuffled(d.List, seed, 0)[:size], every, 0)
	}

	total, largest := 0, 0
	for _, s := range d.List {
		total, largest = total+d.examples(s), max(largest, d.examples(s))
	}
	counted, err := d.ByExamples(size, seed)
	if fits := largest <= size && size <= total; fits != (err == nil) {
		t.Fatalf("batches of %d of %d examples, at most %d in a string: error %v", size, total, largest, err)
	} else if fits {
		per := counted.PerEpoch()
		if per != total/size {
			t.Fatalf("%d batches of %d examples by %d", per, total, size)
		}
		for epoch := 2; epoch >= 0; epoch-- {
			drawn, before := make([][]Prefix, per), 0
			for _, s := range shuffled(d.List, seed, epoch) {
				drawn[before*per/total] = append(drawn[before*per/total], s)
				before += d.examples(s)
			}
			for i := range drawn {
				same(t, counted, epoch*per+i, &b, text, drawn[i], every, epoch*per+i)
			}
		}
	}
}

// FuzzBatches calls compareAll. The seed corpus has edge cases, such as one string,
// strings of equal length, batches of one string or of all strings, and one symbol.
// Random cases follow.
func FuzzBatches(f *testing.F) {
	for _, lengths := range [][]byte{{0}, {7}, {39}, {0, 0}, {5, 5, 5, 5, 5}, {8, 7, 6, 16, 15}, {0, 39, 1, 38, 2, 40, 80}, slices.Repeat([]byte{24}, 17)} {
		for _, size := range []uint8{1, 2, uint8(len(lengths)), uint8(len(lengths) + 1), 20} {
			f.Add(lengths, uint8(0), size, uint8(1), uint64(1))
			f.Add(lengths, uint8(255), size, uint8(len(lengths)), uint64(2))
		}
	}
	for i := range uint32(50) {
		seq := rng.New(1, "case").Seq(i, 0)
		lengths := make([]byte, 1+seq.IntN(60))
		for j := range lengths {
			lengths[j] = byte(seq.IntN(256))
		}
		f.Add(lengths, uint8(seq.IntN(256)), uint8(seq.IntN(30)), uint8(seq.IntN(256)), uint64(i))
	}
	f.Fuzz(func(t *testing.T, lengths []byte, symbols, size, limit uint8, seed uint64) {
		if len(lengths) == 0 || len(lengths) > 100 || size == 0 {
			t.Skip("no strings or batches, or so many strings that nothing new can happen")
		}
		n := 1 + int(limit)%len(lengths)
		for _, every := range []int{1, 2} {
			compareAll[uint8](t, lengths, uint32(symbols)+1, every, int(size), n, seed)
			compareAll[int32](t, lengths, (uint32(symbols)+1)<<20, every, int(size), n, seed)
		}
	})
}

// TestStringsStayApart checks that no token after the end of a string is read, even if
// the slice has more capacity.
func TestStringsStayApart(t *testing.T) {
	pool := []uint8("onetwo")
	d := Dataset[uint8]{Text: func(i int) []uint8 { return pool[3*i:][:3] }, Fill: PredictNext[uint8]}
	for _, c := range []struct {
		len int32
		ok  bool
	}{{2, true}, {3, false}, {4, false}} {
		d.List = []Prefix{{Len: c.len}}
		func() {
			defer func() {
				if e := recover(); (e == nil) != c.ok {
					t.Errorf("predicting what follows %d of 3 tokens: panic %v", c.len, e)
				}
			}()
			var b train.Batch
			d.Set(1).Fill(0, &b)
		}()
	}
}

func TestNothingIsAllocated(t *testing.T) {
	_, d := made[int32]([]byte{3, 30, 12, 39, 4, 4, 20, 1, 17}, 1<<20, 1, 1)
	source, err := d.Shuffled(2, 1)
	if err != nil {
		t.Fatal(err)
	}
	counted, err := d.ByExamples(40, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []train.Source{d.Set(4), source, counted} {
		var b train.Batch
		u := 0
		fill := func() {
			b.Reset()
			s.Fill(u%50, &b)
			u++
		}
		for range 50 {
			fill()
		}
		if n := testing.AllocsPerRun(50, fill); n != 0 {
			t.Errorf("%T: %v allocations in a batch, want none", s, n)
		}
	}
}

// TestLimitOfManyPasses checks that an epoch has no more passes than have numbers of their own.
func TestLimitOfManyPasses(t *testing.T) {
	_, d := made[uint8](make([]byte, mostPasses+5), 2, 1, 1)
	s, err := d.Shuffled(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	s.Limit(2)
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	s.Limit(1)
}

func TestLimitByExamples(t *testing.T) {
	_, d := made[uint8]([]byte{3, 5}, 2, 1, 1)
	s, err := d.ByExamples(10, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	s.Limit(1)
}

func TestRefuse(t *testing.T) {
	_, d := made[uint8]([]byte{3, 5}, 2, 1, 1)
	whole := func(size int) error { _, err := d.Shuffled(size, 1); return err }
	counted := func(size int) error { _, err := d.ByExamples(size, 1); return err }
	none := func(size int) error {
		d := d
		d.Examples = func(s Prefix) int { return int(s.Len) - 4 }
		_, err := d.ByExamples(size, 1)
		return err
	}
	for _, c := range []struct {
		make func(int) error
		size int
		want string // "": no error
	}{
		{whole, 2, ""},
		{whole, 0, "batches of 0 of 2 strings, want at least one string and one batch"},
		{whole, 3, "batches of 3 of 2 strings"},
		{counted, 10, ""},
		{counted, 0, "batches of 0 of 10 examples, want at least one example and one batch"},
		{counted, 11, "batches of 11 of 10 examples"},
		{counted, 5, "batches of 5 examples of strings that have 4 to 6, want at least 1 and at most a batch"},
		{none, 2, "batches of 2 examples of strings that have 0 to 2"},
	} {
		err := c.make(c.size)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("batches of %d: error %v, want %q", c.size, err, c.want)
		}
	}
}
