package golden

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"pushdown/harness/disk"
)

const (
	lockPause = 50 * time.Millisecond // between two attempts
	lockTries = 1200                  // about a minute in all; an update takes a second
)

// lock takes the lock of the file at path. If another process holds the lock, it tries
// again at intervals, and returns an error after the given number of tries. The lock ends
// when release is called or, on systems that lock files, when the process dies. It is the
// file .<name>.lock beside the file at path.
func lock(fsys disk.FS, path string, tries int) (release func() error, err error) {
	name := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".lock")
	for try := 1; ; try++ {
		l, err := fsys.TryLock(name)
		switch {
		case err == nil:
			return l.Release, nil
		case !errors.Is(err, disk.ErrHeld):
			return nil, fmt.Errorf("lock: %w", err)
		case try >= tries:
			return nil, fmt.Errorf("lock: have %s held by %s for %v, want the other update to end, or the file removed if there is none", name, fsys.Holder(name), time.Duration(try)*lockPause)
		}
		time.Sleep(lockPause)
	}
}

// writable resolves symbolic links in path. It returns an error if the file exists but
// is not a regular file or is read-only.
func writable(path string) (string, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, os.ErrNotExist) {
		return path, nil
	}
	if err != nil {
		return "", err
	}
	if info.Mode()&os.ModeSymlink != 0 {
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return "", err
		}
		if info, err = os.Stat(path); err != nil {
			return "", err
		}
	}
	switch {
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s: have %v, want a file", path, info.Mode())
	case info.Mode().Perm()&0o200 == 0:
		return "", fmt.Errorf("%s: have a read-only file, want one that may be written", path)
	}
	return path, nil
}
