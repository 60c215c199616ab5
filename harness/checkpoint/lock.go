package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Lock is an exclusive lock on the state at a path. It ends at the latest with the
// process, even if the process is killed.
type Lock struct{ file *os.File } // file is nil if the file system has no locks

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

// Acquire locks the state at path for this run and creates its folder if needed. It
// returns a [HeldError] if another run holds the state, in this process or another.
func Acquire(path string) (*Lock, error) {
	if err := regular(path); err != nil {
		return nil, err
	}
	name := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".lock")
	for {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return nil, fmt.Errorf("checkpoint: locking %s: %w", path, err)
		}
		f, err := openLock(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // a run that ended has just removed the folder
		case errors.Is(err, errHeld):
			return nil, &HeldError{path, holder(name)}
		case err != nil:
			return nil, fmt.Errorf("checkpoint: locking %s: %w", path, err)
		case f != nil && !inPlace(f):
			f.Close()
			continue // a run that ended has just removed the file
		case f != nil:
			host, _ := os.Hostname()
			f.Truncate(0)
			fmt.Fprintf(f, "process %d on host %s since %s\n", os.Getpid(), host, time.Now().Format(time.DateTime)) // information for other runs, so errors do not matter
		}
		return &Lock{f}, nil
	}
}

// errHeld is returned by openLock if the lock is held.
var errHeld = errors.New("held")

// holder returns the holder of a lock, read from the lock file.
func holder(name string) string {
	text, err := os.ReadFile(name)
	if line, _, whole := strings.Cut(string(text), "\n"); err == nil && whole {
		return line
	}
	return "another process"
}

// Release releases the lock and removes the folder of the state if it is empty. It does
// nothing on a nil Lock.
func (l *Lock) Release() {
	if l == nil || l.file == nil {
		return
	}
	closeLock(l.file)
	os.Remove(filepath.Dir(l.file.Name())) // fails unless the folder is empty
}
