package train

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"time"

	"pushdown/harness/checkpoint"
	"pushdown/harness/disk"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/optim"
	"pushdown/harness/scan"
)

// progressState is the part of a checkpoint that is stored as JSON, not as tensors.
// JSON writes every finite float64 so that it reads back to the same bits.
type progressState struct {
	Optimizer optim.State
	Watch     optim.PlateauState
	Checks    []Validation
	Points    []golden.Point
	Rows      int64
	Took      time.Duration
	Strings   int `json:",omitempty"`

	Carried *carried `json:",omitempty"` // states for a next batch that continues the last one
	Pending *Batch   `json:",omitempty"` // symbols of a stream that are read but not yet run
	Since   int      `json:",omitempty"` // symbols of a stream predicted since the last reset of the states
}

// carried describes how the tensors carried/0, carried/1, ... make a [scan.Snapshot].
type carried struct {
	Strings, Steps int
	Words          []int // length of each tensor
}

const metaProgress = "progress"

// meta is the identity of a run, which is in each of its checkpoints. The key includes
// the build: a run begun by another version of the program is not resumed, because the
// two versions may compute different results.
type meta struct {
	key   checkpoint.Key
	about string
}

func (e *Experiment) meta() (meta, error) {
	about, err := e.description()
	if err != nil {
		return meta{}, err
	}
	build, err := checkpoint.BuildID()
	if err != nil {
		return meta{}, fmt.Errorf("train: %s: %w", e.Name, err)
	}
	return meta{checkpoint.Key{Experiment: hashOf(string(about)), Contract: strconv.Itoa(kernel.ContractVersion), Build: build}, string(about)}, nil
}

// StatePath returns the checkpoint file of the experiment below root.
func (e *Experiment) StatePath(root string) (string, error) {
	m, err := e.meta()
	if err != nil {
		return "", err
	}
	return m.key.Path(disk.FS{}, root, "run")
}

// blocks lists the blocks of the arena that a checkpoint holds, with the prefixes of
// their tensor names.
func (r *runner) blocks() (prefix []string, at []int) {
	l := r.vm.Layout()
	prefix, at = []string{"param/"}, []int{l.Params}
	for i, m := range l.Moments {
		prefix, at = append(prefix, fmt.Sprintf("moment%d/", i+1)), append(at, m)
	}
	return prefix, at
}

// file returns the state of the run as a checkpoint.
func (r *runner) file() (*checkpoint.File, error) {
	if err := r.finite(); err != nil {
		return nil, err
	}
	f := &checkpoint.File{Meta: map[string]string{}}
	prefix, at := r.blocks()
	for i := range at {
		p := newParams(r.vm)
		p.read(r.vm, at[i])
		f.Tensors = append(f.Tensors, p.Tensors(prefix[i])...)
	}
	f.Tensors = append(f.Tensors, r.best.Tensors("best/")...)
	s := progressState{Optimizer: r.opt.State(), Watch: r.watch, Checks: r.res.Checks, Points: r.res.Trajectory.Points,
		Rows: r.res.Rows, Took: r.res.Took, Strings: r.res.Strings, Since: r.since}
	if r.continues() {
		c := r.vm.Snapshot()
		s.Carried = &carried{Strings: c.Strings, Steps: c.Steps}
		for i, x := range c.Words {
			s.Carried.Words = append(s.Carried.Words, len(x))
			f.Tensors = append(f.Tensors, checkpoint.Tensor{Name: carriedName(i), Shape: []int{len(x)}, Data: x})
		}
	}
	if r.exp.online() && len(r.batch.Token) > 0 {
		s.Pending = &r.batch
	}
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	f.Meta[metaProgress] = string(text)
	f.Meta["experiment"] = r.about.about
	r.about.key.Stamp(f)
	return f, nil
}

func carriedName(i int) string { return fmt.Sprintf("carried/%d", i) }

// continues reports whether a checkpoint must hold the states, because the next batch can
// continue from them. If a validation is due, the next batch is not known yet, because
// batches may depend on validations. In that case continues returns true.
func (r *runner) continues() bool {
	switch {
	case r.exp.online():
		return r.goOn
	case r.owed() > 0:
		return true
	}
	return r.next().Continue
}

