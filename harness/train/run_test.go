package train

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/checkpoint"
	"pushdown/harness/golden"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/optim"
	"pushdown/harness/stepgraph"
)

// TestRun checks a run validation by validation. Each validation must have the learning
// rate and the outcome that Plateau.Observe gives for its loss. The parameters after the
// validation must be those that follow from the outcome.
func TestRun(t *testing.T) {
	e := problem()
	res := run(t, e, Options{})
	if res.Stopped != byPatience || !res.Complete || res.Resumed != 0 || res.Rows == 0 || res.Took <= 0 {
		t.Errorf("run ended by %q, complete %v, from update %d with %d rows in %v, want a whole run that patience ended",
			res.Stopped, res.Complete, res.Resumed, res.Rows, res.Took)
	}
	at := map[golden.Step]golden.Point{}
	for _, p := range res.Trajectory.Points {
		at[p.At] = p
	}
	var w optim.PlateauState
	lr, bestAt, cuts := e.Rule.LR, 0, 0
	for i, c := range res.Checks {
		if c.Update != 8*(i+1) || c.LR != lr {
			t.Errorf("check %d is after update %d at rate %v, want %d at %v", i+1, c.Update, c.LR, 8*(i+1), lr)
		}
		d := e.Plateau.Observe(&w, c.Loss, lr)
		lr = d.LR
		if d.Best {
			bestAt = c.Update
		}
		p := at[golden.Step(c.Update)]
		if d.Return {
			cuts++
			if best := at[golden.Step(bestAt)].SHA256; p.SHA256 != best {
				t.Errorf("after the cut at update %d the parameters are %s, want %s of the best, update %d", c.Update, p.SHA256, best, bestAt)
			}
		}
		if want := []golden.Scalar{{Key: "lr", Value: lr}, {Key: "valid-loss", Value: c.Loss}}; c.Best != d.Best || !cmp.Equal(p.Extra, want) || p.State == "" {
			t.Errorf("check %d: best %v, point %+v, want best %v, scalars %v and a state", i+1, c.Best, p, d.Best, want)
		}
		if last := i == len(res.Checks)-1; d.Stop != last {
			t.Errorf("check %d of %d: stop is %v", i+1, len(res.Checks), d.Stop)
		}
	}
	if cuts < 2 {
		t.Errorf("%d cuts, want at least 2 for the test to mean something", cuts)
	}
	last := res.Checks[len(res.Checks)-1].Update
	if last != res.Updates || bestAt == last {
		t.Errorf("last check after update %d of %d, best after %d: want the last, and a best before it", last, res.Updates, bestAt)
	}
	if at[golden.End].SHA256 != at[golden.Step(last)].SHA256 || at[golden.Best].SHA256 != at[golden.Step(bestAt)].SHA256 {
		t.Error("the points end and best are not those of the last and of the best update")
	}
	if res.Params.Digest() != at[golden.Best].SHA256 {
		t.Error("the parameters of the result are not the best ones")
	}
	for _, n := range []int{1, 10, 100} {
		if _, ok := at[golden.Step(n)]; !ok {
			t.Errorf("the trajectory has no point at update %d", n)
		}
	}
	if want := float64(last) / 8; res.Epochs(e) != want {
		t.Errorf("the run has %v epochs, want %v", res.Epochs(e), want)
	}
}

// TestCutWithoutReturn checks Plateau.Return = false: when the learning rate is cut,
// training goes on with the current parameters instead of the best ones.
func TestCutWithoutReturn(t *testing.T) {
	e := problem()
	e.Plateau.Return = false
	res := run(t, e, Options{})
	at := map[golden.Step]string{}
	for _, p := range res.Trajectory.Points {
		at[p.At] = p.SHA256
	}
	cuts, best := 0, golden.Step(0)
	for i, c := range res.Checks[:len(res.Checks)-1] {
		if c.Best {
			best = golden.Step(c.Update)
		}
		if res.Checks[i+1].LR < c.LR {
			cuts++
			if at[golden.Step(c.Update)] == at[best] {
				t.Errorf("the cut after update %d goes back to update %v", c.Update, best)
			}
		}
	}
	if cuts == 0 {
		t.Error("no cut to look at")
	}
}

// TestSameBits checks that the result does not depend on the instruction set or the
// number of threads.
func TestSameBits(t *testing.T) {
	want := run(t, problem(), Options{})
	for _, isa := range cpu.Available() {
		dev, err := cpu.New(cpu.Options{ISA: isa, Threads: 3})
		if err != nil {
			t.Fatal(err)
		}
		if diff := differ(want, run(t, problem(), Options{Device: dev})); diff != "" {
			t.Errorf("%v (-want +have):\n%s", dev, diff)
		}
		dev.Close()
	}
}

