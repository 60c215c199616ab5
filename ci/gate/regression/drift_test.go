package regression

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A sessionNoise returns the noise of the sessions in which n commits are measured: the
// logarithms of factors by which the speeds of all benchmarks differ from even ones.
type sessionNoise func(r *rand.Rand, benchmarks, n int) [][]float64

// independent returns independent noise of each benchmark and session, with the standard deviation
// sigma.
func independent(sigma float64) sessionNoise {
	return func(r *rand.Rand, benchmarks, n int) [][]float64 {
		x := make([][]float64, benchmarks)
		for i := range x {
			for range n {
				x[i] = append(x[i], sigma*r.NormFloat64())
			}
		}
		return x
	}
}

// common is noise that half of the time is common to all benchmarks of a session.
func common(sigma float64) sessionNoise {
	return func(r *rand.Rand, benchmarks, n int) [][]float64 {
		x := independent(sigma)(r, benchmarks, n)
		for j := range n {
			session := r.NormFloat64()
			for i := range x {
				x[i][j] = math.Sqrt(0.5) * (x[i][j] + float64(sigma*session))
			}
		}
		return x
	}
}

// disturbed is independent noise, but one result in twenty is slower, on average by ten times
// the standard deviation of the noise.
func disturbed(sigma float64) sessionNoise {
	return func(r *rand.Rand, benchmarks, n int) [][]float64 {
		x := independent(sigma)(r, benchmarks, n)
		for i := range x {
			for j := range x[i] {
				if r.IntN(20) == 0 {
					x[i][j] -= 10 * sigma * r.ExpFloat64()
				}
			}
		}
		return x
	}
}

// synthetic judges a history of as many commits as the noise has, the last of which is head.
// The speed of one benchmark changes by the given factor in each commit.
func synthetic(noise [][]float64, factor func(commit int) float64) *Report {
	var list []series
	for i, x := range noise {
		s := series{name: fmt.Sprint(i), unit: "tokens/s", better: 1}
		for j, v := range x {
			v = 1000 * math.Exp(v)
			if i == len(noise)/2 {
				v *= factor(j)
			}
			s.values = append(s.values, v)
		}
		list = append(list, s)
	}
	rep := &Report{Options: Standard}
	rep.judgeSeries(list)
	return rep
}

// wandering is noise whose correlation decays over five sessions.
func wandering(sigma float64) sessionNoise {
	keep := math.Exp(-1. / 5)
	return func(r *rand.Rand, benchmarks, n int) [][]float64 {
		x := independent(sigma)(r, benchmarks, n)
		for i := range x {
			for j := range x[i][1:] {
				x[i][j+1] = float64(keep*x[i][j]) + float64(math.Sqrt(1-keep*keep)*x[i][j+1])
			}
		}
		return x
	}
}

func even(int) float64 { return 1 }

// TestEvenHistories checks that at most 1 % of the runs judged by a history without any change
// of speed have a significant loss in any of 125 benchmarks, whatever its size. The noise of a
// machine that wanders breaks the assumption of the test: then the alarms are only logged.
func TestEvenHistories(t *testing.T) {
	draws := 1000
	if testing.Short() {
		draws = 100
	}
	for _, c := range []struct {
		name      string
		noise     sessionNoise
		wandering bool
	}{
		{"independent 1 %", independent(0.01), false}, {"independent 5 %", independent(0.05), false},
		{"common 5 %", common(0.05), false}, {"disturbed 2 %", disturbed(0.02), false},
		{"wandering 1 %", wandering(0.01), true}, {"wandering 2 %", wandering(0.02), true},
	} {
		r := rand.New(rand.NewPCG(11, 11))
		alarms, significant, draws := 0, 0, draws
		if c.wandering {
			draws /= 5
		}
		for range draws {
			rep := synthetic(c.noise(r, 125, window), even)
			if len(rep.Drift) != 125 {
				t.Fatalf("%d benchmarks judged, want 125", len(rep.Drift))
			}
			if rep.drifted(Lost) > 0 {
				alarms++
			}
			if rep.drifted(Lost)+rep.drifted(BelowMinLoss) > 0 {
				significant++
			}
		}
		t.Logf("%s: %d of %d runs have a significant loss, %d an alarm", c.name, significant, draws, alarms)
		if !c.wandering && significant > draws/100 {
			t.Errorf("%s: %d of %d runs have a significant loss, want at most 1 %%", c.name, significant, draws)
		}
	}
}

