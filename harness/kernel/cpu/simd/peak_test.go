package simd

import (
	"testing"
	"time"
)

// peakRounds is how many times a test of the peak measures before it fails. On a shared
// machine one measurement may be slow and the next fast. So the test takes the best of all
// measurements so far, and passes as soon as these are as expected.
const peakRounds = 100

// TestPeakBoundsProducts checks for each instruction set that a product in the L1 cache
// is at most 10 per cent faster than the peak, and that the peak of assembly is at least
// four times that of pure Go, or twice if its vectors have four lanes.
func TestPeakBoundsProducts(t *testing.T) {
	const m, n, k = 14, 32, 128
	x, y := make([]float32, k*n), make([]float32, m*n)
	a := GemmArgs{M: m, N: n, K: k, A: &x[0], B: &x[0], C: &y[0], Lda: k, Ldb: n, Ldc: n}
	for _, isa := range Available() {
		c := newGemmContext(isa)
		products := peakTable{lanes: m * n * k, loop: func(calls int) {
			for range calls * peakSums {
				c.run(&a)
			}
		}}
		var generic, peak, product float64
		for round := 0; ; round++ {
			generic = max(generic, measurePeak(peakGenericTable, 5*time.Millisecond))
			peak = max(peak, measurePeak(peakFor(isa), 5*time.Millisecond))
			product = max(product, measurePeak(products, 5*time.Millisecond))
			slow := isa != Generic && peak < float64(min(4, peakFor(isa).lanes/2))*generic
			above := product > 1.1*peak // the clock may rise between the two measurements
			if !slow && !above {
				break
			}
			if round < peakRounds {
				continue
			}
			if slow {
				t.Errorf("%v: %g FLOP/s, want some times the %g of plain Go", isa, peak, generic)
			}
			if above {
				t.Errorf("%v: a product of %g FLOP/s is above the peak of %g", isa, product, peak)
			}
			break
		}
	}
}

func TestPeakIsMeasuredOnce(t *testing.T) {
	first := Peak()
	if second := Peak(); first != second || first <= 0 {
		t.Errorf("peak %g, then %g, want one positive number", first, second)
	}
}

// TestRunPeakCounts checks that the operations that RunPeak returns are in proportion to its
// parameter, with at least one vector of FMAs on each of its sums.
func TestRunPeakCounts(t *testing.T) {
	one := RunPeak(1)
	if three := RunPeak(3); one < 2*4*peakSums || three != 3*one {
		t.Errorf("%v and %v operations for 1 and 3, want at least %v and three times the first", one, three, 2*4*peakSums)
	}
}

// TestPeakOutlivesInterruptions checks that measurePeak gives at least half of the
// normal result if every third run is interrupted. Interruptions must not make it choose
// runs that are too short.
func TestPeakOutlivesInterruptions(t *testing.T) {
	calls := 0
	interrupted := peakTable{lanes: peakLanes, loop: func(n int) {
		if calls++; calls%3 == 1 {
			time.Sleep(time.Millisecond)
		}
		peakGeneric(n)
	}}
	var quiet, disturbed float64
	for range peakRounds {
		quiet = max(quiet, measurePeak(peakGenericTable, 5*time.Millisecond))
		disturbed = max(disturbed, measurePeak(interrupted, 5*time.Millisecond))
		if disturbed >= quiet/2 {
			return
		}
	}
	t.Errorf("%g FLOP/s where every third piece is interrupted, %g where none is", disturbed, quiet)
}
