package golden

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// UpdateFile writes the results of a run to the golden file at path, and creates the file
// if there is none. It reports whether the file changed. Golden rows that the run does not
// have stay, unless run.Complete is set. A row with unchanged values keeps its provenance
// and its old wall time, unless it was made under another contract version. To replace the
// wall time, name its unit in the reason. If several processes update a file at the same time,
// they wait for each other. If path is a symbolic link, the file that it points to is written.
//
// UpdateFile refuses
//
//   - to update without a reason, or for a reason that begins with -, as flags do;
//   - to write results of a program of which no commit is known; see [Commit];
//   - to update a file that is read-only, or that another update keeps locked for a
//     minute;
//   - to drop a unit, or to compare it no longer, unless the reason names the unit;
//   - to write a row that belongs into another file; see [Name.File];
//   - to replace the trajectory of a whole run by that of a run that ended early, if the
//     two differ in the part that both have;
//   - to replace rows made under another contract version if the new mean over the
//     seeds of a group is outside the range of the old values of some unit. Wall times
//     are exempt.
//
// A new contract may change bits, but not results: hence the last rule. If a change of
// results is right nevertheless, remove the old rows by hand in a commit that gives the
// reason.
func UpdateFile(path string, run *Run, reason string) (changed bool, err error) {
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
	release, err := Lock(run.FS, file)
	if err != nil {
		return fail(err)
	}
	defer func() { err = errors.Join(err, release()) }()
	old, err := read(run.FS, path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		old = &File{Suite: run.Suite, Scale: run.Scale}
	case err != nil:
		return fail(err)
	case old.Suite != run.Suite || old.Scale != run.Scale:
		return fail(fmt.Errorf("run of %s/%s: golden file: have %s/%s, want that of the run", run.Suite, run.Scale, old.Suite, old.Scale))
	}
	next, err := run.merge(old, reason)
	if err == nil {
		err = next.checkPlace(path)
	}
	if err != nil {
		return fail(err)
	}
	text, err := Format(next)
	if err != nil {
		return fail(err)
	}
	if bytes.Equal(text, old.encode()) {
		return false, nil
	}
	if err := run.FS.WriteFile(file, text); err != nil {
		return fail(err)
	}
	return true, nil
}

// merge returns the golden file after an update by r, sorted.
func (r *Run) merge(old *File, reason string) (*File, error) {
	own := Here(r.Machine)
	own.Contract, own.Reason = r.Contract, reason
	next := r.overlay(old, own)
	if err := guardUnits(old, next, reason); err != nil {
		return nil, err
	}
	if err := r.guardPrefixes(old); err != nil {
		return nil, err
	}
	if err := r.guardSpread(old); err != nil {
		return nil, err
	}
	next.keepOrigins(old, reason)
	return next, next.guardCommits()
}

// guardCommits returns an error if it is not known what made a result.
func (f *File) guardCommits() error {
	check := func(name Name, o Origin) error {
		if o.Commit == Unknown {
			return fmt.Errorf("%s: %s", name, Unstamped)
		}
		return nil
	}
	for _, r := range f.Rows {
		if err := check(r.Name, r.Origin); err != nil {
			return err
		}
	}
	for _, t := range f.Trajectories {
		if err := check(t.Name, t.Origin); err != nil {
			return err
		}
	}
	return nil
}

// keepOrigins replaces unchanged rows and trajectories by those of the old file, so that
// they keep their origins. If the contract version is another, they are not unchanged: Compare
// reports it. Differences in wall time do not count as changes, unless the reason for
// the update names the unit.
func (f *File) keepOrigins(old *File, reason string) {
	ignored := make(map[string]bool)
	for _, u := range f.Units {
		ignored[u.Name] = u.Clock && !mentions(reason, u.Name)
	}
	rows, trajectories := indexBy(old.Rows, Row.name), indexBy(old.Trajectories, Trajectory.name)
	for i, row := range f.Rows {
		j, ok := rows[row.Name]
		if ok && slices.EqualFunc(row.Values, old.Rows[j].Values, func(a, b Value) bool {
			return a.Unit == b.Unit && (a.Value == b.Value || ignored[a.Unit])
		}) && row.Origin.Contract == old.Rows[j].Origin.Contract {
			f.Rows[i] = old.Rows[j]
		}
	}
	for i, t := range f.Trajectories {
		if j, ok := trajectories[t.Name]; ok && t.String() == old.Trajectories[j].String() && t.Origin.Contract == old.Trajectories[j].Origin.Contract {
			f.Trajectories[i] = old.Trajectories[j]
		}
	}
}

// guardUnits returns an error if the update drops a unit, or does not compare it any more, and the
// reason does not name the unit.
func guardUnits(old, next *File, reason string) error {
	for _, was := range old.Units {
		now, ok := next.UnitOf(was.Name)
		switch {
		case mentions(reason, was.Name):
		case !ok:
			return fmt.Errorf("unit %s: have no row with it any more, want the reason to name the unit if it is removed on purpose", was.Name)
		case now.Clock && !was.Clock:
			return fmt.Errorf("unit %s: have wall time, which is not compared, want the reason to name the unit", was.Name)
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
	index := indexBy(old.Trajectories, Trajectory.name)
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
	changed := make(map[Name]bool)
	for _, row := range old.Rows {
		if row.Origin.Contract != r.Contract {
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
			if u.Clock || len(was) == 0 || len(now) == 0 {
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

// Folder returns the folder with the golden files of a suite: golden/<suite> below the folder that
// contains go.mod. That folder is the working directory or one above it.
func Folder(suite string) (string, error) {
	root, err := Root()
	if err != nil {
		return "", err
	}
	return filepath.Join(root, "golden", suite), nil
}

// CheckModule returns an error unless go.mod at or above the working directory is that of the module that has this
// package. A command that another module runs would otherwise look for golden files and a commit there.
func CheckModule() error {
	root, err := Root()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	module := strings.TrimSuffix(reflect.TypeFor[File]().PkgPath(), "/harness/golden")
	line, _, _ := strings.Cut(string(text), "\n")
	if have := strings.TrimSpace(strings.TrimPrefix(line, "module ")); have != module {
		return fmt.Errorf("%s: have the module %.80q, want %s: run the command there, with go -C", filepath.Join(root, "go.mod"), have, module)
	}
	return nil
}

// Root returns the folder at or above the working directory that contains go.mod. The path
// is relative. The cache of go test resolves relative paths, so it still notices changes of
// the files that tests open below this folder.
func Root() (string, error) {
	dir := "."
	for range 20 {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		dir = filepath.Join(dir, "..")
	}
	return "", fmt.Errorf("go.mod: have none in the working directory or above it, want to run inside the module")
}
