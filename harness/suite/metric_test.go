package suite

import (
	"math"
	"strings"
	"testing"
)

func TestCheckUnit(t *testing.T) {
	for unit, good := range map[string]bool{"test-wcpa-%": true, "tokens/s": true, "": false, "tokens / s": false, "a\tb": false, "a\u00a0b": false, "a\x00": false} {
		if err := checkUnit(unit); (err == nil) != good || err != nil && !strings.Contains(err.Error(), "want printable characters without spaces") {
			t.Errorf("%q: have error %v, want none: %v", unit, err, good)
		}
	}
}

// BenchmarkBad is run by TestReportMetric in another process.
func BenchmarkBad(b *testing.B) {
	if !child() {
		b.Skip("subject of a test")
	}
	b.Run("unit", func(b *testing.B) { ReportMetric(b, 7, "rows per s") })
	b.Run("value", func(b *testing.B) { ReportMetric(b, math.NaN(), "loss") })
}

func TestReportMetric(t *testing.T) {
	stdout, _, status := again(t, nil, "-test.run=^$", "-test.bench=^BenchmarkReport$", "-test.benchtime=1x")
	if status != 0 || !contains(stdout, " 5.000 steps", " 1000000 rows/s") {
		t.Errorf("exit status %d\n%s", status, stdout)
	}
	stdout, _, status = again(t, nil, "-test.run=^$", "-test.bench=^BenchmarkBad$", "-test.benchtime=1x")
	if status != 1 || !contains(stdout, `unit: have "rows per s", want printable characters without spaces`, "metric loss: have NaN, want a finite value") {
		t.Errorf("exit status %d\n%s", status, stdout)
	}
}
