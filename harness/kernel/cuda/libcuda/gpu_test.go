package libcuda

import (
	"flag"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/kernel/cuda"
	"pushdown/harness/kernel/kerneltest"
)

// What ci/gpu asks for beside: each kernel many times, and minutes of launches.
var (
	repeat = flag.Int("repeat", 1, "`times` that the kernels of each operation are held against the processor's bits")
	stress = flag.Duration("stress", time.Second, "how long launches go on beside the garbage collector")
)

// onGPU opens the GPU, or skips the test, or fails it where PUSHDOWN_REQUIRE names
// one.
func onGPU(t *testing.T) *Driver {
	t.Helper()
	d, err := Open()
	if err == nil {
		t.Cleanup(func() {
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
		return d
	}
	if slices.Contains(strings.Split(os.Getenv("PUSHDOWN_REQUIRE"), ","), "gpu") {
		t.Fatalf("PUSHDOWN_REQUIRE has gpu: %v", err)
	}
	t.Skipf("%v; to run it: bash ci/gpu on a machine with a GPU", err)
	return nil
}

func generic(t *testing.T) kernel.Device {
	t.Helper()
	d, err := cpu.New(cpu.Options{ISA: cpu.Generic})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// TestGPUKeepsTheContract holds a real GPU against the processor without assembly.
func TestGPUKeepsTheContract(t *testing.T) {
	kerneltest.Run(t, cuda.New(onGPU(t)), generic(t))
}

// TestGPUKeepsTheContractAgain does so many times: what happens once in a while,
// as a race, has to come up.
func TestGPUKeepsTheContractAgain(t *testing.T) {
	dev := cuda.New(onGPU(t))
	reference := generic(t)
	for op := range kernel.NumOps {
		if op == kernel.Group || dev.Lacks(op) {
			continue
		}
		t.Run(op.String(), func(t *testing.T) {
			for i := range *repeat {
				if err := kerneltest.Check(dev, reference, op); err != nil {
					t.Fatalf("time %d of %d: %v", i+1, *repeat, err)
				}
			}
		})
	}
}

// TestGPUBesideTheCollector launches while the garbage collector and other
// goroutines run.
func TestGPUBesideTheCollector(t *testing.T) {
	dev := cuda.New(onGPU(t))
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
}
