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
// Each thread has parts of its own, the same in each job of so many parts, and runs those of
// others only when it has run its own: the data that it reads is then often what it wrote in
// the job before, and in its own cache. Of a job of fewer parts than threads, the last threads
// have none.
//
// An idle worker spins for some microseconds, then yields its processor repeatedly for
// about 400 microseconds, then sleeps. A caller never waits for a worker to wake
// up: the threads that are awake take the parts.
type team struct {
	n     int
	spins int // number of times that a worker looks at the ticket before it yields

	// ticket describes the job being distributed: its number, and in the low ticketBits bits the
	// number of its slots. A slot is a part or, if there are many, some consecutive parts.
	ticket atomic.Uint64

	// claims[i] is the number of the last job in which slot i was taken. A job ends only after
	// all its slots were taken, and the numbers only grow. So a late worker, which has the ticket
	// of an earlier job, finds all slots of that job taken, and runs nothing of the present one.
	claims [maxSlots]claim

	left  atomic.Int32 // slots not yet finished
	parts int
	job   func(worker, part int)

	sleepers []sleeper
	stopped  atomic.Bool
	exits    sync.WaitGroup
}

// claim is the number of a job, in a cache line of its own: usually the same thread takes a slot
// each time. Only the first slot, the caller's, shares the line of the ticket, which the caller
// writes, too.
type claim struct {
	job atomic.Uint64
	_   [56]byte
}

// sleeper is where a worker waits to be woken.
type sleeper struct {
	asleep atomic.Bool
	wake   chan struct{}
	_      [48]byte // one cache line each
}

const (
	ticketBits = 8
	maxSlots   = 1<<ticketBits - 1
	teamSpins  = 2000 // about 4 microseconds
	teamYields = 4000 // about 400 microseconds if nothing else runs: in a small network the caller alone often has 100 to 200
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
	if t.n == 1 || parts <= 1 {
		for part := range parts {
			job(0, part)
		}
		return
	}
	slots := min(parts, maxSlots)
	t.job, t.parts = job, parts
	t.left.Store(int32(slots))
	number := t.ticket.Load() >> ticketBits
	ticket := (number+1)<<ticketBits | uint64(slots)
	t.ticket.Store(ticket)
	t.rouse(min(parts, t.n) - 1)
	t.take(0, ticket)
	for looks := 0; t.left.Load() != 0; looks++ {
		if looks >= t.spins/16 {
			runtime.Gosched()
		}
	}
}

// take runs slots of the job that the ticket describes: first the worker's own, then those of
// others from their ends, until every slot has been taken by some thread. It reports whether
// the worker has slots of its own.
func (t *team) take(worker int, ticket uint64) bool {
	number, slots := ticket>>ticketBits, int(ticket%(maxSlots+1))
	first, end := worker*slots/t.n, (worker+1)*slots/t.n
	if slots < t.n {
		first, end = worker, worker+1
	}
	if first >= slots {
		return false
	}
	for slot := first; slot < end; slot++ {
		t.takeSlot(worker, slot, slots, number)
	}
	for slot := first - 1; slot >= 0; slot-- {
		t.takeSlot(worker, slot, slots, number)
	}
	for slot := slots - 1; slot >= end; slot-- {
		t.takeSlot(worker, slot, slots, number)
	}
	return true
}

// takeSlot runs a slot of the job with the given number, unless another thread has taken it.
func (t *team) takeSlot(worker, slot, slots int, number uint64) {
	claim := &t.claims[slot].job
	if last := claim.Load(); last >= number || !claim.CompareAndSwap(last, number) {
		return
	}
	// This slot is taken but not finished, so the job cannot end, and t.job and t.parts cannot
	// change.
	job, parts := t.job, t.parts
	for part, end := slot*parts/slots, (slot+1)*parts/slots; part < end; part++ {
		job(worker, part)
	}
	t.left.Add(-1)
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
	var seen uint64 // the last ticket
	for idle := 0; !t.stopped.Load(); idle++ {
		if ticket := t.ticket.Load(); ticket != seen {
			seen = ticket
			if t.take(i+1, ticket) {
				idle = 0
				continue
			}
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
		// is asleep. So the worker looks at the ticket once more.
		if (t.ticket.Load() != seen || t.stopped.Load()) && s.asleep.CompareAndSwap(true, false) {
			idle = 0
			continue
		}
		<-s.wake
		idle = 0
	}
}
