package golden

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// UpdateFile rewrites the golden file at path with what ran, and creates it if
// there is none. Rows that did not run stay, and so does the provenance of
// rows that came out as they were; a wall time alone changes no row unless the
// reason names its unit. It reports whether the file changed. Several processes
// may update one file: they take turns. A link stays one.
//
// It refuses
//
//   - an update without a reason, or with one that begins with - as a flag does;
//   - a golden file that is read-only, and one that another update has locked for
//     a minute;
//   - to loosen a tolerance, or to drop one with its unit, unless the reason
//     names the unit;
//   - to replace the trajectory of a whole run by that of a prefix;
//   - verdicts that would go stale because their rows change but the run's
//     Judge leaves them out;
//   - a run under another contract version whose mean over seeds leaves the
//     range that the old seeds had, in any unit but those of tolerance any.
//     Bits may change with the contract, results may not. If such a change is
//     right all the same, remove the rows by hand in a commit that says why.
func UpdateFile(path string, run *Run, reason string, rules Rules) (changed bool, err error) {
	fail := func(err error) (bool, error) { return false, fmt.Errorf("update of %s: %w", path, err) }
	if err := checkReason(reason); err != nil {
		return fail(err)
	}
	if err := run.check(); err != nil {
		return fail(err)
	}
	file, err := writable(path)
	if err != nil {
		return fail(err)
	}
	release, err := lock(file, lockTries)
	if err != nil {
		return fail(err)
	}
	defer func() { err = errors.Join(err, release()) }()
	old, err := Read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if list, _ := filepath.Glob(filepath.Join(filepath.Dir(file), apartFolder, "*.txt")); apart(path) && len(list) > 0 {
			return fail(fmt.Errorf("have no such file beside %d files of digests, which would be lost: take both from one commit", len(list)))
		}
	case err != nil:
		return fail(err)
	case old.Suite != run.Suite || old.Scale != run.Scale:
		return fail(fmt.Errorf("run of %s/%s: golden file: have %s/%s", run.Suite, run.Scale, old.Suite, old.Scale))
	}
	next, err := run.merge(old, reason, rules, apart(path))
	if err != nil {
		return fail(err)
	}
	if old != nil && next.sameBut(old) {
		return false, nil
	}
	if err := write(file, next, apart(path)); err != nil {
		return fail(err)
	}
	return true, nil
}

// merge returns the golden file after the update, sorted; if thin, with its
// trajectories thinned.
func (r *Run) merge(old *File, reason string, rules Rules, thin bool) (*File, error) {
	if old == nil {
		old = &File{Suite: r.Suite, Scale: r.Scale}
	}
	id := 1
	for _, p := range old.Provenance {
		id = max(id, p.ID+1)
	}
	lines, from := r.provenance(id, Here(r.Machine), reason)
	next := r.overlay(old, from)
	if err := guardTolerances(old, next, reason); err != nil {
		return nil, err
	}
	if err := r.guardPrefixes(old); err != nil {
		return nil, err
	}
	if err := r.guardSpread(old); err != nil {
		return nil, err
	}
	if thin {
		next = next.thin()
	}
	next.keepOrigins(old, reason)
	if err := rules.Judge(next, r.Judge); err != nil {
		return nil, err
	}
	next.keepEvidence(old)
	if err := r.guardVerdicts(old, next, rules); err != nil {
		return nil, err
	}
	next.Provenance = append(next.Provenance, lines...)
	last := lines[len(lines)-1] // the update itself stays
	next.Provenance = slices.DeleteFunc(next.Provenance, func(p Provenance) bool { return p != last && !next.cites(p.ID) })
	next.sort()
	return next, nil
}

// keepOrigins takes rows and trajectories that came out as they were back from
// the old file. Values of tolerance any do not count, so that a wall time
// alone rewrites nothing, unless the reason names their unit.
func (f *File) keepOrigins(old *File, reason string) {
	free := make(map[string]bool)
	for _, t := range f.Tolerances {
		free[t.Unit] = t.Any && !names(reason, t.Unit)
	}
	rows, trajectories := old.rowIndex(), old.trajectoryIndex()
	for i, row := range f.Rows {
		j, ok := rows[row.Name]
		if ok && slices.EqualFunc(row.Values, old.Rows[j].Values, func(a, b Value) bool {
			return a.Unit == b.Unit && (a.Value == b.Value || free[a.Unit])
		}) {
			f.Rows[i] = old.Rows[j]
		}
	}
	for i, t := range f.Trajectories {
		if j, ok := trajectories[t.Name]; ok && t.String() == old.Trajectories[j].String() {
			f.Trajectories[i] = old.Trajectories[j]
		}
	}
}

// keepEvidence leaves verdicts alone whose outcome is unchanged if no row
// changed: the last digit of evidence may depend on the processor.
func (f *File) keepEvidence(old *File) {
	if !slices.EqualFunc(f.Rows, old.Rows, func(a, b Row) bool { return a.String() == b.String() }) {
		return
	}
	evidence := make(map[string]Verdict)
	for _, v := range old.Verdicts {
		evidence[v.Key] = v
	}
	for i, v := range f.Verdicts {
		if was := evidence[v.Key]; was.Outcome == v.Outcome && sameEvidence(was.Evidence, v.Evidence) {
			f.Verdicts[i] = was
		}
	}
}

