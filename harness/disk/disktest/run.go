package disktest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pushdown/harness/disk"
)

// A Case is some work on the files in a folder.
type Case struct {
	// Setup makes the last good state in an empty folder.
	Setup func(t testing.TB, folder string)
	// Do is the work, on the given file system. It must be correct to do it again, whether or
	// not it failed.
	Do func(fsys disk.FS, folder string) error
	// Good checks the folder after a fault: nothing of the last good state may be lost. It
	// may be nil. The parameter err is what Do returned, or nil if the process was killed.
	Good func(t testing.TB, folder string, err error)
	// Done checks the folder after Do has succeeded.
	Done func(t testing.TB, folder string)
	// Passes reports whether Do may succeed although a call failed, and leave work that its
	// next call does. Without Passes, Do must then have done all of its work.
	Passes func(c Call) bool
	// Volatile says that a loss of power after Do has succeeded may undo its work.
	Volatile bool
}

// Run does the work of c on a faulty file system, once for each of its calls and each kind of
// fault that can happen there. Each time, it checks that an error is returned that has the
// operation and the file, or else that the work is done; that the folder is good; and that
// the work succeeds when it is done again, and leaves no temporary files. It also checks that
// finished work survives a loss of power, unless it is volatile. Without
// PUSHDOWN_REQUIRE=long it tries about a hundred of the faults, with -short about thirty.
func Run(t *testing.T, c Case) {
	t.Helper()
	calls := c.calls(t)
	type fault struct {
		kind Kind
		at   int
	}
	var list []fault
	for kind := range kinds {
		for i, call := range calls {
			if kind.applies(call.Op) {
				list = append(list, fault{kind, i + 1})
			}
		}
	}
	all, most := len(list), 100
	switch {
	case testing.Short():
		most = 30
	case slices.Contains(strings.Split(os.Getenv("PUSHDOWN_REQUIRE"), ","), "long"):
		most = all
	}
	if step := (all + most - 1) / most; step > 1 {
		i := -1
		list = slices.DeleteFunc(list, func(fault) bool { i++; return i%step > 0 })
	}
	for _, f := range list {
		call := calls[f.at-1]
		if !t.Run(fmt.Sprintf("%v/%d", f.kind, f.at), func(t *testing.T) { c.fault(t, f.kind, f.at, call) }) {
			t.Errorf("%v in call %d, %v", f.kind, f.at, call)
		}
	}
	t.Logf("%d of %d faults in %d calls", len(list), all, len(calls))
}

// calls returns the calls that the work makes without a fault. It checks that the work
// survives the end of the process and, unless it is volatile, a loss of power right after it.
func (c *Case) calls(t *testing.T) (calls []Call) {
	ends := []Kind{Killed, PowerLost, PowerTorn}
	if c.Volatile {
		ends = ends[:1]
	}
	for _, end := range ends {
		folder := t.TempDir()
		c.Setup(t, folder)
		s := &System{Kind: end}
		if err := c.Do(disk.FS{System: s}, folder); err != nil {
			t.Fatalf("without a fault: %v", err)
		}
		if calls = s.Calls; len(calls) == 0 {
			t.Fatal("have work without calls, want one or more")
		}
		if len(s.open) > 0 {
			t.Errorf("without a fault: %d files are left open", len(s.open))
		}
		if err := s.Crash(); err != nil {
			t.Fatal(err)
		}
		if c.Done(t, folder); t.Failed() {
			t.Fatalf("%v after the end: the work is not done", end)
		}
	}
	return calls
}

// fault does the work with a fault in the call with number at.
func (c *Case) fault(t *testing.T, kind Kind, at int, call Call) {
	folder := t.TempDir()
	c.Setup(t, folder)
	s := &System{At: at, Kind: kind}
	err := c.Do(disk.FS{System: s}, folder)
	switch {
	case s.Fault == nil:
		t.Fatalf("have %d calls, want a fault in call %d: the work makes other calls each time", len(s.Calls), at)
	case kind.stops():
		err = nil // what a killed process would return is nothing
		if e := s.Crash(); e != nil {
			t.Fatal(e)
		}
	case err != nil && !strings.Contains(err.Error(), filepath.Base(s.Calls[at-1].Name)):
		t.Errorf("have the error %v, want the name of the file %s in it", err, s.Calls[at-1].Name)
	case err != nil && !strings.Contains(err.Error(), call.Op+" "):
		t.Errorf("have the error %v, want the operation %s in it", err, call.Op)
	case err == nil && (c.Passes == nil || !c.Passes(call)):
		c.Done(t, folder)
	}
	if len(s.open) > 0 && !kind.stops() {
		t.Errorf("%d files are left open", len(s.open))
	}
	if c.Good != nil {
		c.Good(t, folder, err)
	}
	if err := c.Do(disk.FS{System: &System{}}, folder); err != nil { // not the real System, whose syncs take long
		t.Fatalf("again, without a fault: %v", err)
	}
	c.Done(t, folder)
	if err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(e.Name(), ".") {
			t.Errorf("have %s left over, want no temporary files", path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}
