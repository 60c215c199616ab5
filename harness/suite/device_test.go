package suite

import (
	"errors"
	"slices"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/kernel/cuda"
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
	if _, err := Parse(false); err == nil || err.Error() != `PUSHDOWN_DEVICE: have "rocm", want cpu or cuda or cuda-graphs or emulated or emulated-graphs` {
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
	if _, err := openDevice(&Settings{Device: "rocm"}); err == nil || err.Error() != `suite: device: have "rocm", want cpu or cuda or cuda-graphs or emulated or emulated-graphs` {
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

// TestEmulatedDevices runs a program once on the interpreters. The one with graphs must record
// a graph already then, because tests of suites make only the first updates.
func TestEmulatedDevices(t *testing.T) {
	at := func(off int) kernel.Arg { return kernel.Arg{Slot: kernel.FixedSlot, Off: off, LD: 2} }
	neg := kernel.Instr{Op: kernel.Neg, Form: kernel.Fixed, M: 1, W: 2, Args: []kernel.Arg{at(2), at(0)}}
	for name, graphs := range map[string]bool{"emulated": false, "emulated-graphs": true} { // the order does not matter
		s := &Settings{Device: name}
		dev, err := openDevice(s)
		if err != nil {
			t.Fatal(err)
		}
		if !s.Emulated() || dev.String() != "cuda/emulated" {
			t.Errorf("device %s: emulated %v, opens %s, want cuda/emulated", name, s.Emulated(), dev)
		}
		a, err := dev.NewArena(4)
		if err != nil {
			t.Fatal(err)
		}
		a.Write(0, []float32{3, -4})
		code, err := a.Compile([]kernel.Instr{neg, neg})
		if err != nil {
			t.Fatal(err)
		}
		a.Run(code, make([]kernel.Frame, 1))
		have := make([]float32, 2)
		if a.Read(2, have); !slices.Equal(have, []float32{-3, 4}) {
			t.Errorf("device %s: have %v, want -3 and 4", name, have)
		}
		if n := dev.(*cuda.Device).Recorded(); (n > 0) != graphs {
			t.Errorf("device %s: have %d launches in graphs, want graphs: %v", name, n, graphs)
		}
		if err := errors.Join(a.Close(), dev.Close()); err != nil {
			t.Error(err)
		}
	}
}
