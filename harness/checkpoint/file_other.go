//go:build !unix || solaris || aix

package checkpoint

import (
	"os"
	"time"
)

// deadAfter is the age at which a temporary file counts as abandoned, on systems
// without flock. A write takes seconds.
const deadAfter = time.Hour

func lock(*os.File) error { return nil }

func removeIfDead(name string) {
	if info, err := os.Lstat(name); err == nil && time.Since(info.ModTime()) > deadAfter {
		os.Remove(name)
	}
}

// rename moves the temporary file to path. It closes the file first, because Windows
// cannot rename an open file.
func rename(tmp *os.File, path string) error {
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// syncFolder does nothing, because not every system can sync a folder.
func syncFolder(string) error { return nil }
