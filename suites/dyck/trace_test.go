package dyck

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/metric"
)

// traceText is what the kept traces of two seeds look like.
const traceText = `row paper=second-order-lstm/table=1/row=m4-attention2/task=lr1e-2
seeds 1 3
ldpa 1 200 200 199
ldpa 3 40 40 0
ldpa 121 1 0 1
wcpa 1 0 66.6667
wcpa 2 - 99.9914
angle 1 32.2754 31.4886 30.6209
angle 2 90 89.1 75
cell (a 1:1 2:0.5312
cell (b 1:1 1:1
cell a) 2:0.9999 2:1
cell b) 2:1 2:1
cell START 1:1 1:1
cell END 1:0.5 2:1
`

// sampleTraces are the same.
func sampleTraces() *Traces {
	counts := func(right ...int64) (list []metric.Count) {
		for i, cases := range []int64{200, 40, 1} {
			list = append(list, metric.Count{Distance: []int{1, 3, 121}[i], Share: metric.Share{Correct: right[i], Cases: cases}})
		}
		return list
	}
	random := []float64{32.2754, 90}
	return &Traces{Row: "paper=second-order-lstm/table=1/row=m4-attention2/task=lr1e-2", Runs: []Trace{{
		Seed: 1, LDPA: counts(200, 40, 0), WCPA: []float64{0}, Random: random, Angles: []float64{31.4886, 89.1},
		Cells: []Cell{{"(a", 1, 1}, {"(b", 1, 1}, {"a)", 2, 0.9999}, {"b)", 2, 1}, {"START", 1, 1}, {"END", 1, 0.5}},
	}, {
		Seed: 3, LDPA: counts(199, 0, 1), WCPA: []float64{66.6667, 99.9914}, Random: random, Angles: []float64{30.6209, 75},
		Cells: []Cell{{"(a", 2, 0.5312}, {"(b", 1, 1}, {"a)", 2, 1}, {"b)", 2, 1}, {"START", 1, 1}, {"END", 2, 1}},
	}}}
}

// TestTracesAreReadAsWritten in both directions.
func TestTracesAreReadAsWritten(t *testing.T) {
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
}

// badTraces are changes of the text, each with what the error says.
var badTraces = []struct{ old, new, want string }{
	{traceText, "", "have no run"},
	{"seeds 1 3", "seeds 3 1", "have seed 1 at place 2, need ascending ones from 1"},
	{"seeds 1 3", "seeds 0 3", "have seed 0 at place 1"},
	{"seeds 1 3", "seeds 1", "x.txt:3: ldpa: have 4 words, need 2 and one for each of 1 seeds"},
	{"wcpa 1", "wpca 1", `x.txt:6: have "wpca", need row, seeds, ldpa, wcpa, angle or cell`},
	{"ldpa 3", "ldpa 1", `x.txt:4: ldpa: seed 1: have distance "1", need ascending ones`},
	{"ldpa 3 40", "ldpa 3 0", `have "0" cases, need 1 or more`},
	{"40 40 0", "40 41 0", `ldpa: seed 1: have "41" right answers, need 0 to 40`},
	{"40 40 0", "40 40 -1", `ldpa: seed 3: have "-1" right answers`},
	{"wcpa 2", "wcpa 3", `line 7: have "wcpa 3 - 99.9914\n", need "wcpa 2 - 99.9914\n"`},
	{"wcpa 1 0", "wcpa 1 -", "seed 1: have 3 distances and 0 epochs, need one or more"},
	{"99.9914", "99.99141", `line 7: have "wcpa 2 - 99.99141\n", need "wcpa 2 - 99.9914\n"`},
	{"99.9914", "100.1", `wcpa: seed 3: have "100.1", need a number from 0 to 100`},
	{"99.9914", "NaN", `wcpa: seed 3: have "NaN"`},
	{"angle 2 90 89.1 75", "angle 2 90 89.1 91", `angle: seed 3: have "91", need a number from 0 to 90`},
	{"angle 2", "angle 1", `line 9: have "angle 1 90`},
	{"2:0.5312", "0:0.5312", `cell: seed 3: have cell "0", need one from 1`},
	{"2:0.5312", "2", `cell: seed 3: have "", need a number from 0 to 1`},
	{"END 1:0.5 2:1\n", "END 1:0.5 2:1", `need "cell END 1:0.5 2:1\n"`},
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

// TestMerge takes runs in by seed, and none that belong to other strings.
func TestMerge(t *testing.T) {
	s := &Traces{Row: sampleTraces().Row}
	two := sampleTraces().Runs
	other := two[1]
	other.Seed, other.WCPA = 1, []float64{5}
	if err := s.Merge(two[1]); err != nil {
		t.Fatal(err)
	}
	if err := s.Merge(two[0]); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sampleTraces(), s); diff != "" {
		t.Errorf("two seeds, one after the other (-want +have):\n%s", diff)
	}
	if err := s.Merge(other); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Trace{other, two[1]}, s.Runs); diff != "" {
		t.Errorf("seed 1 anew (-want +have):\n%s", diff)
	}
	for want, change := range map[string]func(*Trace){
		"other distances or cases than seed 1":                     func(r *Trace) { r.LDPA = r.LDPA[:2] },
		"other angles between random matrices than seed 1":         func(r *Trace) { r.Random = []float64{1, 2} },
		"seed 4: have 1 angles, need 2 as between random matrices": func(r *Trace) { r.Angles = r.Angles[:1] },
		"other symbols than seed 1":                                func(r *Trace) { r.Cells = r.Cells[:3] },
		"seed 4: have 3 distances and 0 epochs, need one or more":  func(r *Trace) { r.WCPA = nil },
		"have seed 0 at place 1, need ascending ones from 1":       func(r *Trace) { r.Seed = 0 },
	} {
		more := sampleTraces().Runs[1]
		more.Seed = 4
		change(&more)
		before := len(s.Runs)
		if err := s.Merge(more); err == nil || !strings.Contains(err.Error(), want) || len(s.Runs) != before {
			t.Errorf("error %v with %d runs, want one that says %q and the %d from before", err, len(s.Runs), want, before)
		}
	}
}
