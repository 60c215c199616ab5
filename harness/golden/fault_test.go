package golden

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pushdown/harness/disk"
	"pushdown/harness/disk/disktest"
)

var here = regexp.MustCompile(`commit=\S+ |date=\S+ `)

// timeless returns the text of a file without commits and dates, which may change while a test
// runs.
func timeless(t testing.TB, name string) string {
	t.Helper()
	return here.ReplaceAllString(textOf(t, name), "")
}

// another returns a run like run with another value and another digest.
func another(t testing.TB, run *Run) *Run {
	run.set(t, m4One, "epochs", 4)
	run.Trajectories[0].point(10).SHA256 = sum("x")
	return run
}

// TestUpdateUnderFaults updates golden files on a faulty file system. The file must have
// the old text or the new, and no temporary file may stay while the process lives. The next update
// then gives the file of an update without a fault.
func TestUpdateUnderFaults(t *testing.T) {
	for name, c := range map[string]struct {
		file        string
		first, next *Run // first is nil if there is no file before
	}{
		"ci":     {"ci.txt", dyck(), another(t, dyck())},
		"paper":  {table2, ofTable2(), another(t, ofTable2())},
		"new":    {table2, nil, ofTable2()},
		"nested": {filepath.Join("dyck", "ci.txt"), nil, dyck()}, // whose folder is made, too
	} {
		t.Run(name, func(t *testing.T) {
			do := func(fsys disk.FS, folder string) (err error) {
				c.next.FS = fsys
				_, err = UpdateFile(filepath.Join(folder, c.file), c.next, "next run")
				return err
			}
			plan := t.TempDir()
			path := filepath.Join(plan, c.file)
			old := ""
			if c.first != nil {
				old = formatted(t, exampleFile(c.first))
				put(t, path, old)
			}
			if err := do(disk.FS{}, plan); err != nil {
				t.Fatal(err)
			}
			before, after := here.ReplaceAllString(old, ""), timeless(t, path)
			noneLeft := func(t testing.TB, folder string) {
				t.Helper()
				if left, _ := filepath.Glob(filepath.Join(folder, filepath.Dir(c.file), "*.partial")); len(left) > 0 {
					t.Errorf("have the temporary files %s, want none", left)
				}
			}
			disktest.Run(t, disktest.Case{
				Setup: func(t testing.TB, folder string) {
					if c.first != nil {
						put(t, filepath.Join(folder, c.file), old)
					}
				},
				Do: do,
				Good: func(t testing.TB, folder string, err error) {
					if have := timeless(t, filepath.Join(folder, c.file)); have != before && have != after {
						t.Errorf("have\n%s\nwant the old text or the new", have)
					}
					if err != nil { // the process lives
						noneLeft(t, folder)
					}
				},
				Done: func(t testing.TB, folder string) {
					if have := timeless(t, filepath.Join(folder, c.file)); have != after {
						t.Errorf("have\n%s\nwant\n%s", have, after)
					}
					noneLeft(t, folder)
				},
			})
		})
	}
}

// TestReadUnderFaults checks that Read returns each error of the file system.
func TestReadUnderFaults(t *testing.T) {
	disktest.Run(t, disktest.Case{
		Setup: func(t testing.TB, folder string) { put(t, filepath.Join(folder, table2), paperText(t)) },
		Do: func(fsys disk.FS, folder string) error {
			_, err := read(fsys, filepath.Join(folder, table2))
			return err
		},
		Done:   func(testing.TB, string) {},
		Passes: func(c disktest.Call) bool { return c.Op == "close" }, // after the text was read
	})
}

// TestKilledUpdates starts processes that update a golden file and kill themselves with SIGKILL
// before the first, the second, ... call of the file system. The file must have the old text or the
// new, and the next update must succeed and remove what is left.
func TestKilledUpdates(t *testing.T) {
	const variable = "GOLDEN_KILLED_UPDATES"
	next := another(t, ofTable2())
	if value := os.Getenv(variable); value != "" {
		number, path, _ := strings.Cut(value, ":")
		at, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		next.FS = disktest.KillAt(at)
		if _, err := UpdateFile(path, next, "update"); err != nil {
			t.Fatal(err)
		}
		return
	}
	folder := t.TempDir()
	path := filepath.Join(folder, table2)
	first := updated(t, path, ofTable2(), "first run")
	old := timeless(t, path)
	updated(t, path, next, "update")
	now := timeless(t, path)
	locked, partial, step := 0, 0, 1
	if testing.Short() {
		step = 5
	}
	put(t, filepath.Join(folder, "."+table2+"-notes"), "") // a file of somebody else's, which stays
	for at := 1; ; at += step {
		put(t, path, formatted(t, first))
		out, err := inProcess("TestKilledUpdates", variable, fmt.Sprint(at, ":", path)).CombinedOutput()
		if err == nil { // the update makes fewer calls
			t.Logf("%d kills; %d left the lock, %d a temporary file", at/step, locked, partial)
			break
		}
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.Exited() && runtime.GOOS != "windows" { // on Windows a killed process counts as exited
			t.Fatalf("kill %d: have %v and\n%s\nwant a killed process", at, err, out)
		}
		if have := timeless(t, path); have != old && have != now {
			t.Fatalf("kill %d: have\n%s\nwant the old text or the new", at, have)
		}
		left := entries(t, folder)
		if strings.Contains(left, ".lock") {
			locked++
		}
		if strings.Contains(left, ".partial") {
			partial++
		}
		updated(t, path, next, "update")
		if have := timeless(t, path); have != now {
			t.Fatalf("kill %d: after the next update, have\n%s\nwant\n%s", at, have, now)
		}
		if have, want := entries(t, folder), "."+table2+"-notes "+table2; have != want {
			t.Fatalf("kill %d: after the next update, have the files %s, want %s", at, have, want)
		}
	}
	if (locked == 0 || partial == 0) && !testing.Short() {
		t.Error("no kill left a temporary file, or none the lock, want one of each")
	}
}

// TestConcurrentUpdates checks that no row is lost if several updates of one file, each with its
// own rows, run at the same time. A lock is that of an open file, so that updates in one process
// wait for each other as those in several do.
func TestConcurrentUpdates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ci.txt")
	const updates = 20
	var all sync.WaitGroup
	for seed := range updates {
		all.Go(func() {
			run := dyck()
			run.Rows, run.Trajectories = run.Rows[:1], nil
			run.Rows[0].Name = m4.WithSeed(seed)
			if _, err := UpdateFile(path, run, "another row"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	f, err := Read(path)
	if err != nil || len(f.Rows) != updates {
		t.Errorf("have %v, %v, want %d rows", f, err, updates)
	}
	if have := entries(t, filepath.Dir(path)); have != "ci.txt" {
		t.Errorf("folder: have %s, want the file alone", have)
	}
}

func TestLockSaysWhoHoldsIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ci.txt")
	release, err := Lock(disk.FS{}, path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = lock(disk.FS{}, path, 2)
	wantError(t, "second lock", err, ".ci.txt.lock", fmt.Sprintf("held by process %d on ", os.Getpid()), "want the other update to end")
	for range 2 {
		if err := release(); err != nil {
			t.Fatal(err)
		}
		if release, err = lock(disk.FS{}, path, 1); err != nil {
			t.Fatalf("lock after the release: %v", err)
		}
	}
	release()
}