// stateDigest returns the digest of parameters, moments, schedule and counters.
func (r *runner) stateDigest() string {
	p := newParams(r.vm)
	p.read(r.vm, r.vm.Layout().Params)
	state := &checkpoint.File{Meta: map[string]string{}}
	prefix, at := r.blocks()
	for i := 1; i < len(at); i++ {
		m := newParams(r.vm)
		m.read(r.vm, at[i])
		state.Tensors = append(state.Tensors, m.Tensors(prefix[i])...)
	}
	s := r.opt.State()
	state.Tensors = append(state.Tensors, checkpoint.Scalar("updates", int64(s.Updates)),
		checkpoint.Scalar("lr", s.LR), checkpoint.Scalar("power1", s.Power1), checkpoint.Scalar("power2", s.Power2),
		checkpoint.Scalar("best", r.watch.Best), checkpoint.Scalar("since", int64(r.watch.SinceBestOrCut)), checkpoint.Scalar("without", int64(r.watch.SinceBest)))
	if r.exp.Plateau.Consecutive {
		state.Tensors = append(state.Tensors, checkpoint.Scalar("last", r.watch.Last))
	}
	if r.exp.Plateau.GainCuts {
		state.Tensors = append(state.Tensors, checkpoint.Scalar("gained", r.watch.Gained))
	}
	if r.exp.online() {
		state.Tensors = append(state.Tensors, checkpoint.Scalar("strings", int64(r.res.Strings)), checkpoint.Scalar("checks", int64(r.watch.Checks)))
	}
	for _, s := range r.scalars {
		state.Tensors = append(state.Tensors, checkpoint.Scalar("scalar/"+s.Name, s.value))
	}
	return checkpoint.StateDigest(p.Names, p.Shapes, p.Data, state)
}

// pause writes a checkpoint if one is due, and stops the run if Options.Stop says so.
func (r *runner) pause() error {
	if r.opts.Stop != nil && r.opts.Stop() {
		return r.stop()
	}
	if r.opts.State != "" && time.Since(r.saved) >= r.opts.SaveEvery {
		return r.save()
	}
	return nil
}

// stop saves the run and returns ErrStopped. If the state could not be saved, the
// error also wraps ErrUnsaved and the reason.
func (r *runner) stop() error {
	if r.opts.State != "" {
		if err := r.save(); err != nil {
			return err
		}
	}
	if r.unsaved != nil {
		return fmt.Errorf("%w: %w: %w", ErrStopped, ErrUnsaved, r.unsaved)
	}
	return ErrStopped
}

// save writes a checkpoint. If it cannot be written, the run goes on and tries
// again when the next checkpoint is due.
func (r *runner) save() error {
	began := time.Now()
	f, err := r.file()
	if r.divergent(err) { // the next loss, mark or validation ends the run; the time of a checkpoint must not decide where
		r.unsaved = err
		return nil
	}
	if err != nil {
		return err
	}
	err = checkpoint.WriteFS(r.opts.FS, r.opts.State, f)
	r.saved = time.Now()
	r.warn(err)
	if err == nil && r.opts.Saved != nil {
		r.opts.Saved(r.saved.Sub(began))
	}
	return nil
}

// warn records err, the reason why the state of the run is not saved, or nil if the
// state is saved. It reports the first reason to Options.Warn.
func (r *runner) warn(err error) {
	if err != nil && !r.warned && r.opts.Warn != nil {
		r.opts.Warn(err)
	}
	r.unsaved, r.warned = err, r.warned || err != nil
}

// lock locks the state against other processes. If that fails, the run goes on without a
// state, except in two cases: lock returns the error if Options.Resume is set, and if the
// path is not a regular file.
func (r *runner) lock() (err error) {
	if r.opts.State == "" {
		return nil
	}
	r.held, err = checkpoint.Acquire(r.opts.FS, r.opts.State)
	if err == nil || r.opts.Resume || errors.Is(err, checkpoint.ErrNotRegular) {
		return err
	}
	r.opts.State = ""
	r.warn(err)
	return nil
}

// resume restores the checkpoint if Options.Resume is set and the file exists.
func (r *runner) resume() (err error) {
	defer kernel.Catch(&err)
	if r.opts.State == "" || !r.opts.Resume {
		return nil
	}
	f, err := checkpoint.ReadFS(r.opts.FS, r.opts.State)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = r.about.key.Check(f)
	}
	if err == nil {
		err = r.restore(f)
	}
	if err != nil {
		return fmt.Errorf("train: %s: %w; to train this run from the start, delete that file: no other run uses it", r.exp.Name, err)
	}
	if r.opts.Resumed != nil {
		r.opts.Resumed(r.res.Resumed)
	}
	return nil
}

