package suite

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"pushdown/harness/golden"
)

// checkUnit returns an error if the unit cannot be part of benchmark output.
func checkUnit(unit string) error {
	if unit == "" || strings.ContainsFunc(unit, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }) {
		return fmt.Errorf("unit: have %q, want printable characters without spaces", unit)
	}
	return nil
}

// ReportMetric calls b.ReportMetric. It fails the benchmark if benchstat would misread
// the unit or if the value is not finite.
func ReportMetric(b *testing.B, value float64, unit string) {
	b.Helper()
	if err := checkUnit(unit); err != nil {
		b.Fatal(err)
	}
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
