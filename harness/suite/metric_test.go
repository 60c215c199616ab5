package suite

import (
	"math"
	"testing"
)

// BenchmarkBad is run by TestReportMetric in another process.
func BenchmarkBad(b *testing.B) {
	if !child() {
		b.Skip("subject of a test")
	}
	ReportMetric(b, math.NaN(), "loss")
}

func TestReportMetric(t *testing.T) {
	stdout, _, status := again(t, nil, "-test.run=^$", "-test.bench=^BenchmarkReport$", "-test.benchtime=1x")
	if status != 0 || !contains(stdout, " 5.000 steps", " 1000000 rows/s") {
		t.Errorf("exit status %d\n%s", status, stdout)
	}
	stdout, _, status = again(t, nil, "-test.run=^$", "-test.bench=^BenchmarkBad$", "-test.benchtime=1x")
	if status != 1 || !contains(stdout, "metric loss: have NaN, want a finite value") {
		t.Errorf("exit status %d\n%s", status, stdout)
	}
}
