package cpu

import (
	"testing"
	"time"
)

// TestPeakBoundsProducts measures each instruction set: a product that stays
// in the first cache must come below its peak, and assembly above plain Go.
func TestPeakBoundsProducts(t *testing.T) {
	generic := measurePeak(peakGenericTable, 5*time.Millisecond)
	if generic <= 0 {
		t.Fatalf("generic: %g FLOP/s, want more than none", generic)
	}
	for _, isa := range Available() {
		peak := measurePeak(peakFor(isa), 20*time.Millisecond)
		if isa != Generic && peak < 4*generic {
			t.Errorf("%v: %g FLOP/s, want some times the %g of plain Go", isa, peak, generic)
		}
		const m, n, k = 14, 32, 128
		x, y := make([]float32, k*n), make([]float32, m*n)
		a := gemmArgs{M: m, N: n, K: k, A: &x[0], B: &x[0], C: &y[0], Lda: k, Ldb: n, Ldc: n}
		c := newGemmContext(isa)
		product := measurePeak(peakTable{lanes: m * n * k, loop: func(calls int) {
			for range calls * peakSums {
				c.run(&a)
			}
		}}, 20*time.Millisecond)
		if product > 1.1*peak { // a tenth for a clock that rises in between
			t.Errorf("%v: a product of %g FLOP/s is above the peak of %g", isa, product, peak)
		}
	}
}

func TestPeakIsMeasuredOnce(t *testing.T) {
	first := Peak()
	if second := Peak(); first != second || first <= 0 {
		t.Errorf("peak %g, then %g, want one positive number", first, second)
	}
}

// An interruption while the length of a piece is sought does not make it short.
func TestPeakOutlivesInterruptions(t *testing.T) {
	quiet := measurePeak(peakGenericTable, 5*time.Millisecond)
	calls := 0
	disturbed := measurePeak(peakTable{lanes: 1, loop: func(n int) {
		if calls++; calls%3 == 1 {
			time.Sleep(time.Millisecond)
		}
		peakGeneric(n)
	}}, 5*time.Millisecond)
	if disturbed < quiet/2 {
		t.Errorf("%g FLOP/s where every third piece is interrupted, %g where none is", disturbed, quiet)
	}
}
