package suite

import (
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/train"
)

func TestProgress(t *testing.T) {
	none := math.NaN()
	for _, c := range []struct {
		name string
		run  func(report func(after time.Duration, at train.Progress), p *progress)
		want string
	}{
		{"lines", func(report func(time.Duration, train.Progress), p *progress) {
			for update := 1; update <= 4000; update++ {
				at := train.Progress{Epoch: 1 + update/1000, Update: update, Loss: 1 / float64(update), Valid: none, Rows: int64(update) * 5000}
				if update >= 2000 {
					at.Valid = 87.5
				}
				report(4*time.Millisecond, at)
			}
			p.done()
			p.done()
		}, `x: epoch 2, update 1250 of 4000, loss 0.0008, 1250000 rows/s, up to 11s left
x: epoch 3, update 2500 of 4000, loss 0.0004, 87.5 valid-ce, 1250000 rows/s, up to 6s left
x: epoch 4, update 3750 of 4000, loss 0.0002667, 87.5 valid-ce, 1250000 rows/s, up to 1s left
x: epoch 5, update 4000 of 4000, loss 0.00025, 87.5 valid-ce, 1250000 rows/s, 16s so far
`},
		// The time before a run resumes does not count.
		{"resumed", func(report func(time.Duration, train.Progress), p *progress) {
			time.Sleep(time.Hour)
			p.resume(3900)
			report(10*time.Second, train.Progress{Update: 3950, Rows: 500, Loss: none, Valid: none})
		}, "x: update 3950 of 4000, loss NaN, 50 rows/s, up to 10s left\n"},
		{"unknown length", func(report func(time.Duration, train.Progress), p *progress) {
			p.updates = 0
			report(0, train.Progress{Update: 1, Rows: 1, Valid: none})
			p.done()
			report(90*time.Minute, train.Progress{Update: 2, Loss: 12345.678, Valid: none, Rows: 5401})
		}, "x: update 1, loss 0, 0s so far\nx: update 2, loss 1.235e+04, 1 rows/s, 1h30m0s so far\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var b strings.Builder
				p := newProgress(&b, "x", 4000)
				c.run(func(after time.Duration, at train.Progress) {
					time.Sleep(after)
					p.report(at)
				}, p)
				if diff := cmp.Diff(c.want, b.String()); diff != "" {
					t.Errorf("lines (-want +have):\n%s", diff)
				}
			})
		})
	}
}
