package verdict

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// TestReproduce checks the rules of the package comment at their limits.
func TestReproduce(t *testing.T) {
	const (
		wcpa   = "[resurgence:2:dyck-m4:wcpa_percent:test]"                         // 100, higher; margin 0.5, width 20
		params = "[resurgence:2:char-lstm-1:parameters:reported]"                   // 4.5M, lower; margin and width 0
		bpc    = "[resurgence:3:cut25-lstm-1:bpc:test]"                             // 1.591, lower; 0.005, 0.05
		share  = "[second-order-lstm:1:m4-attention2:wcpa:valid]"                   // 0.994, higher
		none   = "[second-order-lstm:1:m8-baseline:wcpa:test]"                      // 0 in a column of three decimals
		avg    = "[diffstk:1:lstm:accuracy_percent:test_mean]"                      // 1.40, mean of 10, higher
		all    = "[diffstk:1:diffstk-mrnn:accuracy_percent:test_mean]"              // 99.92, mean of 10, higher
		top    = "[diffstk:1:lstm:accuracy_percent:test_best]"                      // 4.00, best of 10, higher
		thou   = "[second-order-lstm:1:m4-baseline:parameters_as_printed:reported]" // 2.1M = 2,100
		slip   = "[second-order-lstm:1:m8-attention2:parameters_as_printed:reported]"
		epochs = "[resurgence:1:dyck-m4:epochs_to_converge:reported]" // 4, lower; 0.5, 20 %
		ppl    = "[second-order-lstm:2:wt2-baseline:ppl:test]"        // lower; 1 %, 10 %
		gram   = "[stack-rnn:4:ngram:ppl:test]"                       // 141, lower; 1 %; of a model that counts
	)
	thirty := func(v ...float64) []float64 {
		for len(v) < 30 {
			v = append(v, v[0])
		}
		return v
	}
	around := func(mean, reach float64) []float64 { return []float64{mean - reach, mean, mean + reach} }
	for _, test := range []struct {
		cell     string
		values   []float64
		exact    bool
		want     golden.Outcome
		evidence string
	}{
		// An interval without width matches within the margin and differs beyond it.
		{wcpa, []float64{100, 100, 100}, false, golden.Matches, "published=100 half=0.5 n=3 mean=100 sd=0 of=1 low=100 high=100 margin=0.5 width=20"},
		{wcpa, []float64{99, 99, 99}, false, golden.Matches, "low=99 high=99"},
		{wcpa, []float64{98.9, 98.9, 98.9}, false, golden.Worse, "low=98.9 high=98.9"},
		{wcpa, []float64{100, 100}, false, golden.OpenRuns, "published=100 half=0.5 n=2 need=3"},
		// The width of the interval decides. Predicted from three runs, the interval for
		// one run is the mean ± 4.97 s.
		{wcpa, around(98, 1.9), false, golden.Matches, "low=88.5603 high=100"},
		{wcpa, around(95, 5), false, golden.OpenRuns, "mean=95 sd=5 of=1 low=70.1586 high=100"},
		{wcpa, around(90, 6), false, golden.OpenSpread, "sd=6"},
		{wcpa, around(50, 15), false, golden.OpenSpread, "low=0 high=100"}, // cut to the range of a share
		{wcpa, []float64{90, 91, 92}, false, golden.Worse, "mean=91 sd=1 of=1 low=86.0317 high=95.9683"},
		{bpc, around(1.61, 0.01), false, golden.OpenRuns, "published=1.591 half=0.0005 n=3 mean=1.61 sd=0.01 of=1 low=1.56032 high=1.65968 margin=0.005 width=0.05"},
		{bpc, around(1.61, 0.005), false, golden.Matches, "low=1.58516 high=1.63484"},
		{bpc, around(1.61, 0.013), false, golden.OpenSpread, ""},
		{bpc, around(1.71, 0.01), false, golden.Worse, "mean=1.71"},
		{bpc, around(1.71, 0.04), false, golden.OpenSpread, "mean=1.71"},
		{bpc, around(1.51, 0.01), false, golden.Better, "mean=1.51"},
		// Counts of parameters, which never vary.
		{params, []float64{4_450_000}, true, golden.Matches, "published=4500000 half=50000 n=1 value=4450000"},
		{params, []float64{4_449_900}, true, golden.Better, "n=1"},
		{params, []float64{4_600_000}, true, golden.Worse, "n=1"},
		{params, []float64{4_500_000}, false, golden.OpenRuns, "n=1 need=3"},
		{thou, []float64{2112}, true, golden.Matches, "published=2100 half=50 n=1"},
		{slip, []float64{10_560}, true, golden.Misprinted, "published=8600"},
		// A model that counts, whose number no seed changes.
		{gram, []float64{142.91}, false, golden.Matches, "published=141 half=0.5 n=1 value=142.91 margin=1.41"},
		{gram, []float64{142.92}, false, golden.Worse, "n=1"},
		{gram, []float64{139}, false, golden.Better, "n=1"},
		// A whole number in a column with decimals has a HalfDigit of half a unit of the
		// last decimal.
		{share, []float64{99.35, 99.35, 99.35}, false, golden.Matches, "published=99.4 half=0.05"},
		{share, []float64{99.96, 99.96, 99.96}, false, golden.Better, "published=99.4 half=0.05"},
		{none, []float64{0.55, 0.55, 0.55}, false, golden.Matches, "published=0 half=0.05"},
		{none, []float64{0.56, 0.56, 0.56}, false, golden.Better, "published=0 half=0.05"},
		// Here the margin and the width are relative to the printed number.
		{epochs, []float64{5, 5, 5}, false, golden.Matches, "margin=0.5 width=0.8"},
		{epochs, []float64{5.01, 5.01, 5.01}, false, golden.Worse, "low=5.01"},
		{ppl, []float64{148.7, 148.7, 148.7}, false, golden.Matches, "margin=1.472 width=14.72"},
		{ppl, []float64{148.8, 148.8, 148.8}, false, golden.Worse, ""},
		// Means of ten runs.
		{avg, []float64{1, 2, 3}, false, golden.Matches, "published=1.4 half=0.005 n=3 mean=2 sd=1 of=10 low=0 high=4.83235"},
		{avg, []float64{8, 8.1, 8.2}, false, golden.Better, "mean=8.1"},
		{all, []float64{0, 100, 100, 100, 100, 100, 100, 100, 100, 100}, false, golden.OpenSpread, "mean=9"},
		{all, []float64{60, 100, 100, 100, 100, 100, 100, 100, 100, 100}, false, golden.Matches, "mean=96 sd=12.6491 of=10 low=83.2033 high=100"},
		{all, []float64{100, 100, 75}, false, golden.OpenRuns, "mean=9"},
		{all, []float64{0, 0, 0, 0, 0, 0, 0, 100, 100, 100}, false, golden.Worse, "mean=30"}, // however wide the interval is
		// Here the printed number is the best of ten runs, which needs thirty of our runs.
		{top, thirty(4)[:29], false, golden.OpenRuns, "n=29 need=30"},
		{top, thirty(4), false, golden.Matches, "published=4 half=0.005 n=30 best=4 of=10 low=4 high=4"},
		{top, thirty(4.51), false, golden.Better, "n=30 best=4.51 of=10 low=4.51 high=4.51"},
		{top, thirty(1, 3.99), false, golden.Matches, "best=3.99 of=10 low=1 high=3.99"},
		{top, thirty(1, 30), false, golden.OpenRuns, "best=30 of=10 low=1 high=30"},
	} {
		outcome, evidence := reproduce(cell(t, test.cell), sample{values: test.values}, test.exact)
		if outcome != test.want || !strings.Contains(evidence, test.evidence) {
			t.Errorf("%s from %v: have %s %s, want %s %s", test.cell, test.values, outcome, evidence, test.want, test.evidence)
		}
	}
}

