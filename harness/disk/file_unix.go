//go:build unix && !solaris && !aix

package disk

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// flock locks f. The lock ends when all descriptors of this open file are closed, at the
// latest when the process ends. flock reports whether the file system has locks.
func flock(f File, how int) (ok bool, err error) {
	for {
		switch err := syscall.Flock(int(f.Fd()), how); err {
		case nil:
			return true, nil
		case syscall.EINTR:
			continue
		case syscall.EWOULDBLOCK:
			return true, ErrHeld
		case syscall.ENOTSUP, syscall.ENOSYS, syscall.ENOLCK:
			return false, nil
		default:
			return true, fmt.Errorf("locking %s: %w", f.Name(), err)
		}
	}
}

// lockTemp locks a temporary file for its writer.
func lockTemp(f File) error {
	_, err := flock(f, syscall.LOCK_EX)
	return err
}

// removeIfDead deletes the temporary file unless a living writer holds its lock. On a
// file system without locks it deletes nothing.
func removeIfDead(name string) {
	f, err := system.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if ok, err := flock(f, syscall.LOCK_EX|syscall.LOCK_NB); ok && err == nil {
		if there, err := inPlace(f); there && err == nil {
			system.Remove(name)
		}
	}
}

// rename moves the temporary file to path and closes it. Closing it releases the lock, so
// the file is locked until it has its final name.
func rename(tmp File, path string) error {
	if err := system.Rename(tmp.Name(), path); err != nil {
		return errors.Join(err, system.Remove(tmp.Name()), tmp.Close())
	}
	return tmp.Close()
}

// discard removes a temporary file and closes it. It is locked until it is gone.
func discard(tmp File) error { return errors.Join(system.Remove(tmp.Name()), tmp.Close()) }

// syncFolder makes new entries of a folder durable.
func syncFolder(folder string) error {
	d, err := system.OpenFile(folder, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// openLock opens the lock file and locks it. It returns ErrHeld if the lock is held, and a
// nil file on a file system without locks.
func openLock(name string) (File, error) {
	f, err := system.OpenFile(name, os.O_RDWR|os.O_CREATE|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0o644)
	if err != nil {
		return nil, err
	}
	ok, err := flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil && ok {
		return f, nil
	}
	f.Close()
	return nil, err
}

// closeLock removes the file while it is still locked, and then releases the lock.
// Another process that has opened the file in the meantime gets the lock only after the
// removal. [TryLock] then notices that the file is no longer in the folder, and tries
// again with a new file.
func closeLock(f File) error { return errors.Join(system.Remove(f.Name()), f.Close()) }
