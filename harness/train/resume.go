package train

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"time"

	"pushdown/harness/checkpoint"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/optim"
)

// progressState is what a checkpoint holds beside tensors. JSON writes every
// finite float64 so that it reads back to the same bits.
type progressState struct {
	Optimizer optim.State
	Watch     optim.Watch
	Checks    []Check
	Points    []golden.Point
	Rows      int64
	Took      time.Duration
	Strings   int `json:",omitempty"`
}

const metaProgress = "progress"

// meta is what every checkpoint of a run says about it. The build is part of
// the key: a run that another version of the program began is not gone on with,
// since nothing says that both compute the same.
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
	return m.key.Path(root, "run")
}

// blocks lists the blocks of the arena that a checkpoint keeps.
func (r *runner) blocks() (prefix []string, at []int) {
	l := r.vm.Layout()
	prefix, at = []string{"param/"}, []int{l.Params}
	for i, m := range l.Moments {
		prefix, at = append(prefix, fmt.Sprintf("moment%d/", i+1)), append(at, m)
	}
	return prefix, at
}

// file is the state of the run as a checkpoint.
func (r *runner) file() (*checkpoint.File, error) {
	if err := r.finite(); err != nil {
		return nil, err
	}
	f := &checkpoint.File{Meta: map[string]string{}}
	prefix, at := r.blocks()
	for i := range at {
		p := newParams(r.vm)
		p.read(r.vm, at[i])
		f.Tensors = append(f.Tensors, tensors(prefix[i], p)...)
	}
	f.Tensors = append(f.Tensors, tensors("best/", r.best)...)
	text, err := json.Marshal(progressState{r.opt.State(), r.watch, r.res.Checks, r.res.Trajectory.Points, r.res.Rows, r.res.Took, r.res.Strings})
	if err != nil {
		return nil, err
	}
	f.Meta[metaProgress] = string(text)
	f.Meta["experiment"] = r.about.about
	r.about.key.Stamp(f)
	return f, nil
}

func tensors(prefix string, p *Params) []checkpoint.Tensor {
	var list []checkpoint.Tensor
	for i, name := range p.Names {
		list = append(list, checkpoint.Tensor{Name: prefix + name, Shape: p.Shapes[i], Data: p.Data[i]})
	}
	return list
}

// stateDigest is the digest of parameters, moments, schedule and counters.
func (r *runner) stateDigest() string {
	p := newParams(r.vm)
	p.read(r.vm, r.vm.Layout().Params)
	state := &checkpoint.File{Meta: map[string]string{}}
	prefix, at := r.blocks()
	for i := 1; i < len(at); i++ {
		m := newParams(r.vm)
		m.read(r.vm, at[i])
		state.Tensors = append(state.Tensors, tensors(prefix[i], m)...)
	}
	s := r.opt.State()
	state.Tensors = append(state.Tensors, checkpoint.Scalar("updates", int64(s.Updates)),
		checkpoint.Scalar("lr", s.LR), checkpoint.Scalar("power1", s.Power1), checkpoint.Scalar("power2", s.Power2),
		checkpoint.Scalar("best", r.watch.Best), checkpoint.Scalar("since", int64(r.watch.Since)), checkpoint.Scalar("without", int64(r.watch.Without)))
	if r.exp.online() {
		state.Tensors = append(state.Tensors, checkpoint.Scalar("strings", int64(r.res.Strings)), checkpoint.Scalar("checks", int64(r.watch.Checks)))
	}
	for _, s := range r.scalars {
		state.Tensors = append(state.Tensors, checkpoint.Scalar("scalar/"+s.Name, s.value))
	}
	return checkpoint.StateDigest(p.Names, p.Shapes, p.Data, state)
}

// pause writes a checkpoint if it is time, and stops the run if that is asked.
//
// A checkpoint lacks the states that batches hand on. Where the next batch needs
// them, what is written is the run as it was when the stream began: kept in
// memory, so that it is there whenever the time comes. In its first stream a
// process does not have it yet; then what it started from stays as it is.
func (r *runner) pause() error {
	stop := r.opts.Stop != nil && r.opts.Stop()
	began := time.Now()
	if r.opts.State != "" {
		due := stop || time.Since(r.saved) >= r.opts.SaveEvery
		whole := !r.next().Continue
		r.streams = r.streams || !whole
		if whole && (due || r.streams) {
			var err error
			if r.point, err = r.file(); err != nil {
				return err
			}
		}
		if due && r.point != nil {
			if err := r.save(began); err != nil {
				return err
			}
		}
	}
	if stop {
		return ErrStopped
	}
	return nil
}

// save writes the point to go on from.
func (r *runner) save(began time.Time) error {
	if err := checkpoint.Write(r.opts.State, r.point); err != nil {
		return err
	}
	r.point, r.saved = nil, time.Now()
	if r.opts.Saved != nil {
		r.opts.Saved(r.saved.Sub(began))
	}
	return nil
}

// resume takes up the checkpoint, if there is one and it is asked for.
func (r *runner) resume() (err error) {
	defer kernel.Catch(&err)
	if r.opts.State == "" || !r.opts.Resume {
		return nil
	}
	f, err := checkpoint.Read(r.opts.State)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("train: %s: %w", r.exp.Name, err)
	}
	if err := r.about.key.Check(f); err != nil {
		return fmt.Errorf("train: %s: %w", r.exp.Name, err)
	}
	if err := r.take(f); err != nil {
		return fmt.Errorf("train: %s: %w", r.exp.Name, err)
	}
	if r.opts.Resumed != nil {
		r.opts.Resumed(r.res.Resumed)
	}
	return nil
}

// take copies a checkpoint into the run.
func (r *runner) take(f *checkpoint.File) error {
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
	if most := r.exp.MaxUpdates; s.Optimizer.Updates >= most && (most > 0 || !r.exp.online()) {
		return fmt.Errorf("%s: metadata %q: have %d updates done, need fewer than %d", f.Path, metaProgress, s.Optimizer.Updates, r.exp.MaxUpdates)
	}
	if s.Rows < 0 || s.Took < 0 || s.Strings < 0 {
		return fmt.Errorf("%s: metadata %q: have %d rows of %d strings in %v, need at least 0 of each", f.Path, metaProgress, s.Rows, s.Strings, s.Took)
	}
	r.res.Strings = s.Strings
	r.res.Rows, r.res.Took, r.before = s.Rows, s.Took, s.Rows
	r.watch, r.res.Checks, r.res.Trajectory.Points = s.Watch, s.Checks, s.Points
	r.res.Updates, r.res.Resumed = s.Optimizer.Updates, s.Optimizer.Updates
	return nil
}

// from fills p with the tensors of that prefix.
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

// forget removes the checkpoint of a finished run.
func (r *runner) forget() error {
	if r.opts.State == "" {
		return nil
	}
	if err := checkpoint.Remove(r.opts.State); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
