package suite

import (
	"math"
	"strconv"
	"testing"

	"pushdown/harness/golden"
)

// ReportMetric calls b.ReportMetric. It fails the benchmark if the value is not finite.
func ReportMetric(b *testing.B, value float64, unit string) {
	b.Helper()
	if math.IsNaN(value) || math.IsInf(value, 0) {
		b.Fatalf("metric %s: have %v, want a finite value", unit, value)
	}
	b.ReportMetric(value, unit)
}

// attributes sets attributes of the test: the seed, each metric of the row, and the
// digest. They appear with -v and in the output of -json.
func attributes(t testing.TB, row golden.Row, digest string) {
	t.Helper()
	t.Attr("seed", strconv.Itoa(row.Name.Seed()))
	for _, v := range row.Values {
		t.Attr(v.Unit, strconv.FormatFloat(v.Value, 'g', -1, 64))
	}
	t.Attr("digest", digest)
}
