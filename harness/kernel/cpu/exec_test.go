package cpu

import (
	"fmt"
	"testing"

	"pushdown/harness/kernel/kerneltest"
)

// Every instruction set and number of threads computes what the contract says,
// in the bits of the pure Go code on one thread.
func TestDeviceKeepsTheContract(t *testing.T) {
	reference, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, isa := range Available() {
		for threads := 1; threads <= 4; threads++ {
			if testing.Short() && threads%2 == 0 {
				continue
			}
			t.Run(fmt.Sprintf("isa=%s/threads=%d", isa, threads), func(t *testing.T) {
				d, err := New(Options{ISA: isa, Threads: threads})
				if err != nil {
					t.Fatal(err)
				}
				if threads == 1 {
					kerneltest.Run(t, d, reference)
				} else {
					kerneltest.Bits(t, d, reference)
				}
				if err := d.Close(); err != nil {
					t.Error(err)
				}
			})
		}
	}
	if err := reference.Close(); err != nil {
		t.Error(err)
	}
}
