package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A File is an open file of a [System].
type File interface {
	io.Reader
	io.Writer
	io.WriterAt
	Name() string
	Fd() uintptr
	Stat() (fs.FileInfo, error)
	Truncate(size int64) error
	Sync() error
	Close() error
}

// A System has the calls of a file system that this repository depends on. They do what the
// functions of package os do.
type System interface {
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	ReadDir(name string) ([]fs.DirEntry, error)
	Mkdir(name string, perm fs.FileMode) error
	Rename(from, to string) error
	Remove(name string) error
}

// OS is the System of the operating system.
type OS struct{}

// OpenFile calls os.OpenFile.
func (OS) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err // not f, which would make an interface that is not nil
	}
	return f, nil
}

// ReadDir calls os.ReadDir.
func (OS) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }

// Mkdir calls os.Mkdir.
func (OS) Mkdir(name string, perm fs.FileMode) error { return os.Mkdir(name, perm) }

// Rename calls os.Rename.
func (OS) Rename(from, to string) error { return os.Rename(from, to) }

// Remove calls os.Remove.
func (OS) Remove(name string) error { return os.Remove(name) }

var system System = OS{}

// Use makes the functions of this package call s, until restore is called. It is for tests.
// No other goroutine may use this package while Use or restore is called.
func Use(s System) (restore func()) {
	before := system
	system = s
	return func() { system = before }
}

// OpenFile opens a file as os.OpenFile does.
func OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	return system.OpenFile(name, flag, perm)
}

// Open opens a file for reading.
func Open(name string) (File, error) { return system.OpenFile(name, os.O_RDONLY, 0) }

// ReadFile reads a whole file.
func ReadFile(name string) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(f)
	return data, errors.Join(err, f.Close())
}

// ReadDir reads a folder as os.ReadDir does.
func ReadDir(name string) ([]fs.DirEntry, error) { return system.ReadDir(name) }

// Remove removes a file or an empty folder.
func Remove(name string) error { return system.Remove(name) }

// MkdirAll makes a folder and its parents, unless they exist, and syncs the parents.
func MkdirAll(name string) error {
	info, err := os.Stat(name)
	if err == nil && info.IsDir() {
		return nil
	}
	parent := filepath.Dir(name)
	if parent != name {
		if err := MkdirAll(parent); err != nil {
			return err
		}
	}
	err = system.Mkdir(name, 0o777)
	if errors.Is(err, fs.ErrExist) { // another process may have made it
		if info, e := os.Stat(name); e == nil && info.IsDir() {
			return nil
		}
	}
	if err != nil {
		return err
	}
	return syncFolder(parent)
}

// DirFS returns the files below a folder, as os.DirFS does.
func DirFS(folder string) fs.FS { return dirFS(folder) }

type dirFS string

// Open opens a file for reading.
func (d dirFS) Open(name string) (fs.File, error) { return Open(d.path(name)) }

// ReadDir reads a folder.
func (d dirFS) ReadDir(name string) ([]fs.DirEntry, error) { return ReadDir(d.path(name)) }

func (d dirFS) path(name string) string { return filepath.Join(string(d), filepath.FromSlash(name)) }
