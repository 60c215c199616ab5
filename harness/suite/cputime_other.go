//go:build !unix && !windows

package suite

import "time"

var started = time.Now()

// CPUTime returns the time since the start of this process, because this operating system
// does not say how much processor time the process has used.
func CPUTime() time.Duration {
	return time.Since(started)
}
