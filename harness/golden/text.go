package golden

import (
	"path/filepath"

	"pushdown/harness/disk"
)

// FirstDifference describes the first difference between two trajectories. It
// returns "" if run equals golden, or if run is a prefix of golden.
func FirstDifference(golden, run Trajectory) string {
	if d, diverged := divergence(golden, run); diverged {
		return d.String()
	}
	return ""
}

// Lock locks the file at path until release is called. Updates of golden files take the
// same lock. Reads and writes that do not take the lock are not affected. If another
// process has the lock, Lock waits for about a minute and then returns an error.
func Lock(fsys disk.FS, path string) (release func() error, err error) {
	return lock(fsys, path, lockTries)
}

// WriteText atomically writes text to the file at path, and makes its folder if needed.
func WriteText(path string, text []byte) error {
	if err := disk.MkdirAll(filepath.Dir(path)); err != nil {
		return err
	}
	return disk.WriteFile(path, text)
}
