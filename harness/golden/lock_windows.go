package golden

import (
	"errors"
	"os"
	"syscall"
)

// tryLock opens or creates the file name so that no other process can write it, or
// returns errHeld.
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

// unlock closes the file and removes it. The removal fails if another process has locked
// the file in between; that is no error.
func unlock(f *os.File) error {
	err := f.Close()
	os.Remove(f.Name())
	return err
}

// syncFolder does nothing: folders cannot be synced.
func syncFolder(string) error { return nil }