// TestLossesAreFound counts the commits after which a history raises an alarm, and checks the
// median.
func TestLossesAreFound(t *testing.T) {
	const most = 60
	draws := 50
	if testing.Short() {
		draws = 10
	}
	drift := func(share float64) func(int) float64 {
		return func(commits int) float64 { return math.Exp(-share * float64(max(0, commits))) }
	}
	step := func(share float64) func(int) float64 {
		return func(commits int) float64 {
			if commits > 0 {
				return 1 - share
			}
			return 1
		}
	}
	for _, c := range []struct {
		name   string
		sigma  float64
		before int // even commits before the first loss
		factor func(commits int) float64
		want   int // the median is at most this
	}{
		{"drift of 1 % a commit", 0.01, 22, drift(0.01), 11},
		{"drift of 1 % a commit", 0.02, 22, drift(0.01), 12},
		{"drift of 1 % a commit", 0.03, 22, drift(0.01), 14},
		{"drift of 1 % a commit from the first", 0.02, 0, drift(0.01), 22},
		{"drift of 0.5 % a commit", 0.02, 22, drift(0.005), 20},
		{"step of 10 %", 0.02, 22, step(0.1), 8},
		{"step of 10 %", 0.03, 22, step(0.1), 9},
		{"step of 6 %", 0.02, 22, step(0.06), 10},
	} {
		r := rand.New(rand.NewPCG(12, 12))
		var found []int
		for range draws {
			noise := independent(c.sigma)(r, 125, c.before+most)
			m := 0
			for lost := false; !lost && m <= most; {
				m++
				now := make([][]float64, len(noise))
				for i := range now {
					now[i] = noise[i][:min(c.before+m, len(noise[i]))]
				}
				rep := synthetic(now, func(commit int) float64 { return c.factor(commit - c.before + 1) })
				lost = slices.ContainsFunc(rep.Drift, func(row Row) bool { return row.Name == "62" && row.Outcome == Lost })
			}
			found = append(found, m) // most+1 if it is not found
		}
		slices.Sort(found)
		t.Logf("noise of %g %%, %d even commits, then a %s: alarm after %d commits, 9 in 10 after %d", 100*c.sigma, c.before, c.name, found[draws/2], found[draws*9/10])
		if found[draws/2] > c.want {
			t.Errorf("noise of %g %%, %s: alarm after %d commits, want at most %d", 100*c.sigma, c.name, found[draws/2], c.want)
		}
	}
}

// row judges a history of one benchmark.
func row(t *testing.T, better int, values ...float64) Row {
	t.Helper()
	rep := &Report{Options: Standard}
	rep.judgeSeries([]series{{name: "A", unit: "x", better: better, values: values}})
	if len(rep.Drift) != 1 {
		t.Fatalf("have %d rows for %d commits, want 1", len(rep.Drift), len(values))
	}
	return rep.Drift[0]
}

func TestOutcomesOfAHistory(t *testing.T) {
	repeat := func(values ...float64) (list []float64) { // pairs of a number of commits and a value
		for i := 0; i < len(values); i += 2 {
			for j := range int(values[i]) {
				list = append(list, values[i+1]*(1+1e-4*float64(j%3)))
			}
		}
		return list
	}
	for _, c := range []struct {
		name   string
		better int
		values []float64
		want   Outcome
		change float64
	}{
		{"loss of a rate", 1, repeat(20, 100, 8, 90), Lost, -0.1},
		{"gain of a rate", 1, repeat(20, 100, 8, 110), Same, 0.1},
		{"loss of a time", -1, repeat(20, 90, 8, 100), Lost, -0.1},
		{"gain of a time", -1, repeat(20, 100, 8, 90), Same, 1. / 9},
		{"slight loss", 1, repeat(20, 100, 8, 96), BelowMinLoss, -0.04},
		{"loss of the last commit only", 1, repeat(27, 100, 1, 50), Same, 0},
		{"old loss", 1, repeat(20, 200, 30, 100), Same, 0},
		{"loss at the beginning of the window", 1, repeat(20, 200, 22, 200, 8, 100), Lost, -0.5},
	} {
		have := row(t, c.better, c.values...)
		if have.Outcome != c.want || math.Abs(have.Change-c.change) > 5e-4 || have.Have != min(len(c.values), window) {
			t.Errorf("%s: have %v, change %v of %d commits, want %v and %v", c.name, have.Outcome, have.Change, have.Have, c.want, c.change)
		}
	}
}

