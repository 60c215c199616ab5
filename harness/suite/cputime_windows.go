package suite

import (
	"syscall"
	"time"
)

// CPUTime returns the processor time that this process has used. Benchmarks report rates
// per second of processor time beside rates per second of elapsed time. Other programs on
// the machine have less effect on processor time.
func CPUTime() time.Duration {
	process, err := syscall.GetCurrentProcess()
	if err != nil {
		panic(err)
	}
	var created, ended, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(process, &created, &ended, &kernel, &user); err != nil {
		panic(err)
	}
	used := func(t syscall.Filetime) time.Duration { // in units of 100 ns
		return 100 * time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime))
	}
	return used(kernel) + used(user)
}
