package verdict

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/golden"
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
		want     golden.Outcome
		evidence string
	}{
		{wcpa, []float64{100, 100, 100}, false, golden.Reproduced, "published=100 half=0.5 n=3 mean=100 sd=0 low=100 high=100"},
		{wcpa, []float64{99.5, 99.5, 99.5}, false, golden.Reproduced, "low=99.5 high=99.5"},
		{wcpa, []float64{100.5, 100.5, 100.5}, false, golden.Reproduced, "low=100.5 high=100.5"},
		{wcpa, []float64{100.6, 100.6, 100.6}, false, golden.Better, "low=100.6 high=100.6"},
		{wcpa, []float64{99.4, 99.4, 99.4}, false, golden.Worse, "low=99.4 high=99.4"},
		{wcpa, []float64{100, 100}, false, golden.Undecided, "published=100 half=0.5 n=2 need=3"},
		{wcpa, []float64{90, 95, 100}, false, golden.Reproduced, "mean=95 sd=5 low=70.1586 high=119.841"},
		{wcpa, []float64{90, 91, 92}, false, golden.Worse, "mean=91 sd=1 low=86.0317 high=95.9683"},
		{bpc, []float64{1.60, 1.61, 1.62}, false, golden.Reproduced, "published=1.591 half=0.0005 n=3 mean=1.61 sd=0.01 low=1.56032 high=1.65968"},
		{bpc, []float64{1.70, 1.71, 1.72}, false, golden.Worse, "mean=1.71"},
		{bpc, []float64{1.50, 1.51, 1.52}, false, golden.Better, "mean=1.51"},
		{params, []float64{4_450_000}, true, golden.Reproduced, "published=4500000 half=50000 n=1 mean=4450000"},
		{params, []float64{4_449_900}, true, golden.Better, "n=1"},
		{params, []float64{4_600_000}, true, golden.Worse, "n=1"},
		{params, []float64{4_500_000}, false, golden.Undecided, "n=1 need=3"},
		{thou, []float64{2112}, true, golden.Reproduced, "published=2100 half=50 n=1"},
		{share, []float64{99.35, 99.35, 99.35}, false, golden.Reproduced, "published=99.4 half=0.05"},
		{share, []float64{99.5, 99.5, 99.5}, false, golden.Better, "published=99.4 half=0.05"},
		{avg, []float64{1, 2, 3}, false, golden.Reproduced, "published=1.4 half=0.005 n=3 mean=2 sd=1 low=-0.832353 high=4.83235"},
		{avg, []float64{8, 8.1, 8.2}, false, golden.Better, "mean=8.1"},
		{top, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}, false, golden.Undecided, "n=9 need=10"},
		{top, ten(4), false, golden.Reproduced, "published=4 half=0.005 n=10 best=4 of=10 low=4 high=4"},
		{top, ten(4.01, 4.02), false, golden.Better, "n=10 best=4.02 of=10 low=4.01 high=4.02"},
		{top, ten(1, 3.99), false, golden.Worse, "best=3.99"},
		{top, ten(1, 4), false, golden.Reproduced, "best=4 of=10 low=1 high=4"},
	} {
		outcome, evidence := reproduce(cell(t, test.cell), sample{values: test.values}, test.exact)
		if outcome != test.want || !strings.Contains(evidence, test.evidence) {
			t.Errorf("%s from %v: have %s %s, want %s %s", test.cell, test.values, outcome, evidence, test.want, test.evidence)
		}
	}
}

// TestJudge: verdicts of the example, and which cells get one.
func TestJudge(t *testing.T) {
	run := dyck(t)
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
	for want, judge := range map[string]golden.Judge{
		"have a seed, need the group": {Groups: []golden.Name{m4 + "/seed=1"}},
		"twice, need it once":         {Groups: []golden.Name{m4, m4}},
		"have claim R07 twice":        {Claims: []string{"R07", "R07"}},
		`claim "R99": have no`:        {Claims: []string{"R99"}},
		"claim S06: have no function": {Claims: []string{"S06"}},
	} {
		run := dyck(t)
		run.Judge = judge
		if _, err := golden.UpdateFile(t.TempDir()+"/g.txt", run, "x", Rules); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("judge %v: error: have %v, want one with %q", judge, err, want)
		}
	}
}

// file makes a golden file of samples by group, in one unit.
func file(unit golden.Unit, samples map[golden.Name][]float64) *golden.File {
	f := &golden.File{Suite: "x", Scale: "ci", Units: []golden.Unit{unit}, Tolerances: []golden.Tolerance{{Unit: unit.Name, Reason: "test"}}}
	for group, values := range samples {
		for i, v := range values {
			f.Rows = append(f.Rows, golden.Row{Name: group.WithSeed(i + 1), Values: []golden.Value{{Unit: unit.Name, Value: v}}})
		}
	}
	slices.SortFunc(f.Rows, func(a, b golden.Row) int { return golden.CompareNames(a.Name, b.Name) })
	return f
}

// claimed returns "outcome evidence" of a claim.
func claimed(t *testing.T, f *golden.File, id string, beside ...*golden.File) string {
	t.Helper()
	run := golden.Judge{Claims: []string{id}, Beside: beside}
	if err := judge(f, run, published()); err != nil {
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
