package golden

import (
	"errors"
	"os"
	"syscall"
)

// tryLock opens the lock file with the given name, which it creates if there is none, and
// keeps other processes from writing it. It returns errHeld if another process has locked
// the file.
func tryLock(name string) (*os.File, error) {
	const sharingViolation = syscall.Errno(32)
	p, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(p, syscall.GENERIC_READ|syscall.GENERIC_WRITE, syscall.FILE_SHARE_READ, nil,
		syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, sharingViolation) {
		return nil, errHeld
	}
	if err != nil {
		return nil, &os.PathError{Op: "lock", Path: name, Err: err}
	}
	return os.NewFile(uintptr(h), name), nil
}

// unlock closes the file and removes it. It ignores the error of the removal,
// because another process may have locked the file in between.
func unlock(f *os.File) error {
	err := f.Close()
	os.Remove(f.Name())
	return err
}

// syncFolder does nothing, because folders cannot be synced on Windows.
func syncFolder(string) error { return nil }
