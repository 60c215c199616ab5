package dyck

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
)

// readStrings finds the strings of a batch, from its tokens, and its examples
// as places in them.
func readStrings(b *train.Batch) (text [][]uint8, asked map[[2]int]int32) {
	text, asked = make([][]uint8, b.Active[0]), map[[2]int]int32{}
	place, row := map[int32][2]int{}, int32(0)
	for _, n := range b.Active {
		for i := range n {
			place[row] = [2]int{i, len(text[i])}
			text[i] = append(text[i], uint8(b.Token[row]))
			row++
		}
	}
	for i, row := range b.Pick {
		asked[place[row]] = b.Target[i]
	}
	return text, asked
}

// TestShuffled: in each epoch every string is in one batch, in the order of the
// shuffled list, with all its closing brackets for examples; batches hold about
// as many of these as they should.
func TestShuffled(t *testing.T) {
	for _, c := range []struct{ k, m, strings, size int }{{2, 4, 60, 40}, {1, 1, 9, 12}, {3, 5, 40, 100}, {2, 3, 12, 12}} {
		t.Run(fmt.Sprintf("k=%d/m=%d/size=%d", c.k, c.m, c.size), func(t *testing.T) {
			lang, corpus := small(t, c.k, c.m, c.strings)
			s := suitetest.Must(NewShuffled(lang, corpus, c.size, 5))(t)
			all, bounds := len(pairs(t, lang, corpus)), s.Bounds()
			if s.PerEpoch() != all/c.size {
				t.Fatalf("%d batches of %d closing brackets by %d", s.PerEpoch(), all, c.size)
			}
			var want, first []string
			longest := 0 // closing brackets of a string
			for i := range corpus.Len() {
				want = append(want, string(corpus.Body(i)))
				longest = max(longest, len(corpus.Body(i))/2)
			}
			slices.Sort(want)
			for epoch := range 3 {
				var have []string
				for u := range s.PerEpoch() {
					var b train.Batch
					s.Fill(epoch*s.PerEpoch()+u, &b)
					text, asked := readStrings(&b)
					examples := 0
					for i, x := range text {
						have = append(have, string(x))
						for at, token := range x[1:] {
							kind, ok := asked[[2]int{i, at}]
							if closes := int(token) >= lang.K; closes != ok || ok && int(token) != lang.K+int(kind) {
								t.Fatalf("epoch %d, batch %d, string %d: position %d has %s and is asked for: %v, as type %d", epoch, u, i, at+1, lang.Token(token), ok, kind)
							} else if ok {
								examples++
							}
						}
					}
					if examples != len(b.Pick) || !slices.IsSortedFunc(text, func(x, y []uint8) int { return len(y) - len(x) }) {
						t.Errorf("epoch %d, batch %d: %d examples, want %d; the longest string is first: %v", epoch, u, len(b.Pick), examples, len(text[0]))
					}
					if len(text) > bounds.Strings || len(b.Token) > bounds.Rows || len(b.Active) > bounds.Steps || examples > bounds.Examples {
						t.Errorf("epoch %d, batch %d has %d strings, %d rows, %d steps, %d examples, bounds are %+v", epoch, u, len(text), len(b.Token), len(b.Active), examples, bounds)
					}
					if far := examples - all/s.PerEpoch(); far < -longest || far > longest+1 {
						t.Errorf("epoch %d, batch %d has %d examples, want %d to within a string", epoch, u, examples, all/s.PerEpoch())
					}
				}
				if epoch == 0 {
					first = slices.Clone(have)
				} else if cmp.Equal(first, have) && c.k > 1 {
					t.Errorf("epoch %d has the order of the first", epoch)
				}
				slices.Sort(have)
				if diff := cmp.Diff(want, have); diff != "" {
					t.Errorf("strings of epoch %d (-want +have):\n%s", epoch, diff)
				}
			}
		})
	}
}

// TestShuffledIsAFunctionOfTheUpdate: whatever was asked for before.
func TestShuffledIsAFunctionOfTheUpdate(t *testing.T) {
	lang, corpus := small(t, 2, 4, 60)
	sources := map[string]func() train.Source{
		"closing brackets": func() train.Source {
			s := suitetest.Must(NewShuffled(lang, corpus, 40, 5))(t)
			return s
		},
		"sentences": func() train.Source {
			s := suitetest.Must(NewShuffledSentences(corpus, 7, 5))(t)
			return s
		},
	}
	for name, fresh := range sources {
		s := fresh()
		for _, u := range []int{0, 1, 30, 3, 0, 100, 2, 30} {
			var have, want train.Batch
			s.Fill(u, &have)
			fresh().Fill(u, &want)
			if diff := cmp.Diff(want, have); diff != "" {
				t.Errorf("%s: update %d depends on those before it (-want +have):\n%s", name, u, diff)
			}
		}
	}
}

// TestShuffledAllocatesNothing once the memory is there.
func TestShuffledAllocatesNothing(t *testing.T) {
	lang, corpus := small(t, 2, 4, 60)
	closing := suitetest.Must(NewShuffled(lang, corpus, 40, 5))(t)
	sentences := suitetest.Must(NewShuffledSentences(corpus, 7, 5))(t)
	for _, s := range []train.Source{closing, sentences} {
		var b train.Batch
		for u := range 5 * s.PerEpoch() { // batches of every size
			b.Reset()
			s.Fill(u, &b)
		}
		u := 0
		if n := testing.AllocsPerRun(5*s.PerEpoch()-1, func() {
			b.Reset()
			s.Fill(u, &b)
			u++
		}); n != 0 {
			t.Errorf("%T: %v allocations in a batch, want 0", s, n)
		}
	}
}

func TestShuffledRefuses(t *testing.T) {
	lang, corpus := small(t, 2, 4, 3)
	n := len(pairs(t, lang, corpus))
	for _, c := range []struct {
		size int
		want string
	}{
		{n, ""},
		{n + 1, fmt.Sprintf("dyck: closing brackets: batches of %d of %d examples, want at least one example and one batch", n+1, n)},
		{1, "want at least 1 and at most a batch"},
	} {
		_, err := NewShuffled(lang, corpus, c.size, 1)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("batches of %d: error %v, want %q", c.size, err, c.want)
		}
	}
	if _, err := NewShuffledSentences(corpus, 4, 1); err == nil || err.Error() != "dyck: sentences: batches of 4 of 3 strings, want at least one string and one batch" {
		t.Errorf("error %v, want one that names 3 strings of 4", err)
	}
}
