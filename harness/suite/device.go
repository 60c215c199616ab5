package suite

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/kernel/cuda"
	"pushdown/harness/kernel/cuda/emulated"
	"pushdown/harness/kernel/cuda/libcuda"
)

// The devices that every machine has. All other devices are GPUs.
const (
	hostDevice     = "cpu"
	emulatedDevice = "emulated"        // an interpreter of the GPU's kernels, for tests
	emulatedGraphs = "emulated-graphs" // the same with CUDA graphs
)

// withoutGPU lists the devices that need no GPU.
var withoutGPU = []string{hostDevice, emulatedDevice, emulatedGraphs}

// device has the functions of a device that PUSHDOWN_DEVICE may select.
type device struct {
	probe func() error
	open  func(*Settings) (kernel.Device, error)
}

var devices = struct {
	sync.Mutex
	by map[string]device
}{by: map[string]device{}}

func init() {
	answers := func() error { return nil }
	RegisterDevice(hostDevice, answers, func(s *Settings) (kernel.Device, error) {
		return cpu.New(cpu.Options{ISA: s.ISA, Threads: s.Threads})
	})
	RegisterDevice("cuda", probeCUDA, func(*Settings) (kernel.Device, error) { return openCUDA(false) })
	RegisterDevice("cuda-graphs", probeCUDA, func(*Settings) (kernel.Device, error) { return openCUDA(true) })
	RegisterDevice(emulatedDevice, answers, func(*Settings) (kernel.Device, error) { return emulated.New(), nil })
	RegisterDevice(emulatedGraphs, answers, func(*Settings) (kernel.Device, error) { return emulated.New().RecordFirst(), nil })
}

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

// probeCUDA opens and closes the driver. It returns an error if there is no GPU
// that can be used.
func probeCUDA() error {
	drv, err := libcuda.Open()
	if err != nil {
		return err
	}
	return drv.Close()
}

// RegisterDevice adds a device that PUSHDOWN_DEVICE can select by the given name. The
// function probe returns an error if the device cannot be used on this machine. The
// function open opens the device for [Open]. Any device other than the CPU and the
// interpreter satisfies PUSHDOWN_REQUIRE=gpu. RegisterDevice panics if the name is already
// registered.
func RegisterDevice(name string, probe func() error, open func(*Settings) (kernel.Device, error)) {
	devices.Lock()
	defer devices.Unlock()
	if _, ok := devices.by[name]; ok {
		panic("suite: device " + name + " is registered twice")
	}
	devices.by[name] = device{probe, open}
}

// deviceNames returns the names of the registered devices, sorted. The caller must
// hold the lock of devices.
func deviceNames() []string {
	var list []string
	for name := range devices.by { // sorted below
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

func parseDevice(value string) (string, error) {
	if value == "" {
		return hostDevice, nil
	}
	devices.Lock()
	defer devices.Unlock()
	d, ok := devices.by[value]
	if !ok {
		return "", fmt.Errorf("PUSHDOWN_DEVICE: have %q, want %s", value, strings.Join(deviceNames(), " or "))
	}
	if err := d.probe(); err != nil {
		return "", fmt.Errorf("PUSHDOWN_DEVICE: have %s, want a device that answers: %w", value, err)
	}
	return value, nil
}

// gpu returns an error if no GPU can be used.
func gpu() error {
	devices.Lock()
	defer devices.Unlock()
	var faults []string
	for _, name := range deviceNames() {
		if slices.Contains(withoutGPU, name) || name == "cuda-graphs" { // cuda-graphs is the GPU of cuda
			continue
		}
		err := devices.by[name].probe()
		if err == nil {
			return nil
		}
		faults = append(faults, fmt.Sprintf("%s: %v", name, err))
	}
	return fmt.Errorf("none answers: %s", strings.Join(faults, "; "))
}

// Emulated reports whether the device is an interpreter of the GPU's kernels. It is slow, so
// tests and benchmarks do less on it.
func (s *Settings) Emulated() bool { return s.Device == emulatedDevice || s.Device == emulatedGraphs }

// openDevice opens the device that the settings select.
func openDevice(s *Settings) (kernel.Device, error) {
	devices.Lock()
	d, ok := devices.by[s.Device]
	have := deviceNames()
	devices.Unlock()
	if !ok {
		return nil, fmt.Errorf("suite: device: have %q, want %s", s.Device, strings.Join(have, " or "))
	}
	dev, err := d.open(s)
	if err != nil {
		return nil, fmt.Errorf("suite: opening device %s: %w", s.Device, err)
	}
	return dev, nil
}

// DeviceName returns the name of the device that the environment selects, such as
// cpu/avx512, for programs that are no tests. It opens the device to ask for it.
func DeviceName() (string, error) {
	s, err := Parse(false)
	if err != nil {
		return "", err
	}
	dev, err := openDevice(s)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(dev), dev.Close()
}
