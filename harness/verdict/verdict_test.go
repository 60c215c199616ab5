package verdict

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// samples holds the values of the seeds of groups, by group and unit. NaN stands for no value.
type samples map[golden.Name]map[string][]float64

// file returns a golden file with the given values. Units in per cent are better if higher, other
// units if lower. Only the unit params is exact.
func file(s samples) *golden.File {
	f := &golden.File{Suite: "x", Scale: "ci"}
	for _, group := range slices.Sorted(maps.Keys(s)) {
		for _, unit := range slices.Sorted(maps.Keys(s[group])) {
			if _, ok := f.UnitOf(unit); !ok {
				better := map[bool]string{true: "higher", false: "lower"}[strings.HasSuffix(unit, "-%")]
				f.Units = append(f.Units, golden.Unit{Name: unit, Better: better, Exact: unit == "params"})
			}
			for i, v := range s[group][unit] {
				name := group.WithSeed(i + 1)
				at := slices.IndexFunc(f.Rows, func(r golden.Row) bool { return r.Name == name })
				if at < 0 {
					at = len(f.Rows)
					f.Rows = append(f.Rows, golden.Row{Name: name})
				}
				if !math.IsNaN(v) {
					f.Rows[at].Values = append(f.Rows[at].Values, golden.Value{Unit: unit, Value: v})
				}
			}
		}
	}
	return f
}

// results returns the results of golden files with the given values.
func results(list ...samples) *Results {
	var files []*golden.File
	for _, s := range list {
		files = append(files, file(s))
	}
	return NewResults(files)
}

// number returns a printed number.
func number(t *testing.T, key string) papers.Number {
	t.Helper()
	k, err := papers.ParseKey(key)
	n, ok := papers.Published().Number(k)
	if err != nil || !ok {
		t.Fatalf("have no printed number %s: %v", key, err)
	}
	return n
}

// fill appends copies of the value most to values until there are n values.
func fill(n int, most float64, values ...float64) []float64 {
	return append(values, slices.Repeat([]float64{most}, n-len(values))...)
}

// around returns three values with the given mean and standard deviation.
func around(mean, deviation float64) []float64 {
	return []float64{mean - deviation, mean, mean + deviation}
}