// TestSeeds checks that two seeds differ in the weights, and in the random numbers of dropout.
func TestSeeds(t *testing.T) {
	first := func(seed, graph uint64, lr float64) *Result { // with a graph that has the seed graph
		e := problem()
		e.Seed, e.Rule.LR = seed, lr
		e.Build = func(cfg stepgraph.Config) (*stepgraph.Graph, error) {
			if cfg.Training && cfg.Seed != e.Seed {
				t.Errorf("have a graph with the seed %d, want %d", cfg.Seed, e.Seed)
			}
			cfg.Seed = graph
			return build(cfg)
		}
		return run(t, e, Options{Updates: 1})
	}
	const frozen = 1e-20
	a, b := first(7, 7, frozen), first(8, 7, frozen)
	for i, name := range a.Params.Names {
		if x, y := a.Params.Data[i], b.Params.Data[i]; math.Abs(float64(x[0]-y[0])) < 1e-6 && math.Abs(float64(x[0])) > 1e-6 {
			t.Errorf("%s: seeds 7 and 8 begin with the same weight %v, want another for each", name, x[0])
		}
	}
	if a, b := first(7, 7, 0.2), first(7, 8, 0.2); a.Params.Digest() == b.Params.Digest() {
		t.Error("seeds 7 and 8 of the graph agree after the first update, want other dropout")
	}
}

// TestEnds checks the ways in which a run ends.
func TestEnds(t *testing.T) {
	whole := run(t, problem(), Options{})
	for _, c := range []struct {
		name    string
		change  func(e *Experiment)
		stopped string
		updates int // 0: as many as the whole run
	}{
		{"patience", func(e *Experiment) {}, byPatience, 0},
		{"loss", func(e *Experiment) { e.Plateau.StopBelow = whole.Checks[20].Loss + 1e-9 }, byLoss, 168},
		{"updates", func(e *Experiment) { e.MaxUpdates = 41 }, byUpdates, 41},
		{"last update is a check", func(e *Experiment) { e.MaxUpdates = 40 }, byUpdates, 40},
		{"patience at the last update", func(e *Experiment) { e.MaxUpdates = whole.Updates }, byPatience, 0},
		{"before any check", func(e *Experiment) { e.MaxUpdates, e.Best = 7, false }, byUpdates, 7},
		{"own interval", func(e *Experiment) { e.CheckEvery, e.MaxUpdates = 3, 10 }, byUpdates, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := problem()
			c.change(e)
			res := run(t, e, Options{})
			want := c.updates
			if want == 0 {
				want = whole.Updates
			}
			if res.Stopped != c.stopped || res.Updates != want || !res.Complete {
				t.Errorf("ended by %q after %d updates, complete %v, want by %q after %d", res.Stopped, res.Updates, res.Complete, c.stopped, want)
			}
			if n := want / e.checkEvery(); len(res.Checks) != n {
				t.Errorf("%d checks, want %d", len(res.Checks), n)
			}
			points := res.Trajectory.Points
			lastMark := golden.Best
			if len(res.Checks) == 0 {
				lastMark = golden.End // without a validation there are no best parameters
			}
			if points[len(points)-1].At != lastMark {
				t.Errorf("the trajectory ends with %v, want %v", points[len(points)-1].At, lastMark)
			}
		})
	}
}

// TestPrefix checks that a run limited by Options.Updates has the beginning of the
// trajectory of the whole run, whether or not its last update has a validation, and
// does not touch the checkpoint file.
func TestPrefix(t *testing.T) {
	whole := run(t, problem(), Options{})
	for _, n := range []int{1, 7, 8, 10, 32, 33, whole.Updates - 1} {
		res := run(t, problem(), Options{Updates: n, State: "/nowhere/at/all", Resume: true, SaveEvery: 1})
		if res.Updates != n || res.Complete || res.Stopped != byPrefix || len(res.Checks) != n/8 {
			t.Errorf("a prefix of %d: %d updates, complete %v, by %q, %d checks", n, res.Updates, res.Complete, res.Stopped, len(res.Checks))
		}
		var want []golden.Point
		for _, p := range whole.Trajectory.Points {
			if p.At <= golden.Step(n) {
				want = append(want, p)
			}
		}
		if diff := cmp.Diff(want, res.Trajectory.Points); diff != "" {
			t.Errorf("a prefix of %d (-want +have):\n%s", n, diff)
		}
	}
	res := run(t, problem(), Options{Updates: whole.Updates})
	if diff := differ(whole, res); diff != "" {
		t.Errorf("a prefix as long as the run (-want +have):\n%s", diff)
	}
}

