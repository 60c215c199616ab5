package golden

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode"
)

// Flag registers the flag -update of a test binary and returns a pointer to its value. The
// value is the reason for rewriting golden files; it is "" if the test only compares. Test
// packages that call Check must call Flag before flags are parsed, for example in the
// initializer of a package variable. Every call returns the same pointer.
//
//	var _ = golden.Flag()
//
//	go test ./suites/dyck -update "first run under contract version 1"
var Flag = sync.OnceValue(func() *string {
	flagged = new(string)
	flag.Var((*reasonFlag)(flagged), "update", "rewrite the golden file from this run, for the `reason` given")
	return flagged
})

// flagged is nil until Flag is called.
var flagged *string

// A reasonFlag is the value of the flag -update. It refuses a value that cannot be a
// reason, such as -run in -update -run WCPA. The process then ends before any test runs.
type reasonFlag string

// String returns the reason.
func (r *reasonFlag) String() string { return string(*r) }

// Set sets the reason. It returns an error if the value cannot be a reason.
func (r *reasonFlag) Set(reason string) error {
	*r = reasonFlag(reason)
	return checkReason(reason)
}

func checkReason(reason string) error {
	if strings.HasPrefix(reason, "-") || !strings.ContainsFunc(reason, unicode.IsLetter) && reason != "" {
		return fmt.Errorf("reason: have %q, want words: why the golden file changes", abbreviate(reason))
	}
	return checkText("reason", reason)
}

// Check compares run with the golden file at path and reports every difference as an error
// of t. If -update gives a reason, Check updates the file instead. It returns true if there
// was no error.
//
// In both cases Check logs the values of the paper, the golden file and the run side by
// side. It also logs which rows were read from stored results (see Run.Origins). If the
// comparison fails, it writes the run to a file in the format of golden files, for diff and
// benchstat. This file is in the artifact folder with -artifacts, else in a new temporary
// folder.
//
// The run may have only some of the rows of the golden file; see Run.Complete. Check may be
// called in a cleanup after parallel subtests: it never calls t.Fatal, whose message would
// be lost there.
func Check(t testing.TB, path string, run *Run, rules Rules) (ok bool) {
	t.Helper()
	reason := ""
	if flagged != nil {
		reason = *flagged
	}
	return check(t, path, run, reason, rules)
}

func check(t testing.TB, path string, run *Run, reason string, rules Rules) (ok bool) {
	t.Helper()
	if text := run.readBack(); text != "" {
		t.Log("\n" + text)
	}
	if reason != "" {
		before, _ := Read(path) // UpdateFile reports errors of Read
		changed, err := UpdateFile(path, run, reason, rules)
		if err != nil {
			t.Error(err)
			return false
		}
		after, err := Read(path)
		if err != nil {
			t.Error(err)
			return false
		}
		t.Logf("%s: changed: %v\n%s", path, changed, rules.Table(after, run))
		if before != nil {
			t.Log(changes(before, run, rules))
		}
		return true
	}

	g, err := Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: have no golden file, want one: run the test again with -update \"<reason>\"", path)
		saveRun(t, run)
		return false
	}
	if err != nil {
		t.Error(err)
		return false
	}
	differences, err := Compare(g, run, rules)
	if err != nil {
		t.Error(err)
		return false
	}
	t.Logf("%s\n%s", path, rules.Table(g, run))
	if len(differences) == 0 {
		return true
	}
	t.Errorf("%s: differences: %d\n%s", path, len(differences), list(differences))
	saveRun(t, run)
	return false
}

// readBack lists the rows and trajectories that were read from stored results, or returns
// "" if there are none. Runs of the same group and origin share a line, which lists their
// seeds.
func (r *Run) readBack() string {
	type key struct {
		group Name
		Origin
	}
	seeds := make(map[key][]string)
	var order []key
	for _, name := range slices.SortedFunc(maps.Keys(r.Origins), CompareNames) {
		k := key{name.Group(), r.Origins[name]}
		if seeds[k] == nil {
			order = append(order, k)
		}
		seeds[k] = append(seeds[k], strconv.Itoa(name.Seed()))
	}
	var b strings.Builder
	for _, k := range order {
		fmt.Fprintf(&b, "read back, commit %s (%s, %s): %s seed %s\n", k.Commit, k.Date, k.Machine, k.group, strings.Join(seeds[k], " "))
	}
	return b.String()
}

// changes lists the differences between run and g, the golden file as it was before
// the update.
func changes(g *File, run *Run, rules Rules) string {
	differences, err := Compare(g, run, rules)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%d differences from the golden file before\n%s", len(differences), list(differences))
}

// list formats the first 40 differences, one on each line.
func list(differences []Difference) string {
	const most = 40
	var b strings.Builder
	for i, d := range differences {
		if i == most {
			fmt.Fprintf(&b, "  and %d more\n", len(differences)-most)
			break
		}
		fmt.Fprintf(&b, "  %v\n", d)
	}
	return b.String()
}

// saveRun writes the run to a file and logs its path.
func saveRun(t testing.TB, run *Run) {
	t.Helper()
	text, err := Format(run.File())
	if err != nil {
		t.Error(err)
		return
	}
	dir, err := "", error(nil)
	if f := flag.Lookup("test.artifacts"); f != nil && f.Value.String() == "true" {
		dir = t.ArtifactDir()
	} else { // not t.TempDir, which is removed after the test
		dir, err = os.MkdirTemp("", "pushdown-got-")
	}
	if err != nil {
		t.Error(err)
		return
	}
	got := filepath.Join(dir, run.Suite+"-"+run.Scale+".got.txt")
	if err := WriteText(got, text); err != nil {
		t.Error(err)
		return
	}
	t.Logf("the run is in %s", got)
}
