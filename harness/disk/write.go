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
	"time"
)

// WriteFile replaces the content of a file. The folder must exist.
func (d FS) WriteFile(path string, data []byte) error {
	return d.Write(path, func(f File) error {
		_, err := f.Write(data)
		return err
	})
}

// Write replaces the content of a file by what the function write writes. The folder must
// exist. Several processes may write the same file: the last rename wins.
func (d FS) Write(path string, write func(File) error) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("writing %s: %w", path, err)
		}
	}()
	folder := filepath.Dir(path)
	d.RemoveStale(folder)
	tmp, err := d.createTemp(folder, filepath.Base(path))
	if err != nil {
		return err
	}
	if err = write(tmp); err == nil {
		err = tmp.Sync()
	}
	if err != nil {
		return errors.Join(err, d.discard(tmp))
	}
	if err := closing(tmp, func() error {
		err := d.system().Rename(tmp.Name(), path)
		if err != nil {
			err = errors.Join(err, d.Remove(tmp.Name()))
		}
		return err
	}); err != nil {
		return err
	}
	return d.syncFolder(folder)
}

// Probe returns an error unless a file of some size can be written in a folder. It leaves
// nothing there.
func (d FS) Probe(folder string) error {
	tmp, err := d.createTemp(folder, "probe")
	if err != nil {
		return err
	}
	_, err = tmp.Write(make([]byte, 4096))
	return errors.Join(err, d.discard(tmp))
}

// tempName matches the name of a temporary file: a dot, the final name, 16 random
// hexadecimal digits and the suffix .partial.
var tempName = regexp.MustCompile(`^\..+\.[0-9a-f]{16}\.partial$`)

// createTemp creates and locks a temporary file, which will replace the file with the name
// base in the folder.
func (d FS) createTemp(folder, base string) (File, error) {
	for {
		var id [8]byte
		rand.Read(id[:])
		name := filepath.Join(folder, "."+base+"."+hex.EncodeToString(id[:])+".partial")
		tmp, err := d.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		switch err := hold(tmp); {
		case err == nil || errors.Is(err, errors.ErrUnsupported):
			return tmp, nil
		case errors.Is(err, ErrHeld) || errors.Is(err, fs.ErrNotExist): // another writer takes the file for an abandoned one and removes it
			tmp.Close()
		default:
			return nil, errors.Join(err, d.discard(tmp))
		}
	}
}

// discard removes a file and closes it.
func (d FS) discard(f File) error {
	return closing(f, func() error { return d.Remove(f.Name()) })
}

// deadAfter is the age at which a temporary file counts as abandoned if the file system has
// no locks. A write takes seconds.
const deadAfter = time.Hour

// RemoveStale deletes the temporary files of dead writers in a folder. It ignores errors;
// the next call tries again.
func (d FS) RemoveStale(folder string) {
	list, err := d.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range list {
		if !e.Type().IsRegular() || !tempName.MatchString(e.Name()) {
			continue
		}
		f, err := d.OpenFile(filepath.Join(folder, e.Name()), os.O_RDWR, 0)
		if err != nil {
			continue
		}
		err = hold(f)
		if errors.Is(err, errors.ErrUnsupported) {
			if info, e := f.Stat(); e == nil && time.Since(info.ModTime()) > deadAfter {
				err = nil
			}
		}
		if err == nil {
			d.discard(f)
		} else {
			f.Close()
		}
	}
}
