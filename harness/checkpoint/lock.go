package checkpoint

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"pushdown/harness/disk"
)

// Lock is an exclusive lock on the state at a path. It ends at the latest with the
// process, even if the process is killed.
type Lock struct {
	lock   *disk.Lock
	disk   disk.FS
	folder string // of the state
}

// HeldError reports that another run holds a state.
type HeldError struct {
	Path string // path of the checkpoint
	By   string // holder: "process 12 on host a since 2006-01-02 15:04:05", or "another process"
}

// Error names the state and its holder.
func (e *HeldError) Error() string {
	return fmt.Sprintf("%s: have a state in use by %s, want it free", e.Path, e.By)
}

// ErrNotRegular is wrapped by the error for a path that exists but is not a regular
// file.
var ErrNotRegular = errors.New("want a regular file")

// regular returns an error if path exists but is not a regular file.
func regular(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: have a %s, %w", path, kind(info.Mode()), ErrNotRegular)
	}
	return nil
}

// Acquire locks the state at path on fsys for this run and creates its folder if needed. It
// returns a [HeldError] if another run holds the state, in this process or another.
func Acquire(fsys disk.FS, path string) (*Lock, error) {
	if err := regular(path); err != nil {
		return nil, err
	}
	folder := filepath.Dir(path)
	name := filepath.Join(folder, "."+filepath.Base(path)+".lock")
	l, err := fsys.TryLock(name)
	switch {
	case errors.Is(err, disk.ErrHeld):
		return nil, &HeldError{path, fsys.Holder(name)}
	case err != nil:
		return nil, fmt.Errorf("checkpoint: locking %s: %w", path, err)
	}
	return &Lock{l, fsys, folder}, nil
}

// Release releases the lock and removes the folder of the state if it is empty. It does
// nothing on a nil Lock.
func (l *Lock) Release() {
	if l == nil {
		return
	}
	l.lock.Release()        // an error leaves the lock file, which is in nobody's way
	l.disk.Remove(l.folder) // fails unless the folder is empty
}
