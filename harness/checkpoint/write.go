package checkpoint

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// Write stores f at path. If it fails or the process is killed, path has either the
// old or the new content. Once Write returns nil, the new content also survives a
// power failure. The folder must exist. Several processes may write the same path: the
// last rename wins.
func Write(path string, f *File) (err error) {
	if err := f.validate(); err != nil {
		return err
	}
	if err := regular(path); err != nil {
		return fmt.Errorf("checkpoint: writing %w", err)
	}
	folder := filepath.Dir(path)
	removeStale(folder)
	tmp, err := createTemp(folder, filepath.Base(path))
	if err != nil {
		return fmt.Errorf("checkpoint: writing %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			os.Remove(tmp.Name())
			tmp.Close()
			err = fmt.Errorf("checkpoint: writing %s: %w", path, err)
		}
	}()
	sum, at, err := encode(tmp, f)
	if err != nil {
		return err
	}
	if _, err = tmp.WriteAt([]byte(sum), at); err != nil {
		return err
	}
	if err = tmp.Sync(); err != nil {
		return err
	}
	if err = rename(tmp, path); err != nil {
		return err
	}
	return syncFolder(folder)
}

// Remove deletes the checkpoint at path and abandoned temporary files, then the
// folder if it is empty. It returns no error if the checkpoint does not exist.
func Remove(path string) error {
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("checkpoint: %w", err)
	}
	folder := filepath.Dir(path)
	removeStale(folder)
	os.Remove(folder) // fails unless the folder is empty
	return nil
}

// tempName matches the name of a temporary file: a dot, the final name, 16 random
// hexadecimal digits and the suffix .partial.
var tempName = regexp.MustCompile(`^\..+\.[0-9a-f]{16}\.partial$`)

// createTemp creates and locks a temporary file, which will replace the file with the
// name base in the folder.
func createTemp(folder, base string) (*os.File, error) {
	for {
		var id [8]byte
		rand.Read(id[:])
		name := filepath.Join(folder, "."+base+"."+hex.EncodeToString(id[:])+".partial")
		tmp, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
		if os.IsExist(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := lock(tmp); err != nil {
			os.Remove(name)
			tmp.Close()
			return nil, err
		}
		// Another writer may have taken the file for an abandoned one and removed it
		// before it was locked.
		if inPlace(tmp) {
			return tmp, nil
		}
		tmp.Close()
	}
}

// inPlace reports whether the folder still has the open file under its name.
func inPlace(f *os.File) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(f.Name())
	return err == nil && os.SameFile(open, named)
}

// removeStale deletes the temporary files of dead writers in folder. It ignores
// errors; the next call tries again.
func removeStale(folder string) {
	list, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range list {
		if e.Type().IsRegular() && tempName.MatchString(e.Name()) {
			removeIfDead(filepath.Join(folder, e.Name()))
		}
	}
}
