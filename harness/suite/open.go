package suite

import (
	"testing"

	"pushdown/harness/kernel"
)

// Open returns the device that the environment selects. The device is closed when
// the test ends.
func Open(t testing.TB) kernel.Device {
	t.Helper()
	return open(t, Current())
}

// OpenThreads is Open with the given number of threads instead of PUSHDOWN_THREADS.
// It is for benchmarks whose names contain the number of threads.
func OpenThreads(t testing.TB, threads int) kernel.Device {
	t.Helper()
	s := *Current()
	s.Threads = threads
	return open(t, &s)
}

// OpenEmulated is Open with an interpreter of the GPU's kernels instead of PUSHDOWN_DEVICE.
// If graphs is set, it uses CUDA graphs.
func OpenEmulated(t testing.TB, graphs bool) kernel.Device {
	t.Helper()
	s := *Current()
	s.Device = emulatedDevice
	if graphs {
		s.Device = emulatedGraphs
	}
	return open(t, &s)
}

func open(t testing.TB, s *Settings) kernel.Device {
	t.Helper()
	dev, err := openDevice(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := dev.Close(); err != nil {
			t.Error(err)
		}
	})
	return dev
}
