package simd

import (
	"math"
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
	const (
		piece = 20 * time.Microsecond // long against the clock's own steps
		tries = 8                     // more than are interrupted one after the other
	)
	start, n := time.Now(), 1
	least := leastOf(tries, t.loop, n)
	for least < piece {
		n *= 2
		least = leastOf(tries, t.loop, n)
	}
	for time.Since(start) < long {
		least = min(least, leastOf(tries, t.loop, n))
	}
	return 2 * float64(t.lanes*peakSums*n) / least.Seconds()
}

// leastOf is the shortest time that the loop took.
func leastOf(tries int, loop func(n int), n int) time.Duration {
	least := time.Duration(math.MaxInt64)
	for range tries {
		before := time.Now()
		loop(n)
		least = min(least, time.Since(before))
	}
	return least
}

// peakLanes is the number of float32 that the generic loop counts as one vector.
const peakLanes = 32

var peakGenericTable = peakTable{lanes: peakLanes, loop: peakGeneric}

// peakGeneric is the loop with the FMA of the generic products.
func peakGeneric(n int) {
	var sum, x [peakSums * peakLanes]float32
	for i := range x {
		x[i] = 0.3 // no sum of which is exact: those take longer
	}
	for range n {
		numeric.AddScaled(sum[:], x[:], 0.7)
	}
	peakSink = sum[0]
}

// peakSink keeps the compiler from leaving the loop out.
var peakSink float32
