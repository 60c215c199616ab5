package disk

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

func TestWriteRemovesTheTemporaryFilesOfTheDead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "state.safetensors")
	keep := []string{
		".state.safetensors.partial",                  // no random part
		".state.safetensors.0123456789ABCDEF.partial", // upper-case digits
		"state.safetensors.0123456789abcdef.partial",  // not hidden
		"other",
	}
	for _, name := range append(keep, ".state.safetensors.0123456789abcdef.partial", ".other.fedcba9876543210.partial") {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("left behind"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".folder.0123456789abcdef.partial"), 0o755); err != nil {
		t.Fatal(err)
	}
	living, err := FS{}.createTemp(dir, "living")
	if err != nil {
		t.Fatal(err)
	}
	defer living.Close()
	if err := WriteFile(path, nil); err != nil {
		t.Fatal(err)
	}
	want := append(keep, ".folder.0123456789abcdef.partial", filepath.Base(living.Name()), "state.safetensors")
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, e := range list {
		got[e.Name()] = true
	}
	for _, name := range want {
		if !got[name] {
			t.Errorf("%s is gone", name)
		}
		delete(got, name)
	}
	if len(got) > 0 {
		t.Errorf("left over: %v", got)
	}
}

// TestMkdirAllOfADanglingLink checks that a link that points nowhere is an error and no folder.
func TestMkdirAllOfADanglingLink(t *testing.T) {
	name := filepath.Join(t.TempDir(), "folder")
	if err := os.Symlink("nowhere", name); err != nil {
		t.Skipf("links cannot be made here: %v", err)
	}
	if err := (FS{}).MkdirAll(name); !errors.Is(err, os.ErrExist) {
		t.Errorf("have error %v, want one that says that the name exists", err)
	}
}

// TestWritersInOneFolder writes files and takes locks in one folder at the same time, where each
// writer may take the new temporary file of another for an abandoned one, and each holder of the
// lock removes the lock file and its folder.
func TestWritersInOneFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows may refuse to open a file that another process removes")
	}
	dir := t.TempDir()
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for range 300 {
				err := WriteFile(filepath.Join(dir, "x"), []byte("text"))
				l, held := FS{}.TryLock(filepath.Join(dir, "locks", ".lock"))
				if held == nil {
					err = errors.Join(err, l.Release())
					Remove(filepath.Join(dir, "locks")) // fails unless the folder is empty
				}
				if err != nil || held != nil && !errors.Is(held, ErrHeld) {
					t.Error(err, held)
				}
			}
		})
	}
	writers.Wait()
}
