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

	"pushdown/harness/disk"
)

// UpdateFile writes the results of a run to the golden file at path, and creates the file
// if there is none. It reports whether the file changed. Golden rows that the run does not
// have stay, unless run.Complete is set. A row with unchanged values keeps its provenance
// and its old wall time. To replace the wall time, name its unit in the reason. If several
// processes update a file at the same time, they wait for each other. If path is a symbolic
// link, the file that it points to is written.
//
// UpdateFile refuses
//
//   - to update without a reason, or for a reason that begins with -, as flags do;
//   - to update a file that is read-only, or that another update keeps locked for a
//     minute;
//   - to loosen a tolerance, or to drop a unit and its tolerance, unless the reason
//     names the unit;
//   - to replace the trajectory of a whole run by that of a run that ended early, if the
//     two differ in the part that both have;
//   - to change rows if a verdict depends on them and the run's Judge does not
//     select that verdict;
//   - to replace rows made under another contract version if the new mean over the
//     seeds of a group is outside the range of the old values of some unit. Units
//     with tolerance "any" are exempt.
//
// A new contract may change bits, but not results: hence the last rule. If a change of
// results is right nevertheless, remove the old rows by hand in a commit that gives the
// reason.
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
	if err := disk.Recover(journal(file)); err != nil {
		return fail(err)
	}
	old, err := Read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if list, _ := filepath.Glob(filepath.Join(filepath.Dir(file), apartFolder, "*.txt")); apart(path) && len(list) > 0 {
			return fail(fmt.Errorf("have %d files of digests but not this file, want both from one commit: the update would lose the digests", len(list)))
		}
	case err != nil:
		return fail(err)
	case old.Suite != run.Suite || old.Scale != run.Scale:
		return fail(fmt.Errorf("run of %s/%s: golden file: have %s/%s, want that of the run", run.Suite, run.Scale, old.Suite, old.Scale))
	}
	next, err := run.merge(old, reason, rules, apart(path))
	if err != nil {
		return fail(err)
	}
	if old != nil && next.sameContent(old) {
		return false, nil
	}
	if err := write(file, next, apart(path)); err != nil {
		return fail(err)
	}
	return true, nil
}

// merge returns the golden file after an update by r, sorted. If thin is set, the
// trajectories are thinned.
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
	last := lines[len(lines)-1] // the line of the update itself stays, even if no row refers to it
	next.Provenance = slices.DeleteFunc(next.Provenance, func(p Provenance) bool { return p != last && !next.cites(p.ID) })
	next.sort()
	return next, nil
}

// keepOrigins replaces unchanged rows and trajectories by those of the old file, so that
// they keep their origins. Differences in units with the tolerance "any", such as wall
// time, do not count as changes, unless the reason for the update names the unit.
func (f *File) keepOrigins(old *File, reason string) {
	ignored := make(map[string]bool)
	for _, t := range f.Tolerances {
		ignored[t.Unit] = t.Any && !mentions(reason, t.Unit)
	}
	rows, trajectories := old.rowIndex(), old.trajectoryIndex()
	for i, row := range f.Rows {
		j, ok := rows[row.Name]
		if ok && slices.EqualFunc(row.Values, old.Rows[j].Values, func(a, b Value) bool {
			return a.Unit == b.Unit && (a.Value == b.Value || ignored[a.Unit])
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

// keepEvidence keeps the old evidence of a cell if no row of the file has changed and the
// cell has the same outcome and the same evidence as before, up to the last digit (see
// sameEvidence). That digit may depend on the processor. An update on another processor
// would otherwise rewrite it.
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

// sameContent reports whether f and old are equal except for their provenance lines.
func (f *File) sameContent(old *File) bool {
	a, b := *f, *old
	a.Provenance, b.Provenance = nil, nil
	return bytes.Equal(a.encode(), b.encode())
}

// cites reports whether any row or trajectory refers to provenance id.
func (f *File) cites(id int) bool {
	return slices.ContainsFunc(f.Rows, func(r Row) bool { return r.From == id }) ||
		slices.ContainsFunc(f.Trajectories, func(t Trajectory) bool { return t.From == id })
}

// guardTolerances returns an error if the update loosens or drops a tolerance and
// the reason does not name the unit.
func guardTolerances(old, next *File, reason string) error {
	for _, was := range old.Tolerances {
		now, ok := next.ToleranceOf(was.Unit)
		switch {
		case mentions(reason, was.Unit):
		case !ok:
			return fmt.Errorf("tolerance of %s: have none any more, want the reason to name the unit if it is removed on purpose", was.Unit)
		case now.looserThan(was):
			return fmt.Errorf("tolerance of %s: have %s, want no looser than %s, or the reason to name the unit", was.Unit, now.limits(), was.limits())
		}
	}
	return nil
}

// mentions reports whether unit is one of the words of reason.
func mentions(reason, unit string) bool {
	return slices.ContainsFunc(strings.Fields(reason), func(w string) bool { return strings.Trim(w, `.,:;()'"`) == unit })
}

// guardPrefixes returns an error if the trajectory of a whole run would be replaced by a
// prefix that differs from it.
func (r *Run) guardPrefixes(old *File) error {
	index := old.trajectoryIndex()
	for _, t := range r.Trajectories {
		i, ok := index[t.Name]
		if ok && old.Trajectories[i].complete() && !t.complete() {
			if _, diverged := divergence(old.Trajectories[i], t); diverged {
				return fmt.Errorf("trajectory %s: have a prefix up to update %v that differs, want the run to its end", t.Name, t.Points[len(t.Points)-1].At)
			}
		}
	}
	return nil
}

// guardSpread returns an error if a mean over the seeds of a group, made under a
// new contract version, is outside the range of the values that the old version
// gave.
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

// guardVerdicts returns an error if rows change but a verdict that depends on them is
// not derived again.
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
			continue // the claim belongs to a package that is not linked into this test
		}
		for _, b := range basis {
			if moved[b.Group] {
				return fmt.Errorf("claim %s: have new rows of %s, want the claim in the run's Judge", v.ID, b.Group)
			}
		}
	}
	return nil
}

// Path returns the path of the golden file of a suite at a scale. It is <scale>.txt, or
// paper-scale.txt at scale paper, in golden/<suite> below the folder that contains go.mod.
// That folder is the working directory or one above it.
func Path(suite, scale string) (string, error) {
	root, err := root()
	if err != nil {
		return "", err
	}
	return filepath.Join(root, "golden", suite, FileName(scale)), nil
}

// FileName returns the file name of golden files at a scale.
func FileName(scale string) string {
	if scale == "paper" {
		return apartName
	}
	return scale + ".txt"
}

// root returns the folder at or above the working directory that contains go.mod. The path
// is relative. The cache of go test resolves relative paths, so it still notices changes of
// the files that tests open below this folder.
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
