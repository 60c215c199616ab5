package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"pushdown/harness/disk"
)

// Write stores f at path; see package disk. If it fails or the process is killed, path has
// either the old or the new content. Once Write returns nil, the new content also survives a
// power failure. The folder must exist. Several processes may write the same path: the
// last rename wins.
func Write(path string, f *File) error { return WriteFS(disk.FS{}, path, f) }

// WriteFS stores f as Write does, but on fsys.
func WriteFS(fsys disk.FS, path string, f *File) error {
	if err := f.validate(); err != nil {
		return err
	}
	if err := regular(path); err != nil {
		return fmt.Errorf("checkpoint: writing %w", err)
	}
	err := fsys.Write(path, func(tmp disk.File) error {
		sum, at, err := encode(tmp, f)
		if err != nil {
			return err
		}
		_, err = tmp.WriteAt([]byte(sum), at)
		return err
	})
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	return nil
}

// Remove deletes the checkpoint at path on fsys and abandoned temporary files, then the
// folder if it is empty. It returns no error if the checkpoint does not exist.
func Remove(fsys disk.FS, path string) error {
	if err := fsys.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("checkpoint: %w", err)
	}
	folder := filepath.Dir(path)
	fsys.RemoveStale(folder)
	fsys.Remove(folder) // fails unless the folder is empty
	return nil
}
