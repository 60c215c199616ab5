//go:build unix

package suite

import (
	"syscall"
	"time"
)

// CPUTime returns what this process has used of the processors, for benchmarks on
// machines that do other work as well.
func CPUTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
