package suite

import (
	"flag"
	"fmt"
	"sync/atomic"
	"testing"
	"time"
)

// Deadline tells a long run when to save its state and stop, so that neither the
// end of go test's -timeout nor a signal that asks the process to end destroys it. It is used by one
// goroutine.
type Deadline struct {
	ending  *ending // by a signal
	end     time.Time
	limited bool
	reserve time.Duration // for what comes after the run, and for other tests
	over    *atomic.Bool  // a run had to stop
	now     func() time.Time
	last    time.Time     // of the last call of Due
	step    time.Duration // the longest between two calls
	save    time.Duration // the longest checkpoint
}

// stopped is set once a run of this process had to stop.
var stopped atomic.Bool

// NewDeadline takes the deadline of the test, if it has one. A benchmark has
// none. From then on signals stop runs, see [Deadline.Due]. now is the clock, nil
// for time.Now.
func NewDeadline(t testing.TB, now func() time.Time) *Deadline {
	if now == nil {
		now = time.Now
	}
	watch()
	d := newDeadline(t, now, timeout(), &stopped)
	d.ending = &process
	return d
}

// newDeadline is for tests that have whole from their start to the deadline and
// note in over that a run had to stop.
func newDeadline(t testing.TB, now func() time.Time, whole time.Duration, over *atomic.Bool) *Deadline {
	d := &Deadline{now: now, last: now(), reserve: reserve(whole), over: over}
	if t, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		d.end, d.limited = t.Deadline()
	}
	return d
}

// reserve is the share of a -timeout that no run uses: a twentieth, between 2
// and 30 seconds, but never more than half. It is a share of the whole and not
// of what is left, so that all runs of a process stop at the same time, however
// late they began.
func reserve(whole time.Duration) time.Duration {
	return min(max(whole/20, 2*time.Second), 30*time.Second, whole/2)
}

// timeout is the value of -timeout.
func timeout() time.Duration {
	return flag.Lookup("test.timeout").Value.(flag.Getter).Get().(time.Duration)
}

// refusal says why no further run may begin, or nothing if one may. After one
// had to stop none may, even if there is a moment left: each would take its
// moment from the reserve.
func (d *Deadline) refusal() string {
	switch by := d.ending.by(); {
	case by != "":
		return "the process ends by signal: " + by
	case !d.limited:
	case d.over.Load():
		return "another run was stopped for the deadline of -timeout"
	case d.end.Sub(d.now()) <= d.reserve:
		return fmt.Sprintf("%v are left to the deadline of -timeout, want more than %v", d.end.Sub(d.now()).Round(100*time.Millisecond), d.reserve)
	}
	return ""
}

// Begin fails the test of a run that is to begin too late, and says how to run
// it.
func (d *Deadline) Begin(t testing.TB) {
	t.Helper()
	if why := d.refusal(); why != "" {
		t.Fatalf("not begun: %s; to run it:\n\t%s", why, runCommand(t.Name()))
	}
}

// Due reports whether the run has to save its state and stop now. It is called
// between updates, and expects the next one to take as long as the longest so
// far. Once a signal has asked the
// process to end it is always true.
func (d *Deadline) Due() bool {
	if d.ending.by() != "" {
		return true
	}
	if !d.limited {
		return false
	}
	now := d.now()
	d.step = max(d.step, now.Sub(d.last))
	d.last = now
	due := d.end.Sub(now) <= d.reserve+d.step+2*d.save
	if due {
		d.over.Store(true)
	}
	return due
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
	d.stop(t, update, "state is in "+state, true)
}

// stop fails the test of a run that was stopped, and says how to go on with it or,
// where nothing of it is saved, how to run it.
func (d *Deadline) stop(t testing.TB, update int, saved string, resume bool) {
	t.Helper()
	to, command := "go on", ResumeCommand(t)
	if !resume {
		to, command = "run it again", runCommand(t.Name())
	}
	by := d.ending.by()
	why := "by signal: " + by
	if by == "" {
		why = fmt.Sprintf("%v before the deadline of -timeout", d.end.Sub(d.now()).Round(100*time.Millisecond))
	}
	if by != "" {
		d.ending.halt(t.Name())
	}
	t.Fatalf("stopped after update %d, %s: %s; to %s:\n\t%s", update, why, saved, to, command)
}