// TestVerdict checks the rules of the package comment at their limits.
func TestVerdict(t *testing.T) {
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
		ppl    = "[second-order-lstm:2:wt2-baseline:ppl:test]"        // 147.2, lower; 1 %, 10 %
		gram   = "[stack-rnn:4:ngram:ppl:test]"                       // 141, lower; 1 %; of a model that counts
		least  = "[stack-rnn:2:rnn:percent_of_n_correct:anbn]"        // 25, that of 10 runs with the lowest valid-ce; higher
	)
	three := func(v float64) []float64 { return fill(3, v) }
	for _, c := range []struct {
		number         string
		values, losses []float64
		want           string // the outcome and a part of the text of the verdict
	}{
		// An interval without width matches within the margin and differs beyond it.
		{wcpa, three(100), nil, "matches runs=3 need=3 value=100 sd=0 low=100 high=100 margin=0.5 width=20"},
		{wcpa, three(99), nil, "matches low=99 high=99"},
		{wcpa, three(98.9), nil, "worse low=98.9 high=98.9"},
		{wcpa, three(100)[:2], nil, "open-runs runs=2 need=3 value=100"},
		// The width of the interval decides. Predicted from three runs, the interval for
		// one run is the mean ± 4.97 s.
		{wcpa, around(98, 1.9), nil, "matches low=88.5603 high=100"},
		{wcpa, around(95, 5), nil, "open-runs value=95 sd=5 low=70.1586 high=100"},
		{wcpa, around(90, 8.8), nil, "open-runs sd=8.8"}, // the spread may be 0.578 times as large
		{wcpa, around(90, 8.9), nil, "open-spread sd=8.9"},
		{wcpa, around(50, 15), nil, "open-spread low=0 high=100"}, // clamped to the range of a share
		{wcpa, around(91, 1), nil, "worse value=91 sd=1 low=86.0317 high=95.9683"},
		{bpc, around(1.61, 0.01), nil, "open-runs value=1.61 sd=0.01 low=1.56032 high=1.65968 margin=0.005 width=0.05"},
		{bpc, around(1.61, 0.005), nil, "matches low=1.58516 high=1.63484"},
		{bpc, around(1.61, 0.023), nil, "open-spread"},
		{bpc, around(1.71, 0.01), nil, "worse value=1.71"},
		{bpc, around(1.71, 0.04), nil, "open-spread value=1.71"},
		{bpc, around(1.51, 0.01), nil, "better value=1.51"},
		{ppl, around(150, 40), nil, "open-spread low=0 high=348.7"}, // nothing is measured below 0
		// Counts of parameters, which never vary.
		{params, []float64{4_450_000}, nil, "matches runs=1 need=1 value=4450000"},
		{params, []float64{4_449_900}, nil, "better"},
		{params, []float64{4_600_000}, nil, "worse"},
		{thou, []float64{2112}, nil, "matches"},
		{slip, []float64{10_560}, nil, "misprint"},
		// A model that counts, whose number no seed changes.
		{gram, []float64{142.91}, nil, "matches runs=1 need=1 value=142.91"},
		{gram, []float64{142.92}, nil, "worse"},
		{gram, []float64{139}, nil, "better"},
		// A whole number in a column with decimals is exact to half a unit of the last decimal.
		{share, three(99.35), nil, "matches"},
		{share, three(99.96), nil, "better"},
		{none, three(0.55), nil, "matches"},
		{none, three(0.56), nil, "better"},
		// Here the margin, the width or both are relative to the printed number.
		{epochs, three(5), nil, "matches margin=0.5 width=0.8"},
		{epochs, three(5.01), nil, "worse low=5.01"},
		{ppl, three(148.7), nil, "matches margin=1.472 width=14.72"},
		{ppl, three(148.8), nil, "worse"},
		// Means of ten runs.
		{avg, around(2, 1), nil, "matches value=2 sd=1 low=0 high=4.83235"},
		{avg, around(8.1, 0.1), nil, "better value=8.1"},
		{all, fill(10, 100, 0), nil, "open-spread value=90"},
		{all, fill(10, 100, 60), nil, "matches value=96 sd=12.649 low=83.2033 high=100"},
		{all, fill(3, 100, 75), nil, "open-runs value=91.667"},
		{all, fill(10, 100, 0, 0, 0, 0, 0, 0, 0), nil, "worse value=30"}, // however wide the interval is
		// Here the printed number is the best of ten runs, which needs thirty of our runs.
		{top, fill(29, 4), nil, "open-runs runs=29 need=30"},
		{top, fill(30, 4), nil, "matches runs=30 need=30 value=4 sd=0 low=4 high=4"},
		{top, fill(30, 4.51), nil, "better value=4.51 sd=0 low=4.51 high=4.51"},
		{top, fill(30, 1, 3.99), nil, "matches value=1 sd=0.5459 low=1 high=3.99"},
		{top, fill(30, 1, 30), nil, "open-runs value=1 sd=5.2947 low=1 high=30"},
		// Here it is that of the run with the smallest loss, even if another run is better.
		{least, fill(30, 90, 100, 25), fill(30, 2, 9, 1), "open-runs runs=30 need=30 value=25 sd=12.069 low=25 high=90 margin=1.7 width=20"},
		{least, fill(30, 25, 10, 10, 10), fill(30, 9, 1, 2, 3), "matches value=10 sd=4.5769 low=10 high=25"},
		{least, fill(30, 0, 25, 25), fill(30, 5, 9, 9), "worse value=0 sd=6.3427 low=0 high=0"},
		{least, fill(30, 26.6), fill(30, 1), "matches low=26.6 high=26.6"}, // one length off
		{least, fill(30, 28.4), fill(30, 1), "better low=28.4 high=28.4"},
		{least, fill(30, 30, 40), fill(30, 6, 5, 6), "better value=40"},
		{least, fill(30, 30, 40), fill(30, 6), "better value=40"}, // the first of equal ones
		{least, fill(30, 25), fill(30, 1, 1, math.NaN()), "open-runs runs=29 need=30"},
		{least, fill(30, 25), nil, "none"},
	} {
		n := number(t, c.number)
		s := map[string][]float64{n.Quantity.Unit: c.values}
		if c.losses != nil {
			s[n.Quantity.ChosenBy] = c.losses
		}
		runs := samples{golden.Name(n.Group()): s}
		for _, r := range n.Readings() { // which agree
			runs[golden.Name(r.Groups[0])] = s
		}
		v, ok := results(runs).Verdict(n.Key)
		if !ok {
			v.Outcome = "none"
		}
		outcome, text, _ := strings.Cut(c.want, " ")
		if v.Outcome != Outcome(outcome) || !strings.Contains(v.String(), text) {
			t.Errorf("%s from %v: have %s %v, want %s", c.number, c.values, v.Outcome, v, c.want)
		}
	}
}

const (
	m4   = golden.Name("paper=resurgence/table=2/row=dyck-m4")
	lstm = golden.Name("paper=resurgence/table=2/row=char-lstm-1")
)

