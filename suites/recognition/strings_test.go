package recognition

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/corpora/formal"
	"pushdown/harness/rng"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
)

// small draws some strings of a language.
func small(t *testing.T, language string, n, least, most int) (formal.Language, *formal.Labelled) {
	t.Helper()
	lang := suitetest.Must(formal.LanguageOf(language))(t)
	parts := suitetest.Must(formal.Recognition{Language: lang, Parts: []formal.Part{{Name: formal.Train, Strings: n, Least: least, Most: most}}, LeastDifficult: 0.3, MostDifficult: 0.3}.Draw(7))(t)
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
			b.Weight, b.Label, b.Judged = append(b.Weight, weight), append(b.Label, label), append(b.Judged, 1)
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
	s := suitetest.Must(NewShuffled(lang, corpus, 8, 5))(t)
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

// TestLabels: what yhat is to be at each step, and where it counts.
func TestLabels(t *testing.T) {
	lang, corpus := small(t, "D2", 30, 2, 10)
	for _, label := range []Label{OfString, OfPrefix, AtEnd} {
		s := NewStrings(lang, corpus, 30)
		s.label = label
		var b train.Batch
		s.Fill(0, &b)
		p := s.Batch(0)
		for i, x := range p.List {
			text, judge := corpus.String(int(x.String)), lang.Judge()
			for at, symbol := range text {
				judge.Read(symbol)
				truth, judged := corpus.Valid(int(x.String)), true
				switch label {
				case OfPrefix:
					truth = judge.Viable()
				case AtEnd:
					judged = at == len(text)-1
				}
				row := p.Row(at, i)
				if (b.Label[row] == 1) != truth || (b.Judged[row] == 1) != judged {
					t.Fatalf("%q: string %s, symbol %d: label %v, judged %v, want %v and %v", label, formal.Text(lang, text), at, b.Label[row], b.Judged[row], truth, judged)
				}
			}
		}
	}
}

// TestBlocks: the strings that come in are the shortest, more of them every second
// epoch or as soon as those that are there are judged rightly, each as often as the
// others but for the last pass of an epoch.
func TestBlocks(t *testing.T) {
	const n, size, blocks = 60, 4, 5
	lang, corpus := small(t, "D2", n, 2, 20)
	lengths := make([]int, n)
	for i := range lengths {
		lengths[i] = len(corpus.String(i))
	}
	slices.Sort(lengths)
	for _, c := range []struct {
		right []float64 // per cent after each epoch
		in    []int     // blocks in each epoch
	}{
		{make([]float64, 12), []int{1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5, 5, 5}},
		{[]float64{95.1, 100, 95, 95, 96, 10, 0}, []int{1, 2, 3, 3, 4, 5, 5, 5}},
		{[]float64{0, 99, 99, 99, 0, 0, 99}, []int{1, 1, 2, 3, 4, 4, 5, 5}},
	} {
		s := suitetest.Must(NewShuffled(lang, corpus, size, 5))(t)
		s.grow(blocks)
		var b train.Batch
		var checks []train.Check
		for epoch, in := range c.in {
			s.tell(checks)
			there := n * in / blocks
			count := map[int32]int{}
			for u := range s.PerEpoch() {
				b.Reset()
				s.Fill(epoch*s.PerEpoch()+u, &b)
				for row := range b.Active[0] { // strings of the first step
					j := b.Coord[3*row]
					count[j]++
					if l := len(corpus.String(int(j))); l > lengths[there-1] {
						t.Fatalf("epoch %d: a string of %d, want at most %d, the longest of %d", epoch, l, lengths[there-1], there)
					}
				}
			}
			if len(count) != there {
				t.Errorf("epoch %d: %d strings, want %d", epoch, len(count), there)
			}
			least, most := n, 0
			for _, k := range count { // the least and the most do not depend on the order
				least, most = min(least, k), max(most, k)
			}
			if most-least > 1 {
				t.Errorf("epoch %d: strings come %d to %d times, want as often but for one pass", epoch, least, most)
			}
			looked := 0
			for i := range s.present.Len() {
				for _, x := range s.present.Batch(i).List {
					if looked++; count[x.String] == 0 {
						t.Errorf("epoch %d: string %d is looked at, and not there", epoch, x.String)
					}
				}
			}
			if looked != there {
				t.Errorf("epoch %d: %d strings are looked at, want %d", epoch, looked, there)
			}
			// A batch is a function of the update and the validations alone.
			fresh := suitetest.Must(NewShuffled(lang, corpus, size, 5))(t)
			fresh.grow(blocks)
			fresh.tell(checks)
			var again train.Batch
			fresh.Fill((epoch+1)*s.PerEpoch()-1, &again)
			if diff := cmp.Diff(b, again); diff != "" {
				t.Errorf("last update of epoch %d (-after others +first):\n%s", epoch, diff)
			}
			if epoch < len(c.right) {
				checks = append(checks, train.Check{Figures: []float64{3, c.right[epoch]}})
			}
		}
	}
}

// TestGrowth: a run that strings come into by length goes on, when its state is taken
// up, with as many as were there.
func TestGrowth(t *testing.T) {
	e := Table8()[9] // DiffStk-MRNN, incremental
	e.Data.Train, e.Dev, e.Test, e.Long, e.Epochs, e.Rule.LR = 120, 40, 40, 16, 12, 0.02
	dev := suite.Open(t)
	whole := suitetest.Must(train.Run(suitetest.Must(e.Build(1))(t), train.Options{Device: dev}))(t)
	opts := train.Options{Device: dev, State: filepath.Join(t.TempDir(), "state"), Resume: true}
	for part := 0; ; part++ {
		at := 0
		opts.Stop = func() bool { at++; return at == 500 }
		res, err := train.Run(suitetest.Must(e.Build(1))(t), opts)
		if errors.Is(err, train.ErrStopped) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if part < 2 {
			t.Errorf("the run went on %d times, want at least 2", part)
		}
		if diff := cmp.Diff(whole.Trajectory, res.Trajectory); diff != "" {
			t.Errorf("gone on with (-whole +in parts):\n%s", diff)
		}
		break
	}
	if last := whole.Checks[len(whole.Checks)-1]; len(last.Figures) != 2*len(readings)+1 {
		t.Errorf("%d figures of a validation, want one more than of two sets", len(last.Figures))
	}
}
