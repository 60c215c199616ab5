package suite

import (
	"strings"
	"testing"

	"pushdown/harness/golden"
)

func TestPlaceName(t *testing.T) {
	for _, c := range []struct {
		row  RowID
		seed int
		want string // the name or, after "!", a part of the error
	}{
		{RowID{Paper: "resurgence", Table: "2", Row: "dyck-m4"}, 1, "paper=resurgence/table=2/row=dyck-m4/seed=1"},
		{RowID{Paper: "resurgence", Section: "6.2", Row: "fixed", Task: "m4"}, 10, "paper=resurgence/section=6.2/row=fixed/task=m4/seed=10"},
		{RowID{Paper: "resurgence", Figure: "3", Row: "a"}, 2, "paper=resurgence/figure=3/row=a/seed=2"},
		{RowID{Paper: "resurgence", Table: "2", Row: "a"}, 0, "!have seed 0, want >= 1"},
		{RowID{Paper: "resurgence", Row: "a"}, 1, "!have no place, want one of table, section and figure"},
		{RowID{Paper: "resurgence", Table: "2", Figure: "3", Row: "a"}, 1, "!have a second place figure=3, want one of"},
		{RowID{Paper: "resurgence", Table: "2"}, 1, `!have "row=", want key=value`},
		{RowID{Table: "2", Row: "a"}, 1, `!have "paper=", want key=value`},
		{RowID{Paper: "resurgence", Table: "2", Row: "a b"}, 1, `!have "row=a b", want key=value`},
		{RowID{Paper: "resurgence", Table: "2", Row: "a/b"}, 1, `!want key=value`},
	} {
		name, err := c.row.Name(c.seed)
		want, fault := strings.CutPrefix(c.want, "!")
		if fault != (err != nil) || !fault && string(name) != want || fault && !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: have %q, %v\nwant %s", c.row, name, err, c.want)
		}
	}
}

func TestSubtestKeepsTheName(t *testing.T) {
	const name = golden.Name("paper=resurgence/table=2/row=dyck-m4/seed=1")
	ran := ""
	subtest(t, name, func(t *testing.T) { ran = t.Name() }, nil)
	if owned := Current().Shard.Owns(string(name)); owned != (ran == "TestSubtestKeepsTheName/"+string(name)) {
		t.Errorf("have subtest %q in a shard that owns it %v, want it to run in its shard under its name", ran, owned)
	}
}

// TestRunTwice is run by TestSubtestRefusesChangedNames in another process.
func TestRunTwice(t *testing.T) {
	if !child() {
		t.Skip("subject of another test")
	}
	for range 2 {
		subtest(t, "test=x/seed=1", func(*testing.T) {}, nil)
	}
}

func TestSubtestRefusesChangedNames(t *testing.T) {
	stdout, _, status := again(t, nil, "-test.run=^TestRunTwice$")
	if status != 1 || !contains(stdout, "subtest: have name TestRunTwice/test=x/seed=1#01, want test=x/seed=1") {
		t.Errorf("exit status %d\n%s", status, stdout)
	}
}

func TestShardsShareTheRuns(t *testing.T) {
	ran := 0
	for _, shard := range []string{"1/3", "2/3", "3/3"} {
		stdout, _, status := again(t, []string{"PUSHDOWN_SHARD=" + shard}, "-test.run=^TestTwelveRuns$", "-test.v")
		n := strings.Count(stdout, "running seed")
		skipped := strings.Count(stdout, "PUSHDOWN_SHARD="+shard+": this run belongs to another shard")
		if status != 0 || n+skipped != 12 || n == 0 || skipped == 0 {
			t.Errorf("shard %s: exit status %d, %d runs and %d skips\n%s", shard, status, n, skipped, stdout)
		}
		ran += n
	}
	if ran != 12 {
		t.Errorf("three shards ran %d of 12", ran)
	}
}

// TestTwelveRuns is run by TestShardsShareTheRuns in other processes.
func TestTwelveRuns(t *testing.T) {
	if !child() {
		t.Skip("subject of another test")
	}
	for seed := 1; seed <= 12; seed++ {
		subtest(t, golden.Name("test=x").WithSeed(seed), func(t *testing.T) { t.Logf("running seed %d", seed) }, nil)
	}
}
