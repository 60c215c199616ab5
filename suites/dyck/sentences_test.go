package dyck

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/rng"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
)

// slowSentences packs strings one token at a time, longest first, ties by their
// place in the list.
func slowSentences(corpus interface {
	Input(int) []uint8
	Target(int) []uint8
}, list []int32) (b train.Batch) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(x, y int32) int { return len(corpus.Input(int(y))) - len(corpus.Input(int(x))) })
	for t := range corpus.Input(int(list[0])) {
		active := 0
		for _, i := range list {
			if t < len(corpus.Input(int(i))) {
				b.Pick = append(b.Pick, int32(len(b.Token)))
				b.Token = append(b.Token, int32(corpus.Input(int(i))[t]))
				b.Target = append(b.Target, int32(corpus.Target(int(i))[t]))
				active++
			}
		}
		b.Active = append(b.Active, active)
	}
	return b
}

// TestSentences holds every batch, in order and shuffled, against the slow
// packing of what it should hold.
func TestSentences(t *testing.T) {
	for _, c := range []struct{ k, m, strings, size int }{{2, 4, 50, 8}, {1, 1, 9, 9}, {3, 5, 13, 1}, {2, 3, 7, 100}} {
		lang, corpus := small(t, c.k, c.m, c.strings)
		s := NewSentences(lang, corpus, c.size)
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
			if diff := cmp.Diff(slowSentences(corpus, list), b); diff != "" {
				t.Fatalf("%+v: batch %d (-want +have):\n%s", c, i, diff)
			}
			most.Strings, most.Rows = max(most.Strings, b.Active[0]), max(most.Rows, len(b.Token))
			most.Steps, most.Examples = max(most.Steps, len(b.Active)), max(most.Examples, len(b.Pick))
		}
		if int(at) != c.strings || s.Bounds() != most {
			t.Errorf("%+v: %d strings, bounds %+v, want %+v", c, at, s.Bounds(), most)
		}
		if c.size > c.strings {
			continue
		}
		shuffled := suitetest.Must(NewShuffledSentences(corpus, c.size, 5))(t)
		perm := make([]int32, c.strings)
		for epoch := range 3 {
			rng.New(5, "order").Perm(perm, uint32(epoch))
			for u := range shuffled.PerEpoch() {
				b.Reset()
				shuffled.Fill(epoch*shuffled.PerEpoch()+u, &b)
				if diff := cmp.Diff(slowSentences(corpus, perm[u*c.size:(u+1)*c.size]), b); diff != "" {
					t.Fatalf("%+v: update %d of epoch %d (-want +have):\n%s", c, u, epoch, diff)
				}
				if bounds := shuffled.Bounds(); len(b.Token) > bounds.Rows || len(b.Active) > bounds.Steps || b.Active[0] > bounds.Strings || len(b.Pick) > bounds.Examples {
					t.Fatalf("%+v: a batch exceeds the bounds %+v", c, bounds)
				}
			}
		}
	}
}

// asked describes a question by the string, the position in it that the model
// predicts, the distance and the type.
type asked struct{ text, predicts, distance, kind int }

// TestQuestions: a language model is asked at the row before each closing
// bracket, by the rule of the public code wherever a bracket is open, for the
// type of the bracket that is to be closed.
func TestQuestions(t *testing.T) {
	lang, corpus := small(t, 3, 4, 30)
	s := NewSentences(lang, corpus, 7)
	var paper, code []asked
	for i := range s.Len() {
		var b train.Batch
		s.Fill(i, &b)
		place, row := map[int][2]int{}, 0 // string and position of each row
		for step, n := range b.Active {
			for j := range n {
				place[row] = [2]int{int(s.Batch(i).List[j].String), step}
				row++
			}
		}
		for _, x := range []struct {
			find func(int, []question) ([]question, error)
			to   *[]asked
		}{{s.closings, &paper}, {s.pending, &code}} {
			list := suitetest.Must(x.find(i, nil))(t)
			for _, q := range list {
				*x.to = append(*x.to, asked{place[q.row][0], place[q.row][1], q.distance, q.kind})
				if x.to == &paper && int(b.Target[q.row]) != lang.K+q.kind {
					t.Errorf("asked for type %d where %s stands", q.kind, lang.Token(uint8(b.Target[q.row])))
				}
			}
		}
	}
	var wantPaper, wantCode []asked
	for i := range corpus.Len() {
		var open []int // positions
		for at, token := range corpus.Body(i) {
			if n := len(open) - 1; n >= 0 {
				from := open[n]
				q := asked{i, at, at - from, int(corpus.Body(i)[from])}
				if int(token) >= lang.K {
					wantPaper = append(wantPaper, q)
				}
				q.distance-- // counted from the last token read
				wantCode = append(wantCode, q)
			}
			if int(token) < lang.K {
				open = append(open, at)
			} else {
				open = open[:len(open)-1]
			}
		}
	}
	for _, x := range []struct {
		name       string
		want, have []asked
	}{{"paper", wantPaper, paper}, {"public code", wantCode, code}} {
		slices.SortFunc(x.have, func(a, b asked) int {
			if a.text != b.text {
				return a.text - b.text
			}
			return a.predicts - b.predicts
		})
		if diff := cmp.Diff(x.want, x.have, cmp.AllowUnexported(asked{})); diff != "" {
			t.Errorf("questions of the %s (-want +have):\n%s", x.name, diff)
		}
		if len(x.want) < 100 {
			t.Errorf("%d questions of the %s, want more", len(x.want), x.name)
		}
	}
}

// TestLanguageModelParams counts what each row of table 1 trains, and what the
// paper counts of it.
func TestLanguageModelParams(t *testing.T) {
	var have []string
	for _, e := range Table1(depths...) {
		model := suitetest.Must(e.model(false))(t)
		have = append(have, fmt.Sprintf("%s %d %d", e.Row.Row, e.core(), trains(t, model)))
	}
	want := []string{
		"m4-baseline 2064 2322", "m4-attention2 4128 4446", "m4-assignment2 4128 4386",
		"m6-baseline 3528 3822", "m6-attention2 7056 7410", "m6-assignment2 7056 7350",
		"m8-baseline 5280 5610", "m8-attention2 10560 10950", "m8-assignment2 10560 10890",
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("(-want +have):\n%s", diff)
	}
}
