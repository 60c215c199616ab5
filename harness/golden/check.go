package golden

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
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
// initializer of a package variable. Every call returns the same pointer. Flag also registers the
// flag -commit. Its value is the commit that results were made from by a program whose build has
// no stamp, whether this one or an earlier one that stored them. In the golden file "+unconfirmed" follows it.
//
//	var _ = golden.Flag()
//
//	go test -buildvcs=true ./suites/dyck -update "first run under contract version 1"
var Flag = sync.OnceValue(func() *string {
	flagged = new(string)
	flag.Var((*reasonFlag)(flagged), "update", "rewrite the golden file from this run, for the `reason` given")
	flag.Func("commit", "with -update: the `commit` that made results whose build has no stamp", func(commit string) error {
		named = strings.TrimSuffix(commit, unconfirmed) + unconfirmed
		return checkCommit(named)
	})
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
// Check logs which rows were read from stored results. If the
// comparison fails, it writes the run to a file in the format of golden files, for diff and
// benchstat. This file is in the artifact folder with -artifacts, else in a new temporary
// folder.
//
// The run may have only some of the rows of the golden file; see Run.Complete. Check may be
// called in a cleanup after parallel subtests: it never calls t.Fatal, whose message would
// be lost there.
func Check(t testing.TB, path string, run *Run) (ok bool) {
	t.Helper()
	reason := ""
	if flagged != nil {
		reason = *flagged
	}
	return check(t, path, run, reason)
}

func check(t testing.TB, path string, run *Run, reason string) (ok bool) {
	t.Helper()
	if text := run.readBack(); text != "" {
		t.Log("\n" + text)
	}
	g, err := Read(path)
	switch absent := errors.Is(err, fs.ErrNotExist); {
	case absent && reason == "":
		t.Errorf("%s: have no golden file, want one: run the test again with -update \"<reason>\"", path)
		saveRun(t, path, run)
		return false
	case absent:
		g = &File{Suite: run.Suite, Scale: run.Scale}
	case err != nil:
		t.Error(err)
		return false
	}
	differences, err := Compare(g, run)
	if err == nil && reason != "" {
		var changed bool
		if changed, err = UpdateFile(path, run, reason); err == nil {
			t.Logf("%s: changed: %v; %d differences from the golden file before\n%s", path, changed, len(differences), list(differences))
			return true
		}
	}
	if err != nil {
		t.Error(err)
		return false
	}
	if len(differences) == 0 {
		return true
	}
	t.Errorf("%s: differences: %d\n%s", path, len(differences), list(differences))
	saveRun(t, path, run)
	return false
}

// readBack lists the rows that were read from stored results, or returns
// "" if there are none. Runs of the same group and origin share a line, which lists their
// seeds.
func (r *Run) readBack() string {
	type key struct {
		group Name
		Origin
	}
	seeds := make(map[key][]string)
	var order []key
	for _, row := range slices.SortedFunc(slices.Values(r.Rows), func(a, b Row) int { return CompareNames(a.Name, b.Name) }) {
		if row.Origin == (Origin{}) {
			continue
		}
		k := key{row.Name.Group(), row.Origin}
		if seeds[k] == nil {
			order = append(order, k)
		}
		seeds[k] = append(seeds[k], strconv.Itoa(row.Name.Seed()))
	}
	var b strings.Builder
	for _, k := range order {
		fmt.Fprintf(&b, "read back, commit %s (%s, %s): %s seed %s\n", k.Commit, k.Date, k.Machine, k.group, strings.Join(seeds[k], " "))
	}
	return b.String()
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

// saveRun writes the run to a file, which is named after the golden file at path, and logs where
// it is.
func saveRun(t testing.TB, path string, run *Run) {
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
	got := filepath.Join(dir, run.Suite+"-"+strings.TrimSuffix(filepath.Base(path), ".txt")+".got.txt")
	if err := WriteText(got, text); err != nil {
		t.Error(err)
		return
	}
	t.Logf("the run is in %s", got)
}
