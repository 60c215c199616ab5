package train

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/kernel/cpu"
)

// losses is an Observe function whose figures are the number of examples and the sum
// of their losses.
func losses() (visit func(*BatchOutput) error, figures func() ([]float64, error)) {
	n, sum := 0.0, 0.0
	return func(o *BatchOutput) error {
			for _, x := range o.Loss {
				n, sum = n+1, sum+float64(x)
			}
			return nil
		}, func() ([]float64, error) {
			return []float64{n, sum}, nil
		}
}

// TestExtraSets checks that extra sets change no bit of a run. Their figures must come
// after those of the validation set, and be those of the parameters at the time of the
// validation.
func TestExtraSets(t *testing.T) {
	plain := run(t, problem(), Options{})
	e := problem()
	e.Observe, e.ExtraSets = losses, []ExtraSet{{set{4, 2}, losses}, {set{1}, losses}}
	with := run(t, e, Options{})
	if diff := cmp.Diff(plain.Trajectory.Points, with.Trajectory.Points); diff != "" {
		t.Errorf("extra sets change the run (-plain +with):\n%s", diff)
	}
	for _, c := range with.Checks {
		if len(c.Figures) != 6 {
			t.Fatalf("%d figures after update %d, want 2 of each of three sets", len(c.Figures), c.Update)
		}
	}
	at := with.Checks[1]
	p := prefixParams(t, at.Update)
	for i, s := range []Set{e.Valid, set{4, 2}, set{1}} {
		visit, figures := losses()
		mean, err := evaluator(t, s).Run(p, visit)
		if err != nil {
			t.Fatal(err)
		}
		want, err := figures()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, at.Figures[2*i:2*i+2]); diff != "" || want[1]/want[0] != mean {
			t.Errorf("set %d, mean %v (-want +got):\n%s", i, mean, diff)
		}
	}
	e.ExtraSets[1].Observe = func() (func(*BatchOutput) error, func() ([]float64, error)) {
		visit, _ := losses()
		return visit, func() ([]float64, error) { return []float64{1, math.NaN()}, nil }
	}
	if _, err := Run(e, Options{Device: device(t, cpu.Best())}); err == nil || !strings.Contains(err.Error(), "extra set 1: figure 1 of a validation: have NaN, want a finite number") {
		t.Errorf("got error %v, want one that names the figure", err)
	}
	e.ExtraSets[1].Observe = nil
	if _, err := Run(e, Options{}); err == nil || err.Error() != "train: "+e.Name+": extra set 1: have a nil Set or Observe, want both" {
		t.Errorf("got error %v, want one that names the set", err)
	}
}
