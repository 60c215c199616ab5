package patterns

import (
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

var speedUnits = []golden.Unit{{Name: "symbols/s", Better: "higher"}, {Name: "symbols/cpu-s", Better: "higher"}}

// BenchmarkTrain measures how many symbols a second the networks of the tables and
// figures learn from, at full length of strings: reading, a gradient through 50
// steps and an update each.
func BenchmarkTrain(b *testing.B) {
	b.Run("suite=patterns", func(b *testing.B) {
		for _, p := range []part{table2(suite.Paper), figure2s(suite.Paper), traces(suite.Paper)} {
			for _, e := range p.list {
				b.Run(string(group(e.Row)), func(b *testing.B) { benchTrain(b, e) })
			}
		}
	})
}

func benchTrain(b *testing.B, e Experiment) {
	x, err := e.Run(1)
	if err != nil {
		b.Fatal(err)
	}
	dev := suite.Open(b)
	var symbols, seconds float64
	began := suite.CPUTime()
	for b.Loop() {
		res, err := train.Run(x, train.Options{Device: dev, Updates: 5000 / e.Every})
		if err != nil {
			b.Fatal(err)
		}
		symbols, seconds = symbols+float64(res.Rows), seconds+res.Took.Seconds()
	}
	suite.ReportMetric(b, symbols/seconds, "symbols/s")
	suite.ReportMetric(b, symbols/(suite.CPUTime()-began).Seconds(), "symbols/cpu-s") // which other programs disturb less
}
