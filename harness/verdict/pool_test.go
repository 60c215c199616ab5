package verdict

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pushdown/harness/golden"
)

// textFile returns a golden file at scale paper of a suite, with the values of each row in the given unit.
func textFile(t *testing.T, suite, unit string, rows map[string][]float64) *golden.File {
	t.Helper()
	return paperFile(t, suite, "resurgence", unit, rows)
}

// paperFile is like textFile, with the rows of a paper.
func paperFile(t *testing.T, suite, paper, unit string, rows map[string][]float64) *golden.File {
	t.Helper()
	f := &golden.File{Suite: suite, Scale: "paper", Units: []golden.Unit{{Name: unit, Better: "lower"}}}
	for row, values := range rows {
		for i, v := range values {
			name, err := golden.ParseName(fmt.Sprintf("paper=%s/table=2/row=%s/seed=%d", paper, row, i+1))
			if err != nil {
				t.Fatal(err)
			}
			f.Rows = append(f.Rows, golden.Row{Name: name, Values: []golden.Value{{Unit: unit, Value: v}}})
		}
	}
	return f
}

// TestPool checks the rule for rows with too few runs on numbers worked out by hand.
func TestPool(t *testing.T) {
	n := number(t, "[resurgence:2:word-lstm-1:ce_nats:test]")
	unit := n.Quantity.Unit
	judged := func(rows map[string][]float64, more ...*golden.File) Verdict {
		v, ok := NewResults(append(more, textFile(t, "wordlm", unit, rows))).Judge(n, golden.Name(n.Group()))
		if !ok {
			t.Fatal("have no verdict, want one")
		}
		return v
	}
	at := n.Published
	// Two rows of three runs with the variances 1e-6 and 3e-6: 4 degrees of freedom, s = sqrt(2e-6), and t = 2.77645.
	pool := map[string][]float64{"a": {5 - 1e-3, 5, 5 + 1e-3}, "b": {7 - math.Sqrt(3e-6), 7, 7 + math.Sqrt(3e-6)}, n.Row: {at}}
	v := judged(pool)
	reach := 2.776445 * math.Sqrt(2e-6) * math.Sqrt2
	if v.Outcome != Matches || v.Pool == nil || v.Pool.Rows != 2 || math.Abs(v.High-at-reach) > 1e-5 || math.Abs(at-v.Low-reach) > 1e-5 {
		t.Errorf("have %s by %v, %v, want a match by the spread of 2 rows, within %v of %v", v.Outcome, v.Pool, v, reach, at)
	}
	if want := " pool-sd=0.0014"; !strings.Contains(v.String(), want) {
		t.Errorf("have %s, want it with%s", v, want)
	}
	pool[n.Row] = []float64{at + 1}
	if v := judged(pool); v.Outcome != Worse {
		t.Errorf("a run of 1 nat more: have %s, want worse", v.Outcome)
	}
	pool[n.Row] = []float64{at - 1, at, at + 1}
	if v := judged(pool); v.Pool != nil || v.Outcome == Matches {
		t.Errorf("three runs: have %s by the spread %v, want the own spread", v.Outcome, v.Pool)
	}
	for what, rows := range map[string]map[string][]float64{
		"3 degrees of freedom": {"a": {4, 5, 6}, "b": {4, 5}, n.Row: {at}},
		"no other runs":        {n.Row: {at}},
		"one row":              {"a": {at, at, at, at, at + 1e-3}, n.Row: {at}},
		"a row without spread": {"a": {5 - 1e-3, 5, 5 + 1e-3}, "b": {5, 5, 5}, n.Row: {at}},
		"no spread at all":     {"a": {5, 5, 5}, "b": {5, 5, 5}, n.Row: {at}},
		// the variances 1e-6 and 43e-6; by chance, 39 times the smaller is exceeded once in twenty times
		"rows that are not alike": {"a": {5 - 1e-3, 5, 5 + 1e-3}, "b": {7 - math.Sqrt(43e-6), 7, 7 + math.Sqrt(43e-6)}, n.Row: {at}},
	} {
		if v := judged(rows); v.Outcome != OpenRuns || v.Pool != nil || v.Interval {
			t.Errorf("%s: have %s by the spread %v, want open-runs", what, v.Outcome, v.Pool)
		}
	}
	spread := map[string][]float64{"c": {at - 1e-3, at, at + 1e-3}, "d": {at - 1e-3, at, at + 1e-3}}
	one := map[string][]float64{n.Row: {at}}
	for what, c := range map[string]struct {
		other *golden.File
		want  Outcome
	}{
		"the same suite and paper": {textFile(t, "wordlm", unit, spread), Matches},
		"another suite":            {textFile(t, "charlm", unit, spread), OpenRuns},
		"another paper":            {paperFile(t, "wordlm", "diffstk", unit, spread), OpenRuns},
		"first epochs":             {textFile(t, "wordlm", unit, map[string][]float64{"c/task=first-epoch": spread["c"], "d/task=first-epoch-clipped": spread["d"]}), OpenRuns},
	} {
		if v := judged(one, c.other); v.Outcome != c.want || v.Interval != (c.want == Matches) {
			t.Errorf("rows of %s: have %s by the spread %v, want %s", what, v.Outcome, v.Pool, c.want)
		}
	}
	smoke := textFile(t, "wordlm", unit, spread)
	smoke.Scale = "smoke"
	if v := judged(one, smoke); v.Outcome != OpenRuns || v.Interval {
		t.Errorf("rows at scale smoke: have %s by the spread %v, want open-runs", v.Outcome, v.Pool)
	}
	if ratio, limit := (Pool{variances: []float64{1, 3}, freedom: []int{2, 2}}).alike(); ratio != 3 || limit < 35 || 43 < limit {
		t.Errorf("variances 1 and 3 with 2 degrees of freedom each: have the ratio %v with the limit %v, want 3 with 39, the 97.5th percentile of F(2, 2)", ratio, limit)
	}
	// Perplexities: shares of the mean. Both rows have a variance of 1e-4.
	f := textFile(t, "wordlm", "test-ppl", map[string][]float64{"a": {99, 100, 101}, "b": {198, 200, 202}})
	if p := poolOf([]*golden.File{f}, f.Suite, "resurgence", "test-ppl"); !p.Relative || math.Abs(p.Deviation-0.01) > 1e-9 || p.Freedom != 4 || p.Rows != 2 {
		t.Errorf("perplexities: have %+v, want a relative deviation of 0.01, with 4 degrees of freedom of 2 rows", p)
	}
}

