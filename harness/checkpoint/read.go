package checkpoint

import (
	"fmt"
	"os"

	"pushdown/harness/disk"
)

// Read returns the content of the checkpoint at path. The error is a [FormatError] if
// the file is damaged, and wraps fs.ErrNotExist if it is missing.
func Read(path string) (*File, error) { return ReadFS(disk.FS{}, path) }

// ReadFS reads a checkpoint as Read does, but from fsys.
func ReadFS(fsys disk.FS, path string) (*File, error) {
	f, _, err := read(fsys, path, true, false)
	return f, err
}

// Verify reads and checks the whole file at path as Read does, but it does not keep the
// data of tensors. It returns the checksum.
func Verify(path string) (sum string, err error) {
	_, sum, err = read(disk.FS{}, path, false, false)
	return sum, err
}

func read(fsys disk.FS, path string, keep, foreign bool) (*File, string, error) {
	if err := regular(path); err != nil { // opening a pipe would block
		return nil, "", err
	}
	r, err := fsys.Open(path)
	if err != nil {
		return nil, "", fmt.Errorf("checkpoint: %w", err)
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return nil, "", fmt.Errorf("checkpoint: %w", err)
	}
	return decode(path, r, info.Size(), keep, foreign)
}

func kind(m os.FileMode) string {
	switch {
	case m.IsDir():
		return "folder"
	case m&os.ModeNamedPipe != 0:
		return "named pipe"
	case m&os.ModeDevice != 0:
		return "device"
	}
	return "special file"
}
