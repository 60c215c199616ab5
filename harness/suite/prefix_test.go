package suite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pushdown/harness/golden"
)

// TestUpdateDropsPrefixes checks that an update at scale paper removes the runs from
// testdata/prefix.txt that the golden file then has, and the file if none is left. Otherwise
// the update would make the file stale, and the next test would fail.
func TestUpdateDropsPrefixes(t *testing.T) {
	s, r := toys(t)
	plant(t, filepath.Dir(PrefixFile), map[string]string{"settings.txt": ""})
	write := func(groups ...golden.Name) {
		t.Helper()
		run := s.NewRun("prefix", "x86")
		for _, g := range groups {
			run.Trajectories = append(run.Trajectories, golden.Trajectory{Name: g.WithSeed(1), Points: []golden.Point{{At: 1, SHA256: strings.Repeat("0", 64)}}})
		}
		if _, err := golden.UpdateFile(PrefixFile, run, "first updates"); err != nil {
			t.Fatal(err)
		}
	}
	toy, other := r.ID().Group(), golden.Name("paper=resurgence/section=6.2/row=other")
	write(toy, other)
	trainToys(t, s, "trained", "first run")
	if have := text(t, PrefixFile); strings.Contains(have, string(toy)) || !strings.Contains(have, string(other)) {
		t.Errorf("%s: have\n%s\nwant the row other only", PrefixFile, have)
	}
	if err := os.Remove(PrefixFile); err != nil {
		t.Fatal(err)
	}
	write(toy)
	trainToys(t, s, "again", "second run")
	if _, err := os.Stat(PrefixFile); !os.IsNotExist(err) {
		t.Errorf("%s: have it (%v), want no such file", PrefixFile, err)
	}
}
