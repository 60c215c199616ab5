package kerneltest

import (
	"fmt"
	"testing"

	"pushdown/harness/kernel"
)

// Run holds dev against the contract; reference gives the bits to agree with.
func Run(t *testing.T, dev, reference kernel.Device) {
	t.Run("arena", func(t *testing.T) { testArena(t, dev) })
	t.Run("refusal", func(t *testing.T) { testRefusal(t, dev) })
	t.Run("order", func(t *testing.T) { testOrder(t, dev) })
	t.Run("boundary", func(t *testing.T) { testBoundary(t, dev) })
	t.Run("allocation", func(t *testing.T) { testAllocation(t, dev) })
	t.Run("group/refusal", func(t *testing.T) { testGroupRefusal(t, dev) })
	t.Run("bits", func(t *testing.T) { Bits(t, dev, reference) })
	t.Run("meaning", func(t *testing.T) { testMeaning(t, dev) })
}

// rowOf finds the row of an operation; one without a row fails the test.
func rowOf(t *testing.T, op kernel.Op) *row {
	for i := range table {
		if table[i].op == op {
			return &table[i]
		}
	}
	t.Fatalf("operation %v has no row in the table of kerneltest", op)
	return nil
}

// Bits is the part of Run that compares with the reference, for devices that
// differ from one that Run has seen by their number of threads alone.
func Bits(t *testing.T, dev, reference kernel.Device) {
	t.Run(kernel.Group.String(), func(t *testing.T) { testGroup(t, dev) })
	t.Run("again", func(t *testing.T) { testAgain(t, dev, reference) })
	for _, op := range aloneOn(dev) {
		t.Run(op.String(), func(t *testing.T) {
			w := rowOf(t, op)
			for _, form := range w.forms {
				for fl := range numFills {
					for _, trial := range w.trials() {
						if trial == largeTrial && fl != moderate {
							continue // the others add up to no number
						}
						s := newScenario(w, form, fl, trial)
						name := fmt.Sprintf("form %d, %s, trial %d", form, fillNames[fl], trial)
						want, err := s.run(reference)
						if err != nil {
							t.Fatalf("%s: reference: %v", name, err)
						}
						got, err := s.run(dev)
						if err != nil {
							t.Fatalf("%s: %v", name, err)
						}
						if s.check(t, got, want); t.Failed() {
							t.Fatalf("stopped at %s", name)
						}
					}
				}
			}
		})
	}
}
