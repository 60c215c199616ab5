package lm

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pushdown/harness/suite"
	"pushdown/harness/train"
)

// TestDataset checks which sentences a row reads, and how a cut changes the training
// sentences and nothing else.
func TestDataset(t *testing.T) {
	text, err := Characters("shakespeare")
	if err != nil {
		t.Fatal(err)
	}
	e := Resurgence(suite.RowID{Paper: "resurgence", Table: "3", Row: "test"}, "lstm", 1, 4, 4)
	e.Corpus, e.Characters, e.Limit = "shakespeare", true, 50
	whole, cut := dataset(e, text.Train, 0), dataset(e, text.Train, 25)
	if len(whole.List) != 50 || len(cut.List) != 50 {
		t.Fatalf("have %d and %d sentences, want 50", len(whole.List), len(cut.List))
	}
	for i := range whole.List {
		sentence := len(text.Train.Body(i))
		if have, want := int(whole.List[i].Len), sentence+1; have != want {
			t.Errorf("sentence %d: have %d predictions, want %d characters and the end of the line", i, have, want)
		}
		want := sentence + 1
		if sentence > 25 {
			want = 25 // without the end of the line
		}
		if have := int(cut.List[i].Len); have != want {
			t.Errorf("sentence %d of %d characters, cut after 25: have %d predictions, want %d", i, sentence, have, want)
		}
		if !slices.Equal(cut.Text(i), whole.Text(i)) {
			t.Errorf("sentence %d: the cut changes the characters", i)
		}
	}
}

// TestWithoutEnds checks that a row without ends of sentences predicts the second to the last token of each
// sentence or of its beginning, and leaves out a sentence of at most one token.
func TestWithoutEnds(t *testing.T) {
	word, err := Words("shakespeare")
	if err != nil {
		t.Fatal(err)
	}
	rows := WithoutEnds([]Sentences{Resurgence(suite.RowID{Paper: "resurgence", Table: "3", Row: "test"}, "lstm", 1, 4, 4)})
	e, left := rows[0], 0
	for _, cut := range []int{0, 3} {
		d := dataset(e, word.Valid, cut)
		for i := range word.Valid.Len() {
			want := word.Valid.Body(i)
			if cut > 0 {
				want = want[:min(cut, len(want))]
			}
			if len(want) < 2 {
				left++
				continue
			}
			if len(d.List) == 0 || int(d.List[0].String) != i || int(d.List[0].Len) != len(want)-1 {
				t.Fatalf("sentence %d, cut after %d: have prefixes %v, want one with %d tokens of this sentence", i, cut, d.List[:min(1, len(d.List))], len(want)-1)
			}
			if have := d.Text(i)[:len(want)]; !slices.Equal(have, want) {
				t.Fatalf("sentence %d, cut after %d: have %v, want %v", i, cut, have, want)
			}
			d.List = d.List[1:]
		}
		if len(d.List) != 0 {
			t.Errorf("cut after %d: have %d sentences more than there are", cut, len(d.List))
		}
	}
	if left == 0 {
		t.Error("have no sentence of at most one token, want some")
	}
	e.Limit = 30
	if have := len(dataset(e, word.Valid, 0).List); have > 30 {
		t.Errorf("have %d sentences, want at most 30", have)
	}
}

// TestByStep checks the mean of a batch of three sentences with 3, 2 and 1 predictions, and of
// one with a single prediction.
func TestByStep(t *testing.T) {
	var s byStep
	for _, o := range []train.BatchOutput{
		{Batch: &train.Batch{Active: []int{3, 2, 1}}, Loss: []float32{1, 2, 3, 4, 5, 6}},
		{Batch: &train.Batch{Active: []int{1}}, Loss: []float32{7}},
	} {
		if err := s.add(&o); err != nil {
			t.Fatal(err)
		}
	}
	if have, want := s.mean(), ((2+4.5+6)/3.0+7)/2; math.Abs(have-want) > 1e-12 {
		t.Errorf("have the mean %v, want %v", have, want)
	}
}

// TestErrors checks errors of rows that cannot be built.
func TestErrors(t *testing.T) {
	row := Resurgence(suite.RowID{Paper: "resurgence", Table: "2", Row: "test"}, "lstm", 1, 4, 4)
	row.Corpus = "shakespeare"
	for _, test := range []struct {
		change func(*Sentences)
		want   string
	}{
		{func(e *Sentences) { e.Corpus = "brown" }, `have the corpus "brown", want one of ptb, shakespeare, wikitext-2`},
		{func(e *Sentences) { e.Network = "elman" }, `have the network "elman", want one of lstm, mlstm, mlstm-factored, mmlstm, mmrnn, mrnn, mrnn-factored, rnn`},
		{func(e *Sentences) { e.Batch = 0 }, "batch"},
		{func(e *Sentences) { e.Layers = 0 }, "0 layers"},
		{func(e *Sentences) { e.Cut = -1 }, "have a cut after -1 tokens"},
		{func(e *Sentences) { e.Steps = -1 }, "an update every -1 steps"},
		{func(e *Sentences) { e.Steps, e.Batch = 10, 1<<20 }, "1048576 columns"},
		{func(e *Sentences) { e.Steps, e.Limit = 10, 5 }, "a limit of 5 tokens"},
		{func(e *Sentences) { e.Steps, e.Cut = 10, 25 }, "want neither in a stream"},
		{func(e *Sentences) { e.Steps, e.NoEnds = 10, true }, "want neither in a stream"},
		{func(e *Sentences) { e.Epochs = 0 }, "have at most 0 epochs, want 1 to 1048576"},
		{func(e *Sentences) { e.Steps, e.Epochs = 10, math.MaxInt }, fmt.Sprintf("have at most %d epochs, want 1 to 1048576", math.MaxInt)},
	} {
		e := row
		test.change(&e)
		if _, err := e.Build(1); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("have error %v, want one that says %q", err, test.want)
		}
	}
}
