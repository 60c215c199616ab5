package train

import (
	"errors"
	"fmt"
	"math"
	"time"

	"pushdown/harness/checkpoint"
	"pushdown/harness/disk"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/metric"
	"pushdown/harness/optim"
	"pushdown/harness/scan"
	"pushdown/harness/stepgraph"
)

// ErrStopped is returned by Run if Options.Stop ended it early. The state is in the
// checkpoint if the options name one and the error does not also wrap [ErrUnsaved].
var ErrStopped = errors.New("stopped before the end of the run")

// ErrUnsaved is returned with ErrStopped by a stopped run whose state could not be
// saved.
var ErrUnsaved = errors.New("its state is not saved")

// Options control how a run is executed. None of them changes a bit of the result,
// except that Updates ends the run early.
type Options struct {
	Device kernel.Device
	// State is the checkpoint file; empty means none. It belongs to the run until the
	// run ends. If another run holds it, Run fails if Resume is set, and otherwise runs
	// without a checkpoint.
	State string
	// FS has the file State; the zero value is the file system of the operating system.
	FS disk.FS
	// Resume continues from State if the file exists.
	Resume bool
	// SaveEvery is the time between checkpoints; 0 means 30 seconds.
	SaveEvery time.Duration
	// Stop reports whether to save the state and stop; nil means never. It is called
	// between the batches of a validation and between updates; in an online run it is
	// called between strings, not between updates. Each process makes at least one update,
	// or reads one string, before it stops.
	Stop func() bool
	// Saved is called with the time that each checkpoint took; may be nil.
	Saved func(time.Duration)
	// Warn is called once with the reason if the state of the run cannot be saved; may
	// be nil. The run goes on.
	Warn func(error)
	// Ended is called with the result of a complete run before its checkpoint is removed;
	// may be nil. If Ended returns an error, Run returns that error and keeps the
	// checkpoint.
	Ended func(*Result) error
	// Resumed is called with the number of the update from which the run resumes; may be
	// nil.
	Resumed func(update int)
	// Progress is called after each update, in an online run after each string; may be
	// nil.
	Progress func(Progress)
	// Updates ends the run after this many updates, to check the beginning of a long run;
	// 0 means the whole run. A run with Updates neither reads nor writes State.
	Updates int
}

// runner is a run in progress.
type runner struct {
	exp     *Experiment
	opts    Options
	vm      *scan.VM
	opt     *optim.Optimizer
	valid   *Evaluator
	extra   []*Evaluator
	batch   Batch
	loss    []float32
	scalars []scheduled
	number  [1]float32 // scratch
	now     *Params    // scratch
	best    *Params
	watch   optim.PlateauState
	res     *Result
	saved   time.Time
	about   meta // identity for checkpoints
	ahead   int  // update whose batch is filled in, -1 if none
	// filling is the time it took to fill the batch that is ready (see the field ahead). It is
	// kept here because a batch can be filled long before its update.
	filling time.Duration
	held    *checkpoint.Lock
	unsaved error // why the last checkpoint was not written
	warned  bool
	before  int64 // rows trained by earlier processes
	reader        // state of an online run
}

// Run trains the experiment to its end, from the start or from a checkpoint.
func Run(exp *Experiment, opts Options) (*Result, error) {
	if err := exp.check(); err != nil {
		return nil, err
	}
	r, err := newRunner(exp, opts)
	if err != nil {
		return nil, err
	}
	defer r.close()
	if err := r.resume(); err != nil {
		return nil, err
	}
	r.notify()
	if err := r.run(); err != nil {
		return r.res, fmt.Errorf("train: %s: %w", exp.Name, err)
	}
	return r.res, nil
}

// run trains. If the device fails, the work since the last checkpoint is lost.
func (r *runner) run() error {
	train := r.train
	if r.exp.online() {
		train = r.online
	}
	err := func() (err error) {
		defer kernel.Catch(&err)
		if err := train(); !r.divergent(err) {
			return err
		}
		return r.diverged()
	}()
	if _, ok := err.(*kernel.Failure); ok { // a Failure does not name the update
		return fmt.Errorf("after update %d: %w", r.res.Updates, err)
	}
	return err
}

