//go:build unix && !solaris && !aix

package disk

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lock locks f. The lock ends when all descriptors of this open file are closed, at the
// latest when the process ends. The error is [ErrHeld] if another holds the lock, and
// [errors.ErrUnsupported] if the file system has no locks.
func lock(f File) error {
	for {
		switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err {
		case nil:
			return nil
		case syscall.EINTR:
			continue
		case syscall.EWOULDBLOCK:
			return ErrHeld
		case syscall.ENOTSUP, syscall.ENOSYS, syscall.ENOLCK:
			return errors.ErrUnsupported
		default:
			return fmt.Errorf("locking %s: %w", f.Name(), err)
		}
	}
}

// openLock opens a lock file and locks it. The errors are those of hold.
func (d FS) openLock(name string) (File, error) {
	f, err := d.OpenFile(name, os.O_RDWR|os.O_CREATE|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0o644)
	if err != nil {
		return nil, err
	}
	if err := hold(f); err != nil {
		f.Close()
		if errors.Is(err, errors.ErrUnsupported) { // nobody will release it
			d.Remove(name)
		}
		return nil, err
	}
	return f, nil
}

// closing renames or removes the file f with the function do, and closes it. Closing it
// releases the lock, so the file is locked until it has its final name or is gone.
func closing(f File, do func() error) error { return errors.Join(do(), f.Close()) }

// syncFolder makes new entries of a folder durable.
func (d FS) syncFolder(folder string) error {
	f, err := d.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
