package suite

import (
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/train"
)

// speedUnits are the units of BenchmarkTrain. A row is one step of one string, that
// is, one symbol. If other programs run, rows per second of processor time vary
// less than rows per second.
var speedUnits = []golden.Unit{{Name: "rows/s", Better: "higher"}, {Name: "rows/cpu-s", Better: "higher"}}

// Bench is the BenchmarkTrain of the suite. It measures how many rows training
// processes in a second, including packing, forward pass, backward pass and update.
func (s *Suite) Bench(b *testing.B) {
	b.Run("suite="+s.Name, func(b *testing.B) {
		for _, c := range s.Speed {
			b.Run(string(c.Row.ID().Group()), func(b *testing.B) {
				x, err := c.Row.Build(1)
				if err != nil {
					b.Fatal(err)
				}
				dev := Open(b)
				var rows, seconds float64
				began := CPUTime()
				for b.Loop() {
					res, err := train.Run(x, train.Options{Device: dev, Updates: c.Updates})
					if err != nil {
						b.Fatal(err)
					}
					rows, seconds = rows+float64(res.Rows), seconds+res.Took.Seconds()
				}
				ReportMetric(b, rows/seconds, "rows/s")
				ReportMetric(b, rows/(CPUTime()-began).Seconds(), "rows/cpu-s")
			})
		}
	})
}
