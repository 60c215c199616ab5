package suite

import (
	"strings"
	"testing"
	"testing/synctest"
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
		if have := reserve(whole); have != want {
			t.Errorf("of %v, %v is kept, want %v", whole, have, want)
		}
	}
}

// bubble runs a test in which only sleeping takes time. The fake has the given deadline, which is also
// the value of -timeout.
func bubble(t *testing.T, whole time.Duration, test func(t *testing.T, f *fake, begin func() *deadline)) {
	t.Helper()
	t.Cleanup(func() { stopped.Store(false) })
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		if whole != 0 {
			f.deadline = time.Now().Add(whole)
		}
		test(t, f, func() *deadline {
			d := newDeadline(f)
			d.reserve = reserve(whole)
			return d
		})
	})
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
		bubble(t, c.limit, func(t *testing.T, f *fake, begin func() *deadline) {
			d := begin()
			for n := 0; !d.due(); n++ {
				if n == 5 {
					time.Sleep(c.save)
					d.saved(c.save)
				}
				time.Sleep(c.update)
			}
			time.Sleep(c.save)
			left := time.Until(f.deadline)
			if least := d.reserve; left < least || left > least+2*c.update+2*c.save {
				t.Errorf("%+v: %v left after the last checkpoint, want %v and little more", c, left, least)
			}
		})
	}
}

func TestDeadlineCountsNoCheckpointAsAnUpdate(t *testing.T) {
	bubble(t, time.Hour, func(t *testing.T, f *fake, begin func() *deadline) {
		d := begin()
		d.due()
		time.Sleep(time.Second)
		d.due()
		time.Sleep(time.Minute)
		d.saved(time.Minute)
		time.Sleep(time.Second)
		d.due()
		if d.step != time.Second || d.save != time.Minute {
			t.Errorf("an update takes %v and a checkpoint %v, want 1s and 1m0s", d.step, d.save)
		}
	})
}

func TestNoDeadline(t *testing.T) {
	bubble(t, 0, func(t *testing.T, f *fake, begin func() *deadline) {
		stopped.Store(true)
		d := begin()
		d.begin(f)
		time.Sleep(1000 * time.Hour)
		if d.due() {
			t.Error("a run without a deadline is due")
		}
	})
}

// TestRunsStopTogether checks that runs that begin at different times all stop at
// the same time, and that no other run begins after that.
func TestRunsStopTogether(t *testing.T) {
	const whole, update = 20 * time.Second, 10 * time.Millisecond
	bubble(t, whole, func(t *testing.T, f *fake, begin func() *deadline) {
		var runs []*deadline
		for range 9 { // two seconds apart, all under way at the same time
			d := begin()
			d.begin(f)
			runs = append(runs, d)
			for range 199 {
				time.Sleep(update)
				for _, d := range runs {
					if d.due() {
						t.Fatalf("due %v before the deadline", time.Until(f.deadline))
					}
				}
			}
		}
		for time.Until(f.deadline) > 2*time.Second+update {
			time.Sleep(update)
		}
		for i, d := range runs {
			if !d.due() {
				t.Errorf("run %d is not due %v before the deadline", i, time.Until(f.deadline))
			}
		}
		e := endOf(func() { begin().begin(f) })
		if e.how != "fatal" || !contains(e.text, "not begun: another run was stopped", "to run it:\n\t", "go test pushdown/harness/suite -run '^TestFake$/^seed=1$' -timeout=0") {
			t.Errorf("a run after the stop: have %+v, want it not to begin", e)
		}
	})
}

// TestTooLateToBegin checks that a run does not begin if too little time is left,
// even if no other run had to stop before.
func TestTooLateToBegin(t *testing.T) {
	bubble(t, 20*time.Second, func(t *testing.T, f *fake, begin func() *deadline) {
		for _, c := range []struct {
			sleep time.Duration
			how   string
		}{{18*time.Second - 1, "returned"}, {1, "fatal"}, {3 * time.Second, "fatal"}} {
			time.Sleep(c.sleep)
			e := endOf(func() { begin().begin(f) })
			if e.how != c.how || e.how == "fatal" && !contains(e.text, "left to the deadline of -timeout, want more than 2s; to run it") {
				t.Errorf("%v before the deadline: %+v, want %s", time.Until(f.deadline), e, c.how)
			}
		}
	})
}

func TestStopPrintsTheResumeCommand(t *testing.T) {
	bubble(t, 31250*time.Millisecond, func(t *testing.T, f *fake, begin func() *deadline) {
		e := endOf(func() { begin().stop(f, 1234, "state is in /state/x.safetensors", true) })
		const want = "stopped after update 1234, 31.3s before the deadline of -timeout: state is in /state/x.safetensors; to go on:\n\tPUSHDOWN_RESUME=1 "
		if e.how != "fatal" || !strings.HasPrefix(e.text, want) || !strings.Contains(e.text, "-run '^TestFake$/^seed=1$'") {
			t.Errorf("%s: %s", e.how, e.text)
		}
	})
}