// restore copies a checkpoint into the run.
func (r *runner) restore(f *checkpoint.File) error {
	prefix, at := r.blocks()
	for i := range at {
		p := newParams(r.vm)
		if err := p.from(f, prefix[i]); err != nil {
			return err
		}
		p.write(r.vm, at[i])
	}
	if err := r.best.from(f, "best/"); err != nil {
		return err
	}
	text, err := f.GetMeta(metaProgress)
	if err != nil {
		return err
	}
	var s progressState
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return fmt.Errorf("%s: metadata %q: %w", f.Path, metaProgress, err)
	}
	if err := r.opt.Restore(s.Optimizer); err != nil {
		return fmt.Errorf("%s: metadata %q: %w", f.Path, metaProgress, err)
	}
	if s.Rows < 0 || s.Took < 0 || s.Strings < 0 || s.Since < 0 {
		return fmt.Errorf("%s: metadata %q: have %d rows of %d strings in %v and %d symbols since a reset, want at least 0 of each", f.Path, metaProgress, s.Rows, s.Strings, s.Took, s.Since)
	}
	r.res.Strings = s.Strings
	r.res.Rows, r.res.Took, r.before = s.Rows, s.Took, s.Rows
	r.watch, r.res.Checks, r.res.Trajectory.Points = s.Watch, s.Checks, s.Points
	n, most := s.Optimizer.Updates, r.exp.MaxUpdates
	r.res.Updates, r.res.Resumed = n, n
	bounded := most > 0 || !r.exp.online()
	switch owed := r.owed(); {
	case bounded && (n > most || n == most && owed != 1):
		return fmt.Errorf("%s: metadata %q: have %d updates done, want fewer than %d", f.Path, metaProgress, n, most)
	case owed < 0 || owed > 1:
		return fmt.Errorf("%s: metadata %q: have %d validations, want %d or one fewer", f.Path, metaProgress, len(s.Checks), len(s.Checks)+owed)
	}
	return r.restoreCarried(f, &s)
}

// restoreCarried restores the states from which the next batch continues, and the
// symbols of a stream that wait for their update.
func (r *runner) restoreCarried(f *checkpoint.File, s *progressState) error {
	r.since, r.goOn = s.Since, s.Carried != nil
	if s.Pending != nil {
		if n := len(s.Pending.Token); !r.exp.online() || n >= r.exp.Online.every() {
			return fmt.Errorf("%s: metadata %q: have %d pending symbols, want fewer than an update uses", f.Path, metaProgress, n)
		}
		r.batch = *s.Pending
	}
	if s.Carried == nil {
		if !r.exp.online() && r.owed() > 0 { // a checkpoint then has states: see continues
			return fmt.Errorf("%s: metadata %q: have no states after update %d, want them because a validation is due", f.Path, metaProgress, r.res.Updates)
		}
		return nil
	}
	c := scan.Snapshot{Strings: s.Carried.Strings, Steps: s.Carried.Steps}
	for i, n := range s.Carried.Words {
		x, err := checkpoint.Get[int32](f, carriedName(i), n)
		if err != nil {
			return err
		}
		c.Words = append(c.Words, x)
	}
	if err := r.vm.Restore(c); err != nil {
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	return nil
}

// from sets p to tensors of a checkpoint. The name of each tensor in the checkpoint is the
// given prefix followed by the name in p.
func (p *Params) from(f *checkpoint.File, prefix string) error {
	for i, name := range p.Names {
		x, err := checkpoint.Get[float32](f, prefix+name, p.Shapes[i]...)
		if err != nil {
			return err
		}
		copy(p.Data[i], x)
	}
	return nil
}

// end passes the result to Options.Ended and removes the checkpoint of the run.
func (r *runner) end() error {
	if r.opts.Ended != nil {
		if err := r.opts.Ended(r.res); err != nil {
			return err
		}
	}
	if r.opts.State == "" {
		return nil
	}
	return checkpoint.Remove(r.opts.FS, r.opts.State)
}
