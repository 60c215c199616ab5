package cpu

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// team is a group of threads that run the parts of a job. The caller of do takes part
// in the work, so a team of n has n-1 goroutines.
//
// Parts split outputs and never a sum, so no result depends on n or on the thread
// that computes a part. Starting a job costs a few hundred nanoseconds while the
// workers spin, and up to a hundred microseconds while they sleep. The caller alone is
// faster for work of less than about ten microseconds.
//
// An idle worker spins for some microseconds, then yields its processor repeatedly for
// about a hundred microseconds, then sleeps. A caller never waits for a worker to wake
// up: the threads that are awake take the parts.
type team struct {
	n     int
	spins int // number of times that a worker looks at the ticket before it yields

	// ticket describes the job being distributed. The high 32 bits are the number of
	// the job. The next 16 bits hold how many parts the job has, and the low 16 bits
	// how many of them are taken. A worker takes a part by a compare-and-swap of the
	// whole ticket, so a late worker cannot take a part of one job and run the function
	// of another.
	ticket atomic.Uint64
	left   atomic.Int32 // parts not yet finished
	job    func(worker, part int)

	sleepers []sleeper
	stopped  atomic.Bool
	exits    sync.WaitGroup
}

// sleeper is where a worker waits to be woken.
type sleeper struct {
	asleep atomic.Bool
	wake   chan struct{}
	_      [48]byte // one cache line each
}

const (
	maxParts   = 1<<16 - 1
	teamSpins  = 2000 // about 4 microseconds
	teamYields = 1000 // about 100 microseconds, the time between two large products of a step
)

// newTeam starts a team of n >= 1 threads. The caller must close it.
func newTeam(n int) *team {
	t := &team{n: n, sleepers: make([]sleeper, n-1)}
	if n <= runtime.GOMAXPROCS(0) {
		t.spins = teamSpins
	}
	for i := range t.sleepers {
		t.sleepers[i].wake = make(chan struct{}, 1)
		t.exits.Go(func() { t.work(i) })
	}
	return t
}

// close ends the goroutines of the team. It must not be called while a job runs.
func (t *team) close() {
	t.stopped.Store(true)
	t.rouse(t.n - 1)
	t.exits.Wait()
}

// do calls the function job once for every number of a part from 0 to parts-1, and returns
// when all these calls have returned. The first argument of job is the number of a worker,
// from 0 to n-1. No two concurrent calls have the same worker, so job can use the number to
// select a scratch buffer. The function job must not call do. If job is the same function
// value each time, do allocates nothing.
func (t *team) do(parts int, job func(worker, part int)) {
	if t.n == 1 || parts <= 1 || parts > maxParts {
		for part := range parts {
			job(0, part)
		}
		return
	}
	t.job = job
	t.left.Store(int32(parts))
	number := t.ticket.Load() >> 32
	t.ticket.Store((number+1)<<32 | uint64(parts)<<16)
	t.rouse(min(parts, t.n) - 1)
	t.take(0)
	for looks := 0; t.left.Load() != 0; looks++ {
		if looks >= t.spins/16 {
			runtime.Gosched()
		}
	}
}

// take runs parts of the current job until every part has been taken by some thread. It
// reports whether it ran any.
func (t *team) take(worker int) bool {
	ran := false
	for {
		ticket := t.ticket.Load()
		parts, taken := ticket>>16&maxParts, ticket&maxParts
		if taken >= parts {
			return ran
		}
		if !t.ticket.CompareAndSwap(ticket, ticket+1) {
			continue
		}
		// This part is taken but not finished, so the job cannot end and t.job cannot
		// change.
		t.job(worker, int(taken))
		t.left.Add(-1)
		ran = true
	}
}

// rouse wakes the workers of t.sleepers[:most] that are asleep.
func (t *team) rouse(most int) {
	for i := range t.sleepers[:most] {
		if s := &t.sleepers[i]; s.asleep.Load() && s.asleep.CompareAndSwap(true, false) {
			s.wake <- struct{}{}
		}
	}
}

// work is the main loop of worker i+1.
func (t *team) work(i int) {
	s := &t.sleepers[i]
	for idle := 0; !t.stopped.Load(); idle++ {
		if t.take(i + 1) {
			idle = 0
			continue
		}
		if idle < t.spins {
			continue
		}
		if idle < t.spins+teamYields {
			runtime.Gosched()
			continue
		}
		s.asleep.Store(true)
		// The caller may have handed out work just before it could see that this worker
		// is asleep. So the worker looks for work once more.
		if (t.take(i+1) || t.stopped.Load()) && s.asleep.CompareAndSwap(true, false) {
			idle = 0
			continue
		}
		<-s.wake
		idle = 0
	}
}
