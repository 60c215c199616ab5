package train

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pushdown/harness/golden"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/optim"
)

// TestStateDigest changes, one at a time, each value that decides how a run
// continues, and checks that the state digest changes.
func TestStateDigest(t *testing.T) {
	r, err := newRunner(problem(), Options{Device: device(t, cpu.Best())})
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	seen := map[string]string{r.stateDigest(): "nothing"}
	note := func(what string) {
		t.Helper()
		d := r.stateDigest()
		if other, ok := seen[d]; ok {
			t.Errorf("a change of %s gives the digest of a change of %s", what, other)
		}
		seen[d] = what
	}
	prefixes, blocks := r.blocks()
	if len(blocks) != 3 {
		t.Fatalf("%d blocks, want parameters and two moments", len(blocks))
	}
	for i, block := range blocks {
		for _, region := range r.vm.Layout().Trainable {
			at := block + region.At + region.Rows*region.Cols - 1
			old := make([]float32, 1)
			r.vm.Arena().Read(at, old)
			r.vm.Arena().Write(at, []float32{old[0] + 1})
			note(prefixes[i] + region.Name)
			r.vm.Arena().Write(at, old)
		}
	}
	r.scalars = []scheduled{{Scalar: Scalar{Name: "x"}, value: 1}}
	note("the number of scalars")
	r.scalars[0].value = 2
	note("a scalar")
	r.scalars = nil
	start := r.opt.State()
	for what, change := range map[string]func(s *optim.State){
		"the number of updates": func(s *optim.State) { s.Updates++ },
		"the learning rate":     func(s *optim.State) { s.LR /= 2 },
		"the power of beta 1":   func(s *optim.State) { s.Power1 /= 2 },
		"the power of beta 2":   func(s *optim.State) { s.Power2 /= 4 },
	} {
		s := start
		change(&s)
		if err := r.opt.Restore(s); err != nil {
			t.Fatal(err)
		}
		note(what)
	}
	if err := r.opt.Restore(start); err != nil {
		t.Fatal(err)
	}
	for what, watch := range map[string]optim.PlateauState{
		"the best loss": {Best: 0.5}, "the checks since the cut": {SinceBestOrCut: 1}, "the checks since the best": {SinceBest: 1},
	} {
		r.watch = watch
		note(what)
	}
}

// TestStatePath checks that the state file is named after the hash of the experiment.
func TestStatePath(t *testing.T) {
	root := t.TempDir()
	e, other := shortProblem(), shortProblem()
	other.Seed++
	paths := map[string]bool{}
	for _, x := range []*Experiment{e, other} {
		path, err := x.StatePath(root)
		if err != nil {
			t.Fatal(err)
		}
		hash, err := x.Hash()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(path, root) || !strings.Contains(path, hash) {
			t.Errorf("state is in %s, want a file below %s that is named by %s", path, root, hash)
		}
		paths[path] = true
		res := run(t, x, Options{State: path, SaveEvery: time.Millisecond})
		if _, err := os.Stat(filepath.Dir(path)); !errors.Is(err, fs.ErrNotExist) || res.Trajectory.Points[0].At != golden.Step(1) {
			t.Errorf("a finished run leaves its folder behind (%v)", err)
		}
	}
	if len(paths) != 2 {
		t.Error("two experiments share a file")
	}
}
