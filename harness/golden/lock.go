package golden

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	lockPause = 50 * time.Millisecond // between two attempts
	lockTries = 1200                  // about a minute in all; an update takes a second
)

// errHeld is the error of tryLock if another process holds the lock.
var errHeld = errors.New("held by another")

// lock takes the lock of the file at path. If another process holds the lock, it tries
// again at intervals, and returns an error after the given number of tries. The lock ends
// when release is called or, on systems that lock files, when the process dies. It is the
// file .<name>.lock beside the file at path. lock also removes the temporary files that
// killed processes have left.
func lock(path string, tries int) (release func() error, err error) {
	dir, base := filepath.Split(path)
	name := filepath.Join(dir, "."+base+".lock")
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		f, err := tryLock(name)
		if err == nil {
			host, _ := os.Hostname()
			err = errors.Join(f.Truncate(0), sweep(path))
			if _, e := fmt.Fprintf(f, "process %d on %s\n", os.Getpid(), host); err != nil || e != nil {
				return nil, errors.Join(err, e, unlock(f))
			}
			return func() error { return unlock(f) }, nil
		}
		if !errors.Is(err, errHeld) {
			return nil, fmt.Errorf("lock: %w", err)
		}
		if try >= tries {
			holder, _ := os.ReadFile(name)
			return nil, fmt.Errorf("lock: have %s held by %s for %v, want the other update to end, or the file removed if there is none", name, strings.TrimSpace(string(holder)), time.Duration(try)*lockPause)
		}
		time.Sleep(lockPause)
	}
}

// sweep removes the temporary files that killed processes have left beside the file at path.
// The caller holds the lock, so no other process is writing them.
func sweep(path string) error {
	dir, base := filepath.Split(path)
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return err
	}
	for _, e := range entries {
		number, ok := strings.CutPrefix(e.Name(), "."+base+"-")
		if ok && number != "" && strings.Trim(number, "0123456789") == "" {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return err
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
