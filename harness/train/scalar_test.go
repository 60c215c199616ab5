package train

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/golden"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/stepgraph"
)

// tempered returns the builder of the test network with scaled logits. The logits are
// multiplied by the given constant or, if it is 0, by the inverse of a temperature, which
// is an input.
func tempered(constant float64) func(stepgraph.Config) (*stepgraph.Graph, error) {
	return func(cfg stepgraph.Config) (*stepgraph.Graph, error) {
		return stepgraph.Build(cfg, func(b *stepgraph.Builder) {
			param := func(name string, rows, cols int) stepgraph.Spec {
				return stepgraph.Spec{Name: name, Rows: rows, Cols: cols, Init: stepgraph.Init{Kind: stepgraph.Uniform, A: -0.6, B: 0.6}}
			}
			h := b.State(stepgraph.StateSpec{Name: "h", Width: hidden})
			x := b.Gather(b.Param(param("E", symbols, embedded)), b.Token())
			next := b.Tanh(b.Add(b.MatMul(x, b.Param(param("W_x", embedded, hidden))), b.MatMul(h, b.Param(param("W_h", hidden, hidden)))))
			b.SetNext(h, next)
			logits := b.MatMul(b.ExampleRows(next), b.Param(param("W_o", hidden, classes)))
			if constant != 0 {
				logits = b.Scale(logits, constant)
			} else {
				logits = b.MulOne(logits, b.Scalar("1/temperature"))
			}
			b.SetLoss(b.CrossEntropy(logits, b.Target()))
		})
	}
}

// cooling returns shortProblem with a temperature that falls twice between
// validations.
func cooling() *Experiment {
	e := shortProblem()
	e.Build = tempered(0)
	e.Scalars = []Scalar{{Name: "temperature", Inverse: true, Start: 1.5, Factor: 0.9, Every: 3}}
	return e
}

// TestScalarIsRead checks that training with a scalar input that never changes gives the
// same bits as training a graph with that number built in, and that another number gives
// other bits.
func TestScalarIsRead(t *testing.T) {
	digest := func(constant, start float64, inverse bool) string {
		e := cooling()
		e.Build = tempered(constant)
		e.Scalars = []Scalar{{Name: "temperature", Inverse: inverse, Start: start, Factor: 1}}
		if constant != 0 {
			e.Scalars = nil
		} else if !inverse {
			e.Scalars[0].Name = "1/temperature"
		}
		return run(t, e, Options{Updates: 20}).Params.Digest()
	}
	want := digest(1/0.7, 0, false)
	if have := digest(0, 0.7, true); have != want {
		t.Errorf("a temperature of 0.7 ends in %s, a constant of 1/0.7 in %s", have, want)
	}
	if have := digest(0, 1/0.7, false); have != want {
		t.Errorf("a factor of 1/0.7 ends in %s, a constant of it in %s", have, want)
	}
	if have := digest(0, 0.71, true); have == want {
		t.Error("temperatures of 0.7 and 0.71 end in the same bits")
	}
}

// TestScalarFalls checks that the value of a scalar is multiplied by Factor at the end of
// each period of Every updates, or of each epoch if Every is 0. Each Check and each point
// of the trajectory at a validation must have the value of that update.
func TestScalarFalls(t *testing.T) {
	for _, every := range []int{1, 3, 7, 0} {
		e := cooling()
		e.Scalars[0].Every = every
		period := every
		if every == 0 {
			period = e.Train.PerEpoch()
		}
		res := run(t, e, Options{})
		var want [][]float64
		for _, c := range res.Checks {
			x := 1.5
			for range (c.Update - 1) / period {
				x *= 0.9
			}
			want = append(want, []float64{x})
		}
		var checks, points [][]float64
		for _, c := range res.Checks {
			checks = append(checks, c.Scalars)
		}
		for _, p := range res.Trajectory.Points {
			for _, x := range p.Extra {
				if x.Key == "temperature" {
					points = append(points, []float64{x.Value})
				}
			}
		}
		if diff := cmp.Diff(want, checks); diff != "" {
			t.Errorf("every %d: checks (-want +have):\n%s", every, diff)
		}
		if diff := cmp.Diff(want, points); diff != "" {
			t.Errorf("every %d: trajectory (-want +have):\n%s", every, diff)
		}
	}
}

