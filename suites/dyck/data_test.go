package dyck

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pushdown/corpora/formal"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
	"pushdown/models"
)

// small returns a language of short strings and a corpus with some of its strings.
func small(t testing.TB, k, m, strings int) (formal.BoundedDyck, *formal.Corpus) {
	t.Helper()
	lang := formal.NewBoundedDyck(k, m)
	lang.Min, lang.Max = 4, 25
	return lang, suitetest.Must(lang.Sample(99, formal.Train, strings))(t)
}

// wantExamples lists the examples of a corpus, each as the symbols read and the target. It
// returns a list for each kind of data. In the first list, the target is the type of the
// closing bracket that follows; in the second, it is this type and the distance from the
// opening bracket; in the third, it is the next symbol.
func wantExamples(lang formal.BoundedDyck, corpus *formal.Corpus) (prefixes, distances, sentences []string) {
	for i := range corpus.Len() {
		body := corpus.Body(i)
		var open []int
		for at, x := range body {
			read := lang.Format(body[:at])
			sentences = append(sentences, strings.TrimSpace("START "+read)+": "+lang.Token(x))
			if int(x) < lang.K {
				open = append(open, at)
				continue
			}
			from := open[len(open)-1]
			open = open[:len(open)-1]
			prefixes = append(prefixes, fmt.Sprintf("%s: %d", read, body[from]))
			distances = append(distances, fmt.Sprintf("%s: %d from %d", read, body[from], at-from))
		}
		sentences = append(sentences, "START "+lang.Format(body)+": END")
	}
	return prefixes, distances, sentences
}

// TestExamples checks that every example occurs once in the batches of a set, and once in
// the batches of an epoch of a source.
func TestExamples(t *testing.T) {
	for _, c := range []struct{ k, m, strings, size int }{{2, 4, 60, 20}, {1, 1, 9, 9}, {3, 5, 40, 8}, {2, 3, 30, 1}} {
		lang, corpus := small(t, c.k, c.m, c.strings)
		prefixes, distances, sentences := wantExamples(lang, corpus)
		check := func(name string, want []string, batches int, s interface{ Fill(int, *train.Batch) }, example func(i, j int, b *train.Batch) string) {
			var have []string
			for i := range batches {
				var b train.Batch
				s.Fill(i, &b)
				for j, read := range suitetest.ExampleContexts(&b, lang.Token) {
					have = append(have, read+": "+example(i, j, &b))
				}
			}
			slices.Sort(have)
			suitetest.Equal(t, slices.Sorted(slices.Values(want)), have, "%+v: %s", c, name)
		}
		kind := func(_, j int, b *train.Batch) string { return fmt.Sprint(b.Target[j]) }
		next := func(_, j int, b *train.Batch) string { return lang.Token(uint8(b.Target[j])) }

		whole := NewStrings(lang, corpus, c.size)
		check("strings", distances, whole.Len(), whole, func(i, j int, b *train.Batch) string {
			list := suitetest.Must(whole.Distances(i, nil))(t)
			return fmt.Sprintf("%d from %d", b.Target[j], list[j])
		})
		shuffled := suitetest.Must(NewShuffled(lang, corpus, len(prefixes)/3, false, 5))(t)
		check("shuffled strings", prefixes, 3, shuffled, kind)
		size := 1 // divides the number of prefixes, so that no prefix is left out
		for _, n := range []int{2, 3, 5} {
			if len(prefixes)%n == 0 {
				size = n
			}
		}
		pairs := suitetest.Must(NewPrefixes(lang, corpus, size, 5))(t)
		check("prefixes", prefixes, pairs.PerEpoch(), pairs, kind)
		set := NewSentences(lang, corpus, c.size)
		check("sentences", sentences, set.Len(), set, next)
		source := suitetest.Must(NewShuffledSentences(corpus, c.size, false, 5))(t)
		check("shuffled sentences", sentences, source.PerEpoch(), source, next)
	}
}

// TestSources checks that the sources meet the requirements of package train, and that a
// batch larger than the data is an error.
func TestSources(t *testing.T) {
	lang, corpus := small(t, 2, 4, 60)
	prefixes, _, _ := wantExamples(lang, corpus)
	for _, c := range []struct {
		name string
		size int
		make func(size int, seed uint64) (train.Source, error)
		most int
	}{
		{"prefixes", 50, func(n int, seed uint64) (train.Source, error) { return NewPrefixes(lang, corpus, n, seed) }, len(prefixes)},
		{"closing brackets", 40, func(n int, seed uint64) (train.Source, error) { return NewShuffled(lang, corpus, n, true, seed) }, len(prefixes)},
		{"sentences", 7, func(n int, seed uint64) (train.Source, error) { return NewShuffledSentences(corpus, n, true, seed) }, corpus.Len()},
	} {
		t.Run(c.name, func(t *testing.T) {
			suitetest.Source(t, func(seed uint64) (train.Source, error) { return c.make(c.size, seed) })
			if s := suitetest.Must(c.make(c.most, 1))(t); s.PerEpoch() != 1 {
				t.Errorf("have %d batches of all %d, want 1", s.PerEpoch(), c.most)
			}
			want := fmt.Sprintf("dyck: %s: batches of %d of %d ", c.name, c.most+1, c.most)
			if _, err := c.make(c.most+1, 1); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("have error %v, want one that begins with %q", err, want)
			}
		})
	}
}

// prefixSet turns a source into a set, so that it can be evaluated: the set has the
// prefixes of one epoch of the source.
type prefixSet struct{ train.Source }

func (s prefixSet) Len() int { return s.PerEpoch() }

// TestPrefixesAndStringsAgree checks that the loss and the probabilities of a bracket have
// the same bits whether a model reads the prefix alone or the whole string. They must not
// depend on the other strings of the batch either.
func TestPrefixesAndStringsAgree(t *testing.T) {
	lang, corpus := small(t, 2, 3, 40)
	dev := suite.Open(t)
	for _, c := range cells {
		t.Run(c.name, func(t *testing.T) {
			model := suitetest.Must(c.model())(t)
			source := suitetest.Must(NewPrefixes(lang, corpus, 16, 3))(t)
			whole := NewStrings(lang, corpus, 7)
			res := suitetest.Must(train.Run(&train.Experiment{
				Name: c.name, Build: model.Build, Train: source, Valid: whole,
				Seed: 3, Rule: resurgence(3).Rule, MaxUpdates: 12,
			}, train.Options{Device: dev}))(t)
			// predictions returns the loss and the probabilities after each prefix.
			predictions := func(set train.Set) map[string][3]uint32 {
				found := map[string][3]uint32{}
				suitetest.Must(train.Evaluate(model.Build, dev, set, 3, res.Params, func(o *train.BatchOutput) error {
					prob, err := o.Output(models.OutputProb, 2)
					for i, read := range suitetest.ExampleContexts(o.Batch, lang.Token) {
						found[read] = [3]uint32{math.Float32bits(o.Loss[i]), math.Float32bits(prob[2*i]), math.Float32bits(prob[2*i+1])}
					}
					return err
				}))(t)
				return found
			}
			alone, together := predictions(prefixSet{source}), predictions(whole)
			for read, have := range alone { // in any order: each is reported
				if want, ok := together[read]; !ok || have != want {
					t.Errorf("%s: loss and probabilities %x from the prefix, %x from the string", read, have, want)
				}
			}
			if len(alone) < 100 {
				t.Errorf("have %d prefixes, want more", len(alone))
			}
		})
	}
}
