package disk

import (
	"errors"
	"os"
	"syscall"
)

// errSharing is ERROR_SHARING_VIOLATION.
const errSharing = syscall.Errno(32)

// openLock opens the file so that no other process can open it for writing. It returns
// ErrHeld if another process has it open.
func (FS) openLock(name string) (File, error) {
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, syscall.FILE_SHARE_READ, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	switch {
	case errors.Is(err, errSharing):
		return nil, ErrHeld
	case err != nil:
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	return os.NewFile(uintptr(h), name), nil
}
