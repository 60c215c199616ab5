//go:build unix

package suite

import (
	"syscall"
	"time"
)

// CPUTime returns the processor time that this process has used. Benchmarks use it
// on machines where other programs run.
func CPUTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
