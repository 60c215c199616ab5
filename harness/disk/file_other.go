//go:build !unix || solaris || aix

package disk

import (
	"errors"
	"os"
	"time"
)

// deadAfter is the age at which a temporary file counts as abandoned, on systems
// without flock. A write takes seconds.
const deadAfter = time.Hour

func lockTemp(File) error { return nil }

func removeIfDead(name string) {
	if info, err := os.Lstat(name); err == nil && time.Since(info.ModTime()) > deadAfter {
		system.Remove(name)
	}
}

// rename moves the temporary file to path. It closes the file first, because Windows
// cannot rename an open file.
func rename(tmp File, path string) error {
	err := tmp.Close()
	if err == nil {
		err = system.Rename(tmp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, system.Remove(tmp.Name()))
	}
	return nil
}

// discard closes a temporary file and removes it. Windows cannot remove an open file.
func discard(tmp File) error { return errors.Join(tmp.Close(), system.Remove(tmp.Name())) }

// syncFolder does nothing, because not every system can sync a folder.
func syncFolder(string) error { return nil }
