package golden

import (
	"fmt"
	"slices"

	"pushdown/harness/disk"
)

// A Run holds the results of a test for comparison with a golden file. The Origin of a row and of
// its trajectory is zero if this process trained the run. If the run was read back from a stored
// result, Origin says where that was made. An update writes it to the golden file, and messages
// say that the result was read back.
type Run struct {
	Suite, Scale string // must be those of the golden file
	Contract     int    // version of the numeric contract
	// Machine describes the device, such as "cpu avx2" or "cuda NVIDIA
	// H200"; UpdateFile adds the system and the processor.
	Machine string
	FS      disk.FS // where UpdateFile writes

	Units        []Unit // at least those of Rows
	Rows         []Row
	Trajectories []Trajectory
	// Complete reports whether the run has everything that the golden file should have. If
	// it is set, rows and trajectories that only the golden file has are
	// differences, and an update removes them. Leave it false if a -run flag or a shard
	// may have excluded rows, or if runs stop after their first updates.
	Complete bool
}

// Files divides the run by the golden files that have its results; see [Name.File].
func (r *Run) Files() map[string]*Run {
	parts := make(map[string]*Run)
	of := func(n Name) *Run {
		name := n.File(r.Scale)
		if parts[name] == nil {
			part := *r
			part.Rows, part.Trajectories = nil, nil
			parts[name] = &part
		}
		return parts[name]
	}
	for _, row := range r.Rows {
		part := of(row.Name)
		part.Rows = append(part.Rows, row)
	}
	for _, t := range r.Trajectories {
		part := of(t.Name)
		part.Trajectories = append(part.Trajectories, t)
	}
	return parts
}

// sorted returns a copy of r with its results in the order of golden files. The caller may change
// the copy without changing r.
func (r *Run) sorted() *Run {
	f := &File{Units: slices.Clone(r.Units), Rows: slices.Clone(r.Rows), Trajectories: slices.Clone(r.Trajectories)}
	for i := range f.Rows {
		f.Rows[i].Values = slices.Clone(f.Rows[i].Values)
	}
	for i := range f.Trajectories {
		points := slices.Clone(f.Trajectories[i].Points)
		for j := range points {
			points[j].Extra = slices.Clone(points[j].Extra)
		}
		f.Trajectories[i].Points = points
	}
	f.sort()
	s := *r
	s.Units, s.Rows, s.Trajectories = f.Units, f.Rows, f.Trajectories
	return &s
}

// overlay returns a copy of g, which may be nil, with the rows and trajectories of r in
// place of those of the same name. A golden trajectory stays if that of r is only its
// beginning. If r.Complete is set, rows and trajectories that only g has are left out.
// Results of this process get the given origin, and results that were read back its reason and
// contract. The caller may change the copy without changing g or r.
func (r *Run) overlay(g *File, own Origin) *File {
	if g == nil {
		g = new(File)
	}
	f := &File{Suite: r.Suite, Scale: r.Scale}
	if !r.Complete {
		f.Units, f.Rows, f.Trajectories = slices.Clone(g.Units), slices.Clone(g.Rows), slices.Clone(g.Trajectories)
	}
	origin := func(o Origin) Origin {
		if o == (Origin{}) {
			return own
		}
		o.Contract, o.Reason = own.Contract, own.Reason
		if o.Commit == Unknown && named != "" {
			o.Commit = named
		}
		return o
	}
	r = r.sorted()
	for i := range r.Rows {
		r.Rows[i].Origin = origin(r.Rows[i].Origin)
	}
	index := indexBy(g.Trajectories, Trajectory.name)
	for at, t := range r.Trajectories {
		t.Origin = origin(t.Origin)
		if i, ok := index[t.Name]; ok && !t.complete() {
			if _, diverged := divergence(g.Trajectories[i], t); !diverged {
				t = g.Trajectories[i] // keep the longer trajectory
			}
		}
		if r.Scale == paperScale {
			t = t.Thin()
		}
		r.Trajectories[at] = t
	}
	f.Units = replaceBy(f.Units, r.Units, func(u Unit) string { return u.Name })
	f.Rows = replaceBy(f.Rows, r.Rows, Row.name)
	f.Trajectories = replaceBy(f.Trajectories, r.Trajectories, Trajectory.name)
	used := make(map[string]bool)
	for _, row := range f.Rows {
		for _, v := range row.Values {
			used[v.Unit] = true
		}
	}
	f.Units = slices.DeleteFunc(f.Units, func(u Unit) bool { return !used[u.Name] })
	f.sort()
	return f
}

// replaceBy merges two slices. Each new item replaces the old item with the same key. New
// items whose keys no old item has are appended, even if two of them share a key: later
// checks find the duplicate.
func replaceBy[T any, K comparable](old, new []T, key func(T) K) []T {
	at := indexBy(old, key)
	for _, item := range new {
		if i, ok := at[key(item)]; ok {
			old[i] = item
			continue
		}
		old = append(old, item)
	}
	return old
}

// check returns an error if the results of the run are not valid in a golden file.
func (r *Run) check() error {
	if r.Contract < 1 {
		return fmt.Errorf("run of %s/%s: contract: have %d, want 1 or more", r.Suite, r.Scale, r.Contract)
	}
	if err := r.File().check(); err != nil {
		return fmt.Errorf("run of %s/%s: %w", r.Suite, r.Scale, err)
	}
	return nil
}

// File returns the run as a golden file of its own. benchstat reads it as the column of the
// run, and Check writes it if a comparison fails. Results of this process have the commit Unknown.
func (r *Run) File() *File {
	return r.overlay(nil, Origin{Commit: Unknown, Machine: machine(r.Machine), Date: today(), Contract: max(r.Contract, 1), Reason: "a run, not a golden file"})
}
