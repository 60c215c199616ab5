package optim_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/optim"
)

// TestPlateau compares decisions with a table. Each line of the table is a sequence of
// checks with their losses and expected decisions. A decision is written as letters in
// this order: b for a new best, c for a cut (to the rate that follows), r for a return
// to the best parameters, s for a stop.
func TestPlateau(t *testing.T) {
	type check struct {
		loss float64
		want string
		lr   float64 // after a cut
	}
	for _, c := range []struct {
		name    string
		plateau optim.Plateau
		checks  []check
	}{
		{"nothing asked", optim.Plateau{}, []check{{3, "b", 0}, {4, "", 0}, {3, "", 0}, {2.5, "b", 0}, {0, "b", 0}, {0, "", 0}}},
		{"gain", optim.Plateau{Gain: 0.25}, []check{{4, "b", 0}, {3.5, "", 0}, {3, "", 0}, {math.Nextafter(3, 0), "b", 0}, {2.9, "", 0}, {2, "b", 0}}},
		{"first loss is a best whatever it is", optim.Plateau{Gain: 0.5, Stop: 1}, []check{{1e300, "b", 0}, {1e299, "b", 0}, {1e299, "s", 0}}},
		{"patience of one", optim.Plateau{Patience: 1, Factor: 0.5}, []check{{3, "b", 0}, {3, "c", 0.5}, {2, "b", 0}, {2, "c", 0.25}, {2, "c", 0.125}}},
		{"patience of two", optim.Plateau{Patience: 2, Factor: 0.5}, []check{
			{3, "b", 0}, {4, "", 0}, {2, "b", 0}, {2, "", 0}, {5, "c", 0.5}, {5, "", 0}, {5, "c", 0.25}, {1, "b", 0}, {1, "", 0}, {1, "c", 0.125}}},
		{"patience in a row", optim.Plateau{Patience: 2, Factor: 0.5, Consecutive: true}, []check{
			{3, "b", 0}, {5, "", 0}, {4, "", 0}, {4, "", 0}, {4.5, "c", 0.5}, {5, "", 0}, {4, "", 0}, {5, "", 0}, {5, "c", 0.25}, {2, "b", 0}, {3, "", 0}, {3, "c", 0.125}}},
		{"gain for cuts alone", optim.Plateau{Gain: 0.25, Patience: 2, Factor: 0.5, Stop: 3, GainCuts: true}, []check{
			{8, "b", 0}, {7, "b", 0}, {6, "bc", 0.5}, {5.5, "b", 0}, {5.6, "", 0}, {5.5, "c", 0.25}, {4, "b", 0}, {4, "", 0}, {3.5, "bc", 0.125}, {3.5, "", 0}, {3.5, "c", 0.0625}, {3.5, "s", 0}}},
		{"floor", optim.Plateau{Patience: 1, Factor: 0.25, Floor: 0.2}, []check{{1, "b", 0}, {1, "c", 0.25}, {1, "c", 0.2}, {1, "", 0}, {1, "", 0}, {0.5, "b", 0}, {0.5, "", 0}}},
		{"floor above the rate", optim.Plateau{Patience: 1, Factor: 0.25, Floor: 8}, []check{{1, "b", 0}, {1, "", 0}}},
		{"return", optim.Plateau{Patience: 1, Factor: 0.5, Floor: 0.5, Return: true}, []check{{1, "b", 0}, {2, "cr", 0.5}, {2, "", 0}}},
		{"stop", optim.Plateau{Stop: 2}, []check{{1, "b", 0}, {1, "", 0}, {0.5, "b", 0}, {1, "", 0}, {1, "s", 0}, {1, "s", 0}}},
		{"stop counts on through cuts", optim.Plateau{Patience: 2, Factor: 0.5, Stop: 5}, []check{
			{1, "b", 0}, {1, "", 0}, {1, "c", 0.5}, {1, "", 0}, {1, "c", 0.25}, {1, "s", 0}}},
		{"no cut where it stops", optim.Plateau{Patience: 2, Factor: 0.5, Stop: 2, Return: true}, []check{{1, "b", 0}, {1, "", 0}, {1, "s", 0}}},
		{"below", optim.Plateau{StopBelow: 0.5}, []check{{1, "b", 0}, {0.5, "b", 0}, {math.Nextafter(0.5, 0), "bs", 0}}},
		{"no cut before a check", optim.Plateau{Patience: 1, Factor: 0.5, Return: true, From: 4}, []check{
			{1, "b", 0}, {1, "", 0}, {1, "", 0}, {1, "cr", 0.5}, {1, "cr", 0.25}, {0.5, "b", 0}, {1, "cr", 0.125}}},
		{"least rate", optim.Plateau{Patience: 1, Factor: 0.5, Return: true, MinLR: 0.25}, []check{{1, "b", 0}, {1, "cr", 0.5}, {1, "cr", 0.25}, {0.5, "b", 0}, {1, "crs", 0.125}}},
		{"return of the good", optim.Plateau{Patience: 1, Factor: 0.5, From: 5, Return: true, ReturnBelow: 0.5}, []check{
			{1, "b", 0}, {2, "", 0}, {0.25, "b", 0}, {0.5, "r", 0}, {0.25, "cr", 0.5}, {0.125, "b", 0}}},
		{"return at the bound", optim.Plateau{ReturnBelow: 0.5}, []check{{0.5, "b", 0}, {1, "", 0}}},
		{"below without a new best", optim.Plateau{StopBelow: 0.5, Gain: 0.9}, []check{{0.6, "b", 0}, {0.4, "s", 0}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var w optim.PlateauState
			lr, best, since := 1.0, math.Inf(1), 0
			for i, k := range c.checks {
				d := c.plateau.Observe(&w, k.loss, lr)
				have := ""
				for _, x := range []struct {
					is   bool
					sign string
				}{{d.Best, "b"}, {d.Cut, "c"}, {d.Return, "r"}, {d.Stop, "s"}} {
					if x.is {
						have += x.sign
					}
				}
				if k.lr != 0 {
					lr = k.lr
				}
				if have != k.want || d.LR != lr {
					t.Fatalf("check %d, loss %v: %q at rate %v, want %q at %v", i+1, k.loss, have, d.LR, k.want, lr)
				}
				since++
				if d.Best {
					best, since = k.loss, 0
				}
				if w.Checks != i+1 || w.Best != best || w.SinceBest != since || w.BestAt != i+1-since {
					t.Fatalf("check %d: watch is %+v, want best %v of check %d", i+1, w, best, i+1-since)
				}
			}
		})
	}
}