// TestResults checks which numbers have a verdict, and that these are counted. Times have none,
// nor has what runs that stop after the first epoch have measured, except their parameters. Of
// two files with runs of a group, the first counts. Misprints and numbers that differ have remarks.
func TestResults(t *testing.T) {
	r := results(samples{
		m4:                 {"epochs": {4, 4, 4}, "params": {5}, "test-wcpa-%": {0, 0, 0}, "train-min": {1}},
		FirstEpochOf(lstm): {"params": {4_500_000}, "test-bpc": {1, 1, 1}},
		"paper=second-order-lstm/table=1/row=m8-attention2": {"params": {10_560}},
		"paper=diffstk/table=1/row=lstm":                    {"test-acc-%": {1.4, 1.4, 1.4}},
		"paper=stack-rnn/table=4/row=ngram":                 {"test-ppl": {500}},
	}, samples{m4: {"test-wcpa-%": {100, 100, 100}}})
	want := map[string]Outcome{
		"[resurgence:1:dyck-m4:epochs_to_converge:reported]":                 Matches,
		"[resurgence:2:dyck-m4:parameters:reported]":                         Matches,
		"[resurgence:2:dyck-m4:wcpa_percent:test]":                           Worse,
		"[resurgence:2:char-lstm-1:parameters:reported]":                     Matches,
		"[second-order-lstm:1:m8-attention2:parameters_as_printed:reported]": Misprinted,
		"[stack-rnn:4:ngram:ppl:test]":                                       Worse,
	}
	for _, key := range []string{"1:lstm:accuracy_percent:test", "7:lstm:accuracy_percent:with_changes", "8:lstm:accuracy_percent:sequential"} {
		want["[diffstk:"+key+"_mean]"], want["[diffstk:"+key+"_best]"] = Matches, OpenRuns
	}
	have := make(map[string]Outcome)
	for _, n := range papers.Published().Numbers {
		if v, ok := r.Verdict(n.Key); ok {
			have[n.Key.String()] = v.Outcome
		}
	}
	if d := cmp.Diff(want, have); d != "" {
		t.Errorf("verdicts (-want +have)\n%s", d)
	}
	names, counts := r.Count(func(k papers.Key) string { return k.Paper })
	var text []string
	for _, name := range names {
		c := counts[name]
		text = append(text, fmt.Sprintf("%s: %d shown, %v, %d differ, %d open", name, c.Shown, c.ByOutcome, c.Differs(), c.Open()))
		if have := c.Shown + c.Unfinished + c.ByOutcome[Matches] + c.ByOutcome[Misprinted] + c.Differs() + c.Open(); have != c.Printed {
			t.Errorf("%s: have %d numbers of any kind, want %d", name, have, c.Printed)
		}
	}
	for _, s := range papers.Shapes() {
		if a, b := r.Misprints(s), r.Interpretations(s); len(a)+len(b) > 0 {
			text = append(text, fmt.Sprintf("table %s of %s: %d misprints, %d interpretations", s.Table, s.Paper, len(a), len(b)))
		}
	}
	expected, _, _ := strings.Cut(r.ExpectedByChance(), " If")
	text = append(text, r.TrivialMatches(), expected)
	if d := cmp.Diff([]string{
		"diffstk: 0 shown, map[matches:3 open-runs:3], 0 differ, 3 open",
		"resurgence: 1 shown, map[matches:3 worse:1], 1 differ, 0 open",
		"second-order-lstm: 0 shown, map[misprint:1], 0 differ, 0 open",
		"stack-rnn: 0 shown, map[worse:1], 1 differ, 0 open",
		"table 2 of resurgence: 0 misprints, 1 interpretations",
		"table 1 of second-order-lstm: 1 misprints, 0 interpretations",
		"table 4 of stack-rnn: 0 misprints, 1 interpretations",
		"Of the 6 matches, 3 are shares of at most 1.5 per cent, mostly of networks that do not learn, and 2 are counts of parameters.",
		"Of 5 numbers that are judged by an interval 1 differ.",
	}, text); d != "" {
		t.Errorf("counts (-want +have)\n%s", d)
	}
	for want, has := range map[int]bool{0: false, len(papers.PostHocReadings()): true} {
		if have := PostHoc(func(func(golden.Name) bool) bool { return has }); len(have) != want {
			t.Errorf("have %d readings of rows, want %d", len(have), want)
		}
	}
	// As a variant, the runs of the first epoch have any number that they measured.
	bpc := number(t, "[resurgence:2:char-lstm-1:bpc:test]")
	if v, ok := r.Judge(bpc, FirstEpochOf(lstm)); !ok || v.Outcome != Better {
		t.Errorf("first epoch as a variant: have %v, %v, want better", v.Outcome, ok)
	}
	if v, ok := r.Judge(bpc, lstm); ok {
		t.Errorf("a group without runs: have %v, want no verdict", v)
	}
	q := *bpc.Quantity // a page can compare a number with runs in another unit
	q.Unit, bpc.Quantity = "params", &q
	if v, _ := r.Judge(bpc, FirstEpochOf(lstm)); v.Value != 4_500_000 {
		t.Errorf("in another unit: have %v, want the parameters", v)
	}
}

// TestFirstEpochs checks the names of runs that stop after the first epoch.
func TestFirstEpochs(t *testing.T) {
	for whole, first := range map[golden.Name]golden.Name{m4: m4 + "/task=first-epoch", m4 + "/task=late": m4 + "/task=late-first-epoch"} {
		if have := FirstEpochOf(whole); have != first {
			t.Errorf("first epoch of %s: have %s, want %s", whole, have, first)
		}
		if have, ok := WholeOf(first); have != whole || !ok {
			t.Errorf("whole of %s: have %s, %v, want %s", first, have, ok, whole)
		}
		if have, ok := WholeOf(whole); have != whole || ok {
			t.Errorf("whole of %s: have %s, %v, want the same and false", whole, have, ok)
		}
	}
}
