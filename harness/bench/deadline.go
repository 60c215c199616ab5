package bench

import (
	"testing"
	"time"
)

// Deadline tells a long run when to save its state and stop, so that the end
// of go test's -timeout does not destroy it. It is used by one goroutine.
type Deadline struct {
	end     time.Time
	limited bool
	reserve time.Duration // for what comes after the run, and for other tests
	now     func() time.Time
	last    time.Time     // of the last call of Due
	step    time.Duration // the longest between two calls
	save    time.Duration // the longest checkpoint
}

// NewDeadline takes the deadline of the test, if it has one. A benchmark has
// none. now is the clock, nil for time.Now.
func NewDeadline(t testing.TB, now func() time.Time) *Deadline {
	if now == nil {
		now = time.Now
	}
	d := &Deadline{now: now, last: now()}
	if t, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		d.end, d.limited = t.Deadline()
	}
	d.reserve = reserve(d.end.Sub(d.last))
	return d
}

// reserve is the share of the time left that a run does not use: a twentieth,
// between 2 and 30 seconds, but never more than half.
func reserve(left time.Duration) time.Duration {
	return min(max(left/20, 2*time.Second), 30*time.Second, max(left/2, 0))
}

// Due reports whether the run has to save its state and stop now. It is called
// between updates, and expects the next one to take as long as the longest so
// far.
func (d *Deadline) Due() bool {
	if !d.limited {
		return false
	}
	now := d.now()
	d.step = max(d.step, now.Sub(d.last))
	d.last = now
	return d.end.Sub(now) <= d.reserve+d.step+2*d.save
}

// Saved notes how long writing a checkpoint took, so that the next one is begun
// early enough, and keeps that time out of the length of an update.
func (d *Deadline) Saved(took time.Duration) {
	d.save = max(d.save, took)
	d.last = d.now()
}

// Left returns the time up to the deadline, or false if there is none.
func (d *Deadline) Left() (time.Duration, bool) {
	if !d.limited {
		return 0, false
	}
	return d.end.Sub(d.now()), true
}

// Stop fails the test of a run that was stopped at an update, with its state in
// a file, and says how to go on.
func (d *Deadline) Stop(t testing.TB, update int, state string) {
	t.Helper()
	t.Fatalf("stopped after update %d, %v before the deadline of -timeout: state is in %s; to go on:\n\t%s",
		update, d.end.Sub(d.now()).Round(100*time.Millisecond), state, ResumeCommand(t))
}
