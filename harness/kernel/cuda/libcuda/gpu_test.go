package libcuda

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pushdown/harness/argument"
	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/kernel/cuda"
	"pushdown/harness/kernel/cuda/emulated"
	"pushdown/harness/kernel/kerneltest"
)

// Flags by which ci/gpu asks for more repetitions and longer runs.
var (
	repeat = flag.Int("repeat", 3, "`times` that each program of each operation runs")
	stress = flag.Duration("stress", time.Second, "how long launches go on beside the garbage collector")
)

func TestMain(m *testing.M) { argument.Main(m) }

// onGPU opens the GPU. If there is none, it skips the test, or fails it if PUSHDOWN_REQUIRE
// names gpu. If PUSHDOWN_DEVICE is emulated, and PUSHDOWN_REQUIRE does not name gpu, it opens
// an interpreter instead, so that ci/gpu can be tested without a GPU.
func onGPU(t *testing.T) cuda.Driver {
	t.Helper()
	required := slices.Contains(strings.Split(os.Getenv("PUSHDOWN_REQUIRE"), ","), "gpu")
	if os.Getenv("PUSHDOWN_DEVICE") == "emulated" && !required {
		return emulated.NewDriver()
	}
	d, err := Open()
	if err == nil {
		t.Cleanup(func() {
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
		return d
	}
	if required {
		t.Fatalf("PUSHDOWN_REQUIRE has gpu: %v", err)
	}
	t.Skipf("%v; to run it: bash ci/gpu on a machine with a GPU", err)
	return nil
}

// generic returns the CPU device without assembly. It is the reference of these tests.
func generic(t *testing.T) kernel.Device {
	t.Helper()
	d, err := cpu.New(cpu.Options{ISA: cpu.Generic})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// TestGPUAnswers opens the GPU. ci/gpu runs this test first.
func TestGPUAnswers(t *testing.T) { t.Logf("%v answers", onGPU(t)) }

// TestGPUKeepsTheContract compares the GPU bit for bit with the CPU device without
// assembly.
func TestGPUKeepsTheContract(t *testing.T) {
	dev := &repeating{Device: cuda.New(onGPU(t)), times: 1}
	kerneltest.Run(t, dev, generic(t))
	if !t.Failed() {
		t.Logf("conformance: %d operations, %d programs, %d words, all equal", kernel.NumOps, dev.programs, dev.words)
	}
}

// TestGPUKeepsTheContractAgain runs every program of every operation many times, to find
// rare faults such as races. It does so without graphs and with them. With graphs, the
// first run of a program launches its kernels one by one, and all later runs launch
// graphs. Only a program of a single instruction in one frame has no graph.
func TestGPUKeepsTheContractAgain(t *testing.T) {
	drv := onGPU(t)
	for _, graphs := range []bool{false, true} {
		t.Run(fmt.Sprintf("graphs=%v", graphs), func(t *testing.T) {
			dev := cuda.New(drv)
			if graphs {
				dev.EnableGraphs()
			}
			many, operations := &repeating{Device: dev, times: *repeat}, 0
			for op := range kernel.NumOps {
				if op == kernel.Group || dev.Lacks(op) {
					continue
				}
				if err := many.check(generic(t), op); err != nil {
					t.Errorf("%v: %v", op, err)
				}
				operations++
			}
			if !t.Failed() {
				t.Logf("repeat: graphs=%v: %d operations, %d programs, each %d times, all equal", graphs, operations, many.programs, *repeat)
			}
		})
	}
}

// TestGPUBesideTheCollector runs programs on the GPU while the garbage collector and
// other goroutines run.
func TestGPUBesideTheCollector(t *testing.T) {
	dev := &repeating{Device: cuda.New(onGPU(t)), times: 1}
	reference := generic(t)
	stop := make(chan bool)
	var others sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		others.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					_ = make([]byte, 1<<16)
					runtime.GC()
				}
			}
		})
	}
	defer others.Wait()
	defer close(stop)
	until := time.Now().Add(*stress)
	for time.Now().Before(until) {
		for _, op := range []kernel.Op{kernel.MatMul, kernel.Tanh, kernel.Softmax, kernel.ScatterAdd, kernel.Adam} {
			if err := kerneltest.Check(dev, reference, op); err != nil {
				t.Fatalf("%v: %v", op, err)
			}
		}
	}
	t.Logf("stress: %d programs in %v beside %d goroutines and the collector, all equal", dev.programs, *stress, runtime.GOMAXPROCS(0))
}