// TestProgress checks that there is one report after each update, with the values at
// that time.
func TestProgress(t *testing.T) {
	var list []Progress
	res := run(t, problem(), Options{Progress: func(p Progress) { list = append(list, p) }})
	if len(list) != res.Updates {
		t.Fatalf("%d reports of %d updates", len(list), res.Updates)
	}
	for i, p := range list {
		n := i + 1
		valid := math.NaN()
		if k := n / 8; k > 0 {
			valid = res.Checks[k-1].Loss
		}
		same := p.Valid == valid || p.Valid != p.Valid && valid != valid
		if p.Update != n || p.Epoch != i/8+1 || p.Validated != (n%8 == 0) || !same || !(p.Loss > 0) || p.Rows <= int64(i) {
			t.Fatalf("report %d is %+v, want update %d, epoch %d, validation loss %v", i, p, n, i/8+1, valid)
		}
	}
	if list[len(list)-1].Rows != res.Rows {
		t.Errorf("the last report has %d rows, the result %d", list[len(list)-1].Rows, res.Rows)
	}
}

// TestDivergence checks that a loss, a gradient norm or a parameter that is not finite
// ends the run with an error that names the run and the update, even after the last
// update.
func TestDivergence(t *testing.T) {
	far := optim.Rule{Method: optim.SGD, LR: 3e38}     // the parameters overflow in update 2
	tooFar := optim.Rule{Method: optim.SGD, LR: 1e308} // +Inf as float32
	for _, c := range []struct {
		name   string
		says   string
		change func(e *Experiment)
	}{
		{"loss", "train: tiny: update 3: mean cross-entropy: the sum over ", func(e *Experiment) { e.Rule = far }},
		{"parameter", "train: tiny: update 1: parameter E: element ", func(e *Experiment) { e.Rule = tooFar }},
		{"last update", "train: tiny: update 1: parameter E: element ", func(e *Experiment) { e.Rule, e.MaxUpdates, e.Best = tooFar, 1, false }},
		{"validation", "train: tiny: validation after update 2: mean cross-entropy: ", func(e *Experiment) { e.Rule, e.CheckEvery = far, 2 }},
		{"norm", "train: tiny: optim: norm of the gradient is +Inf at update 1", func(e *Experiment) {
			e.Build = func(cfg stepgraph.Config) (*stepgraph.Graph, error) { return buildScaled(cfg, 1e25) }
		}},
	} {
		e := problem()
		c.change(e)
		res, err := Run(e, Options{Device: device(t, cpu.Best())})
		if err == nil || !strings.HasPrefix(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that begins %q", c.name, err, c.says)
		}
		if res == nil || res.Complete || res.Params != nil {
			t.Errorf("%s: the result claims to be one", c.name)
		}
	}
}

// TestDivergedEnd checks that parameters that overflow in update 2, where no digest is
// due, are detected wherever the run ends, and are not written to a checkpoint.
func TestDivergedEnd(t *testing.T) {
	overflowing := func() *Experiment {
		e := problem()
		e.Rule, e.Best = optim.Rule{Method: optim.SGD, LR: 2e37}, false
		e.Build = func(cfg stepgraph.Config) (*stepgraph.Graph, error) {
			g, err := build(cfg)
			if err == nil {
				g.Param("b_o").Init = stepgraph.Init{A: 3.3e38}
			}
			return g, err
		}
		return e
	}
	path := state(t)
	for _, c := range []struct {
		name    string
		updates int
		opts    Options
	}{
		{"end", 2, Options{}},
		{"prefix", 400, Options{Updates: 2}},
		{"checkpoint", 400, Options{State: path, SaveEvery: every}},
	} {
		e := overflowing()
		e.MaxUpdates = c.updates
		if c.opts.State != "" { // the first start leaves the checkpoint after update 1
			first := c.opts
			first.Device, first.Stop = device(t, cpu.Best()), func() bool { return true }
			if _, err := Run(e, first); !errors.Is(err, ErrStopped) {
				t.Fatal(err)
			}
			c.opts.Resume = true
		}
		c.opts.Device = device(t, cpu.Best())
		res, err := Run(e, c.opts)
		if err == nil || !strings.HasPrefix(err.Error(), "train: tiny: update 2: parameter b_o: element ") {
			t.Errorf("%s: error %v, want one that names update 2 and b_o", c.name, err)
		}
		if res == nil || res.Complete || res.Params != nil {
			t.Errorf("%s: the result claims to be one", c.name)
		}
	}
	if f, err := checkpoint.Read(path); err != nil || !strings.Contains(f.Meta[metaProgress], `"Updates":1,`) {
		t.Errorf("the checkpoint after update 1 is gone (%v)", err)
	}
}

