//go:build !unix || solaris || aix

package disk

import "errors"

// lock does nothing on systems without flock.
func lock(File) error { return errors.ErrUnsupported }

// closing closes the file f, and renames or removes it with the function do. Windows cannot
// rename or remove an open file.
func closing(f File, do func() error) error { return errors.Join(f.Close(), do()) }

// syncFolder does nothing, because not every system can sync a folder.
func (FS) syncFolder(string) error { return nil }
