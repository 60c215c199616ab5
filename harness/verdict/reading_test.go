package verdict

import (
	"testing"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// TestReadings judges a printed 64.50 under the readings of table 4, from runs that match it, are worse or are
// missing.
func TestReadings(t *testing.T) {
	const row = "paper=diffstk/table=4/row=diffstk-mlstm"
	n := number(t, "[diffstk:4:diffstk-mlstm:accuracy_percent:test_mean]")
	in := func(v ...float64) map[string][]float64 { return map[string][]float64{"test-acc-%": v} }
	near, worse, wide := in(64, 65, 64, 65), in(60, 61, 60, 61), in(20, 30, 64, 100)
	every := func(of map[string][]float64) samples {
		s := samples{}
		for _, task := range []string{"searched-stacks10", "searched", "mapped-searched-stacks10", "mapped-searched", "mapped-unmarked-searched-stacks10", "mapped-unmarked-searched"} {
			s[row+"/task="+golden.Name(task)] = of
		}
		return s
	}
	but := func(s samples, task golden.Name, of map[string][]float64) samples {
		if s[row+"/task="+task] = of; of == nil {
			delete(s, row+"/task="+task)
		}
		return s
	}
	unsearched := but(every(near), "searched", nil)
	unsearched[row] = near
	for what, c := range map[string]struct {
		rows  samples
		want  Outcome
		value float64
	}{
		"all match":                       {every(near), Matches, 64.5},
		"all differ":                      {every(worse), Worse, 60.5},
		"all are open":                    {every(wide), OpenSpread, 53.5},
		"one differs":                     {but(every(near), "mapped-searched", worse), Undetermined, 64.5},
		"one differs otherwise":           {but(every(worse), "mapped-searched", in(70, 71, 70, 71)), Undetermined, 60.5},
		"one is open":                     {but(every(near), "mapped-searched", wide), OpenSpread, 64.5},
		"one has no runs":                 {but(every(near), "mapped-searched", nil), OpenRuns, 64.5},
		"one differs, one has no runs":    {but(but(every(near), "mapped-searched", nil), "searched", worse), Undetermined, 64.5},
		"only the row without a search":   {samples{row: near}, OpenRuns, 64.5},
		"one stack has not been searched": {unsearched, Matches, 64.5},
	} {
		r := results(c.rows)
		if v, ok := r.Verdict(n.Key); !ok || v.Outcome != c.want || v.Value != c.value {
			t.Errorf("%s: have %s with value %v, want %s with %v", what, v.Outcome, v.Value, c.want, c.value)
		}
		doubtful := c.want.Differs() || c.want == Undetermined
		if have := len(r.Interpretations(papers.Shape{Paper: n.Paper, Table: n.Table})) > 0; have != doubtful {
			t.Errorf("%s: have the readings that were tried: %v, want %v", what, have, doubtful)
		}
	}
}
