package suite

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"
)

// Output is where a test's progress goes: to the test's own output, which
// shows it under -v and when the test fails. A benchmark's is discarded, since
// it would stand in the middle of a result line.
func Output(t testing.TB) io.Writer {
	if _, ok := t.(*testing.B); ok {
		return io.Discard
	}
	return t.Output()
}

// Plan describes a run to its Progress.
type Plan struct {
	Label   string           // begins each line, such as "dyck-m4 seed 1"
	Updates int              // after which the run ends; 0 if unknown
	From    int              // updates done before, by an earlier process
	Item    string           // what is counted, in the plural: "tokens"
	Every   time.Duration    // between two lines; 0 means 5 seconds
	Now     func() time.Time // the clock; nil means time.Now
}

// Point is a state of a run.
type Point struct {
	Epoch  int     // 0 where there are no epochs
	Update int     // updates done
	Loss   float64 // of the last update
	Unit   string  // unit of Metric; empty if there is none yet
	Metric float64 // the last value
	Items  int64   // items that this process has done
}

// Progress prints a line about a run from time to time. Its methods may be
// called from several goroutines.
type Progress struct {
	w    io.Writer
	plan Plan

	mu      sync.Mutex
	start   time.Time
	last    time.Time // of the last line
	items   int64     // at the last line
	printed int       // update of the last line, -1 before the first
}

// NewProgress starts the clock of a run.
func NewProgress(w io.Writer, plan Plan) *Progress {
	if plan.Every == 0 {
		plan.Every = 5 * time.Second
	}
	if plan.Now == nil {
		plan.Now = time.Now
	}
	now := plan.Now()
	return &Progress{w: w, plan: plan, start: now, last: now, printed: -1}
}

// From sets Plan.From of a run that turns out to go on, and starts the clock
// again.
func (p *Progress) From(update int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.plan.From, p.start = update, p.plan.Now()
	p.last = p.start
}

// Report prints the point if the last line is old enough. It is cheap enough
// to be called after each update.
func (p *Progress) Report(at Point) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := p.plan.Now(); now.Sub(p.last) >= p.plan.Every {
		p.print(at, now, at.Items-p.items, now.Sub(p.last))
	}
}

// Done prints the last point, with the rate over the whole run, unless it was
// printed.
func (p *Progress) Done(at Point) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := p.plan.Now(); p.printed != at.Update {
		p.print(at, now, at.Items, now.Sub(p.start))
	}
}

// print writes the line of a point, with the rate of items in a span of time.
func (p *Progress) print(at Point, now time.Time, items int64, span time.Duration) {
	var s strings.Builder
	fmt.Fprintf(&s, "%s: ", p.plan.Label)
	if at.Epoch > 0 {
		fmt.Fprintf(&s, "epoch %d, ", at.Epoch)
	}
	fmt.Fprintf(&s, "update %d", at.Update)
	if p.plan.Updates > 0 {
		fmt.Fprintf(&s, " of %d", p.plan.Updates)
	}
	fmt.Fprintf(&s, ", loss %.4g", at.Loss)
	if at.Unit != "" {
		fmt.Fprintf(&s, ", %.4g %s", at.Metric, at.Unit)
	}
	if span > 0 && p.plan.Item != "" {
		fmt.Fprintf(&s, ", %s %s/s", short(float64(items)/span.Seconds()), p.plan.Item)
	}
	elapsed := now.Sub(p.start)
	if left, ok := p.left(at.Update, elapsed); ok {
		fmt.Fprintf(&s, ", %v left", left)
	} else {
		fmt.Fprintf(&s, ", %v so far", rounded(elapsed))
	}
	fmt.Fprintln(p.w, s.String())
	p.last, p.items, p.printed = now, at.Items, at.Update
}

// left estimates the time that the updates to come take, at the mean speed of
// this process.
func (p *Progress) left(update int, elapsed time.Duration) (time.Duration, bool) {
	done, todo := update-p.plan.From, p.plan.Updates-update
	if done <= 0 || todo <= 0 {
		return 0, false
	}
	return rounded(time.Duration(float64(elapsed) * float64(todo) / float64(done))), true
}

// rounded drops the digits of a duration that nobody reads.
func rounded(d time.Duration) time.Duration {
	switch {
	case d < 10*time.Second:
		return d.Round(100 * time.Millisecond)
	case d < time.Hour:
		return d.Round(time.Second)
	}
	return d.Round(time.Minute)
}

// short writes a rate with three digits and k, M or G.
func short(rate float64) string {
	for _, u := range []struct {
		size   float64
		letter string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if rate >= 0.9995*u.size {
			return fmt.Sprintf("%.3g%s", rate/u.size, u.letter)
		}
	}
	return fmt.Sprintf("%.3g", rate)
}
