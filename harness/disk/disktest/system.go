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
	"math"
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
	Calls []Call // all calls so far, at most At if the fault stops the process
	Fault error  // the error of the call with the fault; nil before

	kill  func()     // called before the call with the fault; may be nil
	mu    sync.Mutex // held by each method; a suite runs experiments at the same time
	open  map[*file]bool
	files map[string]*inode // the files in folders now
	kept  map[string]*inode // the files in folders after a loss of power
}

// KillAt returns a file system that kills this process before the call with the number at. If at
// is 0, it does not.
func KillAt(at int) disk.FS {
	return disk.FS{System: &System{At: at, Kind: Killed, kill: func() {
		if p, err := os.FindProcess(os.Getpid()); err == nil {
			p.Kill()
		}
		select {}
	}}}
}

// inode is a file under any name. The System knows those that were named in its calls.
type inode struct {
	folder bool
	synced []byte // content after a loss of power
}

// errKilled is the error of calls after the process was killed. No caller may act on it.
var errKilled = errors.New("the process is dead")

// do calls work as a call of the System, unless the fault happens in this call.
func (s *System) do(op, name string, work func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Fault != nil && s.Kind.stops() {
		return errKilled
	}
	s.Calls = append(s.Calls, Call{op, name})
	if len(s.Calls) != s.At {
		s.know(name)
		return work()
	}
	if s.kill != nil {
		s.kill()
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

// know notes what a name stands for before its first change. It assumes that everything from
// before is synced.
func (s *System) know(name string) {
	if s.files == nil {
		s.open, s.files, s.kept = map[*file]bool{}, map[string]*inode{}, map[string]*inode{}
	}
	if s.files[name] != nil || s.kept[name] != nil {
		return
	}
	if info, err := os.Stat(name); err == nil {
		data, _ := os.ReadFile(name) // fails for folders
		n := &inode{info.IsDir(), data}
		s.files[name], s.kept[name] = n, n
	}
}

// OpenFile opens a file.
func (s *System) OpenFile(name string, flag int, perm fs.FileMode) (opened disk.File, err error) {
	op := "open"
	if flag&os.O_CREATE != 0 {
		op = "create"
	}
	err = s.do(op, name, func() error {
		f, err := os.OpenFile(name, flag, perm)
		if err != nil {
			return err
		}
		if s.files[name] == nil {
			s.files[name] = &inode{}
		}
		n := &file{f, s, s.files[name]}
		s.open[n] = true
		opened = n
		return nil
	})
	return opened, err
}

// ReadDir reads a folder.
func (s *System) ReadDir(name string) (list []fs.DirEntry, err error) {
	err = s.do("readdir", name, func() (err error) {
		list, err = os.ReadDir(name)
		return err
	})
	return list, err
}

// Mkdir makes a folder.
func (s *System) Mkdir(name string, perm fs.FileMode) error {
	return s.do("mkdir", name, func() error {
		err := os.Mkdir(name, perm)
		if err == nil {
			s.files[name] = &inode{folder: true}
		}
		return err
	})
}

// Rename renames a file.
func (s *System) Rename(from, to string) error {
	return s.do("rename", from, func() error {
		s.know(to)
		err := os.Rename(from, to)
		if err == nil {
			s.files[to] = s.files[from]
			delete(s.files, from)
		}
		return err
	})
}

// Remove removes a file or an empty folder.
func (s *System) Remove(name string) error {
	return s.do("remove", name, func() error {
		err := os.Remove(name)
		if err == nil {
			delete(s.files, name)
		}
		return err
	})
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
	n *inode
}

func (f *file) Read(b []byte) (n int, err error) {
	err = f.s.do("read", f.Name(), func() (err error) {
		n, err = f.File.Read(b)
		return err
	})
	return n, err
}

func (f *file) Write(b []byte) (int, error) { return f.write(b, f.File.Write) }

func (f *file) WriteAt(b []byte, at int64) (int, error) {
	return f.write(b, func(b []byte) (int, error) { return f.File.WriteAt(b, at) })
}

func (f *file) write(b []byte, write func([]byte) (int, error)) (n int, err error) {
	err = f.s.do("write", f.Name(), func() (err error) {
		n, err = write(b)
		return err
	})
	if half := f.s.Kind == Short || f.s.Kind == KilledIn; half && err != nil && err == f.s.Fault {
		n, _ = write(b[:len(b)/2])
	}
	return n, err
}

func (f *file) Truncate(size int64) error {
	return f.s.do("truncate", f.Name(), func() error { return f.File.Truncate(size) })
}

// Sync makes the content of a file, or the names in a folder, survive a loss of power. It does
// not call the operating system, so that tests are fast.
func (f *file) Sync() error {
	return f.s.do("sync", f.Name(), func() (err error) {
		if !f.n.folder {
			f.n.synced, err = io.ReadAll(io.NewSectionReader(f, 0, math.MaxInt64))
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
	})
}

// Close closes the file, also if it fails, as operating systems do.
func (f *file) Close() error {
	err := f.s.do("close", f.Name(), func() error { return nil })
	if errors.Is(err, errKilled) {
		return err // Crash closes the file
	}
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	delete(f.s.open, f)
	return errors.Join(err, f.File.Close())
}

// String describes a call.
func (c Call) String() string { return fmt.Sprintf("%s %s", c.Op, filepath.Base(c.Name)) }
