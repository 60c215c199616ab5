//go:build (!unix || solaris || aix) && !windows

package golden

import (
	"errors"
	"io/fs"
	"os"
)

// tryLock creates the lock file with the given name, or returns errHeld if the file exists.
// If a process is killed while it holds the lock, the file stays and must be removed by
// hand. The error that lock returns says so.
func tryLock(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, errHeld
	}
	return f, err
}

func unlock(f *os.File) error { return errors.Join(f.Close(), os.Remove(f.Name())) }

// syncFolder does nothing, because folders cannot be synced on all systems.
func syncFolder(string) error { return nil }
