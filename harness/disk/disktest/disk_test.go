package disktest_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pushdown/harness/disk"
	"pushdown/harness/disk/disktest"
)

// put writes a file without package disk.
func put(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// want checks that a file has one of the given texts. The text "" also stands for no file.
func want(t testing.TB, name string, texts ...string) {
	t.Helper()
	have, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, x := range texts {
		if string(have) == x {
			return
		}
	}
	t.Errorf("%s: have %q (%v), want one of %q", name, have, err, texts)
}

func TestWriteFileUnderFaults(t *testing.T) {
	disktest.Run(t, disktest.Case{
		Setup: func(t testing.TB, folder string) { put(t, filepath.Join(folder, "x"), "old text") },
		Do:    func(folder string) error { return disk.WriteFile(filepath.Join(folder, "x"), []byte("new text")) },
		Good: func(t testing.TB, folder string, _ error) {
			want(t, filepath.Join(folder, "x"), "old text", "new text")
		},
		Done: func(t testing.TB, folder string) { want(t, filepath.Join(folder, "x"), "new text") },
	})
}

func TestMkdirAllUnderFaults(t *testing.T) {
	disktest.Run(t, disktest.Case{
		Setup: func(testing.TB, string) {},
		Do: func(folder string) error {
			if err := disk.MkdirAll(filepath.Join(folder, "a", "b")); err != nil {
				return err
			}
			return disk.WriteFile(filepath.Join(folder, "a", "b", "x"), []byte("text"))
		},
		Done: func(t testing.TB, folder string) { want(t, filepath.Join(folder, "a", "b", "x"), "text") },
	})
}

func TestLockUnderFaults(t *testing.T) {
	disktest.Run(t, disktest.Case{
		Setup: func(testing.TB, string) {},
		Do: func(folder string) error {
			l, err := disk.TryLock(filepath.Join(folder, "state", ".lock"))
			if err != nil {
				return err
			}
			return errors.Join(disk.WriteFile(filepath.Join(folder, "state", "x"), []byte("text")), l.Release())
		},
		Done: func(t testing.TB, folder string) { want(t, filepath.Join(folder, "state", "x"), "text") },
	})
}

// TestWriteAllUnderFaults replaces two files, adds one and removes one. Whatever the fault,
// Recover leaves all of them old or all of them new.
func TestWriteAllUnderFaults(t *testing.T) {
	old := map[string]string{"a": "old a", "sub/b": "old b", "sub/c": "old c", "sub/d": ""}
	now := map[string]string{"a": "new a", "sub/b": "new b", "sub/c": "", "sub/d": "new d"}
	state := func(folder string) (text string) {
		for _, name := range []string{"a", "sub/b", "sub/c", "sub/d"} {
			data, _ := os.ReadFile(filepath.Join(folder, name))
			text += name + "=" + string(data) + " "
		}
		return text
	}
	const before, after = "a=old a sub/b=old b sub/c=old c sub/d= ", "a=new a sub/b=new b sub/c= sub/d=new d "
	disktest.Run(t, disktest.Case{
		Setup: func(t testing.TB, folder string) {
			for name, text := range old {
				if text != "" {
					put(t, filepath.Join(folder, name), text)
				}
			}
		},
		Do: func(folder string) error {
			journal := filepath.Join(folder, ".journal")
			if err := disk.Recover(journal); err != nil || state(folder) == after {
				return err
			}
			var changes []disk.Change
			for _, name := range []string{"sub/b", "sub/c", "sub/d", "a"} {
				c := disk.Change{Path: filepath.Join(folder, name)}
				if now[name] != "" {
					c.Text = []byte(now[name])
				}
				changes = append(changes, c)
			}
			return disk.WriteAll(journal, changes)
		},
		Good: func(t testing.TB, folder string, _ error) {
			for name, text := range old {
				want(t, filepath.Join(folder, name), text, now[name])
			}
			if _, err := os.Stat(filepath.Join(folder, ".journal")); err != nil {
				if have := state(folder); have != before && have != after {
					t.Errorf("have %q without a journal, want all files old or all new", have)
				}
			}
		},
		Done: func(t testing.TB, folder string) {
			if have := state(folder); have != after {
				t.Errorf("have %q, want %q", have, after)
			}
		},
	})
}

// TestRecoverSyncsFolders checks that Recover syncs the folder of a file that has its new
// content already: the process may have been killed between the rename and the sync.
func TestRecoverSyncsFolders(t *testing.T) {
	killed := 0
	for at := 1; ; at++ {
		folder := t.TempDir()
		put(t, filepath.Join(folder, "sub", "b"), "old")
		put(t, filepath.Join(folder, "a"), "old")
		journal := filepath.Join(folder, ".journal")
		first := &disktest.System{At: at, Kind: disktest.Killed}
		restore := disk.Use(first)
		err := disk.WriteAll(journal, []disk.Change{{Path: filepath.Join(folder, "sub", "b"), Text: []byte("new")}, {Path: filepath.Join(folder, "a"), Text: []byte("new")}})
		restore()
		if err := first.Crash(); err != nil {
			t.Fatal(err)
		}
		if err == nil {
			break
		}
		if _, err := os.Stat(journal); err != nil {
			continue
		}
		killed++
		second := &disktest.System{}
		restore = disk.Use(second)
		err = disk.Recover(journal)
		restore()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(second.Calls, disktest.Call{Op: "sync", Name: filepath.Join(folder, "sub")}) {
			t.Errorf("killed in call %d: Recover has not synced the folder", at)
		}
	}
	if killed == 0 {
		t.Error("have no kill after the journal was written, want some")
	}
}

// TestTryLockGivesUp checks that TryLock returns an error if no lock file can be made in a
// folder that exists.
func TestTryLockGivesUp(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("have no such folder on " + runtime.GOOS)
	}
	if _, err := disk.TryLock("/proc/self/.lock"); err == nil {
		t.Error("have no error, want one")
	}
}

// TestRecoverRefusesChangedFiles checks that Recover does not overwrite a file that was
// changed after an interrupted update.
func TestRecoverRefusesChangedFiles(t *testing.T) {
	folder := t.TempDir()
	journal := filepath.Join(folder, ".journal")
	for _, name := range []string{"a", "b"} {
		put(t, filepath.Join(folder, name), "old")
	}
	s := &disktest.System{At: 30, Kind: disktest.Killed}
	restore := disk.Use(s)
	disk.WriteAll(journal, []disk.Change{{Path: filepath.Join(folder, "a"), Text: []byte("new")}, {Path: filepath.Join(folder, "b"), Text: []byte("new")}})
	restore()
	if err := s.Crash(); err != nil {
		t.Fatal(err)
	}
	want(t, filepath.Join(folder, "a"), "new")
	want(t, filepath.Join(folder, "b"), "old")
	put(t, filepath.Join(folder, "b"), "edited")
	if err := disk.Recover(journal); err == nil || !strings.Contains(err.Error(), "b: have a file changed since an update of it was interrupted") {
		t.Errorf("have %v, want a refusal", err)
	}
	want(t, filepath.Join(folder, "b"), "edited")
	put(t, filepath.Join(folder, "b"), "old")
	if err := disk.Recover(journal); err != nil {
		t.Error(err)
	}
	want(t, filepath.Join(folder, "b"), "new")
	put(t, journal, "[{")
	if err := disk.Recover(journal); err == nil || !strings.Contains(err.Error(), ".journal: unexpected end of JSON input") {
		t.Errorf("damaged journal: have %v, want an error with its name", err)
	}
}
