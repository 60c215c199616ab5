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

// ErrHeld is returned by [TryLock] if the lock is held.
var ErrHeld = errors.New("held by another")

// A Lock is an exclusive lock, held by a lock file. It ends at the latest with the process,
// even if the process is killed; the lock file then stays, but is in nobody's way.
type Lock struct{ file File } // file is nil if the file system has no locks

// mostTries is the number of times that [TryLock] finds the lock file or its folder removed
// before it gives up.
const mostTries = 1000

// TryLock takes the lock with the lock file of the given name, whose folder it makes if
// needed. It returns [ErrHeld] if the lock is held, in this process or another. On file
// systems without locks it always succeeds.
func TryLock(name string) (*Lock, error) {
	for tries := 1; ; tries++ {
		if err := MkdirAll(filepath.Dir(name)); err != nil {
			return nil, err
		}
		f, err := openLock(name)
		switch {
		case errors.Is(err, fs.ErrNotExist) && tries < mostTries:
			continue // the last holder has just removed the folder
		case err != nil:
			return nil, err
		case f != nil:
			if ok, err := inPlace(f); !ok || err != nil {
				f.Close()
				if err == nil && tries < mostTries {
					continue // the last holder has just removed the file
				}
				return nil, errors.Join(err, fmt.Errorf("%s: have no file after %d tries, want a lock file", name, tries))
			}
			host, _ := os.Hostname()
			f.Truncate(0)
			fmt.Fprintf(f, "process %d on host %s since %s\n", os.Getpid(), host, time.Now().Format(time.DateTime)) // information for others, so errors do not matter
		}
		return &Lock{f}, nil
	}
}

// Holder returns the holder of a lock, read from the lock file: "process 12 on host a since
// 2006-01-02 15:04:05", or "another process".
func Holder(name string) string {
	text, err := ReadFile(name)
	if line, _, whole := strings.Cut(string(text), "\n"); err == nil && whole {
		return line
	}
	return "another process"
}

// Release releases the lock and removes the lock file.
func (l *Lock) Release() error {
	if l.file == nil {
		return nil
	}
	return closeLock(l.file)
}
