package optim_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/kernel/cpu"
	"pushdown/harness/optim"
)

var nan, inf = math.NaN(), math.Inf(1)

// TestRuleCheck checks which settings are refused, and that the error names the
// setting.
func TestRuleCheck(t *testing.T) {
	for _, r := range []optim.Rule{
		{Method: optim.SGD, LR: 1e-300},
		{Method: optim.Adam, LR: 1, Beta1: 1e-9, Beta2: 1 - 1e-9, Eps: 1e-20, ClipNorm: 1, Clip: 1},
	} {
		if err := r.Check(); err != nil {
			t.Errorf("%+v is refused: %v", r, err)
		}
	}
	for _, c := range []struct {
		change func(r *optim.Rule)
		says   string
	}{
		{func(r *optim.Rule) { r.Method = "" }, `method ""`},
		{func(r *optim.Rule) { r.Method = "ADAM" }, `method "ADAM"`},
		{func(r *optim.Rule) { r.LR = 0 }, "learning rate 0"},
		{func(r *optim.Rule) { r.LR = -1 }, "learning rate -1"},
		{func(r *optim.Rule) { r.LR = inf }, "learning rate +Inf"},
		{func(r *optim.Rule) { r.LR = nan }, "learning rate NaN"},
		{func(r *optim.Rule) { r.Beta1 = 1 }, "betas 1 and 0.999"},
		{func(r *optim.Rule) { r.Beta1 = -0.1 }, "betas -0.1"},
		{func(r *optim.Rule) { r.Beta1 = nan }, "betas NaN"},
		{func(r *optim.Rule) { r.Beta2 = 1.5 }, "betas 0.9 and 1.5"},
		{func(r *optim.Rule) { r.Beta2 = nan }, "betas 0.9 and NaN"},
		{func(r *optim.Rule) { r.Eps = -1e-8 }, "eps -1e-08"},
		{func(r *optim.Rule) { r.Eps = nan }, "eps NaN"},
		{func(r *optim.Rule) { r.ClipNorm = -1 }, "clip by norm -1"},
		{func(r *optim.Rule) { r.ClipNorm = nan }, "clip by norm NaN"},
		{func(r *optim.Rule) { r.Clip = -1 }, "by element -1"},
		{func(r *optim.Rule) { r.Clip = nan }, "by element NaN"},
	} {
		r := optim.Rule{Method: optim.Adam, LR: 0.01}
		c.change(&r)
		if err := r.Check(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: error %v, want one that says %q", r, err, c.says)
		}
	}
}

func TestRuleDefaults(t *testing.T) {
	o := newOptimizer(t, newVM(t, cpu.Options{}, 2), optim.Rule{Method: optim.Adam, LR: 0.5, Beta2: 0.99})
	want := optim.Rule{Method: optim.Adam, LR: 0.5, Beta1: 0.9, Beta2: 0.99, Eps: 1e-8}
	if diff := cmp.Diff(want, o.Rule()); diff != "" {
		t.Errorf("rule with its defaults (-want +have):\n%s", diff)
	}
	if n := (optim.Rule{Method: optim.SGD}).Moments(); n != 0 {
		t.Errorf("SGD keeps %d copies of the parameters, want 0", n)
	}
}

// TestRestoreRefuses checks that a state out of range is refused, and that the
// previous state stays.
func TestRestoreRefuses(t *testing.T) {
	o := newOptimizer(t, newVM(t, cpu.Options{}, 2), optim.Rule{Method: optim.Adam, LR: 0.5})
	good := optim.State{Updates: 3, LR: 0.25, Power1: 0.729, Power2: 1}
	if err := o.Restore(good); err != nil {
		t.Fatal(err)
	}
	for _, change := range []func(s *optim.State){
		func(s *optim.State) { s.Updates = -1 },
		func(s *optim.State) { s.LR = 0 },
		func(s *optim.State) { s.LR = inf },
		func(s *optim.State) { s.LR = nan },
		func(s *optim.State) { s.Power1 = -0.1 },
		func(s *optim.State) { s.Power1 = 1.1 },
		func(s *optim.State) { s.Power1 = nan },
		func(s *optim.State) { s.Power2 = -0.1 },
		func(s *optim.State) { s.Power2 = inf },
		func(s *optim.State) { s.Power2 = nan },
	} {
		s := good
		change(&s)
		if err := o.Restore(s); err == nil {
			t.Errorf("state %+v was taken up", s)
		}
		if o.State() != good {
			t.Errorf("after refusing %+v the state is %+v, want %+v", s, o.State(), good)
		}
	}
}
