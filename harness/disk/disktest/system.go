// Package disktest has a file system that fails on purpose, and a test that runs some work
// on it once for each call and each kind of fault.
package disktest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"pushdown/harness/disk"
)

// Kind is a kind of fault.
type Kind int

// The kinds of fault.
const (
	Fails     Kind = iota // the call fails with an input/output error
	NoSpace               // a call that needs space fails, because the file system is full
	Short                 // a write writes half of its bytes; then the file system is full
	Killed                // the process is killed before the call
	KilledIn              // the process is killed in a write, after half of the bytes
	PowerLost             // the power fails before the call; what was not synced is lost
	PowerTorn             // the power fails before the call; names are kept, contents that were not synced are lost
	kinds
)

// String returns the name of the kind.
func (k Kind) String() string {
	return [...]string{"fails", "no space", "short write", "killed", "killed in a write", "power lost", "power lost, contents only"}[k]
}

// applies reports whether the kind of fault can happen in an operation. The end of a process
// before an operation that changes nothing is the same as before the next that does.
func (k Kind) applies(op string) bool {
	changes := slices.Contains([]string{"create", "mkdir", "write", "truncate", "sync", "rename", "remove"}, op)
	switch k {
	case NoSpace:
		return changes && op != "remove" && op != "truncate" || op == "close"
	case Short, KilledIn:
		return op == "write"
	case Killed, PowerLost, PowerTorn:
		return changes
	}
	return true
}

// stops reports whether the process does nothing more after the fault.
func (k Kind) stops() bool { return k >= Killed }

// A Call is a call of a System.
type Call struct {
	Op   string // open, create, read, write, truncate, sync, close, readdir, mkdir, rename or remove
	Name string
}

// System is a [disk.System] that works on the files of the operating system until the call
// with the number At, in which the fault happens. If At is 0, there is no fault.
type System struct {
	At    int
	Kind  Kind
	Kill  func() // called before the call with the fault, may be nil; it may end the process
	Calls []Call // all calls so far, at most At if the fault stops the process
	Fault error  // the error of the call with the fault; nil before

	mu    sync.Mutex // held by each method; a suite runs experiments at the same time
	open  map[*file]bool
	files map[string]*inode // the files in folders now
	kept  map[string]*inode // the files in folders after a loss of power
}

// inode is a file under any name. The System knows those that were changed through it.
type inode struct {
	folder bool
	synced []byte // content after a loss of power
}

// errKilled is the error of calls after the process was killed. No caller may act on it.
var errKilled = errors.New("the process is dead")

// call counts a call. It returns the error of the fault if it happens in this call.
func (s *System) call(op, name string) error {
	if s.Fault != nil && s.Kind.stops() {
		return errKilled
	}
	s.Calls = append(s.Calls, Call{op, name})
	if len(s.Calls) != s.At {
		return nil
	}
	if s.Kill != nil {
		s.Kill()
	}
	why := errors.New("input/output error")
	switch s.Kind {
	case NoSpace, Short:
		why = errors.New("no space left on device")
	case Killed, KilledIn, PowerLost, PowerTorn:
		why = errKilled
	}
	s.Fault = &fs.PathError{Op: op, Path: name, Err: why}
	return s.Fault
}

// OpenFile opens a file.
func (s *System) OpenFile(name string, flag int, perm fs.FileMode) (disk.File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	op := "open"
	if flag&os.O_CREATE != 0 {
		op = "create"
	}
	if err := s.call(op, name); err != nil {
		return nil, err
	}
	if flag&(os.O_WRONLY|os.O_RDWR) != 0 {
		s.know(name)
	}
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	if s.files[name] == nil && op == "create" {
		s.files[name] = &inode{}
	}
	opened := &file{f, s, s.files[name]}
	if s.open == nil {
		s.open = map[*file]bool{}
	}
	s.open[opened] = true
	return opened, nil
}

// ReadDir reads a folder.
func (s *System) ReadDir(name string) ([]fs.DirEntry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.call("readdir", name); err != nil {
		return nil, err
	}
	return os.ReadDir(name)
}

// Mkdir makes a folder.
func (s *System) Mkdir(name string, perm fs.FileMode) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.call("mkdir", name); err != nil {
		return err
	}
	s.know(name)
	err := os.Mkdir(name, perm)
	if err == nil {
		s.files[name] = &inode{folder: true}
	}
	return err
}

