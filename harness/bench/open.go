package bench

import (
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu"
)

// Open returns the device that the environment selects, closed at the end of
// the test.
func Open(t testing.TB) kernel.Device {
	t.Helper()
	s := Current()
	dev, err := cpu.New(cpu.Options{ISA: s.ISA, Threads: s.Threads})
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
