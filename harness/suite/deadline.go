package suite

import (
	"flag"
	"fmt"
	"sync/atomic"
	"testing"
	"time"
)

// A Deadline decides when a long run must save its state and stop, so that neither
// the -timeout of go test nor a termination signal destroys its work. A Deadline
// must be used by one goroutine only.
type Deadline struct {
	shutdown *shutdown // the shutdown that a signal requests; nil if signals are not watched
	end      time.Time
	limited  bool          // whether there is a deadline; end is the time of it
	reserve  time.Duration // time before end that no run may use
	over     *atomic.Bool  // set when a run had to stop because of the deadline
	now      func() time.Time
	last     time.Time     // the time of the last call of Due or Saved
	step     time.Duration // the longest update so far
	save     time.Duration // the longest write of a checkpoint so far
}

// stopped is set when a run of this process had to stop because of the deadline.
var stopped atomic.Bool

// NewDeadline returns the Deadline of a test. The Deadline of a benchmark has no time limit.
// The first call of NewDeadline installs a handler for termination signals; from then on,
// these signals stop runs (see [Deadline.Due]). The argument now is the clock; nil means
// time.Now.
func NewDeadline(t testing.TB, now func() time.Time) *Deadline {
	if now == nil {
		now = time.Now
	}
	watch()
	d := newDeadline(t, now, timeout(), &stopped)
	d.shutdown = &process
	return d
}

// newDeadline returns the Deadline of a test. The argument whole is the value of -timeout.
// When a run has to stop because of the deadline, [Deadline.Due] sets the flag that the
// argument over points to.
func newDeadline(t testing.TB, now func() time.Time, whole time.Duration, over *atomic.Bool) *Deadline {
	d := &Deadline{now: now, last: now(), reserve: reserve(whole), over: over}
	if t, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		d.end, d.limited = t.Deadline()
	}
	return d
}

// reserve returns how much time before the end of a -timeout no run may use. It is a
// twentieth of the timeout, but at least 2 seconds and at most 30, and never more than
// half of the timeout. The reserve depends on the whole timeout and not on the time
// that is left. So all runs of a process stop at the same time, however late they
// began.
func reserve(whole time.Duration) time.Duration {
	return min(max(whole/20, 2*time.Second), 30*time.Second, whole/2)
}

// timeout returns the value of -timeout.
func timeout() time.Duration {
	return flag.Lookup("test.timeout").Value.(flag.Getter).Get().(time.Duration)
}

// refusal returns the reason why no other run may begin, or "" if one may. Once the deadline
// has stopped a run, no other run may begin, even if some time is left before the reserve: the
// first update of the other run might last into the reserve.
func (d *Deadline) refusal() string {
	switch by := d.shutdown.by(); {
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

// Begin fails the test if it is too late for the run to begin. The message has the
// command that runs the test.
func (d *Deadline) Begin(t testing.TB) {
	t.Helper()
	if why := d.refusal(); why != "" {
		t.Fatalf("not begun: %s; to run it:\n\t%s", why, runCommand(t.Name()))
	}
}

// Due reports whether the run has to save its state and stop now. It is called
// between updates, and assumes that the next update takes as long as the longest so
// far. After a termination signal, Due always returns true.
func (d *Deadline) Due() bool {
	if d.shutdown.by() != "" {
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

// Saved records how long the writing of a checkpoint took, so that Due can leave enough
// time for the next checkpoint. The time for writing does not count as part of an update.
func (d *Deadline) Saved(took time.Duration) {
	d.save = max(d.save, took)
	d.last = d.now()
}

// stop fails the test of a run that was stopped after the given update. The argument saved
// describes the state on disk. The message has the command that resumes the run if resume is
// set. Otherwise it has the command that runs the test again.
func (d *Deadline) stop(t testing.TB, update int, saved string, resume bool) {
	t.Helper()
	to, command := "go on", ResumeCommand(t)
	if !resume {
		to, command = "run it again", runCommand(t.Name())
	}
	by := d.shutdown.by()
	why := "by signal: " + by
	if by == "" {
		why = fmt.Sprintf("%v before the deadline of -timeout", d.end.Sub(d.now()).Round(100*time.Millisecond))
	}
	if by != "" {
		d.shutdown.halt(t.Name(), resume)
	}
	t.Fatalf("stopped after update %d, %s: %s; to %s:\n\t%s", update, why, saved, to, command)
}
