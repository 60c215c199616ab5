package regression

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const loss = 0.05

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
// single comparison, and that two measurements form two. The values are rounded about as package
// testing rounds them.
func TestRepeatsAreCountedOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for want, line := range map[string]func(v float64) string{
		"GFLOP/s": func(v float64) string {
			return fmt.Sprintf("BenchmarkA-2 100 %.0f ns/op %.1f GFLOP/s %.0f tokens/s", 1e9/v, v/3, 7*v)
		},
		"GFLOP/s sec/op": func(v float64) string {
			return fmt.Sprintf("BenchmarkA-2 100 %.0f ns/op %.1f GFLOP/s", 1e9/v, 1000+10*r.NormFloat64())
		},
	} {
		var have []string
		for _, row := range Judge(text("b", 24, 0.01, 1, line), text("h", 24, 0.01, 2, line), loss).Rows {
			have = append(have, row.Unit)
		}
		if strings.Join(have, " ") != want {
			t.Errorf("have comparisons of %v, want %s", have, want)
		}
	}
}

func TestReportReadsAsTable(t *testing.T) {
	same := func(v float64) string { return fmt.Sprintf("BenchmarkSame-2 1 %.0f ns/op 0 allocs/op", 1e6/v) }
	half := func(times float64) func(float64) string {
		return func(v float64) string { return fmt.Sprintf("BenchmarkHalf-2 1 %.1f tokens/s 9 peak-%%", v*times) }
	}
	rep := Judge(text("base.txt", 16, 0, 1, same, half(1)), text("head.txt", 16, 0, 1, same, half(0.5)), loss)
	const want = `pkg: p
benchmark  unit      base    head   change   noise  have  need  p        outcome
Same-2     sec/op    1.000µ  1.000µ  +0.00%   0.0%   16    8     0.53     ~
Half-2     tokens/s  1.000k  500.0   -50.00%  0.0%   16    8     8.3e-08  LOSS
not gated: peak-%
loss: Half-2: tokens/s: -50.00%
comparisons: 3, of which lost 1, gained 0, lost less than 1% 0, with too few samples 0
verdict: loss (status 1)
`
	fields := func(text string) (rows [][]string) { // the number of spaces does not matter
		for line := range strings.Lines(text) {
			rows = append(rows, strings.Fields(line))
		}
		return rows
	}
	if diff := cmp.Diff(fields(want), fields(rep.String())); diff != "" {
		t.Errorf("(-want +have):\n%s", diff)
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
	rep := Judge(text("b", 160, 0.005, 1, line), text("h", 160, 0.005, 2, some), loss)
	if row := rep.Rows[0]; rep.Status() != Loss || row.Outcome != Lost || math.Abs(row.Change+0.115) > 0.01 {
		t.Errorf("status %v with %+v, want a loss of 11.5 %%, the mean of logarithms", rep.Status(), row)
	}
}

func TestManyWarningsAreCut(t *testing.T) {
	rep := &Report{}
	for i := range mostWarnings + 10 {
		rep.Warn(Unusable, "%d", i)
		rep.Warn(Unusable, "%d", i) // the same
	}
	if have := rep.String(); !strings.Contains(have, "\nunusable input: 39\nand 10 more\n") {
		t.Errorf("have\n%s\nwant %d warnings and the number of the others", have, mostWarnings)
	}
}

func TestEveryStatusHasItsRank(t *testing.T) {
	for s := NoLoss; s <= Environment; s++ {
		rep := &Report{Warnings: []Warning{{s, ""}}}
		if rep.Status() != s || s.String() == "" {
			t.Errorf("status %d alone: have %v", s, rep.Status())
		}
	}
}
