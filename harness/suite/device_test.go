package suite

import (
	"errors"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu"
)

// register registers a device for the duration of a test. The device may replace
// another one of the same name.
func register(t *testing.T, name string, probe func() error, open func(*Settings) (kernel.Device, error)) {
	t.Helper()
	was, there := devices.by[name]
	delete(devices.by, name)
	RegisterDevice(name, probe, open)
	t.Cleanup(func() {
		delete(devices.by, name)
		if there {
			devices.by[name] = was
		}
	})
}

func TestRegisterDevice(t *testing.T) {
	clean(t)
	var fault error
	register(t, "cuda", func() error { return fault }, nil)
	t.Setenv("PUSHDOWN_DEVICE", "cuda")
	if s, err := Parse(false); err != nil || s.Device != "cuda" {
		t.Errorf("%+v, %v; want the registered device", s, err)
	}
	fault = errors.New("no driver")
	if _, err := Parse(false); err == nil || err.Error() != "PUSHDOWN_DEVICE: have cuda, want a device that answers: no driver" {
		t.Errorf("device without a driver: %v", err)
	}
	t.Setenv("PUSHDOWN_DEVICE", "rocm")
	if _, err := Parse(false); err == nil || err.Error() != `PUSHDOWN_DEVICE: have "rocm", want cpu or cuda or cuda-graphs` {
		t.Errorf("unknown device: %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a second registration did not panic")
		}
	}()
	RegisterDevice("cuda", nil, nil)
}

func TestRequiringAGPU(t *testing.T) {
	clean(t)
	t.Setenv("PUSHDOWN_REQUIRE", "gpu")
	var fault error
	register(t, "cuda", func() error { return fault }, nil)
	if _, err := Parse(false); err != nil {
		t.Errorf("with a GPU that answers: %v", err)
	}
	fault = errors.New("no driver")
	if _, err := Parse(false); err == nil || err.Error() != "PUSHDOWN_REQUIRE: have gpu, want a GPU that answers: none answers: cuda: no driver" {
		t.Errorf("with a GPU that does not answer: %v", err)
	}
	register(t, "rocm", func() error { return nil }, nil)
	if _, err := Parse(false); err != nil {
		t.Errorf("with one of two that answers: %v", err)
	}
}

// TestOpenDevice checks that openDevice opens the device that the settings name,
// and passes the settings to the open function of the device.
func TestOpenDevice(t *testing.T) {
	want := &Settings{Device: "cuda", ISA: cpu.Generic, Threads: 3}
	var seen *Settings
	var fault error
	register(t, "cuda", func() error { return nil }, func(s *Settings) (kernel.Device, error) {
		seen = s
		if fault != nil {
			return nil, fault
		}
		return cpu.New(cpu.Options{ISA: s.ISA})
	})
	dev, err := openDevice(want)
	if err != nil || seen != want {
		t.Fatalf("%v; constructor got %+v, want %+v", err, seen, want)
	}
	dev.Close()
	fault = errors.New("out of memory")
	if _, err := openDevice(want); !errors.Is(err, fault) || err.Error() != "suite: opening device cuda: out of memory" {
		t.Errorf("error %v, want one that names the device", err)
	}
	if _, err := openDevice(&Settings{Device: "rocm"}); err == nil || err.Error() != `suite: device: have "rocm", want cpu or cuda or cuda-graphs` {
		t.Errorf("error %v, want one that lists the devices", err)
	}
	dev, err = openDevice(&Settings{Device: "cpu", ISA: cpu.Generic, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	if have := dev.String(); have != "cpu/generic" {
		t.Errorf("device cpu opens %s, want cpu/generic", have)
	}
	dev.Close()
}