// sameBut reports whether f says the same as old but for the update itself.
func (f *File) sameBut(old *File) bool {
	a, b := *f, *old
	a.Provenance, b.Provenance = nil, nil
	return bytes.Equal(a.encode(), b.encode())
}

// cites reports whether any row or trajectory comes from provenance id.
func (f *File) cites(id int) bool {
	return slices.ContainsFunc(f.Rows, func(r Row) bool { return r.From == id }) ||
		slices.ContainsFunc(f.Trajectories, func(t Trajectory) bool { return t.From == id })
}

// guardTolerances refuses a looser tolerance, and one that is gone, unless the
// reason names its unit.
func guardTolerances(old, next *File, reason string) error {
	for _, was := range old.Tolerances {
		now, ok := next.ToleranceOf(was.Unit)
		switch {
		case names(reason, was.Unit):
		case !ok:
			return fmt.Errorf("tolerance of %s: have none any more, want the reason to name the unit if it goes on purpose", was.Unit)
		case now.looserThan(was):
			return fmt.Errorf("tolerance of %s: have %s, want no looser than %s, or the reason to name the unit", was.Unit, now.limits(), was.limits())
		}
	}
	return nil
}

// names reports whether the words of reason include unit.
func names(reason, unit string) bool {
	return slices.ContainsFunc(strings.Fields(reason), func(w string) bool { return strings.Trim(w, `.,:;()'"`) == unit })
}

// guardPrefixes refuses to put the start of a run in place of all of it.
func (r *Run) guardPrefixes(old *File) error {
	index := old.trajectoryIndex()
	for _, t := range r.Trajectories {
		i, ok := index[t.Name]
		if ok && old.Trajectories[i].complete() && !t.complete() {
			if _, parted := part(old.Trajectories[i], t); parted {
				return fmt.Errorf("trajectory %s: have a prefix up to update %v that differs, want the run to its end", t.Name, t.Points[len(t.Points)-1].At)
			}
		}
	}
	return nil
}

// guardSpread refuses a change of contract that moves results.
func (r *Run) guardSpread(old *File) error {
	version := make(map[int]int)
	for _, p := range old.Provenance {
		version[p.ID] = p.Contract
	}
	changed := make(map[Name]bool)
	for _, row := range old.Rows {
		if version[row.From] != r.Contract {
			changed[row.Name.Group()] = true
		}
	}
	ran := &File{Rows: r.Rows}
	for _, group := range ran.Groups() {
		if !changed[group] {
			continue
		}
		for _, u := range old.Units {
			was, now := old.Values(group, u.Name), ran.Values(group, u.Name)
			if t, _ := old.ToleranceOf(u.Name); t.Any || len(was) == 0 || len(now) == 0 {
				continue
			}
			low, high := slices.Min(was), slices.Max(was)
			if m := Mean(now); m < low || high < m {
				return fmt.Errorf("%s: %s: contract version %d: have a mean of %s over %d seeds, want one in the spread %s to %s of the %d seeds before",
					group, u.Name, r.Contract, Number(Round6(m)), len(now), Number(low), Number(high), len(was))
			}
		}
	}
	return nil
}

// guardVerdicts refuses to change rows under verdicts that are not judged
// again.
func (r *Run) guardVerdicts(old, next *File, rules Rules) error {
	before := old.rowIndex()
	moved := make(map[Name]bool)
	for _, row := range next.Rows {
		if i, ok := before[row.Name]; !ok || row.String() != old.Rows[i].String() {
			moved[row.Name.Group()] = true
		}
	}
	for _, v := range next.Verdicts {
		basis, err := rules.Basis(v.Key)
		if err != nil {
			return err
		}
		if g := basis[0].Group; moved[g] && !slices.Contains(r.Judge.Groups, g) {
			return fmt.Errorf("verdict %s: have new rows of %s, want the group in the run's Judge", v.Key, g)
		}
	}
	for _, v := range next.Claims {
		if slices.Contains(r.Judge.Claims, v.ID) {
			continue
		}
		basis, err := rules.Basis(v.ID)
		if err != nil {
			continue // judged by a package that is not linked into this test
		}
		for _, b := range basis {
			if moved[b.Group] {
				return fmt.Errorf("claim %s: have new rows of %s, want the claim in the run's Judge", v.ID, b.Group)
			}
		}
	}
	return nil
}

// Path returns the golden file of a suite at a scale, golden/<suite>/<scale>.txt
// below the folder of go.mod, which it seeks from the working directory
// upwards. At scale paper it is paper-scale.txt.
func Path(suite, scale string) (string, error) {
	root, err := root()
	if err != nil {
		return "", err
	}
	return filepath.Join(root, "golden", suite, FileName(scale)), nil
}

// FileName returns the name of the golden files of a scale.
func FileName(scale string) string {
	if scale == "paper" {
		return apartName
	}
	return scale + ".txt"
}

// root returns the folder of go.mod above the working directory, as a
// relative path: files opened below it make the test cache notice changes.
func root() (string, error) {
	dir := "."
	for range 20 {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		dir = filepath.Join(dir, "..")
	}
	return "", fmt.Errorf("go.mod: have none in the working directory or above it, want to run inside the module")
}
