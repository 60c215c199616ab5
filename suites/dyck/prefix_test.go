package dyck

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/corpora/formal"
	"pushdown/harness/rng"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
)

// small is a language of short strings for tests, with a corpus.
func small(t testing.TB, k, m, strings int) (formal.BoundedDyck, *formal.Corpus) {
	t.Helper()
	lang := formal.NewBoundedDyck(k, m)
	lang.Min, lang.Max = 4, 25
	corpus := suitetest.Must(lang.Sample(99, formal.Train, strings))(t)
	return lang, corpus
}

// pair is a closing bracket: which string, which position, how far it reaches.
type pair struct{ text, at, distance int }

// pairs lists the closing brackets of a corpus as the language finds them.
func pairs(t testing.TB, lang formal.BoundedDyck, corpus *formal.Corpus) []pair {
	t.Helper()
	var list []pair
	for i := range corpus.Len() {
		closings := suitetest.Must(lang.Closings(nil, corpus.Body(i)))(t)
		for _, c := range closings {
			list = append(list, pair{i, int(c.At), c.Distance()})
		}
	}
	return list
}

// slowBatch packs the prefixes before the given brackets one token at a time.
func slowBatch(lang formal.BoundedDyck, corpus *formal.Corpus, list []pair) train.Batch {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b pair) int { return b.at - a.at })
	b := train.Batch{Pick: make([]int32, len(list)), Target: make([]int32, len(list))}
	for t := range list[0].at {
		active := 0
		for i, p := range list {
			if t >= p.at {
				continue
			}
			if t == p.at-1 {
				b.Pick[i] = int32(len(b.Token))
				b.Target[i] = int32(corpus.Body(p.text)[p.at]) - int32(lang.K)
			}
			b.Token = append(b.Token, int32(corpus.Body(p.text)[t]))
			active++
		}
		b.Active = append(b.Active, active)
	}
	return b
}

// TestPrefixes holds every update of some epochs against the slow packing of
// what the shuffled list says: longest prefix first, ties by place in the list.
// In an epoch no pair comes twice, and fewer than a batch are left out.
func TestPrefixes(t *testing.T) {
	for _, c := range []struct{ k, m, strings, size int }{{2, 4, 60, 64}, {1, 1, 9, 7}, {3, 5, 40, 1}, {2, 3, 30, 60}} {
		t.Run(fmt.Sprintf("k=%d/m=%d/size=%d", c.k, c.m, c.size), func(t *testing.T) {
			lang, corpus := small(t, c.k, c.m, c.strings)
			all := pairs(t, lang, corpus)
			p := suitetest.Must(NewPrefixes(lang, corpus, c.size, 5))(t)
			if want := len(all) / c.size; p.PerEpoch() != want || want < 1 {
				t.Fatalf("%d updates in an epoch of %d pairs by %d, want %d, at least 1", p.PerEpoch(), len(all), c.size, want)
			}
			bounds, perm := p.Bounds(), make([]int32, len(all))
			var b train.Batch
			for epoch := range 3 {
				rng.New(5, "order").Perm(perm, uint32(epoch))
				drawn := map[pair]bool{}
				for u := range p.PerEpoch() {
					var list []pair
					for _, i := range perm[u*c.size : (u+1)*c.size] {
						list = append(list, all[i])
						drawn[all[i]] = true
					}
					b.Reset()
					p.Fill(epoch*p.PerEpoch()+u, &b)
					if diff := cmp.Diff(slowBatch(lang, corpus, list), b); diff != "" {
						t.Fatalf("update %d of epoch %d (-want +have):\n%s", u, epoch, diff)
					}
					if b.Active[0] > bounds.Strings || len(b.Active) > bounds.Steps || len(b.Token) > bounds.Rows || len(b.Pick) > bounds.Examples {
						t.Fatalf("update %d of epoch %d has %d strings, %d steps, %d rows, bounds are %+v", u, epoch, b.Active[0], len(b.Active), len(b.Token), bounds)
					}
				}
				if left := len(all) - len(drawn); len(drawn) != p.PerEpoch()*c.size || left >= c.size {
					t.Errorf("epoch %d draws %d pairs and leaves %d, want %d and fewer than %d", epoch, len(drawn), left, p.PerEpoch()*c.size, c.size)
				}
			}
		})
	}
}

// TestPrefixesAreAFunctionOfTheUpdate: whatever was asked for before.
func TestPrefixesAreAFunctionOfTheUpdate(t *testing.T) {
	lang, corpus := small(t, 2, 4, 60)
	fresh := func() train.Source {
		p := suitetest.Must(NewPrefixes(lang, corpus, 50, 5))(t)
		return p
	}
	p := fresh()
	for _, u := range []int{0, 1, 30, 3, 0, 100, 2, 30} {
		var have, want train.Batch
		p.Fill(u, &have)
		fresh().Fill(u, &want)
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("update %d depends on those before it (-want +have):\n%s", u, diff)
		}
	}
	var x, y train.Batch
	other := suitetest.Must(NewPrefixes(lang, corpus, 50, 6))(t)
	p.Fill(0, &x)
	other.Fill(0, &y)
	if cmp.Equal(x, y) {
		t.Error("the seeds 5 and 6 have one order")
	}
}

func TestPrefixesAllocateNothing(t *testing.T) {
	lang, corpus := small(t, 2, 4, 60)
	p := suitetest.Must(NewPrefixes(lang, corpus, 50, 5))(t)
	bounds := p.Bounds()
	b := train.Batch{
		Active: make([]int, 0, bounds.Steps), Token: make([]int32, 0, bounds.Rows),
		Pick: make([]int32, 0, bounds.Examples), Target: make([]int32, 0, bounds.Examples),
	}
	update := 0
	if n := testing.AllocsPerRun(5*p.PerEpoch(), func() {
		b.Reset()
		p.Fill(update, &b)
		update++
	}); n != 0 {
		t.Errorf("%v allocations in a batch, want 0", n)
	}
}

func TestPrefixesRefuse(t *testing.T) {
	lang, corpus := small(t, 2, 4, 3)
	n := len(pairs(t, lang, corpus))
	if _, err := NewPrefixes(lang, corpus, n, 1); err != nil {
		t.Errorf("a batch of all %d pairs is refused: %v", n, err)
	}
	want := fmt.Sprintf("dyck: prefixes: batches of %d of %d strings, want at least one string and one batch", n+1, n)
	if _, err := NewPrefixes(lang, corpus, n+1, 1); err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
}
