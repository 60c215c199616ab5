package suite

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/golden"
)

func TestCheckMetric(t *testing.T) {
	for _, c := range []struct {
		value float64
		unit  string
		want  string
	}{
		{1, "test-wcpa-%", ""},
		{-math.MaxFloat64, "tokens/s", ""},
		{1, "", `unit: have "", want printable`},
		{1, "tokens / s", `unit: have "tokens / s", want printable`},
		{1, "a\tb", `unit: have "a\tb", want printable`},
		{1, "a\u00a0b", `want printable characters without spaces`},
		{1, "a\x00", `want printable characters without spaces`},
		{math.NaN(), "loss", "metric loss: have NaN, want a finite value"},
		{math.Inf(1), "loss", "metric loss: have +Inf, want a finite value"},
	} {
		err := checkMetric(c.value, c.unit)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v %q: have %v, want %q", c.value, c.unit, err, c.want)
		}
	}
}

// BenchmarkUnitWithSpaces is run by TestReportMetric in another process.
func BenchmarkUnitWithSpaces(b *testing.B) {
	if !child() {
		b.Skip("subject of a test")
	}
	ReportMetric(b, 7, "rows per s")
}

func TestReportMetric(t *testing.T) {
	stdout, _, status := again(t, nil, "-test.run=^$", "-test.bench=^BenchmarkReport$", "-test.benchtime=1x")
	if status != 0 || !contains(stdout, " 5.000 steps", " 1000000 rows/s") {
		t.Errorf("exit status %d\n%s", status, stdout)
	}
	stdout, _, status = again(t, nil, "-test.run=^$", "-test.bench=^BenchmarkUnitWithSpaces$", "-test.benchtime=1x")
	if status != 1 || !contains(stdout, "--- FAIL: BenchmarkUnitWithSpaces", `unit: have "rows per s", want printable characters without spaces`) {
		t.Errorf("exit status %d\n%s", status, stdout)
	}
}

func TestAttributes(t *testing.T) {
	digest := strings.Repeat("0a", 32)
	row := golden.Row{
		Name:   "paper=resurgence/table=2/row=dyck-m4/seed=3",
		Values: []golden.Value{{Unit: "test-wcpa-%", Value: 99.5}, {Unit: "params", Value: 5}, {Unit: "loss", Value: 0.1}},
	}
	f := &fake{}
	Attributes(f, row, digest)
	want := [][2]string{{"seed", "3"}, {"test-wcpa-%", "99.5"}, {"params", "5"}, {"loss", "0.1"}, {"digest", digest}}
	if diff := cmp.Diff(want, f.attrs); diff != "" {
		t.Errorf("attributes (-want +got):\n%s", diff)
	}
	for want, call := range map[string]func(){
		`digest: have "0A", want 64 hexadecimal digits`: func() { Attributes(&fake{}, row, "0A") },
		`have no seed in the name, want one`:            func() { Attributes(&fake{}, golden.Row{Name: "test=x"}, digest) },
		`metric loss: have NaN, want a finite value`: func() {
			Attributes(&fake{}, golden.Row{Name: "a=b/seed=1", Values: []golden.Value{{Unit: "loss", Value: math.NaN()}}}, digest)
		},
		`unit: have "a b", want printable characters with`: func() {
			Attributes(&fake{}, golden.Row{Name: "a=b/seed=1", Values: []golden.Value{{Unit: "a b"}}}, digest)
		},
	} {
		if e := endOf(call); e.how != "fatal" || !strings.Contains(e.text, want) {
			t.Errorf("%s: %s, want fatal: %s", e.how, e.text, want)
		}
	}
}
