package checkpoint

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pushdown/harness/disk"
	"pushdown/harness/disk/disktest"
)

// small is a checkpoint of which every byte depends on g.
func small(g int64) *File {
	return &File{Tensors: []Tensor{Scalar("generation", g), {"w", []int{3}, []float32{float32(g), 2, 3}}}}
}

// at returns the generation of the checkpoint at path, or 0 if there is none.
func at(t testing.TB, path string) int64 {
	t.Helper()
	f, err := Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	g, err := Get[int64](f, "generation")
	if err != nil {
		t.Fatal(err)
	}
	return g[0]
}

// TestFaults locks, reads, writes and removes a checkpoint on a faulty file system, as a run
// does that is resumed, saved and finished.
func TestFaults(t *testing.T) {
	in := func(folder string) string { return filepath.Join(folder, "run", "state.safetensors") }
	setup := func(t testing.TB, folder string) {
		if err := os.Mkdir(filepath.Dir(in(folder)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := Write(in(folder), small(1)); err != nil {
			t.Fatal(err)
		}
	}
	resume := func(fsys disk.FS, folder string) (err error) {
		l, err := Acquire(fsys, in(folder))
		if err != nil {
			return err
		}
		defer l.Release()
		if _, err := ReadFS(fsys, in(folder)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return WriteFS(fsys, in(folder), small(2))
	}
	t.Run("save", func(t *testing.T) {
		disktest.Run(t, disktest.Case{
			Setup: setup,
			Do:    resume,
			Good: func(t testing.TB, folder string, _ error) {
				if g := at(t, in(folder)); g != 1 && g != 2 {
					t.Errorf("have generation %d, want 1 or 2", g)
				}
			},
			Done: func(t testing.TB, folder string) {
				if g := at(t, in(folder)); g != 2 {
					t.Errorf("have generation %d, want 2", g)
				}
			},
		})
	})
	t.Run("end", func(t *testing.T) {
		disktest.Run(t, disktest.Case{
			Setup: setup,
			Do:    func(fsys disk.FS, folder string) error { return Remove(fsys, in(folder)) },
			Good: func(t testing.TB, folder string, _ error) {
				if g := at(t, in(folder)); g != 0 && g != 1 {
					t.Errorf("have generation %d, want 1 or none", g)
				}
			},
			Done: func(t testing.TB, folder string) {
				if g := at(t, in(folder)); g != 0 {
					t.Errorf("have generation %d, want none", g)
				}
			},
			Volatile: true, // the state of a finished run, which has its result
			Passes:   func(c disktest.Call) bool { return c.Op != "remove" || !strings.HasSuffix(c.Name, ".safetensors") },
		})
	})
}
