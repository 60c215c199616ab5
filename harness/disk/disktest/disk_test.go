package disktest_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
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
		Do: func(fsys disk.FS, folder string) error {
			return fsys.WriteFile(filepath.Join(folder, "x"), []byte("new text"))
		},
		Good: func(t testing.TB, folder string, _ error) {
			want(t, filepath.Join(folder, "x"), "old text", "new text")
		},
		Done: func(t testing.TB, folder string) { want(t, filepath.Join(folder, "x"), "new text") },
	})
}

func TestMkdirAllUnderFaults(t *testing.T) {
	disktest.Run(t, disktest.Case{
		Setup: func(testing.TB, string) {},
		Do: func(fsys disk.FS, folder string) error {
			if err := fsys.MkdirAll(filepath.Join(folder, "a", "b")); err != nil {
				return err
			}
			return fsys.WriteFile(filepath.Join(folder, "a", "b", "x"), []byte("text"))
		},
		Done: func(t testing.TB, folder string) { want(t, filepath.Join(folder, "a", "b", "x"), "text") },
	})
}

func TestLockUnderFaults(t *testing.T) {
	disktest.Run(t, disktest.Case{
		Setup: func(testing.TB, string) {},
		Do: func(fsys disk.FS, folder string) error {
			l, err := fsys.TryLock(filepath.Join(folder, "state", ".lock"))
			if err != nil {
				return err
			}
			return errors.Join(fsys.WriteFile(filepath.Join(folder, "state", "x"), []byte("text")), l.Release())
		},
		Done: func(t testing.TB, folder string) { want(t, filepath.Join(folder, "state", "x"), "text") },
	})
}

// TestTryLockGivesUp checks that TryLock returns an error if no lock file can be made in a
// folder that exists.
func TestTryLockGivesUp(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("have no such folder on " + runtime.GOOS)
	}
	if _, err := (disk.FS{}).TryLock("/proc/self/.lock"); err == nil {
		t.Error("have no error, want one")
	}
}