func newRunner(exp *Experiment, opts Options) (r *runner, err error) {
	if opts.SaveEvery == 0 {
		opts.SaveEvery = 30 * time.Second
	}
	if opts.Updates > 0 {
		opts.State = ""
	}
	g, err := exp.Build(stepgraph.Config{Training: true, Seed: exp.Seed})
	if err != nil {
		return nil, err
	}
	if err := g.Differentiate(); err != nil {
		return nil, err
	}
	b := exp.bounds()
	vm, err := scan.Compile(g, opts.Device, scan.Options{
		MaxStrings: b.Strings, MaxRows: b.Rows, MaxSteps: b.Steps, MaxExamples: b.Examples,
		BPTT: exp.BPTT, Window: max(exp.Window, exp.Online.Window), Moments: exp.Rule.Moments(), GradScale: exp.GradScale, PerString: exp.PerString,
	})
	if err != nil {
		return nil, err
	}
	r = &runner{exp: exp, opts: opts, vm: vm, loss: make([]float32, b.Examples), res: &Result{}, saved: time.Now(), ahead: -1}
	defer func() {
		if err != nil {
			r.close()
		}
	}()
	defer kernel.Catch(&err)
	r.scalars = exp.schedule()
	r.now, r.best = newParams(vm), newParams(vm)
	r.batch.Token = vm.Ints(stepgraph.InputToken)
	if opts.State != "" {
		if r.about, err = exp.meta(); err != nil {
			return r, err
		}
	}
	if err = r.lock(); err != nil {
		return r, fmt.Errorf("train: %s: %w", exp.Name, err)
	}
	if r.opt, err = optim.New(vm, exp.Rule); err != nil {
		return r, err
	}
	if r.valid, err = NewEvaluator(exp.Build, opts.Device, exp.Valid, exp.Seed); err != nil {
		return r, err
	}
	for _, w := range exp.ExtraSets {
		ev, err := NewEvaluator(exp.Build, opts.Device, w.Set, exp.Seed)
		if err != nil {
			return r, err
		}
		r.extra = append(r.extra, ev)
	}
	if err = exp.checkScalars(g, r.valid.vm.Graph()); err != nil {
		return r, err
	}
	return r, Initialise(vm, exp.Seed)
}

func (r *runner) close() {
	r.held.Release()
	r.vm.Close()
	if r.valid != nil {
		r.valid.Close()
	}
	for _, ev := range r.extra {
		ev.Close()
	}
}

// train makes updates until the run ends.
func (r *runner) train() error {
	for r.res.Stopped == "" {
		owed := r.owed() > 0 // an earlier process stopped before this validation
		loss := math.NaN()
		if !owed {
			var err error
			if loss, err = r.advance(); err != nil {
				return err
			}
		} else if err := r.setScalars(r.res.Updates - 1); err != nil {
			return err
		}
		n := r.res.Updates
		p := Progress{Update: n, Epoch: (n-1)/r.exp.Train.PerEpoch() + 1, Loss: loss, Valid: math.NaN(), Rows: r.res.Rows - r.before}
		if r.owed() > 0 {
			if err := r.check(!owed); err != nil {
				return err
			}
			p.Validated = true
		}
		if k := len(r.res.Checks); k > 0 {
			p.Valid = r.res.Checks[k-1].Loss
		}
		if r.res.Stopped == "" && n >= r.exp.MaxUpdates {
			r.res.Stopped = byUpdates
		}
		if r.res.Stopped == "" && n == r.opts.Updates {
			return r.finish(byPrefix)
		}
		p.LR = r.opt.State().LR
		if r.opts.Progress != nil {
			r.opts.Progress(p)
		}
		if r.res.Stopped == "" && !owed {
			if err := r.pause(); err != nil {
				return err
			}
		}
	}
	if err := r.finish(r.res.Stopped); err != nil {
		return err
	}
	return r.end()
}

// owed returns the number of validations that are due but not done. It is 1 before
// each validation, even if an earlier process stopped during that validation, and
// otherwise 0.
func (r *runner) owed() int {
	due := 0
	if r.exp.online() {
		due = r.res.Strings / r.exp.perEpoch()
	} else {
		due = r.res.Updates / r.exp.checkEvery()
	}
	return due - len(r.res.Checks)
}

// advance makes the next update and returns the mean loss of its batch.
func (r *runner) advance() (loss float64, err error) {
	batch := r.next()
	began := time.Now()
	if loss, err = r.update(batch); err != nil {
		return 0, err
	}
	n := r.opt.State().Updates
	r.res.Updates = n
	r.res.Took += r.filling + time.Since(began)
	if golden.Step(n).Decade() {
		return loss, r.mark(golden.Step(n))
	}
	return loss, nil
}

// update makes one update and returns the mean loss of its batch.
func (r *runner) update(b *Batch) (float64, error) {
	n := r.opt.State().Updates
	if err := b.Load(r.vm); err != nil {
		return 0, fmt.Errorf("update %d: %w", n+1, err)
	}
	if err := r.setScalars(n); err != nil {
		return 0, err
	}
	r.vm.Forward()
	return r.learn(b)
}

