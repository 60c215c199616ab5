package regression

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A noise changes the independent normal noise x[i][j] of benchmark i in session j. Each session
// measures a commit. The values are logarithms of factors of the speed, in units of the standard
// deviation.
type noise func(r *rand.Rand, x [][]float64)

func independent(*rand.Rand, [][]float64) {}

// common is noise that half of the time is common to all benchmarks of a session.
func common(r *rand.Rand, x [][]float64) {
	for j := range x[0] {
		session := r.NormFloat64()
		for i := range x {
			x[i][j] = math.Sqrt(0.5) * (x[i][j] + session)
		}
	}
}

// disturbed is independent noise, but one result in twenty is slower, on average by ten times
// the standard deviation of the noise.
func disturbed(r *rand.Rand, x [][]float64) {
	for i := range x {
		for j := range x[i] {
			if r.IntN(20) == 0 {
				x[i][j] -= 10 * r.ExpFloat64()
			}
		}
	}
}

// wandering is noise whose correlation decays over five sessions.
func wandering(r *rand.Rand, x [][]float64) {
	keep := math.Exp(-1. / 5)
	for i := range x {
		for j := range x[i][1:] {
			x[i][j+1] = float64(keep*x[i][j]) + float64(math.Sqrt(1-keep*keep)*x[i][j+1])
		}
	}
}

const (
	many  = 125  // the number of benchmarks of a history
	lossy = "62" // the one that changes
)

// histories returns the speeds of n commits. That of one benchmark changes by the given factor in
// each commit.
func histories(r *rand.Rand, n int, sigma float64, noise noise, factor func(commit int) float64) (list []series) {
	x := make([][]float64, many)
	for i := range x {
		for range n {
			x[i] = append(x[i], r.NormFloat64())
		}
	}
	noise(r, x)
	for i := range x {
		s := series{Row: Row{Name: fmt.Sprint(i)}, better: 1}
		for j, v := range x[i] {
			s.values = append(s.values, 1000*math.Exp(sigma*v))
			if s.Name == lossy {
				s.values[j] *= factor(j)
			}
		}
		list = append(list, s)
	}
	return list
}

// judged judges the first n commits of a history.
func judged(list []series, n int) *Report {
	rep, list := &Report{Loss: loss}, slices.Clone(list)
	for i := range list {
		list[i].values = list[i].values[:n]
	}
	rep.judgeSeries(list)
	return rep
}

