//go:build !windows && (!unix || solaris || aix)

package disk

// openLock does nothing on systems without flock.
func openLock(string) (File, error) { return nil, nil }

func closeLock(File) error { return nil }
