package suite

import (
	"flag"
	"fmt"
	"sync/atomic"
	"testing"
	"time"
)

// A deadline decides when a long run must save its state and stop, so that neither
// the -timeout of go test nor a termination signal destroys its work. It must be used
// by one goroutine only.
type deadline struct {
	end     time.Time     // zero if there is no limit
	reserve time.Duration // time before end that no run may use
	last    time.Time     // the time of the last call of due or saved
	step    time.Duration // the longest update so far
	save    time.Duration // the longest write of a checkpoint so far
}

// stopped is set when a run of this process had to stop because of the deadline.
var stopped atomic.Bool

// newDeadline returns the deadline of a test.
func newDeadline(t testing.TB) *deadline {
	d := &deadline{last: time.Now(), reserve: reserve(timeout())}
	d.end, _ = t.(interface{ Deadline() (time.Time, bool) }).Deadline()
	return d
}

// reserve returns how much time before the end of a -timeout no run may use. It is a
// twentieth of the timeout, but at least 2 seconds and at most 30, and never more than
// half of the timeout. The reserve depends on the whole timeout and not on the time
// that is left. So it is the same for all runs of a process, however late they
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
func (d *deadline) refusal() string {
	switch by := signalled(); {
	case by != "":
		return "the process ends by signal: " + by
	case d.end.IsZero():
	case stopped.Load():
		return "another run was stopped for the deadline of -timeout"
	case time.Until(d.end) <= d.reserve:
		return fmt.Sprintf("%v are left to the deadline of -timeout, want more than %v", time.Until(d.end).Round(100*time.Millisecond), d.reserve)
	}
	return ""
}

// begin fails the test if it is too late for the run to begin. The message has the
// command that runs the test.
func (d *deadline) begin(t testing.TB) {
	t.Helper()
	if why := d.refusal(); why != "" {
		t.Fatalf("not begun: %s; to run it:\n\t%s", why, command(false, t.Name()))
	}
}

// due reports whether the run has to save its state and stop now. It is called
// between updates, and assumes that the next update takes as long as the longest so
// far. After a termination signal, due always returns true.
func (d *deadline) due() bool {
	if signalled() != "" {
		return true
	}
	if d.end.IsZero() {
		return false
	}
	now := time.Now()
	d.step = max(d.step, now.Sub(d.last))
	d.last = now
	due := d.end.Sub(now) <= d.reserve+d.step+2*d.save
	if due {
		stopped.Store(true)
	}
	return due
}

// saved records how long the writing of a checkpoint took, so that due can leave enough
// time for the next checkpoint. The time for writing does not count as part of an update.
func (d *deadline) saved(took time.Duration) {
	d.save = max(d.save, took)
	d.last = time.Now()
}

// stop fails the test of a run that was stopped after the given update. The argument saved
// describes the state on disk. The message has the command that resumes the run if resume is
// set. Otherwise it has the command that runs the test again.
func (d *deadline) stop(t testing.TB, update int, saved string, resume bool) {
	t.Helper()
	to, why := "go on", fmt.Sprintf("%v before the deadline of -timeout", time.Until(d.end).Round(100*time.Millisecond))
	if !resume {
		to = "run it again"
	}
	if by := signalled(); by != "" {
		why = "by signal: " + by
		halt(t.Name(), resume)
	}
	t.Fatalf("stopped after update %d, %s: %s; to %s:\n\t%s", update, why, saved, to, command(resume, t.Name()))
}