// TestEvenHistories checks that at most 1 % of the runs judged by a history without any change
// of speed have a significant loss in any of 125 benchmarks, whatever its size. The noise of a
// machine that wanders breaks the assumption of the test: then the alarms are only logged.
func TestEvenHistories(t *testing.T) {
	for _, c := range []struct {
		name  string
		sigma float64
		noise noise
		draws int
		want  bool
	}{
		{"independent", 0.05, independent, 1000, true}, {"common", 0.05, common, 1000, true}, {"disturbed", 0.02, disturbed, 1000, true},
		{"wandering", 0.01, wandering, 200, false}, {"wandering", 0.02, wandering, 200, false},
	} {
		if testing.Short() {
			c.draws /= 10
		}
		r := rand.New(rand.NewPCG(11, 11))
		alarms, significant := 0, 0
		for range c.draws {
			rep := judged(histories(r, window, c.sigma, c.noise, func(int) float64 { return 1 }), window)
			if len(rep.Drift) != many {
				t.Fatalf("%d benchmarks judged, want %d", len(rep.Drift), many)
			}
			if rep.Status() == Loss {
				alarms++
			}
			if slices.ContainsFunc(rep.Drift, func(row Row) bool { return row.Outcome != Same }) {
				significant++
			}
		}
		t.Logf("%s noise of %g %%: %d of %d runs have a significant loss, %d an alarm", c.name, 100*c.sigma, significant, c.draws, alarms)
		if c.want && significant > c.draws/100 {
			t.Errorf("%s noise of %g %%: %d of %d runs have a significant loss, want at most 1 %%", c.name, 100*c.sigma, significant, c.draws)
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
		return func(commits int) float64 { return 1 - share*float64(min(1, max(0, commits))) }
	}
	for _, c := range []struct {
		name   string
		sigma  float64
		before int // even commits before the first loss
		factor func(commits int) float64
		want   int // the median is at most this
	}{
		{"drift of 1 % a commit", 0.01, 22, drift(0.01), 11},
		{"drift of 1 % a commit", 0.03, 22, drift(0.01), 14},
		{"drift of 1 % a commit from the first", 0.02, 0, drift(0.01), 22},
		{"step of 10 %", 0.03, 22, step(0.1), 9},
		{"step of 6 %", 0.02, 22, step(0.06), 10},
	} {
		r := rand.New(rand.NewPCG(12, 12))
		var found []int
		for range draws {
			list := histories(r, c.before+most, c.sigma, independent, func(commit int) float64 { return c.factor(commit - c.before + 1) })
			m := 1
			for m <= most && !slices.ContainsFunc(judged(list, c.before+m).Drift, func(row Row) bool { return row.Name == lossy && row.Outcome == Lost }) {
				m++
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
		{"slight loss", 1, repeat(20, 100, 8, 96), Slight, -0.04},
		{"loss of the last commit only", 1, repeat(27, 100, 1, 50), Same, 0},
		{"old loss", 1, repeat(20, 200, 30, 100), Same, 0},
		{"loss at the beginning of the window", 1, repeat(20, 200, 22, 200, 8, 100), Lost, -0.5},
	} {
		drift := judged([]series{{better: c.better, values: c.values}}, len(c.values)).Drift
		if len(drift) != 1 || drift[0].Outcome != c.want || math.Abs(drift[0].Change-c.change) > 5e-4 || drift[0].Have != min(len(c.values), window) {
			t.Errorf("%s: have %+v, want %v and %v", c.name, drift, c.want, c.change)
		}
	}
}

// TestLeastHistory checks that the shortest history that is judged is just long enough for a
// significant loss.
func TestLeastHistory(t *testing.T) {
	for benchmarks, want := range map[int]int{1: 12, 80: 17, 125: 18} {
		list := make([]series, benchmarks)
		for i := range list {
			list[i] = series{better: 1, values: slices.Repeat([]float64{1}, want)}
		}
		for j := range want {
			list[0].values[j] = 1000 - float64(20*j)
		}
		if have := judged(list, want); len(have.Drift) != benchmarks || have.Drift[0].Outcome != Lost {
			t.Errorf("%d benchmarks, %d commits: have no loss, want the first lost", benchmarks, want)
		}
		if have := judged(list, want-1); len(have.Drift) != 0 {
			t.Errorf("%d benchmarks, %d commits: have %d judged, want none", benchmarks, want-1, len(have.Drift))
		}
	}
}

// TestUnitsOfAHistory checks by which unit a history judges a benchmark.
func TestUnitsOfAHistory(t *testing.T) {
	const units = "Unit tokens/s better=higher\nUnit peak-% better=higher\n"
	for text, want := range map[string]string{
		units + header + "BenchmarkA 1 7 ns/op 3 peak-% 5 tokens/s\n": "peak-%",
		units + header + "BenchmarkA 1 7 ns/op 5 tokens/s\n":          "tokens/s",
		units + header + "BenchmarkA 1 7 ns/op 5 ns/row\n":            "sec/row",
		units + header + "BenchmarkA 1 7 ns/op 3 B/op\n":              "sec/op",
		header + "BenchmarkA 1 7 ns/op 3 peak-%\n":                    "sec/op", // without a direction
	} {
		if list := new(Report).read(Text{"x", []byte(text)}).series(); len(list) != 1 || list[0].Unit != want {
			t.Errorf("%s: have %+v, want %s", text, list, want)
		}
	}
	if list := new(Report).read(Text{"x", []byte(header + "BenchmarkA 1 3 B/op 2 allocs/op\n")}).series(); len(list) != 0 {
		t.Errorf("no speed: have %+v, want none", list)
	}
}

// TestTextsOfAHistory checks that texts that do not belong together are refused.
func TestTextsOfAHistory(t *testing.T) {
	line := "BenchmarkA 1 7 ns/op\n"
	for want, texts := range map[string][2]string{
		"cpu: have fast and slow, want the same for all results": {header + line, strings.Replace(header, "fast", "slow", 1) + line},
		"metadata better of unit tokens/s already set to higher": {header + line, strings.Replace(header, "tokens/s better=higher", "tokens/s better=lower", 1) + line},
		"have NaN sec/op, want a number above 0":                 {header + "BenchmarkA 1 NaN ns/op\n", header + line},
		"have 0 sec/op, want a number above 0":                   {header + line, header + "BenchmarkA 1 0 ns/op\n"},
	} {
		rep := &Report{Loss: loss}
		rep.JudgeHistory([]Text{{"old", []byte(texts[0])}}, Text{"head", []byte(texts[1])})
		if s := rep.Status(); (s != Unusable && s != Environment) || !strings.Contains(rep.String(), want) {
			t.Errorf("have\n%s, want %q", rep, want)
		}
	}
}
