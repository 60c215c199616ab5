package golden

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReproduce(t *testing.T) {
	const (
		wcpa   = "[resurgence:2:dyck-m4:wcpa_percent:test]"                         // 100, higher
		params = "[resurgence:2:char-lstm-1:parameters:reported]"                   // 4.5M, lower
		bpc    = "[resurgence:3:cut25-lstm-1:bpc:test]"                             // 1.591, lower
		share  = "[second-order-lstm:1:m4-attention2:wcpa:valid]"                   // 0.994, higher
		avg    = "[diffstk:1:lstm:accuracy_percent:test_mean]"                      // 1.40, mean of 10, higher
		top    = "[diffstk:1:lstm:accuracy_percent:test_best]"                      // 4.00, best of 10, higher
		thou   = "[second-order-lstm:1:m4-baseline:parameters_as_printed:reported]" // 2.1M = 2,100
	)
	ten := func(v ...float64) []float64 {
		for len(v) < 10 {
			v = append(v, v[0])
		}
		return v
	}
	for _, test := range []struct {
		cell     string
		values   []float64
		exact    bool
		want     Outcome
		evidence string
	}{
		{wcpa, []float64{100, 100, 100}, false, Reproduced, "published=100 half=0.5 n=3 mean=100 sd=0 low=100 high=100"},
		{wcpa, []float64{99.5, 99.5, 99.5}, false, Reproduced, "low=99.5 high=99.5"},
		{wcpa, []float64{100.5, 100.5, 100.5}, false, Reproduced, "low=100.5 high=100.5"},
		{wcpa, []float64{100.6, 100.6, 100.6}, false, Better, "low=100.6 high=100.6"},
		{wcpa, []float64{99.4, 99.4, 99.4}, false, Worse, "low=99.4 high=99.4"},
		{wcpa, []float64{100, 100}, false, Undecided, "published=100 half=0.5 n=2 need=3"},
		{wcpa, []float64{90, 95, 100}, false, Reproduced, "mean=95 sd=5 low=70.1586 high=119.841"},
		{wcpa, []float64{90, 91, 92}, false, Worse, "mean=91 sd=1 low=86.0317 high=95.9683"},
		{bpc, []float64{1.60, 1.61, 1.62}, false, Reproduced, "published=1.591 half=0.0005 n=3 mean=1.61 sd=0.01 low=1.56032 high=1.65968"},
		{bpc, []float64{1.70, 1.71, 1.72}, false, Worse, "mean=1.71"},
		{bpc, []float64{1.50, 1.51, 1.52}, false, Better, "mean=1.51"},
		{params, []float64{4_450_000}, true, Reproduced, "published=4500000 half=50000 n=1 mean=4450000"},
		{params, []float64{4_449_900}, true, Better, "n=1"},
		{params, []float64{4_600_000}, true, Worse, "n=1"},
		{params, []float64{4_500_000}, false, Undecided, "n=1 need=3"},
		{thou, []float64{2112}, true, Reproduced, "published=2100 half=50 n=1"},
		{share, []float64{99.35, 99.35, 99.35}, false, Reproduced, "published=99.4 half=0.05"},
		{share, []float64{99.5, 99.5, 99.5}, false, Better, "published=99.4 half=0.05"},
		{avg, []float64{1, 2, 3}, false, Reproduced, "published=1.4 half=0.005 n=3 mean=2 sd=1 low=-0.832353 high=4.83235"},
		{avg, []float64{8, 8.1, 8.2}, false, Better, "mean=8.1"},
		{top, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}, false, Undecided, "n=9 need=10"},
		{top, ten(4), false, Reproduced, "published=4 half=0.005 n=10 best=4 of=10 low=4 high=4"},
		{top, ten(4.01, 4.02), false, Better, "n=10 best=4.02 of=10 low=4.01 high=4.02"},
		{top, ten(1, 3.99), false, Worse, "best=3.99"},
		{top, ten(1, 4), false, Reproduced, "best=4 of=10 low=1 high=4"},
	} {
		outcome, evidence := reproduce(cell(t, test.cell), sample{values: test.values}, test.exact)
		if outcome != test.want || !strings.Contains(evidence, test.evidence) {
			t.Errorf("%s from %v: have %s %s, want %s %s", test.cell, test.values, outcome, evidence, test.want, test.evidence)
		}
	}
}

// TestJudge: verdicts of the example, and which cells get one.
func TestJudge(t *testing.T) {
	run := dyck()
	run.Judge.Groups = run.Judge.Groups[:2]
	run.Judge.Groups = append(run.Judge.Groups, "paper=resurgence/table=2/row=char-rnn-1", "paper=resurgence/section=6.2/row=dyck-m4-1d")
	var have []string
	f := filed(t, run)
	for _, v := range f.Verdicts {
		have = append(have, v.Key+" "+string(v.Outcome))
	}
	want := []string{ // nothing of m8, which is not listed, nor of char-rnn-1, which has no rows
		"[resurgence:1:dyck-m4:epochs_to_converge:reported] reproduced",
		"[resurgence:1:dyck-m4:train_time_min:reported] better",
		"[resurgence:1:dyck-m6:epochs_to_converge:reported] reproduced",
		"[resurgence:1:dyck-m6:train_time_min:reported] better",
		"[resurgence:2:dyck-m4:parameters:reported] reproduced",
		"[resurgence:2:dyck-m4:wcpa_percent:test] reproduced",
		"[resurgence:2:dyck-m6:parameters:reported] reproduced",
		"[resurgence:2:dyck-m6:wcpa_percent:test] reproduced",
	}
	if d := cmp.Diff(want, have); d != "" {
		t.Errorf("verdicts (-want +have)\n%s", d)
	}
}

func TestJudgeRejects(t *testing.T) {
	const m4 = "paper=resurgence/table=2/row=dyck-m4"
	for want, judge := range map[string]Judge{
		"have a seed, need the group": {Groups: []Name{m4 + "/seed=1"}},
		"twice, need it once":         {Groups: []Name{m4, m4}},
		"have claim R07 twice":        {Claims: []string{"R07", "R07"}},
		`claim "R99": have no`:        {Claims: []string{"R99"}},
		"claim S06: have no function": {Claims: []string{"S06"}},
	} {
		run := dyck()
		run.Judge = judge
		if _, err := UpdateFile(t.TempDir()+"/g.txt", run, "x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("judge %v: error: have %v, want one with %q", judge, err, want)
		}
	}
}

// file makes a golden file of samples by group, in one unit.
func file(unit Unit, samples map[Name][]float64) *File {
	f := &File{Suite: "x", Scale: "ci", Units: []Unit{unit}, Tolerances: []Tolerance{{Unit: unit.Name, Reason: "test"}}}
	for group, values := range samples {
		for i, v := range values {
			f.Rows = append(f.Rows, Row{Name: group.WithSeed(i + 1), Values: []Value{{unit.Name, v}}})
		}
	}
	f.sort()
	return f
}

// claimed returns "outcome evidence" of a claim.
func claimed(t *testing.T, f *File, id string, beside ...*File) string {
	t.Helper()
	run := Judge{Claims: []string{id}, Beside: beside}
	if err := f.judge(run, published()); err != nil {
		t.Fatal(err)
	}
	for _, c := range f.Claims {
		if c.ID == id {
			return fmt.Sprintf("%s %s", c.Outcome, c.Evidence)
		}
	}
	t.Fatalf("no verdict on %s", id)
	return ""
}
