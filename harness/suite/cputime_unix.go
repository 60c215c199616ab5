//go:build unix

package suite

import (
	"syscall"
	"time"
)

// CPUTime returns the processor time that this process has used. Benchmarks report rates
// per second of processor time beside those per second of elapsed time, because other
// programs on the machine affect them less.
func CPUTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
