package suite

import (
	"io"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestProgressLines(t *testing.T) {
	k := newClock()
	var b strings.Builder
	p := NewProgress(&b, Plan{Label: "dyck-m4 seed 1", Updates: 4000, Item: "tokens", Now: k.now})
	for update := 1; update <= 4000; update++ {
		k.advance(4 * time.Millisecond)
		at := Point{Epoch: 1 + update/1000, Update: update, Loss: 1 / float64(update), Items: int64(update) * 5000}
		if update >= 2000 {
			at.Unit, at.Metric = "valid-wcpa-%", 87.5
		}
		p.Report(at)
		if update == 4000 {
			p.Done(at)
			p.Done(at)
		}
	}
	want := `dyck-m4 seed 1: epoch 2, update 1250 of 4000, loss 0.0008, 1.25M tokens/s, up to 11s left
dyck-m4 seed 1: epoch 3, update 2500 of 4000, loss 0.0004, 87.5 valid-wcpa-%, 1.25M tokens/s, up to 6s left
dyck-m4 seed 1: epoch 4, update 3750 of 4000, loss 0.0002667, 87.5 valid-wcpa-%, 1.25M tokens/s, up to 1s left
dyck-m4 seed 1: epoch 5, update 4000 of 4000, loss 0.00025, 87.5 valid-wcpa-%, 1.25M tokens/s, 16s so far
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func TestProgressOfAResumedRun(t *testing.T) {
	k := newClock()
	var b strings.Builder
	p := NewProgress(&b, Plan{Label: "x", Updates: 1000, From: 900, Every: time.Second, Now: k.now})
	k.advance(10 * time.Second)
	p.Report(Point{Update: 950, Loss: math.NaN()})
	k.advance(time.Second)
	p.Report(Point{Update: 900})
	if want := "x: update 950 of 1000, loss NaN, up to 10s left\nx: update 900 of 1000, loss 0, 11s so far\n"; b.String() != want {
		t.Errorf("have %q, want %q", b.String(), want)
	}
}

// TestProgressFrom checks that the time before From is called does not count
// towards the speed of the run.
func TestProgressFrom(t *testing.T) {
	k := newClock()
	var b strings.Builder
	p := NewProgress(&b, Plan{Label: "x", Updates: 1000, Item: "rows", Every: time.Second, Now: k.now})
	k.advance(time.Hour)
	p.From(900)
	p.Report(Point{Update: 900})
	k.advance(10 * time.Second)
	p.Report(Point{Update: 950, Items: 500})
	if want := "x: update 950 of 1000, loss 0, 50 rows/s, up to 10s left\n"; b.String() != want {
		t.Errorf("have %q, want %q", b.String(), want)
	}
}

func TestProgressOfUnknownLength(t *testing.T) {
	k := newClock()
	var b strings.Builder
	p := NewProgress(&b, Plan{Label: "x", Item: "rows", Now: k.now})
	p.Report(Point{Update: 1, Items: 1})
	p.Done(Point{Update: 1, Items: 1})
	k.advance(90 * time.Minute)
	p.Report(Point{Update: 2, Loss: 12345.678, Items: 5401})
	if want := "x: update 1, loss 0, 0s so far\nx: update 2, loss 1.235e+04, 1 rows/s, 1h30m0s so far\n"; b.String() != want {
		t.Errorf("have %q, want %q", b.String(), want)
	}
}

func TestProgressFromSeveralGoroutines(t *testing.T) {
	var b strings.Builder
	p := NewProgress(&b, Plan{Label: "x", Every: time.Nanosecond})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 50 {
				p.Report(Point{Update: i})
			}
		})
	}
	wg.Wait()
	for line := range strings.Lines(b.String()) {
		if !strings.HasPrefix(line, "x: update ") || !strings.HasSuffix(line, " so far\n") {
			t.Fatalf("torn line %q", line)
		}
	}
}

func TestShortRates(t *testing.T) {
	for rate, want := range map[float64]string{0: "0", 0.1234: "0.123", 12: "12", 999.4: "999", 999.6: "1k", 1500: "1.5k", 123456: "123k", 999_600: "1M", 7.06e6: "7.06M", 2.5e11: "250G"} {
		if got := short(rate); got != want {
			t.Errorf("%v is written %s, want %s", rate, got, want)
		}
	}
}

func TestOutputOfBenchmarksIsDiscarded(t *testing.T) {
	if Output(new(testing.B)) != io.Discard {
		t.Error("a benchmark's progress is not discarded and would split its result line")
	}
	if Output(t) == io.Discard {
		t.Error("a test's progress is discarded")
	}
}
