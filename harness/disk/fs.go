package disk

import (
	"cmp"
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

// An FS reads, writes and locks the files of a System. The zero FS has the files of the
// operating system.
type FS struct{ System System }

func (d FS) system() System { return cmp.Or[System](d.System, operatingSystem{}) }

type operatingSystem struct{}

func (operatingSystem) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err // not f, which would make an interface that is not nil
	}
	return f, nil
}

func (operatingSystem) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }
func (operatingSystem) Mkdir(name string, perm fs.FileMode) error  { return os.Mkdir(name, perm) }
func (operatingSystem) Rename(from, to string) error               { return os.Rename(from, to) }
func (operatingSystem) Remove(name string) error                   { return os.Remove(name) }

// OpenFile opens a file as os.OpenFile does.
func (d FS) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	return d.system().OpenFile(name, flag, perm)
}

// Open opens a file for reading.
func (d FS) Open(name string) (File, error) { return d.OpenFile(name, os.O_RDONLY, 0) }

// ReadFile reads a whole file.
func (d FS) ReadFile(name string) ([]byte, error) {
	f, err := d.Open(name)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(f)
	return data, errors.Join(err, f.Close())
}

// ReadDir reads a folder as os.ReadDir does.
func (d FS) ReadDir(name string) ([]fs.DirEntry, error) { return d.system().ReadDir(name) }

// Remove removes a file or an empty folder.
func (d FS) Remove(name string) error { return d.system().Remove(name) }

// MkdirAll makes a folder and its parents, unless they exist, and syncs the parents.
func (d FS) MkdirAll(name string) error {
	info, err := os.Stat(name)
	if err == nil && info.IsDir() {
		return nil
	}
	parent := filepath.Dir(name)
	if parent != name {
		if err := d.MkdirAll(parent); err != nil {
			return err
		}
	}
	err = d.system().Mkdir(name, 0o777)
	if errors.Is(err, fs.ErrExist) {
		if info, e := os.Lstat(name); e != nil || info.IsDir() {
			return nil // another process has made it, and perhaps removed it again
		}
	}
	if err != nil {
		return err
	}
	return d.syncFolder(parent)
}

// DirFS returns the files below a folder, as os.DirFS does.
func (d FS) DirFS(folder string) fs.FS { return dirFS{d, folder} }

type dirFS struct {
	disk   FS
	folder string
}

// Open opens a file for reading.
func (d dirFS) Open(name string) (fs.File, error) { return d.disk.Open(d.path(name)) }

// ReadDir reads a folder.
func (d dirFS) ReadDir(name string) ([]fs.DirEntry, error) { return d.disk.ReadDir(d.path(name)) }

func (d dirFS) path(name string) string { return filepath.Join(d.folder, filepath.FromSlash(name)) }
