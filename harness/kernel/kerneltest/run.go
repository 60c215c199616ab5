package kerneltest

import (
	"fmt"
	"slices"
	"testing"

	"pushdown/harness/kernel"
)

// Run tests dev against the contract. The results of dev must have the same bits as
// those of reference.
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

// rowOf returns the row of an operation in the table of tests. It fails the test if there
// is none.
func rowOf(t *testing.T, op kernel.Op) *row {
	for i := range table {
		if table[i].Op == op {
			return &table[i]
		}
	}
	t.Fatalf("operation %v has no row in the table of kerneltest", op)
	return nil
}

// Bits is the part of Run that compares dev with the reference. It is enough for
// devices that differ from an already tested one only in the number of threads.
func Bits(t *testing.T, dev, reference kernel.Device) {
	t.Run(kernel.Group.String(), func(t *testing.T) { testGroup(t, dev) })
	t.Run("continue", func(t *testing.T) { testContinued(t, dev, reference) })
	for _, op := range supported(dev) {
		t.Run(op.String(), func(t *testing.T) {
			if err := Check(dev, reference, op); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// Check is the part of Bits that tests one operation. It returns the first difference
// from the reference as an error. So a caller can also give Check a faulty device and
// test that Check finds the fault.
func Check(dev, reference kernel.Device, op kernel.Op) error {
	i := slices.IndexFunc(table, func(w row) bool { return w.Op == op })
	if i < 0 {
		return fmt.Errorf("operation %v has no row in the table of kerneltest", op)
	}
	for _, form := range table[i].Forms {
		for fl := range numFills {
			for _, trial := range table[i].trials() {
				if trial == largeTrial && fl != moderate {
					continue // sums of other contents would be NaN or infinite
				}
				s := newScenario(&table[i], form, fl, trial)
				if err := s.compareOn(dev, reference); err != nil {
					return fmt.Errorf("form %d, %s, trial %d: %w", form, fillNames[fl], trial, err)
				}
			}
		}
	}
	return nil
}

// compareOn runs the scenario on both devices and compares the memory afterwards.
func (s *scenario) compareOn(dev, reference kernel.Device) error {
	want, err := s.run(reference)
	if err != nil {
		return fmt.Errorf("reference: %w", err)
	}
	got, err := s.run(dev)
	if err != nil {
		return err
	}
	return s.compare(got, want)
}
