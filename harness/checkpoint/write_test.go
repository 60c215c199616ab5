package checkpoint

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/disk"
)

func TestWriteErrorsNameThePath(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(folder, "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{
		"no folder":      filepath.Join(dir, "none", "x"),
		"file as folder": filepath.Join(file, "x"),
		"folder as file": folder,
	} {
		err := Write(path, sample())
		if err == nil || !strings.HasPrefix(err.Error(), "checkpoint: writing "+path+": ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if diff := cmp.Diff([]string{"file", "folder"}, names(t, dir)); diff != "" {
		t.Errorf("failed writes changed the folder (-want +got):\n%s", diff)
	}
}

// TestWritersOfOnePathDoNotDisturbEachOther runs several writers and a reader on one
// path; each writer also cleans up the folder.
func TestWritersOfOnePathDoNotDisturbEachOther(t *testing.T) {
	path := tempPath(t)
	const writers, rounds = 4, 10
	version := func(w, i int) *File {
		data := make([]float32, 3000)
		for k := range data {
			data[k] = float32(w*rounds + i)
		}
		return &File{Tensors: []Tensor{{"w", []int{len(data)}, data}}}
	}
	if err := Write(path, version(0, 0)); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	errs := make(chan error, writers*rounds)
	for w := range writers {
		wg.Go(func() {
			for i := range rounds {
				errs <- Write(path, version(w, i))
			}
		})
	}
	done := make(chan bool)
	go func() { wg.Wait(); close(done) }()
	for reading := true; reading; {
		select {
		case <-done:
			reading = false
		default:
		}
		if err := uniform(path); err != nil {
			t.Fatal(err)
		}
	}
	for range writers * rounds {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff([]string{"state.safetensors"}, names(t, filepath.Dir(path))); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
}

// uniform reads the file at path and returns an error unless all elements of its tensor
// w are equal.
func uniform(path string) error {
	f, err := Read(path)
	if err != nil {
		return err
	}
	d, err := Get[float32](f, "w", 3000)
	if err != nil {
		return err
	}
	for i, v := range d {
		if v != d[0] {
			return fmt.Errorf("element %d is %v, element 0 is %v: a mixture of two files", i, v, d[0])
		}
	}
	return nil
}

func TestRemoveLeavesNothingOfItsOwn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run", "state.safetensors")
	dir := filepath.Dir(path)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, sample()); err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(dir, "notes")
	stale := filepath.Join(dir, ".state.safetensors.0123456789abcdef.partial")
	for _, name := range []string{foreign, stale} {
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := Remove(disk.FS{}, path); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"notes"}, names(t, dir)); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
	os.Remove(foreign)
	if err := Remove(disk.FS{}, path); err != nil {
		t.Errorf("removing what is not there: %v", err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the empty folder is still there: %v", err)
	}
}
