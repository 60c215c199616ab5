package suite

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"pushdown/harness/train"
)

// lineEvery is the shortest time between two lines about a run.
const lineEvery = 5 * time.Second

// progress prints a line about a run from time to time.
type progress struct {
	w       io.Writer
	label   string // the beginning of each line
	updates int    // the number of updates of the whole run; 0 if unknown
	from    int    // the number of updates that earlier processes made

	start   time.Time
	at      train.Progress // what was reported last
	last    time.Time      // the time of the last line
	rows    int64          // the number of rows at the last line
	printed int            // the update of the last line, -1 before the first
}

// newProgress returns the progress of a run that starts now.
func newProgress(w io.Writer, label string, updates int) *progress {
	now := time.Now()
	return &progress{w: w, label: label, updates: updates, start: now, last: now, printed: -1, at: train.Progress{Valid: math.NaN()}}
}

// resume says that the run resumes after the given update, now.
func (p *progress) resume(update int) {
	p.from, p.start = update, time.Now()
	p.last = p.start
}

// report prints a line if lineEvery has passed since the last one. It is cheap enough to be
// called after each update.
func (p *progress) report(at train.Progress) {
	p.at = at
	if now := time.Now(); now.Sub(p.last) >= lineEvery {
		p.print(now, at.Rows-p.rows, now.Sub(p.last))
	}
}

// done prints the line of the last report, with the rate over the whole run, unless the line
// has been printed already.
func (p *progress) done() {
	if now := time.Now(); p.printed != p.at.Update {
		p.print(now, p.at.Rows, now.Sub(p.start))
	}
}

// print prints a line. The parameters rows and span give the rate.
func (p *progress) print(now time.Time, rows int64, span time.Duration) {
	var s strings.Builder
	fmt.Fprintf(&s, "%s: ", p.label)
	if p.at.Epoch > 0 {
		fmt.Fprintf(&s, "epoch %d, ", p.at.Epoch)
	}
	fmt.Fprintf(&s, "update %d", p.at.Update)
	if p.updates > 0 {
		fmt.Fprintf(&s, " of %d", p.updates)
	}
	fmt.Fprintf(&s, ", loss %.4g", p.at.Loss)
	if !math.IsNaN(p.at.Valid) {
		fmt.Fprintf(&s, ", %.4g valid-ce", p.at.Valid)
	}
	if span > 0 {
		fmt.Fprintf(&s, ", %.0f rows/s", float64(rows)/span.Seconds())
	}
	elapsed := now.Sub(p.start)
	if done, todo := p.at.Update-p.from, p.updates-p.at.Update; done > 0 && todo > 0 {
		left := time.Duration(float64(elapsed) * float64(todo) / float64(done))
		fmt.Fprintf(&s, ", up to %v left", left.Round(time.Second))
	} else {
		fmt.Fprintf(&s, ", %v so far", elapsed.Round(time.Second))
	}
	fmt.Fprintln(p.w, s.String())
	p.last, p.rows, p.printed = now, p.at.Rows, p.at.Update
}
