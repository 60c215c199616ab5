package golden

import (
	"fmt"
	"slices"
)

// A Run is what a test measured and wants to hold against a golden file.
type Run struct {
	Suite, Scale string // must be those of the golden file
	Contract     int    // version of the numeric contract
	// Machine describes where it ran, such as "cpu avx2" or "cuda NVIDIA
	// H200"; UpdateFile adds the system and the processor.
	Machine string

	Units        []Unit      // at least those of Rows
	Tolerances   []Tolerance // one for every unit of Rows
	Rows         []Row
	Trajectories []Trajectory
	// Origins says where the rows and trajectories of these names were made: this
	// process did not train them but read them back, by Parse from a text that File
	// and Format made. An update keeps their origin in the golden file, and no
	// message says that they ran.
	Origins map[Name]Origin

	// Judge says which verdicts follow from the rows, in the run together with
	// those in the golden file that did not run.
	Judge Judge
	// Complete says that everything the golden file should hold has run:
	// then rows, trajectories and verdicts of the golden file that the run
	// lacks are differences, and an update removes them. Leave it false
	// where a -run flag, a shard or a prefix may have left rows out.
	Complete bool
}

// overlay returns the golden file g (nil: none yet) with the run's rows in place
// of those of the same name; from gives the provenance of each. The result shares no slices that
// either side would change.
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
			if _, parted := part(g.Trajectories[i], t); !parted {
				t = g.Trajectories[i] // a prefix that agrees adds nothing
			}
		}
		trajectories = append(trajectories, t)
	}
	f.Rows = replaceBy(f.Rows, rows, func(r Row) Name { return r.Name })
	f.Trajectories = replaceBy(f.Trajectories, trajectories, func(t Trajectory) Name { return t.Name })
	f.dropUnused()
	return f
}

// replaceBy returns old with the items of the same key replaced by those of
// new, and the others of new behind. An item that new has twice is there twice
// if old does not have it: checks then find it.
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

// dropUnused removes units, and their tolerances, that no row has.
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

// check holds the run to what a golden file promises; it sorts the run's
// slices on the way. Nothing may occur twice.
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

// File returns the run as a golden file of its own: the run column of a side
// by side reading, what stays behind when a comparison fails, and what keeps a
// result until it is read back. What has no origin is from commit unknown.
func (r *Run) File() *File {
	own := Origin{Commit: "unknown", Machine: machine(r.Machine), Date: today()}
	lines, from := r.provenance(1, own, "a run, not a golden file")
	f := r.overlay(nil, from)
	f.Provenance = slices.DeleteFunc(lines, func(p Provenance) bool { return len(lines) > 1 && !f.cites(p.ID) })
	for i := range f.Rows { // sorting must not reach into the run
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
