package bench

import (
	"testing"

	"pushdown/harness/kernel"
)

// Open returns the device that the environment selects, closed at the end of
// the test.
func Open(t testing.TB) kernel.Device {
	t.Helper()
	dev, err := openDevice(Current())
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
