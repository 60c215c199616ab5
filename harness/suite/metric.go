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
	if unit == "" || strings.ContainsFunc(unit, unicode.IsSpace) || strings.ContainsFunc(unit, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return fmt.Errorf("unit: have %q, want printable characters without spaces", unit)
	}
	return nil
}

func checkMetric(value float64, unit string) error {
	if err := checkUnit(unit); err != nil {
		return err
	}
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return fmt.Errorf("metric %s: have %v, want a finite value", unit, value)
	}
	return nil
}

// ReportMetric calls b.ReportMetric. It fails the benchmark if benchstat would misread
// the unit or if the value is not finite.
func ReportMetric(b *testing.B, value float64, unit string) {
	b.Helper()
	if err := checkMetric(value, unit); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(value, unit)
}

// Attributes sets attributes of the test: the seed, each metric of the row, and the
// digest, which must be 64 hexadecimal digits. They appear with -v and in the output
// of -json.
func Attributes(t testing.TB, row golden.Row, digest string) {
	t.Helper()
	list, err := attributes(row, digest)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		t.Attr(a[0], a[1])
	}
}

func attributes(row golden.Row, digest string) ([][2]string, error) {
	if len(digest) != 64 || strings.Trim(digest, "0123456789abcdef") != "" {
		return nil, fmt.Errorf("%s: digest: have %q, want 64 hexadecimal digits", row.Name, digest)
	}
	seed := row.Name.Seed()
	if seed < 0 {
		return nil, fmt.Errorf("%s: have no seed in the name, want one", row.Name)
	}
	list := [][2]string{{"seed", strconv.Itoa(seed)}}
	for _, v := range row.Values {
		if err := checkMetric(v.Value, v.Unit); err != nil {
			return nil, fmt.Errorf("%s: %w", row.Name, err)
		}
		list = append(list, [2]string{v.Unit, strconv.FormatFloat(v.Value, 'g', -1, 64)})
	}
	return append(list, [2]string{"digest", digest}), nil
}
