package disk

// WriteFile is [FS.WriteFile] for the files of the operating system.
func WriteFile(path string, data []byte) error { return FS{}.WriteFile(path, data) }

// Write is [FS.Write] for the files of the operating system.
func Write(path string, write func(File) error) error { return FS{}.Write(path, write) }

// Remove is [FS.Remove] for the files of the operating system.
func Remove(name string) error { return FS{}.Remove(name) }

// MkdirAll is [FS.MkdirAll] for the files of the operating system.
func MkdirAll(name string) error { return FS{}.MkdirAll(name) }
