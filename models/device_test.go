package models_test

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

// TestDevices trains every network for two updates with each implementation of the
// kernels: pure Go, the widest instructions of the processor, several threads, and the
// GPU kernels run by an interpreter on the processor. All must give the same bits.
func TestDevices(t *testing.T) {
	gpu := emulated.New()
	defer gpu.Close()
	devices := []kernel.Device{
		processor(t, cpu.Options{ISA: cpu.Generic}), processor(t, cpu.Options{ISA: cpu.Best()}), processor(t, cpu.Options{ISA: cpu.Best(), Threads: 3}), gpu,
	}
	for _, n := range models.All() {
		t.Run(n.Name, func(t *testing.T) {
			_, symbols, classes := about(n)
			p := newProblem(build(t, n, nil), symbols, classes, seed(n))
			want := p.train(t, n, devices[0])
			for _, d := range devices[1:] {
				if have := p.train(t, n, d); have != want {
					t.Errorf("digest after training on %v is %s, want %s as on %v", d, have, want, devices[0])
				}
			}
		})
	}
}

func processor(t *testing.T, opts cpu.Options) *cpu.Device {
	t.Helper()
	d, err := cpu.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// train makes two updates and returns a digest of the losses and parameters.
func (p *problem) train(t *testing.T, n models.Network, device kernel.Device) string {
	t.Helper()
	rule := optim.Rule{Method: optim.Adam, LR: 0.01, ClipNorm: 1}
	vm := p.compile(t, buildFor(t, n, stepgraph.Config{Training: true, Seed: 3}), device, rule.Moments())
	defer vm.Close()
	opt, err := optim.New(vm, rule)
	if err != nil {
		t.Fatal(err)
	}
	hash := sha256.New()
	loss := make([]float32, len(p.pick))
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
