//go:build unix && !solaris && !aix

package checkpoint

import (
	"os"
	"syscall"
)

// openLock opens the file and locks it. It returns errHeld if the lock is held, and a
// nil file on a file system without locks.
func openLock(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0o644)
	if err != nil {
		return nil, err
	}
	for {
		switch err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err {
		case nil:
			return f, nil
		case syscall.EINTR:
			continue
		case syscall.EWOULDBLOCK:
			err = errHeld
		case syscall.ENOTSUP, syscall.ENOSYS, syscall.ENOLCK:
			err = nil
		}
		f.Close()
		return nil, err
	}
}

// closeLock removes the file while it is still locked, and then releases the lock.
// Another process that has opened the file in the meantime gets the lock only after the
// removal. [Acquire] then notices that the file is no longer in the folder, and tries
// again with a new file.
func closeLock(f *os.File) {
	os.Remove(f.Name())
	f.Close()
}
