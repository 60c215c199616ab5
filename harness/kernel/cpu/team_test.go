package cpu

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// TestTeamRunsEveryPartOnce checks that each part of a job runs once, for several sizes
// of team and job. The workers are awake at the start of some jobs and asleep at
// others.
func TestTeamRunsEveryPartOnce(t *testing.T) {
	rounds := 2000
	if testing.Short() {
		rounds = 300
	}
	for n := 1; n <= 4; n++ {
		team := newTeam(n)
		var calls [3 * maxSlots]int32 // not atomic: parts use different elements, and do synchronizes
		var busy [4]atomic.Bool
		job := func(worker, part int) {
			if worker >= n || !busy[worker].CompareAndSwap(false, true) {
				t.Errorf("team of %d: worker %d is not alone", n, worker)
			}
			calls[part]++
			busy[worker].Store(false)
		}
		for round := range rounds {
			if round%500 == 250 {
				time.Sleep(3 * time.Millisecond) // until all workers are asleep
			}
			parts := round % 40
			if round%100 == 99 {
				parts = []int{maxSlots, maxSlots + 1, len(calls) - 1, len(calls)}[round/100%4] // more in a slot
			}
			clear(calls[:])
			team.do(parts, job)
			for i, got := range calls {
				want := int32(0)
				if i < parts {
					want = 1
				}
				if got != want {
					t.Fatalf("team of %d, round %d: part %d of %d ran %d times, want %d", n, round, i, parts, got, want)
				}
			}
		}
		team.close()
	}
}

// TestTeamKeepsParts checks that each thread runs the parts that are its own if no thread is late: the
// first parts of all threads wait for each other.
func TestTeamKeepsParts(t *testing.T) {
	for n := 2; n <= 5; n++ {
		team := newTeam(n)
		for round := range 50 {
			if round%20 == 10 {
				time.Sleep(3 * time.Millisecond) // until all workers are asleep
			}
			parts := []int{n, 3 * n, n - 1}[round%3]
			each := max(1, parts/n)
			var started atomic.Int32
			team.do(parts, func(worker, part int) {
				if part%each == 0 {
					if parts > 1 && worker != part/each {
						t.Errorf("team of %d, round %d: worker %d runs part %d of %d", n, round, worker, part, parts)
					}
					for started.Add(1); started.Load() < int32(parts/each); {
						runtime.Gosched()
					}
				}
			})
		}
		team.close()
	}
}

// TestTeamLateWorker checks that a worker which has seen the ticket of an earlier job takes no part of a later one.
func TestTeamLateWorker(t *testing.T) {
	team := newTeam(2)
	defer team.close()
	team.do(6, func(int, int) {})
	old := team.ticket.Load()
	var calls [4]atomic.Int32
	team.do(len(calls), func(worker, part int) {
		if calls[part].Add(1); part == 0 {
			team.take(worker, old)
		}
	})
	for part := range calls {
		if n := calls[part].Load(); n != 1 {
			t.Errorf("part %d ran %d times, want 1", part, n)
		}
	}
}

// TestTeamChangesJobs gives each job a function of its own, and checks that no late
// worker runs the function of an earlier job.
func TestTeamChangesJobs(t *testing.T) {
	team := newTeam(4)
	defer team.close()
	for round := range 500 {
		var sum atomic.Int64
		team.do(5, func(_, part int) { sum.Add(int64(round*10 + part)) })
		if got, want := sum.Load(), int64(round*50+10); got != want {
			t.Fatalf("round %d: sum is %d, want %d", round, got, want)
		}
	}
}

func TestTeamCloseEndsItsGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 10 {
		team := newTeam(3)
		team.do(3, func(int, int) {})
		team.close()
	}
	// NumGoroutine may count a worker for a moment after close has returned.
	after := runtime.NumGoroutine()
	for end := time.Now().Add(10 * time.Second); after > before && time.Now().Before(end); after = runtime.NumGoroutine() {
		time.Sleep(time.Millisecond)
	}
	if after > before {
		t.Errorf("%d goroutines after closing, %d before", after, before)
	}
}

func TestTeamAllocatesNothing(t *testing.T) {
	team := newTeam(2)
	defer team.close()
	job := func(int, int) {}
	if n := testing.AllocsPerRun(100, func() { team.do(4, job) }); n != 0 {
		t.Errorf("%v allocations per job, want 0", n)
	}
}

func BenchmarkTeam(b *testing.B) {
	team := newTeam(2)
	defer team.close()
	job := func(int, int) {}
	b.Run("workers=awake", func(b *testing.B) {
		for b.Loop() {
			team.do(2, job)
		}
	})
	b.Run("workers=asleep", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			time.Sleep(2 * time.Millisecond)
			b.StartTimer()
			team.do(2, job)
		}
	})
}
