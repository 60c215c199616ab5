package recognition

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/corpora/formal"
	"pushdown/harness/rng"
	"pushdown/harness/train"
)

// small draws some strings of a language.
func small(t *testing.T, language string, n, least, most int) (formal.Language, *formal.Labelled) {
	t.Helper()
	lang, err := formal.LanguageOf(language)
	if err != nil {
		t.Fatal(err)
	}
	parts, err := formal.Recognition{Language: lang, Parts: []formal.Part{{Name: formal.Train, Strings: n, Least: least, Most: most}}, LeastDifficult: 0.3, MostDifficult: 0.3}.Draw(7)
	if err != nil {
		t.Fatal(err)
	}
	return lang, parts[0]
}

// slow packs strings one symbol at a time, longest first, ties by their place in
// the list.
func slow(c *formal.Labelled, list []int32, update int) (b train.Batch) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(x, y int32) int { return len(c.String(int(y))) - len(c.String(int(x))) })
	for t := range c.String(int(list[0])) {
		active := 0
		for _, i := range list {
			s := c.String(int(i))
			if t >= len(s) {
				continue
			}
			active++
			label, weight, next := float32(0), float32(0), int32(0)
			if c.Kind(int(i)) == formal.Positive {
				label = 1
			}
			if t+1 < len(s) {
				next, weight = int32(s[t+1]), label
			}
			b.Pick = append(b.Pick, int32(len(b.Token)))
			b.Token, b.Target = append(b.Token, int32(s[t])), append(b.Target, next)
			b.Weight, b.Label = append(b.Weight, weight), append(b.Label, label)
			b.Coord = append(b.Coord, i, int32(t), int32(update))
		}
		b.Active = append(b.Active, active)
	}
	return b
}

// TestStrings holds every batch, in order and shuffled, against the slow packing
// of what it should hold.
func TestStrings(t *testing.T) {
	for _, c := range []struct {
		language      string
		strings, size int
		least, most   int
	}{{"D2", 40, 8, 2, 12}, {"D6", 9, 9, 4, 10}, {"palindrome", 13, 1, 1, 9}, {"palindrome", 2, 2, 1, 1}, {"D3", 7, 100, 2, 8}} {
		lang, corpus := small(t, c.language, c.strings, c.least, c.most)
		s := NewStrings(lang, corpus, c.size)
		var most train.Bounds
		var b train.Batch
		at := int32(0)
		for i := range s.Len() {
			var list []int32
			for ; len(list) < c.size && int(at) < c.strings; at++ {
				list = append(list, at)
			}
			b.Reset()
			s.Fill(i, &b)
			if diff := cmp.Diff(slow(corpus, list, 0), b); diff != "" {
				t.Fatalf("%+v: batch %d (-want +have):\n%s", c, i, diff)
			}
			most.Strings, most.Rows = max(most.Strings, b.Active[0]), max(most.Rows, len(b.Token))
			most.Steps, most.Examples = max(most.Steps, len(b.Active)), max(most.Examples, len(b.Pick))
		}
		if int(at) != c.strings || s.Bounds() != most {
			t.Errorf("%+v: %d strings, bounds %+v, want %+v", c, at, s.Bounds(), most)
		}
		shuffled, err := NewShuffled(lang, corpus, c.size, 5)
		if c.size > c.strings {
			if err == nil {
				t.Errorf("%+v: no error of batches that are larger than the corpus", c)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		perm := make([]int32, c.strings)
		for epoch := range 3 {
			rng.New(5, "order").Perm(perm, uint32(epoch))
			for u := range shuffled.PerEpoch() {
				b.Reset()
				update := epoch*shuffled.PerEpoch() + u
				shuffled.Fill(update, &b)
				if diff := cmp.Diff(slow(corpus, perm[u*c.size:(u+1)*c.size], update), b); diff != "" {
					t.Fatalf("%+v: update %d of epoch %d (-want +have):\n%s", c, u, epoch, diff)
				}
				if m := shuffled.Bounds(); len(b.Token) > m.Rows || len(b.Active) > m.Steps || b.Active[0] > m.Strings || len(b.Pick) > m.Examples {
					t.Fatalf("%+v: a batch exceeds the bounds %+v", c, m)
				}
			}
		}
	}
}

// TestFillingAllocatesNothing once memory is there.
func TestFillingAllocatesNothing(t *testing.T) {
	lang, corpus := small(t, "D2", 64, 2, 20)
	s, err := NewShuffled(lang, corpus, 8, 5)
	if err != nil {
		t.Fatal(err)
	}
	var b train.Batch
	update := 0
	fill := func() {
		b.Reset()
		s.Fill(update, &b)
		update++
	}
	for range 3 * s.PerEpoch() {
		fill()
	}
	if n := testing.AllocsPerRun(3*s.PerEpoch(), fill); n != 0 {
		t.Errorf("%v allocations in a batch, want none", n)
	}
}
