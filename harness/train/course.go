package train

import (
	"cmp"
	"fmt"

	"pushdown/harness/optim"
)

// A Course is what the schedule of an experiment decides on the losses of validations.
type Course struct {
	Checks []Validation // without scalars and figures
	Epochs []float64    // the epochs before each validation
	End    *Result      // with Updates, Strings and Stopped of the whole run; nil if the losses do not decide them
}

// Course returns the course of a run with the given losses of validations, each after the given update.
// The function fits reports whether the run can have a learning rate after a validation that is the best so
// far, or is not. Course returns an error if no run of e has such a course.
//
// With a slack above 0, the losses are rounded: each may differ by this share of it. If that leaves a
// decision open, Course tries both, and returns the first course that is possible to its end.
func (e *Experiment) Course(updates []int, losses []float64, slack float64, fits func(check int, rate float64, best bool) bool) (*Course, error) {
	c := &Course{}
	var ends []Result // the state of the run at each validation
	for i, n := range updates {
		end := Result{Updates: n}
		if e.online() {
			end.Strings = (i + 1) * e.perEpoch()
		} else if want := (i + 1) * e.checkEvery(); n != want {
			return nil, fmt.Errorf("validation %d: have it after update %d, want %d", i+1, n, want)
		}
		if most := e.MaxUpdates; most > 0 && n > most {
			return nil, fmt.Errorf("validation %d: have it after update %d, want the end of the run after update %d", i+1, n, most)
		}
		ends, c.Epochs = append(ends, end), append(c.Epochs, end.Epochs(e))
	}
	stopped, err := e.decide(c, ends, losses, slack, fits, optim.PlateauState{}, e.Rule.LR)
	if err != nil {
		return nil, err
	}
	switch n := e.Online.Epochs; {
	case stopped != "" || e.online() && n > 0 && len(losses) == n:
		c.End = &ends[len(ends)-1]
		c.End.Stopped = cmp.Or(stopped, byEpochs)
	case !e.online():
		c.End = &Result{Updates: e.MaxUpdates, Stopped: byUpdates}
	}
	return c, nil
}

// decide appends the validations that c lacks, and says why the last one ends the run, or "" if it does
// not. The parameters watch and lr describe the state before the next validation.
func (e *Experiment) decide(c *Course, ends []Result, losses []float64, slack float64, fits func(int, float64, bool) bool, watch optim.PlateauState, lr float64) (stopped string, err error) {
	type decision struct {
		optim.Decision
		watch optim.PlateauState
	}
	i := len(c.Checks)
	if i == len(losses) {
		return "", nil
	}
	tried := map[decision]bool{}
	for _, share := range []float64{0, -slack, slack} {
		next := decision{watch: watch}
		next.Decision = e.Plateau.Observe(&next.watch, losses[i]*(1+share), lr)
		if next.Best {
			next.watch.Best = losses[i]
		}
		if next.watch.Last != 0 {
			next.watch.Last = losses[i]
		}
		if next.watch.Gained != watch.Gained {
			next.watch.Gained = losses[i]
		}
		if tried[next] {
			continue
		}
		tried[next] = true
		var why error
		switch {
		case !fits(i, next.LR, next.Best):
			why = fmt.Errorf("validation %d: have another learning rate after it, want %v", i+1, next.LR)
		case next.Stop && i+1 < len(losses):
			why = fmt.Errorf("validation %d: have it after update %d, want the end of the run after update %d", i+2, ends[i+1].Updates, ends[i].Updates)
		default:
			c.Checks = append(c.Checks[:i], Validation{Update: ends[i].Updates, Loss: losses[i], LR: lr, Best: next.Best})
			if next.Stop {
				return e.stopped(losses[i]*(1+share), next.Decision), nil
			}
			if stopped, why = e.decide(c, ends, losses, slack, fits, next.watch, next.LR); why == nil {
				return stopped, nil
			}
		}
		if err == nil {
			err = why
		}
	}
	return "", err
}
