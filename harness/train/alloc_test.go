package train

import (
	"runtime"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/optim"
)

// TestUpdatesAllocateNothing counts the allocations between two progress reports. It
// does not count updates that end with a validation or a trajectory point. The tests of
// package optim cover Adam, for which the device may allocate.
func TestUpdatesAllocateNothing(t *testing.T) {
	for _, rule := range []optim.Rule{{Method: optim.SGD, LR: 0.1, ClipNorm: 0.01}, {Method: optim.SGD, LR: 0.1, Clip: 0.1}} {
		e := problem()
		e.Rule, e.CheckEvery, e.MaxUpdates = rule, 200, 390
		var stats runtime.MemStats
		var before, allocated, updates uint64
		run(t, e, Options{Device: device(t, cpu.Best()), State: state(t), Stop: func() bool { return false }, Progress: func(p Progress) {
			runtime.ReadMemStats(&stats)
			if p.Update > 20 && !p.Validated && !golden.Step(p.Update).Decade() && p.Update != 201 {
				allocated += stats.Mallocs - before
				updates++
			}
			before = stats.Mallocs
		}})
		// As in testing.AllocsPerRun, the integer division discards a few allocations of the runtime.
		if updates < 300 || allocated/updates != 0 {
			t.Errorf("%+v: %d allocations in %d updates, want less than one each", rule, allocated, updates)
		}
	}
}
