package regression

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestRatesOfWholeRuns counts errors as TestRates of package trial does, but judges
// benchmark text. An error is an alarm in a run without a loss, or a loss of 5 % that is
// missed although there are enough samples. Each of the 80 benchmarks reports one
// measurement in two units.
func TestRatesOfWholeRuns(t *testing.T) {
	runs := 60
	if testing.Short() {
		runs = 8
	}
	const benchmarks, rounds, sigma, lossy = 80, 32, 0.02, 41
	r := rand.New(rand.NewPCG(9, 9))
	write := func(name string, loss float64) Text {
		var b strings.Builder
		b.WriteString(header)
		for range rounds {
			for i := range benchmarks {
				v := 1e6 * float64(i+1) * (1 + sigma*r.NormFloat64())
				if i == lossy {
					v *= 1 - loss
				}
				fmt.Fprintf(&b, "BenchmarkTrain/case=%d-2 9 %.4g ns/op %.4g tokens/s\n", i, 1e12/v, v)
			}
		}
		return Text{Name: name, Data: []byte(b.String())}
	}
	alarms, missed, few := 0, 0, 0
	for range runs {
		base := write("base.txt", 0)
		if rep := Judge(base, write("head.txt", 0), Standard); rep.Count(Lost) > 0 {
			alarms++
		} else if rep.Comparisons != benchmarks || rep.Status != NoLoss && rep.Status != TooFew {
			t.Fatalf("%d comparisons, status %v, faults %v, want %d", rep.Comparisons, rep.Status, rep.Faults, benchmarks)
		}
		switch rep := Judge(base, write("head.txt", 0.05), Standard); rep.Rows[lossy].Outcome {
		case Lost:
		case TooFewSamples:
			few++
		default:
			missed++
		}
	}
	t.Logf("%d runs: %d false alarms, %d losses missed, %d losses left open for too few samples", runs, alarms, missed, few)
	if alarms > 0 || missed > 0 || few > runs/10 {
		t.Errorf("want no false alarm and no loss missed in so few runs, and at most one loss in ten left open")
	}
}