// TestLeastHistory checks that the shortest history that is judged is just long enough for a
// significant loss.
func TestLeastHistory(t *testing.T) {
	for benchmarks, want := range map[int]int{1: 12, 80: 17, 125: 18} {
		rep := &Report{Options: Standard}
		n := rep.leastHistory(benchmarks)
		if n != want {
			t.Errorf("%d benchmarks: have %d commits, want %d", benchmarks, n, want)
		}
		var list []series
		for range benchmarks {
			list = append(list, series{better: 1})
			for range n {
				last := &list[len(list)-1]
				last.values = append(last.values, 1)
			}
		}
		for j := range n {
			list[0].values[j] = 1000 - float64(20*j)
		}
		if rep.judgeSeries(list); rep.drifted(Lost) != 1 {
			t.Errorf("%d benchmarks, %d commits: have %d lost, want the first", benchmarks, n, rep.drifted(Lost))
		}
		for i := range list {
			list[i].values = list[i].values[1:]
		}
		short := &Report{Options: Standard}
		if short.judgeSeries(list); len(short.Drift) != 0 {
			t.Errorf("%d benchmarks, %d commits: have %d judged, want none", benchmarks, n-1, len(short.Drift))
		}
	}
}

// TestUnitsOfAHistory checks by which unit a history judges a benchmark.
func TestUnitsOfAHistory(t *testing.T) {
	const units = "Unit tokens/s better=higher\nUnit peak-% better=higher\n"
	for line, want := range map[string]string{
		"7 ns/op 3 peak-% 5 tokens/s": "peak-%", "7 ns/op 5 tokens/s": "tokens/s", "7 ns/op 5 ns/row": "sec/row", "7 ns/op 3 B/op": "sec/op", "3 B/op 2 allocs/op": "",
	} {
		r := read(Text{"x", []byte(units + header + "BenchmarkA 1 " + line + "\n")})
		if len(r.faults) > 0 {
			t.Fatal(r.faults)
		}
		have, _ := r.unitOf(r.benchmarks[0].side[0].units)
		if have != want {
			t.Errorf("%s: have %q, want %q", line, have, want)
		}
	}
	r := read(Text{"x", []byte(header + "BenchmarkA 1 7 ns/op 3 peak-%\n")})
	if have, _ := r.unitOf(r.benchmarks[0].side[0].units); have != "sec/op" {
		t.Errorf("peak-%% without a direction: have %q, want sec/op", have)
	}
}

// TestFaultsOfAHistory checks that texts that do not belong together are refused.
func TestFaultsOfAHistory(t *testing.T) {
	line := "BenchmarkA 1 7 ns/op\n"
	for want, texts := range map[string][2]string{
		"cpu: have fast and slow, want the same in all results":              {header + line, strings.Replace(header, "fast", "slow", 1) + line},
		"metadata better of unit tokens/s already set to higher":             {header + line, strings.Replace(header, "tokens/s better=higher", "tokens/s better=lower", 1) + line},
		"have NaN sec/op, want a number":                                     {header + "BenchmarkA 1 NaN ns/op\n", header + line},
		"BenchmarkA of p: sec/op: have a median of 0, want a number above 0": {header + line, header + "BenchmarkA 1 0 ns/op\n"},
	} {
		rep := &Report{Options: Standard}
		rep.JudgeHistory([]Text{{"old", []byte(texts[0])}}, Text{"head", []byte(texts[1])})
		if (rep.Status != Unusable && rep.Status != Environment) || !slices.ContainsFunc(rep.Faults, func(f Fault) bool { return strings.Contains(f.Text, want) }) {
			t.Errorf("have %v, %v, want %q", rep.Status, rep.Faults, want)
		}
	}
}
