package suite

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/kernel/cuda"
	"pushdown/harness/kernel/cuda/emulated"
	"pushdown/harness/kernel/cuda/libcuda"
)

// The devices that need no GPU.
const (
	hostDevice     = "cpu"
	emulatedDevice = "emulated"        // an interpreter of the GPU's kernels, for tests
	emulatedGraphs = "emulated-graphs" // the same with CUDA graphs
)

// device has the functions of a device that PUSHDOWN_DEVICE may select.
type device struct {
	probe func() error // returns an error if the device cannot be used on this machine
	open  func(*Settings) (kernel.Device, error)
}

// devices holds the devices by name.
var devices = map[string]device{
	hostDevice: {answers, func(s *Settings) (kernel.Device, error) {
		return cpu.New(cpu.Options{ISA: s.ISA, Threads: s.Threads})
	}},
	"cuda":         {probeCUDA, func(*Settings) (kernel.Device, error) { return openCUDA(false) }},
	"cuda-graphs":  {probeCUDA, func(*Settings) (kernel.Device, error) { return openCUDA(true) }},
	emulatedDevice: {answers, func(*Settings) (kernel.Device, error) { return emulated.New(), nil }},
	emulatedGraphs: {answers, func(*Settings) (kernel.Device, error) { return emulated.New().RecordFirst(), nil }},
}

// answers is the probe of a device that every machine has.
func answers() error { return nil }

// openCUDA opens the GPU. If graphs is set, a sequence of kernel launches that occurs
// repeatedly is run as a CUDA graph.
func openCUDA(graphs bool) (kernel.Device, error) {
	drv, err := libcuda.Open()
	if err != nil {
		return nil, err
	}
	dev := cuda.New(drv)
	if graphs {
		dev.EnableGraphs()
	}
	return dev, nil
}

// probeCUDA opens and closes the driver.
func probeCUDA() error {
	drv, err := libcuda.Open()
	if err != nil {
		return err
	}
	return drv.Close()
}

func parseDevice(value string) (string, error) {
	if value == "" {
		return hostDevice, nil
	}
	d, ok := devices[value]
	if !ok {
		return "", fmt.Errorf("PUSHDOWN_DEVICE: have %q, want %s", value, strings.Join(slices.Sorted(maps.Keys(devices)), " or "))
	}
	if err := d.probe(); err != nil {
		return "", fmt.Errorf("PUSHDOWN_DEVICE: have %s, want a device that answers: %w", value, err)
	}
	return value, nil
}

// Emulated reports whether the device is an interpreter of the GPU's kernels. It is slow, so
// tests and benchmarks do less on it.
func (s *Settings) Emulated() bool { return s.Device == emulatedDevice || s.Device == emulatedGraphs }

// device opens the device that the settings select.
func (s *Settings) device() (kernel.Device, error) {
	dev, err := devices[s.Device].open(s)
	if err != nil {
		return nil, fmt.Errorf("suite: opening device %s: %w", s.Device, err)
	}
	return dev, nil
}

// DeviceName returns the name of the device that the environment selects, such as
// cpu/avx512, for programs that are no tests. It opens the device to ask for it.
func DeviceName() (string, error) {
	dev, err := OpenDevice()
	if err != nil {
		return "", err
	}
	return fmt.Sprint(dev), dev.Close()
}

// OpenDevice is [Open] for programs that are no tests, which must close the device.
func OpenDevice() (kernel.Device, error) {
	s, err := Parse(false)
	if err != nil {
		return nil, err
	}
	return s.device()
}

// Open returns the device that the environment selects. The device is closed when
// the test ends.
func Open(t testing.TB) kernel.Device {
	t.Helper()
	return open(t, *Current())
}

// OpenThreads is Open with the given number of threads instead of PUSHDOWN_THREADS.
// It is for benchmarks whose names contain the number of threads.
func OpenThreads(t testing.TB, threads int) kernel.Device {
	t.Helper()
	s := *Current()
	s.Threads = threads
	return open(t, s)
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
	return open(t, s)
}

func open(t testing.TB, s Settings) kernel.Device {
	t.Helper()
	dev, err := s.device()
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
