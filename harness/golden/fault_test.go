package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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