// TestPooledChance simulates rows of normal runs that have their spread in common. It counts how often a further run of
// a row with one or two runs lies outside of the interval, which should be once in twenty.
func TestPooledChance(t *testing.T) {
	const experiments = 4000
	draw := uint64(0)
	uniform := func() float64 { draw++; return float64(splitMix(11, draw)>>11+1) / (1 << 53) }
	normal := func() float64 { return math.Sqrt(-2*math.Log(uniform())) * math.Cos(2*math.Pi*uniform()) }
	for _, c := range []struct {
		unit      string
		rows, own int
	}{{"test-ce", 2, 1}, {"test-ce", 5, 1}, {"test-ce", 3, 2}, {"test-ppl", 2, 1}, {"test-ppl", 4, 2}} {
		run := func(row int) float64 {
			if strings.HasSuffix(c.unit, "-ppl") {
				m := 60 + 40*float64(row)
				return m + 0.01*m*normal()
			}
			return float64(row) + 0.02*normal()
		}
		outside := 0
		for range experiments {
			rows := make(map[string][]float64)
			for i := range c.rows {
				rows[fmt.Sprint("r", i+1)] = []float64{run(i + 1), run(i + 1), run(i + 1)}
			}
			f := textFile(t, "wordlm", c.unit, rows)
			own := []float64{run(0), run(0)}[:c.own]
			low, high := poolOf([]*golden.File{f}, f.Suite, "resurgence", c.unit).predict(own)
			if x := run(0); x < low || high < x {
				outside++
			}
		}
		share := float64(outside) / experiments
		t.Logf("%s: %d rows of three runs, %d of its own: %.3f lie outside", c.unit, c.rows, c.own, share)
		if share < 0.04 || share > 0.06 {
			t.Errorf("%s: %d rows of three runs, %d of its own: %.3f lie outside, want 0.05 within 0.01", c.unit, c.rows, c.own, share)
		}
	}
}
