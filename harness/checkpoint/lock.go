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

// Lock is the right to use the state at a path. It ends with the process at the
// latest, however that ends.
type Lock struct{ file *os.File } // nil file: the file system has no locks

// HeldError says that another run uses a state.
type HeldError struct {
	Path string // of the checkpoint
	By   string // who: "process 12 on host a since 2006-01-02 15:04:05", or "another process"
}

// Error names the state and who has it.
func (e *HeldError) Error() string {
	return fmt.Sprintf("%s: have a state in use by %s, want it free", e.Path, e.By)
}

// ErrNotRegular is the error of a path at which something else than a file stands.
var ErrNotRegular = errors.New("want a regular file")

// regular returns an error if something else than a regular file stands at path.
func regular(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: have a %s, %w", path, kind(info.Mode()), ErrNotRegular)
	}
	return nil
}

// Acquire takes the state at path for this run, and makes its folder. A
// [HeldError] says that another run has it, of this process or of another.
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
			continue // a run that ended removed the folder just now
		case errors.Is(err, errHeld):
			return nil, &HeldError{path, holder(name)}
		case err != nil:
			return nil, fmt.Errorf("checkpoint: locking %s: %w", path, err)
		case f != nil && !inPlace(f):
			f.Close()
			continue // so did one that removed the file
		case f != nil:
			host, _ := os.Hostname()
			f.Truncate(0)
			fmt.Fprintf(f, "process %d on host %s since %s\n", os.Getpid(), host, time.Now().Format(time.DateTime)) // for others to read: a full disk is no error
		}
		return &Lock{f}, nil
	}
}

// errHeld is what openLock returns for a lock that another has.
var errHeld = errors.New("held")

// holder says who has the lock, as far as its file tells.
func holder(name string) string {
	text, err := os.ReadFile(name)
	if line, _, whole := strings.Cut(string(text), "\n"); err == nil && whole {
		return line
	}
	return "another process"
}

// Release gives the state up, and removes its folder if nothing else is in it. A
// nil Lock has nothing to give up.
func (l *Lock) Release() {
	if l == nil || l.file == nil {
		return
	}
	closeLock(l.file)
	os.Remove(filepath.Dir(l.file.Name())) // fails if it holds anything
}
