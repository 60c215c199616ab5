package celltest

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/kernel/cuda/emulated"
	"pushdown/harness/optim"
	"pushdown/harness/stepgraph"
	"pushdown/models"
)

// openDevices returns every implementation of the kernels: each instruction set that the
// processor has, the widest with several threads, and the GPU kernels run by an interpreter
// on the processor. The first is pure Go.
func openDevices(t testing.TB) (list []kernel.Device) {
	t.Helper()
	for _, isa := range cpu.Available() {
		list = append(list, processor(t, cpu.Options{ISA: isa}))
	}
	gpu := emulated.New()
	t.Cleanup(func() { gpu.Close() })
	return append(list, processor(t, cpu.Options{ISA: cpu.Best(), Threads: 3, Eager: true}), gpu)
}

// checkDevices trains a network for two updates on each device. All must give the bits of
// the first.
func checkDevices(t testing.TB, n models.Sample, devices []kernel.Device) {
	t.Helper()
	symbols, classes := sizes(n)
	p := NewProblem(build(t, n, stepgraph.Config{}), symbols, classes, Seed(n.Name))
	want := p.train(t, n, devices[0])
	for _, d := range devices[1:] {
		if have := p.train(t, n, d); have != want {
			t.Errorf("digest after training on %v is %s, want %s as on %v", d, have, want, devices[0])
		}
	}
}

func processor(t testing.TB, opts cpu.Options) *cpu.Device {
	t.Helper()
	d, err := cpu.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// train makes two updates and returns a digest of the losses and parameters.
func (p *Problem) train(t testing.TB, n models.Network, device kernel.Device) string {
	t.Helper()
	rule := optim.Rule{Method: optim.Adam, LR: 0.01, ClipNorm: 1}
	vm := p.compile(t, build(t, n, stepgraph.Config{Training: true, Seed: 3}), device, rule.Moments())
	defer vm.Close()
	opt, err := optim.New(vm, rule)
	if err != nil {
		t.Fatal(err)
	}
	hash := sha256.New()
	loss := make([]float32, len(p.Pick))
	for range 2 {
		p.run(t, vm)
		vm.Losses(loss)
		binary.Write(hash, binary.LittleEndian, loss)
		if err := opt.Step(); err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range vm.Graph().Params {
		x, err := vm.Param(q.Name)
		if err != nil {
			t.Fatal(err)
		}
		binary.Write(hash, binary.LittleEndian, x)
	}
	return fmt.Sprintf("%x", hash.Sum(nil))
}