// TestScalarActsInTime checks that a scalar which falls after a number of updates has no
// effect on these updates, and has an effect on the next one.
func TestScalarActsInTime(t *testing.T) {
	for _, every := range []int{1, 4} {
		still, falling := cooling(), cooling()
		still.Scalars[0].Factor = 1
		falling.Scalars[0].Every = every
		for _, n := range []int{every, every + 1} {
			a, b := run(t, still, Options{Updates: n}).Params.Digest(), run(t, falling, Options{Updates: n}).Params.Digest()
			if (a == b) != (n == every) {
				t.Errorf("every %d: after %d updates the parameters are those without a schedule: %v", every, n, a == b)
			}
		}
	}
}

// TestScalarInValidation checks that a validation uses the value that the scalar had in the
// last update.
func TestScalarInValidation(t *testing.T) {
	e := cooling()
	e.Plateau.Stop = 0
	e.MaxUpdates = 5 * 6
	res := run(t, e, Options{})
	var best Validation
	for _, c := range res.Checks {
		if c.Best {
			best = c
		}
	}
	ev, err := NewEvaluator(e.Build, device(t, cpu.Best()), e.Valid, e.Seed)
	if err != nil {
		t.Fatal(err)
	}
	defer ev.Close()
	for _, temperature := range []float64{best.Scalars[0], 0.99 * best.Scalars[0]} {
		if err := ev.SetScalar(e.Scalars[0].Input(temperature)); err != nil {
			t.Fatal(err)
		}
		loss, err := ev.Run(res.Params, nil)
		if err != nil {
			t.Fatal(err)
		}
		if (loss == best.Loss) != (temperature == best.Scalars[0]) {
			t.Errorf("at temperature %v the loss is %v, the check at %v has %v", temperature, loss, best.Scalars[0], best.Loss)
		}
	}
}

// observed gives an experiment an Observe function with two figures: the number of
// examples, and the share of examples with a loss above one nat.
func observed(e *Experiment) *Experiment {
	e.Observe = func() (func(*BatchOutput) error, func() ([]float64, error)) {
		examples, bad := 0.0, 0.0
		return func(o *BatchOutput) error {
				for _, x := range o.Loss {
					examples++
					if x > 1 {
						bad++
					}
				}
				return nil
			}, func() ([]float64, error) {
				return []float64{examples, bad / examples}, nil
			}
	}
	return e
}

// TestResumeScalars checks that a run with a falling scalar and with observed numbers has
// the same result if it resumes from any of its checkpoints.
func TestResumeScalars(t *testing.T) {
	e := observed(cooling())
	want, list := checkpoints(t, e)
	if len(list) < 10 || len(want.Checks) < 3 {
		t.Fatalf("%d checkpoints and %d checks: the run is too short for this test", len(list), len(want.Checks))
	}
	for i, c := range want.Checks {
		if len(c.Figures) != 2 || c.Figures[0] != want.Checks[0].Figures[0] || c.Figures[0] < 1 {
			t.Errorf("check %d has the figures %v", i, c.Figures)
		}
	}
	plain := cooling()
	bare := run(t, plain, Options{})
	for i := range bare.Checks {
		bare.Checks[i].Figures = want.Checks[i].Figures
	}
	if diff := differ(want, bare); diff != "" {
		t.Errorf("to observe a run changes it (-with +without):\n%s", diff)
	}
	path := state(t)
	for i, text := range list {
		put(t, path, text)
		have := run(t, e, Options{Device: device(t, cpu.Generic), State: path, Resume: true})
		if diff := differ(want, have); diff != "" || have.Resumed != i+1 {
			t.Fatalf("from the checkpoint after update %d, going on from %d (-want +have):\n%s", i+1, have.Resumed, diff)
		}
	}
}

