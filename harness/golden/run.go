package golden

import (
	"fmt"
	"slices"
)

// A Run holds the results of a test for comparison with a golden file.
type Run struct {
	Suite, Scale string // must be those of the golden file
	Contract     int    // version of the numeric contract
	// Machine describes the device, such as "cpu avx2" or "cuda NVIDIA
	// H200"; UpdateFile adds the system and the processor.
	Machine string

	Units        []Unit      // at least those of Rows
	Tolerances   []Tolerance // one for every unit of Rows
	Rows         []Row
	Trajectories []Trajectory
	// Origins has an entry for each row and trajectory that was not trained by this
	// process, but read back from a stored result. The entry says where the result was
	// made. An update writes this origin to the golden file, and messages say that the
	// result was read back. A stored result is the text that File and Format give.
	Origins map[Name]Origin

	// Judge says which verdicts to derive. They are derived from the rows of the
	// run and, for rows that did not run, from those of the golden file.
	Judge Judge
	// Complete reports whether the run has everything that the golden file should have. If
	// it is set, rows, trajectories and verdicts that only the golden file has are
	// differences, and an update removes them. Leave it false if a -run flag or a shard
	// may have excluded rows, or if runs stop after their first updates.
	Complete bool
}

// overlay returns a copy of g, which may be nil, with the rows and trajectories of r in
// place of those of the same name. A golden trajectory stays if that of r is only its
// beginning. If r.Complete is set, rows and trajectories that only g has are left out, and
// so are all verdicts. The last parameter is a function that gives the number of the
// Provenance line for a row or trajectory of r. The caller may change the copy without
// changing g or r.
func (r *Run) overlay(g *File, from func(Name) int) *File {
	if g == nil {
		g = &File{Suite: r.Suite, Scale: r.Scale}
	}
	f := &File{Suite: g.Suite, Scale: g.Scale, Provenance: slices.Clone(g.Provenance)}
	if !r.Complete {
		f.Units, f.Tolerances = slices.Clone(g.Units), slices.Clone(g.Tolerances)
		f.Rows, f.Trajectories = slices.Clone(g.Rows), slices.Clone(g.Trajectories)
		f.Verdicts, f.Claims = slices.Clone(g.Verdicts), slices.Clone(g.Claims)
	}
	f.Units = replaceBy(f.Units, r.Units, func(u Unit) string { return u.Name })
	f.Tolerances = replaceBy(f.Tolerances, r.Tolerances, func(t Tolerance) string { return t.Unit })
	rows := slices.Clone(r.Rows)
	for i := range rows {
		rows[i].From = from(rows[i].Name)
	}
	var trajectories []Trajectory
	index := g.trajectoryIndex()
	for _, t := range r.Trajectories {
		t.From = from(t.Name)
		if i, ok := index[t.Name]; ok && !t.complete() {
			if _, diverged := divergence(g.Trajectories[i], t); !diverged {
				t = g.Trajectories[i] // keep the longer trajectory
			}
		}
		trajectories = append(trajectories, t)
	}
	f.Rows = replaceBy(f.Rows, rows, func(r Row) Name { return r.Name })
	f.Trajectories = replaceBy(f.Trajectories, trajectories, func(t Trajectory) Name { return t.Name })
	f.dropUnused()
	return f
}

// replaceBy merges two slices. Each new item replaces the old item with the same key. New
// items whose keys no old item has are appended, even if two of them share a key: later
// checks find the duplicate.
func replaceBy[T any, K comparable](old, new []T, key func(T) K) []T {
	at := make(map[K]int, len(old))
	for i, item := range old {
		at[key(item)] = i
	}
	for _, item := range new {
		if i, ok := at[key(item)]; ok {
			old[i] = item
			continue
		}
		old = append(old, item)
	}
	return old
}

// dropUnused removes units that no row has, and their tolerances.
func (f *File) dropUnused() {
	used := make(map[string]bool)
	for _, row := range f.Rows {
		for _, v := range row.Values {
			used[v.Unit] = true
		}
	}
	f.Units = slices.DeleteFunc(f.Units, func(u Unit) bool { return !used[u.Name] })
	f.Tolerances = slices.DeleteFunc(f.Tolerances, func(t Tolerance) bool { return !used[t.Unit] })
}

// check returns an error if the results of the run are not valid in a golden file.
// It also sorts the rows and trajectories of the run.
func (r *Run) check() error {
	if r.Contract < 1 {
		return fmt.Errorf("run of %s/%s: contract: have %d, want 1 or more", r.Suite, r.Scale, r.Contract)
	}
	f := r.File()
	f.sort()
	if err := f.check(); err != nil {
		return fmt.Errorf("run of %s/%s: %w", r.Suite, r.Scale, err)
	}
	rows, trajectories := f.rowIndex(), f.trajectoryIndex()
	for name := range r.Origins {
		_, row := rows[name]
		if _, trajectory := trajectories[name]; !row && !trajectory {
			return fmt.Errorf("run of %s/%s: origin of %s: have no row and no trajectory of that name, want one", r.Suite, r.Scale, abbreviate(string(name)))
		}
	}
	for _, u := range r.Units {
		if !slices.ContainsFunc(r.Tolerances, func(t Tolerance) bool { return t.Unit == u.Name }) {
			return fmt.Errorf("run of %s/%s: unit %s: have no tolerance, want one", r.Suite, r.Scale, u.Name)
		}
	}
	r.Rows, r.Trajectories = f.Rows, f.Trajectories
	return r.Judge.check()
}

// File returns the run as a golden file of its own. benchstat reads it as the column of the
// run, Check writes it if a comparison fails, and a stored result is such a file. Its rows
// have the commit unknown, except those with an entry in Origins.
func (r *Run) File() *File {
	own := Origin{Commit: "unknown", Machine: machine(r.Machine), Date: today()}
	lines, from := r.provenance(1, own, "a run, not a golden file")
	f := r.overlay(nil, from)
	f.Provenance = slices.DeleteFunc(lines, func(p Provenance) bool { return len(lines) > 1 && !f.cites(p.ID) })
	for i := range f.Rows { // sorting must not change the values of the run
		f.Rows[i].Values = slices.Clone(f.Rows[i].Values)
	}
	for i := range f.Trajectories {
		f.Trajectories[i].Points = slices.Clone(f.Trajectories[i].Points)
		for j := range f.Trajectories[i].Points {
			p := &f.Trajectories[i].Points[j]
			p.Extra = slices.Clone(p.Extra)
		}
	}
	return f
}
