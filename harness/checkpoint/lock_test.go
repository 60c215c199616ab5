package checkpoint

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"pushdown/harness/disk"
)

// TestLock checks that a state has only one holder at a time, and that the release of
// the last lock removes the folder if it is empty.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "run.safetensors")
	first, err := Acquire(disk.FS{}, path)
	if err != nil {
		t.Fatal(err)
	}
	var held *HeldError
	if _, err := Acquire(disk.FS{}, path); !errors.As(err, &held) || held.Path != path {
		t.Errorf("a second lock: %v, want a HeldError", err)
	}
	if err := Remove(disk.FS{}, path); err != nil { // as a run without the lock does at its end
		t.Fatal(err)
	}
	if err := Write(path, sample()); err != nil {
		t.Fatalf("after another has removed its state: %v", err)
	}
	first.Release()
	if list := names(t, filepath.Dir(path)); len(list) != 1 {
		t.Errorf("after the end of the lock there are %v, want the state alone", list)
	}
	second, err := Acquire(disk.FS{}, path)
	if err != nil {
		t.Fatalf("after the end of the first lock: %v", err)
	}
	if err := Remove(disk.FS{}, path); err != nil {
		t.Fatal(err)
	}
	second.Release()
	if _, err := os.Stat(filepath.Dir(path)); !os.IsNotExist(err) {
		t.Errorf("the folder of a removed state is still there (%v)", err)
	}
	(*Lock)(nil).Release()
}

// TestLocksInTurn starts several runs that lock the same state, write it and remove
// it with its folder, again and again. Only one run at a time may hold the lock,
// and no run may fail because another one removes a file or the folder.
func TestLocksInTurn(t *testing.T) {
	root, key := t.TempDir(), goodKey
	var users, turns atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for turns.Load() < 30 {
				path, err := key.Path(disk.FS{}, root, "run")
				if err != nil {
					t.Error(err)
					return
				}
				l, err := Acquire(disk.FS{}, path)
				var held *HeldError
				if errors.As(err, &held) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if n := users.Add(1); n != 1 {
					t.Errorf("%d runs have the state", n)
				}
				turns.Add(1)
				if err := Write(path, sample()); err != nil {
					t.Error(err)
				}
				if err := Remove(disk.FS{}, path); err != nil {
					t.Error(err)
				}
				users.Add(-1)
				l.Release()
			}
		})
	}
	all.Wait()
}