// learn makes an update from the batch of the last Forward and returns its mean loss.
func (r *runner) learn(b *Batch) (float64, error) {
	r.vm.Backward()
	loss := r.loss[:len(b.Target)]
	r.vm.Losses(loss)
	var mean metric.CrossEntropy
	mean.AddRows(loss)
	m, err := mean.Mean()
	if err != nil {
		return 0, fmt.Errorf("update %d: %w", r.opt.State().Updates+1, err)
	}
	r.res.Rows += int64(r.vm.Rows())
	return m, r.opt.Step()
}

// next returns the batch of the next update.
func (r *runner) next() *Batch {
	if n := r.opt.State().Updates; n != r.ahead {
		began := time.Now()
		r.batch.Reset()
		r.exp.Train.Fill(n, &r.batch)
		r.ahead, r.filling = n, time.Since(began)
	}
	return &r.batch
}

// check makes a validation and acts on the loss. If the parameter stoppable is set, the
// validation ends early once Options.Stop returns true. The process that resumes then makes
// the validation again from its start.
func (r *runner) check(stoppable bool) error {
	r.now.read(r.vm, r.vm.Layout().Params)
	loss, figures, err := r.validate(stoppable)
	if errors.Is(err, errStop) {
		return r.stop()
	}
	if err != nil {
		return fmt.Errorf("validation after update %d: %w", r.res.Updates, err)
	}
	if err := r.finite(); err != nil { // check before a return to the best parameters hides the error
		return err
	}
	lr := r.opt.State().LR
	d := r.exp.Plateau.Observe(&r.watch, loss, lr)
	if d.Best {
		r.best.read(r.vm, r.vm.Layout().Params)
	}
	r.res.Checks = append(r.res.Checks, Validation{r.res.Updates, loss, lr, d.Best, r.values(), figures})
	if d.Return {
		r.best.write(r.vm, r.vm.Layout().Params)
	}
	r.opt.SetLR(d.LR)
	r.notify()
	decision := []golden.Scalar{{Key: golden.RateKey, Value: d.LR}, {Key: golden.LossKey, Value: loss}}
	for _, s := range r.scalars {
		decision = append(decision, golden.Scalar{Key: s.Name, Value: s.value})
	}
	if err := r.mark(golden.Step(r.res.Updates), decision...); err != nil {
		return err
	}
	if d.Stop {
		r.res.Stopped = r.exp.stopped(loss, d)
	}
	return nil
}

// stopped says why a validation with the given loss and decision ends the run.
func (e *Experiment) stopped(loss float64, d optim.Decision) string {
	switch p := &e.Plateau; {
	case p.StopBelow > 0 && loss < p.StopBelow:
		return byLoss
	case d.LR < p.MinLR:
		return byRate
	}
	return byPatience
}

// notify calls Experiment.OnValidation with the validations so far.
func (r *runner) notify() {
	if r.exp.OnValidation != nil {
		r.exp.OnValidation(r.res.Checks)
	}
}

// finish completes the result, or returns an error if the parameters are not finite.
func (r *runner) finish(why string) error {
	if err := r.finite(); err != nil {
		return err
	}
	r.res.Stopped = why
	if why != byPrefix {
		var extra []golden.Scalar
		if why == byDivergence {
			extra = []golden.Scalar{{Key: keyDiverged, Value: 1}}
		}
		if err := r.mark(golden.End, extra...); err != nil {
			return err
		}
		if r.exp.Best {
			if len(r.res.Checks) == 0 {
				return fmt.Errorf("have Best set and no validation in a run of %d updates, want at least one", r.res.Updates)
			}
			r.best.write(r.vm, r.vm.Layout().Params)
			if err := r.mark(golden.Best); err != nil {
				return err
			}
		}
		r.res.Complete = true
	}
	r.res.Params = newParams(r.vm)
	r.res.Params.read(r.vm, r.vm.Layout().Params)
	return nil
}

// mark adds a point with the digests of the current parameters to the trajectory. If the
// last point is for the same update, it is replaced, because only the new one has the
// numbers of a validation.
func (r *runner) mark(at golden.Step, extra ...golden.Scalar) error {
	if err := r.finite(); err != nil {
		return err
	}
	pt := golden.Point{At: at, SHA256: r.now.Digest(), Extra: extra}
	if at == golden.End || len(extra) > 0 {
		pt.State = r.stateDigest()
	}
	list := r.res.Trajectory.Points
	if k := len(list); k > 0 && list[k-1].At == at {
		list = list[:k-1]
	}
	r.res.Trajectory.Points = append(list, pt)
	return nil
}

// finite reads the current parameters and returns an error if one is not finite. A
// parameter that is not finite stays so. Therefore the outcome of a run does not depend
// on when the parameters are checked.
func (r *runner) finite() error {
	r.now.read(r.vm, r.vm.Layout().Params)
	if err := r.now.finite(); err != nil {
		return fmt.Errorf("update %d: %w", r.res.Updates, err)
	}
	return nil
}
