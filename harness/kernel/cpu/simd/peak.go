package simd

import (
	"math"
	"runtime"
	"sync"
	"time"

	"pushdown/harness/numeric"
)

// peakSums is the number of vectors of running sums in the loops of a peakTable.
const peakSums = 12

// peakTable has the loop that measures the peak performance of one instruction set.
type peakTable struct {
	lanes int         // float32 in a vector
	loop  func(n int) // n > 0 FMAs on each of peakSums vectors, in registers
}

// flops returns the floating-point operations of loop(n).
func (t peakTable) flops(n int) float64 { return 2 * float64(t.lanes*peakSums*n) }

// Peak returns the largest number of floating-point operations per second that one core can
// perform. An FMA counts as two operations. No product can be faster, so benchmarks use
// Peak as a bound. The first call measures the instruction set that PUSHDOWN_ISA names, or
// the best one, which takes a hundred milliseconds. Later calls return the same number,
// even if the speed of the machine has changed.
func Peak() float64 {
	return peakOnce()
}

var peakOnce = sync.OnceValue(func() float64 { return measurePeak(peakOfEnv(), 100*time.Millisecond) })

// peakOfEnv returns the loop of the instruction set that Peak measures.
var peakOfEnv = sync.OnceValue(func() peakTable {
	isa, err := ISAFromEnv()
	if err != nil {
		isa = Best()
	}
	return peakFor(isa)
})

// RunPeak runs once the loop that Peak measures, with n > 0 FMAs on each of its vectors. It
// returns the number of floating-point operations.
func RunPeak(n int) float64 {
	t := peakOfEnv()
	t.loop(n)
	return t.flops(n)
}

// measurePeak returns the operations per second of t's loop in the fastest of many
// runs. It measures for about the given time. Each run takes some tens of microseconds,
// so that even a busy machine seldom interrupts it.
func measurePeak(t peakTable, long time.Duration) float64 {
	const (
		piece = 20 * time.Microsecond // least time of a run; much longer than the resolution of the clock
		tries = 8                     // so many successive runs are never all interrupted
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
	return t.flops(n) / least.Seconds()
}

// leastOf calls loop(n) several times and returns the time of the fastest call.
func leastOf(tries int, loop func(n int), n int) time.Duration {
	least := time.Duration(math.MaxInt64)
	for range tries {
		before := time.Now()
		loop(n)
		least = min(least, time.Since(before))
	}
	return least
}

// peakLanes is the number of float32 values that the generic loop counts as a vector.
const peakLanes = 32

var peakGenericTable = peakTable{lanes: peakLanes, loop: peakGeneric}

// peakGeneric performs n FMAs on each of peakSums groups of peakLanes numbers, in pure
// Go. It uses AddScaled, as the generic products do.
func peakGeneric(n int) {
	var sum, x [peakSums * peakLanes]float32
	for i := range x {
		x[i] = 0.3 // makes every sum inexact; inexact sums take longer
	}
	for range n {
		numeric.AddScaled(sum[:], x[:], 0.7)
	}
	runtime.KeepAlive(&sum) // keeps the compiler from removing the loop
}
