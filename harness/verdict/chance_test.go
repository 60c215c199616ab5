package verdict

import (
	"math"
	"testing"

	"pushdown/harness/golden"
)

// TestChance simulates experiments in which the paper's runs come from the same
// distribution as ours, and counts how often the paper's number is judged to differ. The
// package comment states these rates.
func TestChance(t *testing.T) {
	if testing.Short() {
		t.Skip("2,000 experiments: not under -short")
	}
	const (
		one  = "[resurgence:2:dyck-m4:wcpa_percent:test]"
		mean = "[diffstk:1:lstm:accuracy_percent:test_mean]"
		top  = "[diffstk:1:lstm:accuracy_percent:test_best]"
		pick = "[stack-rnn:2:lstm:percent_of_n_correct:anbn]" // of the run of ten with the smallest loss
	)
	const trials = 400
	draw := uint64(0)
	uniform := func() float64 { draw++; return float64(splitMix(7, draw)>>11+1) / (1 << 53) }
	normal := func() float64 { return 60 + 6*math.Sqrt(-2*math.Log(uniform()))*math.Cos(2*math.Pi*uniform()) }
	succeeds := func(p float64) func() float64 {
		return func() float64 {
			if uniform() < p {
				return whole
			}
			return 0
		}
	}
	for _, c := range []struct {
		what        string
		number      string
		runs        int
		of          func() float64
		least, most float64 // share of experiments in which the number differs
	}{
		{"one normal run", one, 5, normal, 0.01, 0.06},
		{"a mean of ten normal runs", mean, 10, normal, 0.01, 0.06},
		{"a mean of ten runs of which one in ten succeeds", mean, 10, succeeds(0.1), 0.14, 0.26},
		{"a mean of ten runs of which one in five succeeds", mean, 10, succeeds(0.2), 0.05, 0.14},
		{"a mean of ten runs of which half succeed, beside thirty", mean, 30, succeeds(0.5), 0, 0.07},
		{"a mean of ten runs of which nine in ten succeed, beside thirty", mean, 30, succeeds(0.9), 0, 0.1},
		{"a best of ten normal runs", top, 30, normal, 0.17, 0.30},
		{"a run of ten chosen by a loss that says nothing", pick, 30, normal, 0.07, 0.2},
	} {
		n, differ := number(t, c.number), 0
		for range trials {
			s := sample{values: make([]float64, c.runs)}
			for i := range s.values {
				s.values[i] = c.of()
			}
			if n.Quantity.ChosenBy != "" {
				for range s.values {
					s.losses = append(s.losses, uniform())
				}
			}
			theirs := make([]float64, n.Quantity.Trials)
			for i := range theirs {
				theirs[i] = c.of()
			}
			n.Published = golden.Mean(theirs)
			if n.Quantity.Best {
				n.Published = best(theirs, true)
			}
			if n.Quantity.ChosenBy != "" {
				n.Published = theirs[0]
			}
			if judge(n, s, false, Pool{}).Outcome.Differs() {
				differ++
			}
		}
		if share := float64(differ) / trials; share < c.least || c.most < share {
			t.Errorf("%s: %.3f of the experiments differ by chance, want %v to %v", c.what, share, c.least, c.most)
		} else {
			t.Logf("%s: %.3f of the experiments differ by chance", c.what, share)
		}
	}
}
