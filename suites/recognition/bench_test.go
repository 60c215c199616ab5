package recognition

import (
	"fmt"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

var speedUnits = []golden.Unit{{Name: "symbols/s", Better: "higher"}}

// BenchmarkTrain measures updates of networks on D2, of one string and of
// eight: packing, forward, backward and Adam. A symbol is one step of a string.
func BenchmarkTrain(b *testing.B) {
	for _, e := range Table("1", Networks()...) {
		b.Run(fmt.Sprintf("suite=recognition/network=%s/batch=%d", e.Network, e.Batch), func(b *testing.B) {
			x, err := e.Run(1)
			if err != nil {
				b.Fatal(err)
			}
			dev := suite.Open(b)
			var rows, nanos int64
			for b.Loop() {
				res, err := train.Run(x, train.Options{Device: dev, Updates: 2000 / e.Batch})
				if err != nil {
					b.Fatal(err)
				}
				rows, nanos = rows+res.Rows, nanos+res.Took.Nanoseconds()
			}
			suite.ReportMetric(b, float64(rows)/float64(nanos)*1e9, "symbols/s")
		})
	}
}
