package recognition

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/corpora/formal"
	"pushdown/harness/stepgraph"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
)

// small returns the language with a given name and n strings of a corpus for it.
func small(t *testing.T, language string, n, least, most int) (formal.Language, *formal.Labelled) {
	t.Helper()
	lang := suitetest.Must(formal.LanguageOf(language))(t)
	parts := suitetest.Must(formal.Recognition{Language: lang, Parts: []formal.Part{{Name: formal.Train, Strings: n, MinLength: least, MaxLength: most}}, LeastDifficult: 0.3, MostDifficult: 0.3}.Draw(7))(t)
	return lang, parts[0]
}

// TestTargets checks the two targets at every symbol. The target of the next-symbol
// prediction counts only in strings of the language. The target of yhat, the estimate
// of whether the string is in the language, depends on the Label of the experiment; so
// does the weight of that target.
func TestTargets(t *testing.T) {
	for _, c := range []struct {
		language      string
		strings, size int
		least, most   int
		label         Label
		next          Next
	}{
		{"D2", 40, 8, 2, 12, OfString, InLanguage}, {"D6", 9, 3, 4, 10, OfPrefix, InLanguage}, {"palindrome", 13, 1, 1, 9, AtEnd, InLanguage},
		{"palindrome", 2, 2, 1, 1, OfString, InLanguage}, {"D2", 30, 15, 2, 10, OfPrefix, Everywhere}, {"D3", 8, 4, 2, 8, AtEnd, InLanguage},
		{"D2", 40, 8, 2, 12, OfString, Everywhere},
	} {
		lang, corpus := small(t, c.language, c.strings, c.least, c.most)
		token := func(x uint8) string { return formal.Text(lang, []uint8{x}) }
		var want []string
		for i := range corpus.Len() {
			text, judge := corpus.String(i), lang.NewOracle()
			for at, symbol := range text {
				judge.Read(symbol)
				last, valid := at == len(text)-1, corpus.Kind(i) == formal.Positive
				next, asked, label, judged := int32(0), (valid || c.next == Everywhere) && !last, valid, true
				if !last {
					next = int32(text[at+1])
				}
				switch c.label {
				case OfPrefix:
					label = judge.Viable()
				case AtEnd:
					judged = last
				}
				read := strings.Join(strings.Split(formal.Text(lang, text[:at+1]), ""), " ")
				want = append(want, fmt.Sprintf("%s: %d counts %v, yhat %v counts %v", read, next, number(asked), number(label), number(judged)))
			}
		}
		slices.Sort(want)
		check := func(name string, batches int, s interface{ Fill(int, *train.Batch) }) {
			var have []string
			for i := range batches {
				var b train.Batch
				s.Fill(i, &b)
				for j, read := range suitetest.ExampleContexts(&b, token) {
					have = append(have, fmt.Sprintf("%s: %d counts %v, yhat %v counts %v", read, b.Target[j], b.Weight[j], b.Label[j], b.LabelWeight[j]))
				}
			}
			slices.Sort(have)
			suitetest.Equal(t, want, have, "%+v: %s", c, name)
		}
		set := NewStrings(lang, corpus, 7)
		set.label, set.next = c.label, c.next
		check("in order", set.Len(), set)
		if c.strings%c.size != 0 {
			continue // an epoch would leave strings out
		}
		shuffled := suitetest.Must(NewShuffled(lang, corpus, c.size, 5))(t)
		shuffled.strings.label, shuffled.strings.next = c.label, c.next
		check("shuffled", shuffled.PerEpoch(), shuffled)
	}
}

// TestSource checks that the source meets the requirements of package train.
func TestSource(t *testing.T) {
	lang, corpus := small(t, "D2", 64, 2, 20)
	suitetest.Source(t, func(seed uint64) (train.Source, error) { return NewShuffled(lang, corpus, 8, seed) })
}

// TestBlocks checks that the strings in use are the shortest ones, and that a block of
// strings is added after every second epoch, or after one epoch if more than 95 per
// cent of the strings in use were classified correctly. In an epoch, the numbers of
// times that two strings are used must differ by at most one.
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
		var checks []train.Validation
		for epoch, in := range c.in {
			s.setLimit(checks)
			there := n * in / blocks
			count := map[int32]int{}
			for u := range s.PerEpoch() {
				b.Reset()
				s.Fill(epoch*s.PerEpoch()+u, &b)
				for row := range b.Active[0] { // all strings have a first step
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
			for _, k := range count { // min and max do not depend on the order
				least, most = min(least, k), max(most, k)
			}
			if most-least > 1 {
				t.Errorf("epoch %d: strings come %d to %d times, want as often but for one pass", epoch, least, most)
			}
			looked := 0
			for i := range s.inUse.Len() {
				for _, x := range s.inUse.Batch(i).List {
					if looked++; count[x.String] == 0 {
						t.Errorf("epoch %d: string %d is looked at, and not there", epoch, x.String)
					}
				}
			}
			if looked != there {
				t.Errorf("epoch %d: %d strings are looked at, want %d", epoch, looked, there)
			}
			// A batch depends only on the number of the update and on the validations. So a
			// new source must return the same batch.
			fresh := suitetest.Must(NewShuffled(lang, corpus, size, 5))(t)
			fresh.grow(blocks)
			fresh.setLimit(checks)
			var again train.Batch
			fresh.Fill((epoch+1)*s.PerEpoch()-1, &again)
			if diff := cmp.Diff(b, again); diff != "" {
				t.Errorf("last update of epoch %d (-after others +first):\n%s", epoch, diff)
			}
			if epoch < len(c.right) {
				checks = append(checks, train.Validation{Figures: []float64{3, c.right[epoch]}})
			}
		}
	}
}

// TestGrowth checks that a run that adds strings by length can be resumed: it continues
// with the same strings in use.
func TestGrowth(t *testing.T) {
	e := Table8()[4] // DiffStk-MRNN
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

// TestStacksHoldTheLongestString checks that the stack of a network in evaluation has more cells than the longest string of any
// part has symbols, so that no string is judged with a stack that is full.
func TestStacksHoldTheLongestString(t *testing.T) {
	for _, n := range []Network{StackRNN, DiffStkMRNN} {
		e := printed("4", "palindrome", n)
		_, parts := suitetest.Must2(e.strings())(t)
		most := 0
		for _, p := range parts {
			for i := range p.Len() {
				most = max(most, len(p.Body(i)))
			}
		}
		g := suitetest.Must(suitetest.Must(e.Build(1))(t).Build(stepgraph.Config{}))(t)
		found := false
		for _, s := range g.States {
			if s.Stacks > 0 {
				found = true
				if s.Width <= most || most < 121 {
					t.Errorf("%s: have a stack of %d cells and strings of up to %d symbols, want more cells, and strings of at least 121", n, s.Width, most)
				}
			}
		}
		if !found {
			t.Errorf("%s: have no stack among the states, want one", n)
		}
	}
}
