//go:build unix

package suite

import (
	"syscall"
	"time"
)

// CPUTime returns the processor time that this process has used. Other programs on the
// machine affect it less than they affect elapsed time, so benchmarks report rates by
// both.
func CPUTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