// fewer is a set in which the last symbol of the vocabulary does not occur.
type fewer struct{ set }

func (f fewer) Fill(i int, b *Batch) {
	f.set.Fill(i, b)
	for j := range b.Token {
		b.Token[j] = min(b.Token[j], symbols-2)
	}
}

// TestDivergedBeforeReturn checks that a run fails if a validation finds a parameter that is
// not finite, even if the run would go back to its best parameters after this validation.
// The validation loss does not show the error here: the parameter belongs to a symbol that
// the validation set does not have.
func TestDivergedBeforeReturn(t *testing.T) {
	e := problem()
	e.Valid = fewer{set{0, 1, 2}}
	r, err := newRunner(e, Options{Device: device(t, cpu.Best())})
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	r.best.read(r.vm, r.vm.Layout().Params)
	r.watch = optim.PlateauState{Checks: 1, Best: 1e-9, BestAt: 1, SinceBestOrCut: e.Plateau.Patience} // the next check cuts
	r.now.read(r.vm, r.vm.Layout().Params)
	r.now.Data[0][symbols*embedded-1] = float32(math.Inf(-1))
	r.now.write(r.vm, r.vm.Layout().Params)
	r.res.Updates = 8
	if err := r.check(true); err == nil || err.Error() != "update 8: parameter E: element 14 of 15 is -Inf, want a finite number" {
		t.Errorf("error %v, want one that names update, parameter and element", err)
	}
	r.best.write(r.vm, r.vm.Layout().Params)
	if err := r.check(true); err != nil || r.opt.State().LR != e.Rule.LR*e.Plateau.Factor {
		t.Errorf("without it: error %v, rate %v, want a cut to %v", err, r.opt.State().LR, e.Rule.LR*e.Plateau.Factor)
	}
}

// badSource is a source with a token outside the vocabulary in update 3.
type badSource struct{ *source }

func (s badSource) Fill(update int, b *Batch) {
	s.source.Fill(update, b)
	if update == 2 {
		b.Token[1] = symbols
	}
}

func TestBadBatch(t *testing.T) {
	e := problem()
	e.Train = badSource{newSource(8, 10)}
	if _, err := Run(e, Options{Device: device(t, cpu.Best())}); err == nil || !strings.Contains(err.Error(), "tiny: update 3: scan: input token: number 1 is 5") {
		t.Errorf("error %v, want one that names update, input and number", err)
	}
}

// TestExperimentCheck checks the experiments that are refused before they run.
func TestExperimentCheck(t *testing.T) {
	for _, c := range []struct {
		says   string
		change func(e *Experiment)
	}{
		{"lacks a model", func(e *Experiment) { e.Build = nil }},
		{"lacks a model", func(e *Experiment) { e.Train = nil }},
		{"lacks a model", func(e *Experiment) { e.Valid = nil }},
		{"at most 0 updates", func(e *Experiment) { e.MaxUpdates = 0 }},
		{"have CheckEvery -1", func(e *Experiment) { e.CheckEvery = -1 }},
		{"BPTT -1 and Window 0, want at least 0", func(e *Experiment) { e.BPTT = -1 }},
		{"the first validation after 8 updates, want it by the end of the run after 7 updates", func(e *Experiment) { e.MaxUpdates = 7 }},
		{"0 updates in an epoch", func(e *Experiment) { e.Train = &source{} }},
		{"0 updates in an epoch", func(e *Experiment) { e.Train, e.CheckEvery = &source{}, 5 }},
		{"gain of a new best", func(e *Experiment) { e.Plateau.Gain = 2 }},
		{"learning rate 0", func(e *Experiment) { e.Rule.LR = 0 }},
	} {
		e := problem()
		c.change(e)
		if res, err := Run(e, Options{Device: device(t, cpu.Best())}); err == nil || !strings.Contains(err.Error(), c.says) || res != nil {
			t.Errorf("error %v, want one that says %q", err, c.says)
		}
	}
}

// TestBuildFails checks that Run returns the error of Build.
func TestBuildFails(t *testing.T) {
	sorry := errors.New("no such cell")
	e := problem()
	whole := e.Build
	for _, training := range []bool{true, false} {
		e.Build = func(cfg stepgraph.Config) (*stepgraph.Graph, error) {
			if cfg.Training == training {
				return nil, fmt.Errorf("models: %w", sorry)
			}
			return whole(cfg)
		}
		if _, err := Run(e, Options{Device: device(t, cpu.Best())}); !errors.Is(err, sorry) {
			t.Errorf("training %v: error %v, want %v", training, err, sorry)
		}
	}
}
