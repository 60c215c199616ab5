package suite

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestReserve(t *testing.T) {
	for whole, want := range map[time.Duration]time.Duration{
		0:                0,
		time.Second:      500 * time.Millisecond,
		10 * time.Second: 2 * time.Second,
		5 * time.Minute:  15 * time.Second,
		10 * time.Minute: 30 * time.Second,
		24 * time.Hour:   30 * time.Second,
	} {
		if got := reserve(whole); got != want {
			t.Errorf("of %v, %v is kept, want %v", whole, got, want)
		}
	}
}

// TestDeadlineLeavesTimeToSave simulates runs with different durations of updates
// and checkpoints. Each run must stop in time, but not much too early.
func TestDeadlineLeavesTimeToSave(t *testing.T) {
	for _, c := range []struct{ limit, update, save time.Duration }{
		{10 * time.Minute, time.Millisecond, time.Millisecond},
		{10 * time.Minute, 10 * time.Second, 5 * time.Second},
		{10 * time.Minute, 100 * time.Millisecond, 40 * time.Second},
		{time.Minute, time.Second, time.Second},
		{4 * time.Second, 20 * time.Millisecond, 50 * time.Millisecond},
	} {
		k := newClock()
		end := k.at.Add(c.limit)
		d := newDeadline(&fake{deadline: end}, k.now, c.limit, new(atomic.Bool))
		for n := 0; !d.Due(); n++ {
			if n == 5 {
				k.advance(c.save)
				d.Saved(c.save)
			}
			k.advance(c.update)
		}
		k.advance(c.save)
		left := end.Sub(k.at)
		if least := reserve(c.limit); left < least || left > least+2*c.update+2*c.save {
			t.Errorf("%+v: %v left after the last checkpoint, want %v and little more", c, left, least)
		}
	}
}

func TestDeadlineCountsNoCheckpointAsAnUpdate(t *testing.T) {
	k := newClock()
	d := newDeadline(&fake{deadline: k.at.Add(time.Hour)}, k.now, time.Hour, new(atomic.Bool))
	d.Due()
	k.advance(time.Second)
	d.Due()
	k.advance(time.Minute)
	d.Saved(time.Minute)
	k.advance(time.Second)
	d.Due()
	if d.step != time.Second || d.save != time.Minute {
		t.Errorf("an update takes %v and a checkpoint %v, want 1s and 1m0s", d.step, d.save)
	}
}

func TestNoDeadline(t *testing.T) {
	k := newClock()
	d := newDeadline(&fake{}, k.now, 0, new(atomic.Bool))
	k.advance(1000 * time.Hour)
	if d.Due() {
		t.Error("a run without a deadline is due")
	}
	if NewDeadline(new(testing.B), nil).Due() {
		t.Error("a benchmark has no deadline, but is due")
	}
	d = newDeadline(&fake{deadline: k.at.Add(-time.Second)}, k.now, time.Hour, new(atomic.Bool))
	if !d.Due() {
		t.Error("a second after the deadline: not due")
	}
}

// TestRunsStopTogether checks that runs that begin at different times all stop at
// the same time, and that no other run begins after that.
func TestRunsStopTogether(t *testing.T) {
	const whole, update = 20 * time.Second, 10 * time.Millisecond
	k, over := newClock(), new(atomic.Bool)
	f := &fake{deadline: k.at.Add(whole)}
	begin := func() *Deadline { return newDeadline(f, k.now, whole, over) }
	var runs []*Deadline
	for range 9 { // two seconds apart, all under way at the same time
		d := begin()
		if e := endOf(func() { d.Begin(f) }); e.how != "returned" {
			t.Fatalf("%v before the deadline: %+v", f.deadline.Sub(k.at), e)
		}
		runs = append(runs, d)
		for range 199 {
			k.advance(update)
			for _, d := range runs {
				if d.Due() {
					t.Fatalf("due %v before the deadline", f.deadline.Sub(k.at))
				}
			}
		}
	}
	for f.deadline.Sub(k.at) > 2*time.Second+update {
		k.advance(update)
	}
	for i, d := range runs {
		if !d.Due() {
			t.Errorf("run %d is not due %v before the deadline", i, f.deadline.Sub(k.at))
		}
	}
	e := endOf(func() { begin().Begin(f) })
	if e.how != "fatal" || !contains(e.text, "not begun: another run was stopped", "to run it:\n\t", "go test pushdown/harness/suite -run '^TestFake$/^seed=1$' -timeout=0") {
		t.Errorf("a run after the stop: have %+v, want it not to begin", e)
	}
}

// TestTooLateToBegin checks that a run does not begin if too little time is left,
// even if no other run had to stop before.
func TestTooLateToBegin(t *testing.T) {
	k := newClock()
	f := &fake{deadline: k.at.Add(20 * time.Second)}
	for _, c := range []struct {
		advance time.Duration
		how     string
	}{{18*time.Second - 1, "returned"}, {1, "fatal"}, {3 * time.Second, "fatal"}} {
		k.advance(c.advance)
		e := endOf(func() { newDeadline(f, k.now, 20*time.Second, new(atomic.Bool)).Begin(f) })
		if e.how != c.how || e.how == "fatal" && !contains(e.text, "left to the deadline of -timeout, want more than 2s; to run it") {
			t.Errorf("%v before the deadline: %+v, want %s", f.deadline.Sub(k.at), e, c.how)
		}
	}
	over := new(atomic.Bool)
	over.Store(true)
	if e := endOf(func() { newDeadline(&fake{}, k.now, 0, over).Begin(f) }); e.how != "returned" {
		t.Errorf("without a deadline: %+v", e)
	}
}

func TestStopPrintsTheResumeCommand(t *testing.T) {
	k := newClock()
	d := NewDeadline(&fake{deadline: k.at.Add(31250 * time.Millisecond)}, k.now)
	e := endOf(func() { d.stop(&fake{}, 1234, "state is in /state/x.safetensors", true) })
	const want = "stopped after update 1234, 31.3s before the deadline of -timeout: state is in /state/x.safetensors; to go on:\n\tPUSHDOWN_RESUME=1 "
	if e.how != "fatal" || !strings.HasPrefix(e.text, want) || !strings.Contains(e.text, "-run '^TestFake$/^seed=1$'") {
		t.Errorf("%s: %s", e.how, e.text)
	}
}

// TestEndless is run by TestRunStopsBeforeItsTimeout in another process.
func TestEndless(t *testing.T) {
	if !child() {
		t.Skip("subject of another test")
	}
	d := NewDeadline(t, nil)
	update := 0
	for ; !d.Due(); update++ {
		time.Sleep(time.Millisecond)
	}
	d.stop(t, update, "state is in /state/x.safetensors", true)
}

func TestRunStopsBeforeItsTimeout(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second; run without -short")
	}
	stdout, stderr, status := again(t, []string{"PUSHDOWN_SCALE=paper"}, "-test.run=^TestEndless$", "-test.timeout=2s")
	if status != 1 || !contains(stdout, "--- FAIL: TestEndless", "stopped after update ", " before the deadline of -timeout: state is in /state/x.safetensors; to go on:\n",
		"PUSHDOWN_RESUME=1 PUSHDOWN_SCALE=paper go test pushdown/harness/suite -run '^TestEndless$' -timeout=0 -count=1") || contains(stdout+stderr, "panic") {
		t.Errorf("exit status %d\n%s%s", status, stdout, stderr)
	}
}
