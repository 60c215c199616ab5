package verdict

import (
	"slices"
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
		"one differs otherwise":           {but(every(worse), "mapped-searched", in(70, 71, 70, 71)), Worse, 60.5},
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

// TestMisprintOfReadings checks that a misprint is one, even if a reading has no runs.
func TestMisprintOfReadings(t *testing.T) {
	k, err := papers.ParseKey("[diffstk:3:diffstk-mirnn:accuracy_percent:train_best]")
	if err != nil {
		t.Fatal(err)
	}
	r := results(samples{"paper=diffstk/table=3/row=diffstk-mirnn/task=searched-stacks10": {"train-acc-%": fill(30, 98)}})
	if v, ok := r.Verdict(k); !ok || v.Outcome != Misprinted {
		t.Errorf("have %s, want a misprint", v.Outcome)
	}
}

// TestClaimReadings decides claim R02, that two networks are better on words than two others, where runs under both
// readings of how embeddings start make it true or false, or are missing.
func TestClaimReadings(t *testing.T) {
	const row, small = "paper=resurgence/table=2/row=word-", "/task=small-embedding"
	c, _ := papers.Published().Claim("R02")
	// with adds runs of the networks with either dropout.
	with := func(s samples, task golden.Name, lstms float64) samples {
		carried := golden.Name("/task=carried-dropout")
		if task != "" {
			carried = task + "-carried-dropout"
		}
		for network, loss := range map[golden.Name]float64{"rnn-1": 5, "mmrnn-1": 5, "lstm-1": lstms, "mmlstm-1": lstms} {
			for _, task := range []golden.Name{task, carried} {
				s[row+network+task] = map[string][]float64{"test-ce": {loss, loss + 0.01, loss - 0.01}}
			}
		}
		return s
	}
	const normal, uniform = "embeddings normal(0, 1)", "embeddings uniform(-0.1, 0.1)"
	const before, carried = " and dropout before the softmax", " and dropout of the state passed on"
	for _, x := range []struct {
		runs samples
		want Outcome
		why  string
	}{
		{with(with(samples{}, "", 4), small, 4), Holds, "holds in the reading " + normal + before + ": true in 10000 of 10000 draws from our runs; the same in all others"},
		{with(with(samples{}, "", 6), small, 6), Fails, "fails in the reading " + normal + before + ": true in 0 of 10000 draws from our runs; the same in all others"},
		{with(with(samples{}, "", 6), small, 4), Undetermined, "fails in the reading " + normal + before + ": true in 0 of 10000 draws from our runs; holds in " + uniform + before + ", " + uniform + carried + "; fails in " + normal + carried},
		{with(samples{}, "", 4), Undecided, "holds in the reading " + normal + before + ": true in 10000 of 10000 draws from our runs; holds in " + normal + carried + "; too few runs in " + uniform + before + ", " + uniform + carried},
	} {
		if v, ok := results(x.runs).Claim(c); !ok || v.Outcome != x.want || plain(v.because()) != x.why {
			t.Errorf("have %s, %s, want %s, %s", v.Outcome, plain(v.because()), x.want, x.why)
		}
	}
}

// TestScenarios checks that numbers of tables 1 and 4 of diffstk have the same number of stacks in a combination of readings.
func TestScenarios(t *testing.T) {
	c, _ := papers.Published().Claim("D02")
	list, names := scenarios(c)
	if want := []string{"searched and P1", "searched and P2", "searched and P3", "one stack and P1", "one stack and P2", "one stack and P3"}; !slices.Equal(names, want) {
		t.Errorf("have %q, want %q", names, want)
	}
	r := results(samples{
		"paper=diffstk/table=1/row=stack-rnn/task=searched": {"test-acc-%": {1}}, "paper=diffstk/table=4/row=stack-rnn/task=mapped-searched": {"test-acc-%": {1}},
		"paper=diffstk/table=1/row=stack-rnn/task=searched-stacks10": {"test-acc-%": {1}}, "paper=diffstk/table=4/row=stack-rnn/task=mapped-searched-stacks10": {"test-acc-%": {1}},
	})
	for i, stacks := range map[int]golden.Name{1: "-stacks10", 4: ""} {
		for table, task := range map[golden.Name]golden.Name{"1": "searched", "4": "mapped-searched"} {
			n := number(t, "[diffstk:"+string(table)+":stack-rnn:accuracy_percent:test_mean]")
			if have, want := r.groupIn(n, list[i]), "paper=diffstk/table="+table+"/row=stack-rnn/task="+task+stacks; have != want {
				t.Errorf("%s: have %s, want %s", names[i], have, want)
			}
		}
	}
}
