//go:build unix

package suite

import (
	"syscall"
	"time"
)

// CPUTime returns the processor time that this process has used. Benchmarks report rates
// per second of processor time beside rates per second of elapsed time. Other programs on
// the machine have less effect on processor time.
func CPUTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
