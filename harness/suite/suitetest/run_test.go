package suitetest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/suite"
)

func TestSeedsSuffice(t *testing.T) {
	for _, c := range []struct {
		scale   suite.Scale
		n       int
		present []int
		want    bool
	}{
		{suite.Paper, 3, nil, true},
		{suite.Paper, 3, []int{1}, true},
		{suite.Paper, 3, []int{1, 2}, true},
		{suite.Paper, 3, []int{2}, false},
		{suite.Paper, 3, []int{1, 3}, false},
		{suite.Paper, 3, []int{1, 2, 3}, true},
		{suite.Paper, 10, []int{1, 2}, true},
		{suite.Paper, 10, []int{1, 2, 3}, false}, // three runs can be judged
		{suite.CI, 3, []int{1, 2}, false},
		{suite.CI, 1, nil, false},
		{suite.CI, 1, []int{1}, true},
	} {
		if have := seedsSuffice(c.scale, c.n, c.present); have != c.want {
			t.Errorf("scale %s, seeds %v of %d: have %v, want %v", c.scale, c.present, c.n, have, c.want)
		}
	}
}

// TestNoPrefixes checks that an update removes a testdata/prefix.txt that has become stale, and
// that the error without an update says so.
func TestNoPrefixes(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := noPrefixes(); err != nil {
		t.Errorf("no file: %v", err)
	}
	if err := os.MkdirAll(filepath.Dir(suite.PrefixFile), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(suite.PrefixFile, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := noPrefixes(); err == nil || !strings.HasSuffix(err.Error(), `-update "<reason>" removes it`) || strings.Contains(err.Error(), "nil") {
		t.Errorf("a file: have error %v, want one that says how to remove it", err)
	}
	*golden.Flag() = "a reason"
	defer func() { *golden.Flag() = "" }()
	if err := noPrefixes(); err != nil {
		t.Errorf("-update: %v", err)
	}
	if err := noPrefixes(); err != nil {
		t.Errorf("after an update: %v", err)
	}
}

// TestPerRow checks that runs that should not be there are counted by row.
func TestPerRow(t *testing.T) {
	runs := map[golden.Name]bool{}
	for seed := range 10 {
		runs[golden.Name("paper=resurgence/table=2/row=b").WithSeed(seed+1)] = true
	}
	runs["paper=resurgence/table=2/row=a/seed=3"] = true
	if have, want := perRow(runs), []string{"paper=resurgence/table=2/row=a (1)", "paper=resurgence/table=2/row=b (10)"}; !slices.Equal(have, want) {
		t.Errorf("have %q, want %q", have, want)
	}
}