// Rename renames a file.
func (s *System) Rename(from, to string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.call("rename", from); err != nil {
		return err
	}
	s.know(from)
	s.know(to)
	err := os.Rename(from, to)
	if err == nil {
		s.files[to] = s.files[from]
		delete(s.files, from)
	}
	return err
}

// Remove removes a file or an empty folder.
func (s *System) Remove(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.call("remove", name); err != nil {
		return err
	}
	s.know(name)
	err := os.Remove(name)
	if err == nil {
		delete(s.files, name)
	}
	return err
}

// know notes what a name stands for before its first change. It assumes that everything from
// before is synced.
func (s *System) know(name string) {
	if s.files == nil {
		s.files, s.kept = map[string]*inode{}, map[string]*inode{}
	}
	if s.files[name] != nil || s.kept[name] != nil {
		return
	}
	if info, err := os.Lstat(name); err == nil {
		data, _ := os.ReadFile(name) // fails for folders
		n := &inode{info.IsDir(), data}
		s.files[name], s.kept[name] = n, n
	}
}

// Crash closes the files that are open, as the end of a process does. After a loss of power it
// also changes the files to what is left of them.
func (s *System) Crash() error {
	for f := range s.open { // the order does not matter
		f.File.Close()
	}
	left := s.kept
	switch s.Kind {
	case PowerTorn:
		left = s.files
	case PowerLost:
	default:
		return nil
	}
	for name := range s.files {
		if left[name] == nil {
			if err := os.RemoveAll(name); err != nil {
				return err
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(left), func(a, b string) int { return cmp.Compare(len(a), len(b)) }) // folders before what is in them
	for _, name := range names {
		n := left[name]
		if _, err := os.Stat(filepath.Dir(name)); err != nil { // in a folder that is lost
			continue
		}
		if n.folder {
			if err := os.Mkdir(name, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
				return err
			}
			continue
		}
		if have, err := os.ReadFile(name); err == nil && bytes.Equal(have, n.synced) {
			continue
		}
		if err := os.WriteFile(name, n.synced, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// A file is an open file of a System.
type file struct {
	*os.File
	s *System
	n *inode // nil for a file that was opened for reading, unless it was changed before
}

func (f *file) Read(b []byte) (int, error) {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	if err := f.s.call("read", f.Name()); err != nil {
		return 0, err
	}
	return f.File.Read(b)
}

func (f *file) Write(b []byte) (int, error) { return f.write(b, f.File.Write) }

func (f *file) WriteAt(b []byte, at int64) (int, error) {
	return f.write(b, func(b []byte) (int, error) { return f.File.WriteAt(b, at) })
}

func (f *file) write(b []byte, write func([]byte) (int, error)) (int, error) {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	err := f.s.call("write", f.Name())
	if err == nil {
		return write(b)
	}
	if err == f.s.Fault && (f.s.Kind == Short || f.s.Kind == KilledIn) {
		n, _ := write(b[:len(b)/2])
		return n, err
	}
	return 0, err
}

func (f *file) Truncate(size int64) error {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	if err := f.s.call("truncate", f.Name()); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

// Sync makes the content of a file, or the names in a folder, survive a loss of power. It does
// not call the operating system, so that tests are fast.
func (f *file) Sync() error {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	if err := f.s.call("sync", f.Name()); err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.IsDir() {
		if f.n != nil {
			f.n.synced = make([]byte, info.Size())
			_, err = f.ReadAt(f.n.synced, 0)
			if errors.Is(err, io.EOF) {
				err = nil
			}
		}
		return err
	}
	for name := range f.s.kept {
		if filepath.Dir(name) == f.Name() && f.s.files[name] == nil {
			delete(f.s.kept, name)
		}
	}
	for name, n := range f.s.files {
		if filepath.Dir(name) == f.Name() {
			f.s.kept[name] = n
		}
	}
	return nil
}

// Close closes the file, also if it fails, as operating systems do.
func (f *file) Close() error {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	err := f.s.call("close", f.Name())
	if errors.Is(err, errKilled) {
		return err // Crash closes the file
	}
	delete(f.s.open, f)
	return errors.Join(err, f.File.Close())
}

// String describes a call.
func (c Call) String() string { return fmt.Sprintf("%s %s", c.Op, filepath.Base(c.Name)) }
