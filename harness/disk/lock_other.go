//go:build !windows && (!unix || solaris || aix)

package disk

import "errors"

// openLock does nothing on systems without flock.
func (FS) openLock(string) (File, error) { return nil, errors.ErrUnsupported }