// TestPlateauResumes checks that a copy of a PlateauState continues with the same
// decisions.
func TestPlateauResumes(t *testing.T) {
	p := optim.Plateau{Gain: 0.1, Patience: 2, Factor: 0.5, Floor: 0.1, Stop: 4, Return: true}
	losses := []float64{5, 4, 3.7, 3.8, 3.5, 3.4, 3.4, 3.4, 3.4}
	decide := func(w *optim.PlateauState, lr float64, losses []float64) (list []optim.Decision) {
		for _, loss := range losses {
			d := p.Observe(w, loss, lr)
			lr = d.LR
			list = append(list, d)
		}
		return list
	}
	var whole optim.PlateauState
	want := decide(&whole, 1, losses)
	for at := 1; at < len(losses); at++ {
		var w optim.PlateauState
		first := decide(&w, 1, losses[:at])
		again := w
		have := append(first, decide(&again, first[at-1].LR, losses[at:])...)
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("cut at check %d (-want +have):\n%s", at, diff)
		}
		if again != whole {
			t.Errorf("cut at check %d: watch is %+v, want %+v", at, again, whole)
		}
	}
}

// TestGainIsRounded checks that Gain times the best loss is rounded before it is subtracted
// from the best loss. It uses losses for which a fused operation would decide differently.
func TestGainIsRounded(t *testing.T) {
	p := optim.Plateau{Gain: 0.1}
	tried := 0
	for i := range 2000 {
		best := 1 + float64(i)/977
		two, one := best-float64(p.Gain*best), math.FMA(-p.Gain, best, best)
		if two == one {
			continue
		}
		tried++
		loss := min(two, one) // below only the larger of the two bounds
		w := optim.PlateauState{Checks: 1, Best: best, BestAt: 1}
		if d := p.Observe(&w, loss, 1); d.Best != (loss < two) {
			t.Fatalf("loss %v after a best of %v: new best %v, want %v", loss, best, d.Best, loss < two)
		}
	}
	if tried == 0 {
		t.Error("no best tells one rounding from two")
	}
}

func TestPlateauCheck(t *testing.T) {
	for _, p := range []optim.Plateau{
		{},
		{Gain: 0.99, Patience: 1, Factor: 0.99, Floor: 1, Stop: 1, StopBelow: 1, Return: true},
		{Factor: 7}, // not used without patience
	} {
		if err := p.Check(); err != nil {
			t.Errorf("%+v is refused: %v", p, err)
		}
	}
	for _, c := range []struct {
		plateau optim.Plateau
		says    string
	}{
		{optim.Plateau{Gain: -0.1}, "gain of a new best -0.1"},
		{optim.Plateau{Gain: 1}, "gain of a new best 1"},
		{optim.Plateau{Gain: nan}, "gain of a new best NaN"},
		{optim.Plateau{Patience: -1}, "patience -1"},
		{optim.Plateau{Stop: -2}, "stop -2"},
		{optim.Plateau{Patience: 1}, "factor of a cut 0"},
		{optim.Plateau{Patience: 1, Factor: 1}, "factor of a cut 1"},
		{optim.Plateau{Patience: 1, Factor: -0.5}, "factor of a cut -0.5"},
		{optim.Plateau{Patience: 1, Factor: nan}, "factor of a cut NaN"},
		{optim.Plateau{Floor: -1}, "floor -1"},
		{optim.Plateau{Floor: nan}, "floor NaN"},
		{optim.Plateau{StopBelow: -1}, "below -1"},
		{optim.Plateau{StopBelow: nan}, "below NaN"},
		{optim.Plateau{From: -1}, "first check with a cut -1"},
		{optim.Plateau{MinLR: nan}, "below the rate NaN"},
		{optim.Plateau{ReturnBelow: -1}, "return below -1"},
	} {
		if err := c.plateau.Check(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: error %v, want one that says %q", c.plateau, err, c.says)
		}
	}
}
