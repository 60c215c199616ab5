package disk

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// WriteFile replaces the content of a file. The folder must exist.
func WriteFile(path string, data []byte) error {
	return Write(path, func(f File) error {
		_, err := f.Write(data)
		return err
	})
}

// Write replaces the content of a file by what the function write writes. The folder must
// exist. Several processes may write the same file: the last rename wins.
func Write(path string, write func(File) error) (err error) {
	folder := filepath.Dir(path)
	RemoveStale(folder)
	tmp, err := createTemp(folder, filepath.Base(path))
	defer func() {
		if err != nil {
			err = fmt.Errorf("writing %s: %w", path, err)
		}
	}()
	if err != nil {
		return err
	}
	if err = write(tmp); err == nil {
		err = tmp.Sync()
	}
	if err != nil {
		return errors.Join(err, discard(tmp))
	}
	if err := rename(tmp, path); err != nil {
		return err
	}
	return syncFolder(folder)
}

// Probe returns an error unless a file of some size can be written in a folder. It leaves
// nothing there.
func Probe(folder string) error {
	tmp, err := createTemp(folder, "probe")
	if err != nil {
		return err
	}
	_, err = tmp.Write(make([]byte, 4096))
	return errors.Join(err, discard(tmp))
}

// tempName matches the name of a temporary file: a dot, the final name, 16 random
// hexadecimal digits and the suffix .partial.
var tempName = regexp.MustCompile(`^\..+\.[0-9a-f]{16}\.partial$`)

// createTemp creates and locks a temporary file, which will replace the file with the name
// base in the folder.
func createTemp(folder, base string) (File, error) {
	for {
		var id [8]byte
		rand.Read(id[:])
		name := filepath.Join(folder, "."+base+"."+hex.EncodeToString(id[:])+".partial")
		tmp, err := system.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := lockTemp(tmp); err != nil {
			return nil, errors.Join(err, discard(tmp))
		}
		// Another writer may have taken the file for an abandoned one and removed it
		// before it was locked.
		switch ok, err := inPlace(tmp); {
		case err != nil:
			return nil, errors.Join(err, discard(tmp))
		case ok:
			return tmp, nil
		}
		tmp.Close()
	}
}

// inPlace reports whether the folder still has the open file under its name.
func inPlace(f File) (bool, error) {
	open, err := f.Stat()
	if err != nil {
		return false, err
	}
	named, err := os.Lstat(f.Name())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(open, named), err
}

// RemoveStale deletes the temporary files of dead writers in a folder. It ignores errors;
// the next call tries again.
func RemoveStale(folder string) {
	list, err := system.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range list {
		if e.Type().IsRegular() && tempName.MatchString(e.Name()) {
			removeIfDead(filepath.Join(folder, e.Name()))
		}
	}
}
