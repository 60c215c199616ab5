//go:build unix && !solaris && !aix

package golden

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// tryLock opens the lock file with the given name, which it creates if there is none, and
// locks it. It returns errHeld if another process has locked the file, or removed it in the
// meantime.
func tryLock(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK), errors.Is(err, syscall.EINTR):
		err = errHeld
	case err != nil:
		err = fmt.Errorf("%s: %w", name, err)
	default:
		locked, _ := f.Stat()
		if now, e := os.Stat(name); e == nil && os.SameFile(locked, now) {
			return f, nil
		}
		err = errHeld // its last holder removed the file before this process locked it
	}
	f.Close()
	return nil, err
}

// unlock removes the file while it is still locked, so that the next process
// creates a new file.
func unlock(f *os.File) error { return errors.Join(os.Remove(f.Name()), f.Close()) }

// syncFolder ensures that new files in a folder survive a power failure.
func syncFolder(folder string) error {
	d, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
