package regression

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const header = "goos: linux\ngoarch: amd64\npkg: p\ncpu: fast\nUnit GFLOP/s better=higher\nUnit tokens/s better=higher\n"

// text returns n rounds of benchmark text. In each round, every function in lines gets a
// random speed and formats one sample from it. The speeds are normally distributed around
// 1000 with the relative standard deviation sigma.
func text(name string, n int, sigma float64, seed uint64, lines ...func(speed float64) string) Text {
	r := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	b.WriteString(header)
	for i := range n {
		fmt.Fprintf(&b, "round: %d\n", i)
		for _, line := range lines {
			b.WriteString(line(1000*(1+sigma*r.NormFloat64())) + "\n")
		}
	}
	return Text{Name: name, Data: []byte(b.String())}
}

// TestRepeatsAreCountedOnce checks that one measurement, reported in three units, forms a
// single comparison. The values are rounded about as package testing rounds them.
func TestRepeatsAreCountedOnce(t *testing.T) {
	line := func(v float64) string {
		return fmt.Sprintf("BenchmarkA-2 100 %.0f ns/op %.1f GFLOP/s %.0f tokens/s", 1e9/v, v/3, 7*v)
	}
	rep := Judge(text("b", 24, 0.01, 1, line), text("h", 24, 0.01, 2, line), Standard)
	if rep.Comparisons != 1 || len(rep.Rows) != 1 || rep.Rows[0].Unit != "GFLOP/s" {
		t.Errorf("have %d comparisons, %+v, want GFLOP/s alone", rep.Comparisons, rep.Rows)
	}
}

func TestOtherMeasurementsAreCounted(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	line := func(v float64) string {
		return fmt.Sprintf("BenchmarkA-2 100 %.0f ns/op %.1f GFLOP/s", 1e9/v, 1000+10*r.NormFloat64())
	}
	rep := Judge(text("b", 24, 0.01, 1, line), text("h", 24, 0.01, 2, line), Standard)
	if rep.Comparisons != 2 || rep.Rows[0].Unit != "GFLOP/s" || rep.Rows[1].Unit != "sec/op" {
		t.Errorf("have %d comparisons, %+v, want GFLOP/s and sec/op", rep.Comparisons, rep.Rows)
	}
}

func TestReportReadsAsTable(t *testing.T) {
	same := func(v float64) string { return fmt.Sprintf("BenchmarkSame-2 1 %.0f ns/op 0 allocs/op", 1e6/v) }
	half := func(times float64) func(float64) string {
		return func(v float64) string { return fmt.Sprintf("BenchmarkHalf-2 1 %.1f tokens/s 9 peak-%%", v*times) }
	}
	rep := Judge(text("base.txt", 16, 0, 1, same, half(1)), text("head.txt", 16, 0, 1, same, half(0.5)), Standard)
	var have strings.Builder
	if err := rep.WriteText(&have); err != nil {
		t.Fatal(err)
	}
	const want = `pkg: p
benchmark  unit      base    head   change   noise  have  need  p        outcome
Same-2     sec/op    1.000µ  1.000µ  +0.00%   0.0%   16    8     0.53     ~
Half-2     tokens/s  1.000k  500.0   -50.00%  0.0%   16    8     8.3e-08  LOSS
not gated: peak-%
3 comparisons: 1 lost, 0 gained, 0 with too few samples
verdict: loss (status 1)
`
	if diff := cmp.Diff(fields(want), fields(have.String())); diff != "" {
		t.Errorf("(-want +have):\n%s", diff)
	}
	var md strings.Builder
	if err := rep.WriteMarkdown(&md); err != nil {
		t.Fatal(err)
	}
	changed, all, _ := strings.Cut(md.String(), "<details>")
	if strings.Contains(changed, "Same-2") || !strings.Contains(changed, "| p | Half-2 | tokens/s |") || !strings.Contains(all, "Same-2") {
		t.Errorf("want Half-2 above the fold and Same-2 below it in\n%s", md.String())
	}
}

// TestLossOfSomeProcesses checks that a loss is found if three samples in ten are slower by a
// factor of 1.5. Only the mean of the ratios shows this loss, because the median moves by
// less than the noise.
func TestLossOfSomeProcesses(t *testing.T) {
	line := func(v float64) string { return fmt.Sprintf("BenchmarkA-2 1 %.4f tokens/s", v) }
	i := 0
	some := func(v float64) string {
		if i++; i%10 < 3 {
			v /= 1.5
		}
		return line(v)
	}
	rep := Judge(text("b", 160, 0.005, 1, line), text("h", 160, 0.005, 2, some), Standard)
	if row := rep.Rows[0]; rep.Status != Loss || row.Outcome != Lost || math.Abs(row.Change+0.115) > 0.01 {
		t.Errorf("status %v with %+v, want a loss of 11.5 %%, the mean of logarithms", rep.Status, row)
	}
}

// fields splits each line of text into words, so that the number of spaces between the
// words does not matter.
func fields(text string) (rows [][]string) {
	for line := range strings.Lines(text) {
		rows = append(rows, strings.Fields(line))
	}
	return rows
}

// TestShortageNamesTheBound checks that the report names MaxSamples only if it is set
// and is less than the number of samples needed.
func TestShortageNamesTheBound(t *testing.T) {
	rep := &Report{Options: Standard, Rows: []Row{{Name: "A", Unit: "sec/op", Have: 40, Need: 3386, Noise: 0.3, Outcome: TooFewSamples}}}
	const plain = "too few samples: have 40, want about 3386 to see a loss of 5% (A, sec/op, noise 30.0%)"
	for most, want := range map[int]string{0: plain, 3386: plain, 40: plain + ": the noise is too high to tell with -most 40"} {
		rep.MaxSamples = most
		if have := rep.shortage(); have != want {
			t.Errorf("with at most %d: have %q, want %q", most, have, want)
		}
	}
}

func TestPlural(t *testing.T) {
	for n, want := range map[int]string{0: "0 rounds", 1: "1 round", 2: "2 rounds"} {
		if have := Plural(n, "round"); have != want {
			t.Errorf("have %q, want %q", have, want)
		}
	}
}

func TestManyFaultsAreCut(t *testing.T) {
	rep := &Report{}
	for i := range 30 {
		rep.Faults = append(rep.Faults, Fault{Unusable, fmt.Sprint(i)})
	}
	if list := rep.faults(); len(list) != mostFaults+1 || list[mostFaults] != "and 10 more" {
		t.Errorf("have %q, want %d and the number of the others", list, mostFaults)
	}
}

func TestEscape(t *testing.T) {
	if have, want := escape("a|b*c_d`<e>~[f]\ng"), "a\\|b\\*c\\_d\\`&lt;e>\\~\\[f] g"; have != want {
		t.Errorf("have %q, want %q", have, want)
	}
}

func TestJudgeRefusesWrongOptions(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic for options without meaning")
		}
	}()
	Judge(Text{}, Text{}, Options{})
}

func TestEveryStatusHasItsRank(t *testing.T) {
	for s := NoLoss; s <= Environment; s++ {
		rep := &Report{Faults: []Fault{{s, ""}}}
		if rep.worst() != s || s.String() == "unknown" {
			t.Errorf("status %d alone: have %v (%s)", s, rep.worst(), s)
		}
	}
}