// TestJudge checks which cells of the example have a verdict, and what the verdicts
// are.
func TestJudge(t *testing.T) {
	run := dyck(t)
	run.Judge.Groups = run.Judge.Groups[:2]
	run.Judge.Groups = append(run.Judge.Groups, "paper=resurgence/table=2/row=char-rnn-1", "paper=resurgence/section=6.2/row=dyck-m4-1d")
	var have []string
	f := filed(t, run)
	for _, v := range f.Verdicts {
		have = append(have, v.Key+" "+string(v.Outcome))
	}
	want := []string{ // without m8, which is not listed, and char-rnn-1, which has no rows
		"[resurgence:1:dyck-m4:epochs_to_converge:reported] matches",
		"[resurgence:1:dyck-m6:epochs_to_converge:reported] matches",
		"[resurgence:2:dyck-m4:parameters:reported] matches",
		"[resurgence:2:dyck-m4:wcpa_percent:test] matches",
		"[resurgence:2:dyck-m6:parameters:reported] matches",
		"[resurgence:2:dyck-m6:wcpa_percent:test] matches",
	}
	if d := cmp.Diff(want, have); d != "" {
		t.Errorf("verdicts (-want +have)\n%s", d)
	}
}

// TestJudgeAll checks that with All the verdicts of other groups and claims go, and that
// without it they stay.
func TestJudgeAll(t *testing.T) {
	for _, all := range []bool{false, true} {
		f := filed(t, dyck(t))
		if len(f.Verdicts) < 2 {
			t.Fatalf("have %d verdicts, want two or more", len(f.Verdicts))
		}
		f.Claims = append(f.Claims, golden.ClaimVerdict{ID: "S06", Outcome: golden.Holds})
		if err := judge(f, golden.Judge{Claims: []string{"R07"}, All: all}, papers.Published()); err != nil {
			t.Fatal(err)
		}
		stale := slices.ContainsFunc(f.Claims, func(c golden.ClaimVerdict) bool { return c.ID == "S06" })
		if stale == all || (len(f.Verdicts) > 0) == all || !slices.ContainsFunc(f.Claims, func(c golden.ClaimVerdict) bool { return c.ID == "R07" }) {
			t.Errorf("all %v: have %d verdicts and the claims %v", all, len(f.Verdicts), f.Claims)
		}
	}
}

func TestJudgeRejects(t *testing.T) {
	const m4 = "paper=resurgence/table=2/row=dyck-m4"
	for want, judge := range map[string]golden.Judge{
		"have a seed, want the group": {Groups: []golden.Name{m4 + "/seed=1"}},
		"twice, want it once":         {Groups: []golden.Name{m4, m4}},
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

// file returns a golden file with the given samples by group, in one unit.
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

// claimed judges a claim and returns its outcome and its evidence, separated by a space.
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
