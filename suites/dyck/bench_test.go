package dyck

import (
	"slices"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

var speedUnits = []golden.Unit{{Name: "ns/row", Better: "lower"}}

// BenchmarkTrain measures 50 updates of each row of the tables: packing, forward,
// backward and Adam. A row is one step of one prefix or string.
func BenchmarkTrain(b *testing.B) {
	for _, e := range slices.Concat(all(Table2()), all(Table1(depths...)), all(Readouts(depths...))) {
		name, err := e.row().Name(1)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(string(name), func(b *testing.B) {
			x, err := e.Run(1)
			if err != nil {
				b.Fatal(err)
			}
			dev := suite.Open(b)
			var rows, nanos int64
			for b.Loop() {
				res, err := train.Run(x, train.Options{Device: dev, Updates: 50})
				if err != nil {
					b.Fatal(err)
				}
				rows, nanos = rows+res.Rows, nanos+res.Took.Nanoseconds()
			}
			suite.ReportMetric(b, float64(nanos)/float64(rows), "ns/row")
		})
	}
}
