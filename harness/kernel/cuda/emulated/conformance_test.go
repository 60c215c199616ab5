package emulated

import (
	"testing"

	"pushdown/harness/kernel/cpu"
	"pushdown/harness/kernel/cuda"
	"pushdown/harness/kernel/kerneltest"
)

// guard is what package kerneltest fills the words with that belong to no operand.
const guard = 0x7fc0dead

// TestKernelsKeepTheContract holds every kernel that ships against the processor
// without assembly, bit for bit.
func TestKernelsKeepTheContract(t *testing.T) {
	reference, err := cpu.New(cpu.Options{ISA: cpu.Generic})
	if err != nil {
		t.Fatal(err)
	}
	defer reference.Close()
	drv := NewDriver()
	drv.Guard = guard
	dev := cuda.New(drv)
	defer dev.Close()
	kerneltest.Run(t, dev, reference)
}
