package train

import (
	"reflect"
	"strings"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/optim"
)

// TestCourse checks that the schedule decides on the losses of a run as it did in the run, also if they
// are rounded, and that another end is an error.
func TestCourse(t *testing.T) {
	for _, e := range []*Experiment{problem(), onlineProblem()} {
		res := run(t, e, Options{})
		rates := map[int]float64{}
		var updates []int
		var exact, rounded []float64
		for i, c := range res.Checks {
			updates, exact, rounded = append(updates, c.Update), append(exact, c.Loss), append(rounded, golden.Round6(c.Loss))
			if i > 0 {
				rates[i-1] = c.LR
			}
		}
		fits := func(check int, rate float64, _ bool) bool { return rates[check] == 0 || rates[check] == rate }
		for _, c := range []struct {
			losses []float64
			slack  float64
		}{{exact, 0}, {rounded, 1e-5}} {
			course, err := e.Course(updates, c.losses, c.slack, fits)
			if err != nil {
				t.Fatal(err)
			}
			end := *course.End
			if want := (Result{Updates: res.Updates, Strings: res.Strings, Stopped: res.Stopped}); !reflect.DeepEqual(end, want) {
				t.Errorf("slack %v: have the end %+v, want %+v", c.slack, end, want)
			}
			for i, have := range course.Checks {
				want := res.Checks[i]
				want.Loss, want.Figures = c.losses[i], nil
				if !reflect.DeepEqual(have, want) {
					t.Errorf("slack %v: validation %d: have %+v, want %+v", c.slack, i+1, have, want)
				}
			}
		}
		n := len(updates)
		next := 2*updates[n-1] - updates[n-2]
		if _, err := e.Course(append(updates, next), append(exact, 1), 0, fits); err == nil || !strings.Contains(err.Error(), "want the end of the run after") {
			t.Errorf("with a validation more: have error %v, want one that names the end", err)
		}
		rates[0] *= 2
		if _, err := e.Course(updates, exact, 0, fits); err == nil || !strings.Contains(err.Error(), "have another learning rate") {
			t.Errorf("with another rate: have error %v, want one that says so", err)
		}
	}
}

// TestCourseWithGains checks the same of a schedule whose cuts need a gain, over many validations, and that a rate that
// fits nowhere is found to be wrong in few steps.
func TestCourseWithGains(t *testing.T) {
	e := problem()
	e.Plateau = optim.Plateau{Gain: 0.01, Patience: 2, Factor: 0.5, GainCuts: true}
	e.MaxUpdates = 30 * e.checkEvery()
	var updates []int
	var losses []float64
	var w optim.PlateauState
	var rates []float64
	lr := e.Rule.LR
	for i := range 30 {
		loss := 1 - 0.002*float64(i)
		updates, losses = append(updates, (i+1)*e.checkEvery()), append(losses, golden.Round6(loss))
		lr = e.Plateau.Observe(&w, loss, lr).LR
		rates = append(rates, lr)
	}
	fits := func(check int, rate float64, _ bool) bool { return rates[check] == rate }
	c, err := e.Course(updates, losses, 1e-6, fits)
	if err != nil || len(c.Checks) != 30 || rates[29] == e.Rule.LR {
		t.Errorf("have %+v and error %v, want 30 validations and some cuts", c, err)
	}
	tries := 0
	if _, err := e.Course(updates, losses, 1e-6, func(check int, rate float64, _ bool) bool { tries++; return check < 29 && rates[check] == rate }); err == nil || tries > 1000 {
		t.Errorf("have error %v after %d tries, want one after at most 1000", err, tries)
	}
}

// TestCourseOfRoundedLosses checks that of two validations with the same rounded loss each can be the best.
func TestCourseOfRoundedLosses(t *testing.T) {
	e := problem()
	e.Plateau = optim.Plateau{}
	updates, losses := []int{e.checkEvery(), 2 * e.checkEvery()}, []float64{0.42598, 0.42598}
	for _, slack := range []float64{0, 1e-5} {
		for _, best := range []bool{false, true} {
			c, err := e.Course(updates, losses, slack, func(check int, _ float64, is bool) bool { return check == 0 || is == best })
			switch possible := !best || slack > 0; {
			case possible && err != nil:
				t.Errorf("slack %v, the second is the best: %v: %v", slack, best, err)
			case possible && c.Checks[1].Best != best || !possible && err == nil:
				t.Errorf("slack %v, the second is the best: %v: have %+v and error %v", slack, best, c, err)
			}
		}
	}
}