// TestScalarsAreComplete checks that a missing or an unused scalar is an error.
func TestScalarsAreComplete(t *testing.T) {
	scalar := Scalar{Name: "temperature", Inverse: true, Start: 1, Factor: 0.9}
	other := scalar
	other.Name = "pressure"
	direct := scalar
	direct.Name, direct.Inverse = "1/temperature", false
	for _, c := range []struct {
		build   func(stepgraph.Config) (*stepgraph.Graph, error)
		scalars []Scalar
		want    string
	}{
		{tempered(0), nil, "train: tiny: have no scalar for the input 1/temperature, want one: the graph reads it"},
		{tempered(1), []Scalar{scalar}, "train: tiny: have a scalar for the input 1/temperature, want an input that the graph reads"},
		{tempered(0), []Scalar{scalar, other}, "train: tiny: have a scalar for the input 1/pressure, want an input that the graph reads"},
		{tempered(0), []Scalar{scalar, direct}, "train: tiny: have two scalars for the input 1/temperature, want one"},
		{func(cfg stepgraph.Config) (*stepgraph.Graph, error) {
			if cfg.Training {
				return tempered(1)(cfg)
			}
			return tempered(0)(cfg)
		}, nil, "train: tiny: have no scalar for the input 1/temperature, want one: the graph reads it"},
		{tempered(0), []Scalar{{Start: 1, Factor: 1}}, "train: tiny: scalar: have no name, want that of an input of the graph"},
		{tempered(0), []Scalar{{Name: "lr", Start: 1, Factor: 1}}, "train: tiny: scalar: have the name lr, want one that trajectories do not use already"},
		{tempered(0), []Scalar{{Name: "x", Factor: 1}}, "train: tiny: scalar x starts at 0 and is multiplied by 1, want positive numbers"},
		{tempered(0), []Scalar{{Name: "x", Start: 1, Factor: math.Inf(1)}}, "train: tiny: scalar x starts at 1 and is multiplied by +Inf, want positive numbers"},
		{tempered(0), []Scalar{{Name: "x", Start: 1, Factor: 1, Every: -1}}, "train: tiny: scalar x is multiplied every -1 updates, want at least 0"},
	} {
		e := shortProblem()
		e.Build, e.Scalars = c.build, c.scalars
		_, err := Run(e, Options{Device: device(t, cpu.Best())})
		if err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	// A scalar that only the training graph reads is valid.
	e := shortProblem()
	e.Scalars = []Scalar{scalar}
	e.Build = func(cfg stepgraph.Config) (*stepgraph.Graph, error) {
		if cfg.Training {
			return tempered(0)(cfg)
		}
		return tempered(1)(cfg)
	}
	run(t, e, Options{})
}

// TestScalarOverflows checks that a value outside the range of float32 ends the run.
func TestScalarOverflows(t *testing.T) {
	e := cooling()
	e.Scalars[0].Factor, e.Scalars[0].Every = 1e-40, 1
	_, err := Run(e, Options{Device: device(t, cpu.Best())})
	if err == nil || !strings.Contains(err.Error(), "update 2: scan: input 1/temperature: value 0 is +Inf") {
		t.Errorf("error %v, want one that names the update and the number", err)
	}
}

// TestTrajectoryIsOrdered checks that a trajectory can be written to a golden file if
// its validations have the value of a scalar.
func TestTrajectoryIsOrdered(t *testing.T) {
	res := run(t, cooling(), Options{})
	res.Trajectory.Name = "test=cooling/seed=7"
	r := &golden.Run{Suite: "test", Scale: "smoke", Contract: 1, Machine: "none", Trajectories: []golden.Trajectory{res.Trajectory}}
	if _, err := golden.Format(r.File()); err != nil {
		t.Error(err)
	}
}
