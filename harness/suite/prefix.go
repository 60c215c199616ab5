package suite

import (
	"path/filepath"
	"slices"
	"testing"

	"pushdown/harness/golden"
)

// PrefixUpdates is the number of updates that are repeated to check that a program
// still trains a run in the same way.
const PrefixUpdates = 10

// PrefixFile is the golden file of the first updates of runs that the golden file at paper
// scale does not have yet. The path is relative to the folder of the suite.
var PrefixFile = filepath.Join("testdata", "prefix.txt")

// dropPrefixes removes the runs from PrefixFile that the golden files at paper scale now have. If none
// is left, it removes the file.
func (s *Suite) dropPrefixes(t *testing.T) {
	t.Helper()
	prefixes, err := golden.Read(PrefixFile)
	if absent(err) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	g, err := s.Golden(Paper)
	if err != nil {
		t.Fatal(err)
	}
	run := s.NewRun("prefix", Machine(Open(t)))
	run.Complete = true
	run.Trajectories = slices.DeleteFunc(prefixes.Trajectories, func(p golden.Trajectory) bool {
		return slices.ContainsFunc(g.Trajectories, func(tr golden.Trajectory) bool { return tr.Name == p.Name })
	})
	if len(run.Trajectories) == 0 {
		err = s.disk.Remove(PrefixFile)
	} else {
		_, err = golden.UpdateFile(PrefixFile, run, *golden.Flag())
	}
	if err != nil {
		t.Fatal(err)
	}
}
