package suite

import (
	"errors"
	"slices"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/kernel/cuda"
)

// TestDevices checks what PUSHDOWN_DEVICE and PUSHDOWN_REQUIRE say about a GPU, and that the settings
// are passed to the device that they name.
func TestDevices(t *testing.T) {
	clean(t)
	was := devices["cuda"]
	t.Cleanup(func() { devices["cuda"] = was })
	var probed, opened error
	var seen *Settings
	devices["cuda"] = device{func() error { return probed }, func(s *Settings) (kernel.Device, error) {
		seen = s
		return nil, opened
	}}
	says := func(name, value, want string) {
		t.Helper()
		t.Setenv(name, value)
		have := ""
		if _, err := Parse(false); err != nil {
			have = err.Error()
		}
		if have != want {
			t.Errorf("%s=%s: have %q, want %q", name, value, have, want)
		}
		t.Setenv(name, "")
	}
	says("PUSHDOWN_DEVICE", "cuda", "")
	says("PUSHDOWN_REQUIRE", "gpu", "")
	probed = errors.New("no driver")
	says("PUSHDOWN_DEVICE", "cuda", "PUSHDOWN_DEVICE: have cuda, want a device that answers: no driver")
	says("PUSHDOWN_REQUIRE", "gpu", "PUSHDOWN_REQUIRE: have gpu, want a GPU that answers: no driver")

	want := &Settings{Device: "cuda", ISA: cpu.Generic, Threads: 3}
	if _, err := want.device(); err != nil || seen != want {
		t.Errorf("opened with %+v (%v), want %+v", seen, err, want)
	}
	opened = errors.New("out of memory")
	if _, err := want.device(); !errors.Is(err, opened) || err.Error() != "suite: opening device cuda: out of memory" {
		t.Errorf("error %v, want one that names the device", err)
	}
	for threads, want := range map[int]string{1: "cpu/generic", 3: "cpu/generic/threads=3"} {
		dev := must((&Settings{Device: "cpu", ISA: cpu.Generic, Threads: threads}).device())
		if have := dev.String(); have != want {
			t.Errorf("device cpu opens %s, want %s", have, want)
		}
		dev.Close()
	}
}

// TestEmulatedDevices runs a program once on the interpreters. The one with graphs must record
// a graph already then, because tests of suites make only the first updates.
func TestEmulatedDevices(t *testing.T) {
	at := func(off int) kernel.Arg { return kernel.Arg{Slot: kernel.FixedSlot, Off: off, LD: 2} }
	neg := kernel.Instr{Op: kernel.Neg, Form: kernel.Fixed, M: 1, W: 2, Args: []kernel.Arg{at(2), at(0)}}
	for name, graphs := range map[string]bool{"emulated": false, "emulated-graphs": true} { // the order does not matter
		s := &Settings{Device: name}
		dev := must(s.device())
		if !s.Emulated() || dev.String() != "cuda/emulated" {
			t.Errorf("device %s: emulated %v, opens %s, want cuda/emulated", name, s.Emulated(), dev)
		}
		a := must(dev.NewArena(4))
		a.Write(0, []float32{3, -4})
		a.Run(must(a.Compile([]kernel.Instr{neg, neg})), make([]kernel.Frame, 1))
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
