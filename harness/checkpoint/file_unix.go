//go:build unix && !solaris && !aix

package checkpoint

import (
	"fmt"
	"os"
	"syscall"
)

// lock locks f for its writer. The lock ends when all descriptors of this open file are
// closed, at the latest when the process ends.
func lock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		if err == syscall.EINTR {
			continue
		}
		if err == syscall.ENOTSUP || err == syscall.ENOSYS || err == syscall.ENOLCK {
			return nil // the file system has no locks: see removeIfDead
		}
		if err != nil {
			return fmt.Errorf("locking %s: %w", f.Name(), err)
		}
		return nil
	}
}

// removeIfDead deletes the temporary file unless a living writer holds its lock. On a
// file system without locks it deletes nothing.
func removeIfDead(name string) {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return
	}
	if inPlace(f) {
		os.Remove(name)
	}
}

// rename moves the temporary file to path and closes it. Closing it releases the lock,
// so the file is locked until it has its final name.
func rename(tmp *os.File, path string) error {
	if err := os.Rename(tmp.Name(), path); err != nil {
		return err
	}
	return tmp.Close()
}

// syncFolder makes the new directory entry durable.
func syncFolder(folder string) error {
	d, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
