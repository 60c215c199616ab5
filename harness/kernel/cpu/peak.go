package cpu

import (
	"sync"
	"time"

	"pushdown/harness/numeric"
)

// peakSums is the number of running sums in the loops of a peakTable.
const peakSums = 12

// peakTable is what measures the peak of one instruction set.
type peakTable struct {
	lanes int         // float32 in a vector
	loop  func(n int) // n > 0 FMAs on each of peakSums vectors, in registers
}

// Peak returns the most floating-point operations a second, an FMA being two,
// that one core does with the instruction set that PUSHDOWN_ISA chooses, or
// the best one: a bound for benchmarks, which no product can pass. The first
// call measures it, in a hundred milliseconds, as the best of many short loops
// that touch nothing but registers; the others give the same number. On a busy
// machine, or one whose clock changes, it is what was there at the time.
func Peak() float64 {
	return peakOnce()
}

var peakOnce = sync.OnceValue(func() float64 {
	isa, err := ISAFromEnv()
	if err != nil {
		isa = Best()
	}
	return measurePeak(peakFor(isa), 100*time.Millisecond)
})

// measurePeak runs the loop for about the given time in pieces of some tens
// of microseconds, which a busy machine seldom interrupts.
func measurePeak(t peakTable, long time.Duration) float64 {
	const most = 20 * time.Microsecond
	n, least := 1, time.Duration(0)
	for start := time.Now(); time.Since(start) < long; {
		before := time.Now()
		t.loop(n)
		took := time.Since(before)
		if took < most && least == 0 {
			n *= 2 // not yet long against the clock's own steps
			continue
		}
		if least == 0 || took < least {
			least = took
		}
	}
	return 2 * float64(t.lanes*peakSums*n) / least.Seconds()
}

var peakGenericTable = peakTable{lanes: 1, loop: peakGeneric}

// peakGeneric is the loop with the FMA of the generic routines.
func peakGeneric(n int) {
	var sum [peakSums]float32
	for range n {
		for i := range sum {
			sum[i] = numeric.FMA(0.5, 3, sum[i])
		}
	}
	peakSink = sum[0]
}

// peakSink keeps the compiler from leaving the loop out.
var peakSink float32
