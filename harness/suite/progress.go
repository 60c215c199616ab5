package suite

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"
)

// Output returns the writer for the progress lines of a test. It is the output of
// the test, which is shown with -v and when the test fails. For a benchmark, the
// writer discards the lines, because they would split the line of its result.
func Output(t testing.TB) io.Writer {
	if _, ok := t.(*testing.B); ok {
		return io.Discard
	}
	return t.Output()
}

// Plan describes a run whose progress is printed.
type Plan struct {
	Label   string           // the beginning of each line, such as "dyck-m4 seed 1"
	Updates int              // the number of updates of the whole run; 0 if unknown
	From    int              // the number of updates that earlier processes made
	Item    string           // what Point.Items counts, in the plural, such as "tokens"
	Every   time.Duration    // the shortest time between two lines; 0 means 5 seconds
	Now     func() time.Time // the clock; nil means time.Now
}

// Point is a state of a run.
type Point struct {
	Epoch  int     // 0 if there are no epochs
	Update int     // the number of updates made
	Loss   float64 // the loss of the last update
	Unit   string  // the unit of Metric; empty if there is no metric yet
	Metric float64 // the last value of the metric
	Items  int64   // the number of items that this process has processed
}

// Progress prints a line about a run from time to time. Its methods may be
// called from several goroutines.
type Progress struct {
	w    io.Writer
	plan Plan

	mu      sync.Mutex
	start   time.Time
	last    time.Time // the time of the last line
	items   int64     // the number of items at the last line
	printed int       // the update of the last line, -1 before the first
}

// NewProgress returns the Progress of a run that starts now and prints its lines to w.
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

// From sets Plan.From for a run that resumes after the given update, and restarts
// the clock.
func (p *Progress) From(update int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.plan.From, p.start = update, p.plan.Now()
	p.last = p.start
}

// Report prints the point if Plan.Every has passed since the last line. It is cheap
// enough to be called after each update.
func (p *Progress) Report(at Point) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := p.plan.Now(); now.Sub(p.last) >= p.plan.Every {
		p.print(at, now, at.Items-p.items, now.Sub(p.last))
	}
}

// Done prints the line of the last point, with the rate over the whole run, unless
// the line has been printed already.
func (p *Progress) Done(at Point) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := p.plan.Now(); p.printed != at.Update {
		p.print(at, now, at.Items, now.Sub(p.start))
	}
}

// print prints the line of a point. The rate in the line is the number of items divided by
// the duration in the parameter span.
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
		fmt.Fprintf(&s, ", up to %v left", left)
	} else {
		fmt.Fprintf(&s, ", %v so far", rounded(elapsed))
	}
	fmt.Fprintln(p.w, s.String())
	p.last, p.items, p.printed = now, at.Items, at.Update
}

// left estimates the time that the remaining updates take, from the mean speed of this
// process. It returns false if no update has been made or none remains.
func (p *Progress) left(update int, elapsed time.Duration) (time.Duration, bool) {
	done, todo := update-p.plan.From, p.plan.Updates-update
	if done <= 0 || todo <= 0 {
		return 0, false
	}
	return rounded(time.Duration(float64(elapsed) * float64(todo) / float64(done))), true
}

// rounded rounds a duration for display.
func rounded(d time.Duration) time.Duration {
	switch {
	case d < 10*time.Second:
		return d.Round(100 * time.Millisecond)
	case d < time.Hour:
		return d.Round(time.Second)
	}
	return d.Round(time.Minute)
}

// short formats a rate with three digits and a suffix k, M or G.
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
