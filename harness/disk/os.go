package disk

import "io/fs"

// WriteFile is [FS.WriteFile] for the files of the operating system.
func WriteFile(path string, data []byte) error { return FS{}.WriteFile(path, data) }

// Write is [FS.Write] for the files of the operating system.
func Write(path string, write func(File) error) error { return FS{}.Write(path, write) }

// Probe is [FS.Probe] for the files of the operating system.
func Probe(folder string) error { return FS{}.Probe(folder) }

// ReadFile is [FS.ReadFile] for the files of the operating system.
func ReadFile(name string) ([]byte, error) { return FS{}.ReadFile(name) }

// ReadDir is [FS.ReadDir] for the files of the operating system.
func ReadDir(name string) ([]fs.DirEntry, error) { return FS{}.ReadDir(name) }

// Remove is [FS.Remove] for the files of the operating system.
func Remove(name string) error { return FS{}.Remove(name) }

// MkdirAll is [FS.MkdirAll] for the files of the operating system.
func MkdirAll(name string) error { return FS{}.MkdirAll(name) }

// TryLock is [FS.TryLock] for the files of the operating system.
func TryLock(name string) (*Lock, error) { return FS{}.TryLock(name) }
