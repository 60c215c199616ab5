package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// ErrHeld is returned by [FS.TryLock] if the lock is held.
var ErrHeld = errors.New("held by another")

// A Lock is an exclusive lock, held by a lock file. It ends at the latest with the process,
// even if the process is killed; the lock file then stays, but is in nobody's way.
type Lock struct {
	disk FS
	file File // nil if the file system has no locks
}

// mostTries is the number of times that [FS.TryLock] finds the lock file or its folder removed
// before it gives up.
const mostTries = 1000

// TryLock takes the lock with the lock file of the given name, whose folder it makes if
// needed. It returns [ErrHeld] if the lock is held, in this process or another. On file
// systems without locks it always succeeds.
func (d FS) TryLock(name string) (*Lock, error) {
	for tries := 1; ; tries++ {
		if err := d.MkdirAll(filepath.Dir(name)); err != nil {
			return nil, err
		}
		f, err := d.openLock(name)
		switch {
		case errors.Is(err, fs.ErrNotExist) && tries < mostTries:
			continue // the last holder has just removed the file or its folder
		case errors.Is(err, errors.ErrUnsupported):
			return &Lock{}, nil
		case err != nil:
			return nil, err
		}
		host, _ := os.Hostname()
		f.Truncate(0)
		fmt.Fprintf(f, "process %d on host %s since %s\n", os.Getpid(), host, time.Now().Format(time.DateTime)) // information for others, so errors do not matter
		return &Lock{d, f}, nil
	}
}

// Holder returns the holder of a lock, read from the lock file: "process 12 on host a since
// 2006-01-02 15:04:05", or "another process".
func (d FS) Holder(name string) string {
	text, err := d.ReadFile(name)
	if line, _, whole := strings.Cut(string(text), "\n"); err == nil && whole {
		return line
	}
	return "another process"
}

// Release releases the lock and removes the lock file, unless that fails: the file is in
// nobody's way, and on Windows another process may have opened it already. On other systems
// such a process gets the lock only after the removal; [FS.TryLock] then notices that the file
// is no longer in the folder, and tries again with a new file.
func (l *Lock) Release() error {
	if l.file == nil {
		return nil
	}
	return closing(l.file, func() error {
		l.disk.Remove(l.file.Name())
		return nil
	})
}

// hold locks an open file and checks that the folder still has it under its name. The error
// wraps [ErrHeld] if another holds it, [fs.ErrNotExist] if another has removed it, and
// [errors.ErrUnsupported] if it is there but the file system has no locks.
func hold(f File) error {
	locked := lock(f)
	if locked != nil && !errors.Is(locked, errors.ErrUnsupported) {
		return locked
	}
	open, err := f.Stat()
	if err != nil {
		return err
	}
	named, err := os.Lstat(f.Name())
	switch {
	case err != nil:
		return err
	case !os.SameFile(open, named):
		return &fs.PathError{Op: "lock", Path: f.Name(), Err: fs.ErrNotExist}
	}
	return locked
}
