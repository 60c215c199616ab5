package recognition

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// traceText is what the kept traces of two seeds look like.
const traceText = `row paper=diffstk/table=1/row=diffstk-mrnn/task=batch8
seeds 1 3
epoch 1 0 66.6667
epoch 2 0.2 99.9914
length 100 50 50 1
length 200 50 49 0
step ( 1:0:0:0.9987 0.3333:0.3333:0.3333:0
step ) 0:1:0:-1 0:1:0:-0.9
step . 0.1:0.2:0.7:-1 0:1:0:1
`

// sampleTraces are the same.
func sampleTraces() *Traces {
	return &Traces{Row: "paper=diffstk/table=1/row=diffstk-mrnn/task=batch8", Runs: []Trace{
		{1, []float64{0, 0.2}, []Share{{100, 50, 50}, {200, 50, 49}}, []Step{{"(", 1, 0, 0, 0.9987}, {")", 0, 1, 0, -1}, {".", 0.1, 0.2, 0.7, -1}}},
		{3, []float64{66.6667, 99.9914}, []Share{{100, 50, 1}, {200, 50, 0}}, []Step{{"(", 0.3333, 0.3333, 0.3333, 0}, {")", 0, 1, 0, -0.9}, {".", 0, 1, 0, 1}}},
	}}
}

// TestTraces are read as they are written.
func TestTraces(t *testing.T) {
	have, err := ParseTraces("x.txt", []byte(traceText))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sampleTraces(), have); diff != "" {
		t.Errorf("read (-want +have):\n%s", diff)
	}
	text, err := sampleTraces().Format()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(traceText, string(text)); diff != "" {
		t.Errorf("written (-want +have):\n%s", diff)
	}
	for _, c := range []struct{ first, second, want int }{{50, 1, 1}, {0, 0, 1}, {48, 49, 3}, {49, 49, 1}} {
		have.Runs[0].Lengths[0].Correct, have.Runs[1].Lengths[0].Correct = c.first, c.second
		if seed := have.learned().Seed; seed != c.want {
			t.Errorf("of %d and %d right answers that of seed %d is best, want %d", c.first, c.second, seed, c.want)
		}
	}
}

// badTraces are changes of the text, each with what the error says.
var badTraces = []struct{ old, new, want string }{
	{traceText, "", "have no run"},
	{"seeds 1 3", "seeds 3 1", "have seed 1 at place 2, need ascending ones from 1"},
	{"seeds 1 3", "seeds 0 3", "have seed 0 at place 1"},
	{"seeds 1 3", "seeds 1", "x.txt:3: epoch: have 3 words, need 1 and one for each of 1 seeds"},
	{"epoch 2", "epochs 2", `x.txt:4: have "epochs", need row, seeds, epoch, length or step`},
	{"epoch 2", "epoch 3", `line 4: have "epoch 3 0.2 99.9914\n", need "epoch 2 0.2 99.9914\n"`},
	{"99.9914", "99.99141", `line 4: have "epoch 2 0.2 99.99141\n", need "epoch 2 0.2 99.9914\n"`},
	{"99.9914", "100.1", `epoch: seed 3: have "100.1", need a number from 0 to 100`},
	{"99.9914", "NaN", `epoch: seed 3: have "NaN"`},
	{"length 200", "length 100", `x.txt:6: length: seed 1: have length "100", need ascending ones`},
	{"length 200 50", "length 200 0", `have "0" cases, need 1 or more`},
	{"length 100 50 50", "length 100 50 51", `length: seed 1: have "51" right answers, need 0 to 50`},
	{"length 100 50 50 1\nlength 200 50 49 0\n", "", "seed 1: have 2 epochs and 0 lengths, need one or more"},
	{"1:0:0:0.9987", "1:0:0", `step: seed 1: have 3 numbers in "1:0:0", need push, pop, no-op and top`},
	{"1:0:0:0.9987", "1:0:-1:0", `step: seed 1: have "-1", need a number from 0 to 1`},
	{"0:1:0:-0.9", "0:1:0:-1.1", `step: seed 3: have "-1.1", need a number from -1 to 1`},
	{"-1 0:1:0:1\n", "-1 0:1:0:1", `need "step . 0.1:0.2:0.7:-1 0:1:0:1\n"`},
}

// TestBadTraces are errors that name file and line.
func TestBadTraces(t *testing.T) {
	for _, c := range badTraces {
		text := strings.Replace(traceText, c.old, c.new, 1)
		if _, err := ParseTraces("x.txt", []byte(text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: error %v, want one that says %s", c.new, c.old, err, c.want)
		}
	}
}

// FuzzParseTraces: what is read is written as it was.
func FuzzParseTraces(f *testing.F) {
	f.Add([]byte(traceText))
	for _, c := range badTraces {
		f.Add([]byte(strings.Replace(traceText, c.old, c.new, 1)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := ParseTraces("x.txt", text)
		if err != nil {
			return
		}
		again, err := s.Format()
		if err != nil || !bytes.Equal(again, text) {
			t.Errorf("have %v and %q, want %q", err, again, text)
		}
	})
}

// TestMerge takes runs in by seed, and none that saw other strings.
func TestMerge(t *testing.T) {
	s := &Traces{Row: sampleTraces().Row}
	two := sampleTraces().Runs
	for _, run := range []Trace{two[1], two[0]} {
		if err := s.Merge(run); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(sampleTraces(), s); diff != "" {
		t.Errorf("two seeds, one after the other (-want +have):\n%s", diff)
	}
	other := two[1]
	other.Seed, other.Epochs = 1, []float64{5, 6}
	if err := s.Merge(other); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Trace{other, two[1]}, s.Runs); diff != "" {
		t.Errorf("seed 1 anew (-want +have):\n%s", diff)
	}
	for want, change := range map[string]func(*Trace){
		"other epochs than seed 1":           func(r *Trace) { r.Epochs = r.Epochs[:1] },
		"other lengths or cases than seed 1": func(r *Trace) { r.Lengths = r.Lengths[:1] },
		"other symbols than seed 1":          func(r *Trace) { r.Steps = nil },
	} {
		more := sampleTraces().Runs[1]
		more.Seed = 4
		change(&more)
		if err := s.Merge(more); err == nil || !strings.Contains(err.Error(), want) || len(s.Runs) != 2 {
			t.Errorf("error %v with %d runs, want one that says %q and the 2 from before", err, len(s.Runs), want)
		}
	}
}
