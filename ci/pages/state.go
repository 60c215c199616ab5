package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"pushdown/harness/golden"
	"pushdown/harness/suite"
)

// A state holds the finished runs of a state folder.
type state struct {
	Runs   int
	byName map[golden.Name][]*suite.Result // by group, sorted by seed
}

// readState reads the results in a state folder.
func readState(root string) (*state, error) {
	if _, err := os.Stat(root); err != nil {
		return nil, fmt.Errorf("-state: %w", err)
	}
	folder := suite.ResultFolder(root)
	names, err := filepath.Glob(filepath.Join(folder, "*.safetensors"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("-state %s: have no result in %s, want a state folder with finished runs", root, folder)
	}
	s := &state{Runs: len(names), byName: make(map[golden.Name][]*suite.Result)}
	for _, name := range names {
		r, err := suite.ReadResult(name)
		if err != nil {
			return nil, err
		}
		if have := r.Experiment + ".safetensors"; have != filepath.Base(name) {
			return nil, fmt.Errorf("%s: have the result of %s, want it in a file of the name %s", name, r.Row.Name, have)
		}
		r.Params = nil // pages do not show them, and they may be large
		g := r.Row.Name.Group()
		s.byName[g] = append(s.byName[g], r)
	}
	for _, list := range s.byName {
		slices.SortFunc(list, func(a, b *suite.Result) int {
			return cmp.Or(cmp.Compare(a.Row.Name.Seed(), b.Row.Name.Seed()), cmp.Compare(a.Scale, b.Scale))
		})
	}
	return s, nil
}

// A stored is a run of a state folder beside that of the golden file.
type stored struct {
	*suite.Result
	Seed   int
	Digest string
	Golden string // the same run, another run, or none, at the scale of the run
}

// Stored returns the runs of a row in the state folder.
func (r *report) Stored(x *row) (list []stored) {
	if r.State == nil {
		return nil
	}
	for _, r := range r.State.byName[x.Name] {
		if r.Scale != x.File.Scale {
			continue
		}
		d := stored{Result: r, Seed: r.Row.Name.Seed(), Digest: r.Trajectory.Result(), Golden: "not there yet"}
		if t, ok := x.runs[d.Seed]; ok {
			d.Golden = "has other parameters"
			if t.Result() == d.Digest {
				d.Golden = "has the same parameters"
			}
		}
		list = append(list, d)
	}
	return list
}
