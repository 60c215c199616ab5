package train

import (
	"errors"
	"fmt"
	"math"
	"time"

	"pushdown/harness/golden"
	"pushdown/harness/metric"
)

// Online describes the training of a network that learns from an endless stream while it
// reads. After each group of Every symbols there is an update by the gradient of the mean
// loss of the predictions at these symbols. If there are no predictions, there is no
// update.
//
// The gradient goes back through the last Window steps. It combines the current parameters
// with activations from the time when each step was read. So it is exact only if
// parameters were not updated within the window.
//
// States carry over from string to string. At the start of each epoch and where the stream
// says so, the current group of symbols ends early, the states are reset and the window is
// emptied. There is a validation at the end of each epoch.
type Online struct {
	Stream Stream `json:"-"`      // nil: the run is not online
	Window int    `json:"window"` // number of steps through which a gradient goes back
	Every  int    `json:"every"`  // symbols per update, at most Window; 0: 1
	Epochs int    `json:"epochs"` // maximum number of epochs; 0: no maximum, then MaxUpdates must be set

	// LimitToPredicted limits gradients further: the number of steps through which they go
	// back is also at most the number of symbols predicted since the last reset of the
	// states. This makes a difference if some symbols are not predicted.
	LimitToPredicted bool `json:"earned,omitempty"`

	// BestIfDiverged makes a run end with the best parameters so far if a parameter is not
	// finite, or a loss in training or validation. Without BestIfDiverged the run fails.
	// Even with it, the run fails if there has been no validation yet, or if
	// [Options.Updates] is set.
	BestIfDiverged bool `json:"best_if_diverged,omitempty"`
}

// Stream provides strings that are read one after the other.
type Stream interface {
	// PerEpoch is the number of strings in an epoch.
	PerEpoch() int
	// Fill sets p to the i-th string, counted from 0 through all epochs. It is a
	// function of i alone.
	Fill(i int, p *StreamString)
}

// StreamString is a string of a stream. Slices are reused from string to string.
type StreamString struct {
	ResetStates bool    // states are reset before this string
	Token       []int32 // input symbols
	Target      []int32 // class to predict after each symbol; negative: none
}

// Reset empties the string and keeps its memory.
func (p *StreamString) Reset() { *p = StreamString{Token: p.Token[:0], Target: p.Target[:0]} }

// check returns an error unless there is one target for each symbol.
func (p *StreamString) check(i int) error {
	if len(p.Token) != len(p.Target) {
		return fmt.Errorf("string %d: have %d symbols and %d targets, want one target per symbol", i, len(p.Token), len(p.Target))
	}
	return nil
}

func (e *Experiment) online() bool { return e.Online.Stream != nil }

// perEpoch returns the number of updates, or of strings, in an epoch.
func (e *Experiment) perEpoch() int {
	if e.online() {
		return e.Online.Stream.PerEpoch()
	}
	return e.Train.PerEpoch()
}

// bounds returns the maximum sizes of a training batch.
func (e *Experiment) bounds() Bounds {
	if e.online() {
		n := e.Online.every()
		return Bounds{Strings: 1, Rows: n, Steps: n, Examples: n}
	}
	return e.Train.Bounds()
}

func (o *Online) every() int { return max(o.Every, 1) }

// checkOnline returns an error if an online experiment cannot run.
func (e *Experiment) checkOnline() error {
	o := &e.Online
	switch {
	case o.Window < 1 || o.Every < 0 || o.Every > o.Window:
		return fmt.Errorf("train: %s: have a window of %d steps and an update every %d symbols, want at least 1 step and no more symbols than steps", e.Name, o.Window, o.Every)
	case o.Epochs < 0 || e.MaxUpdates < 0 || o.Epochs+e.MaxUpdates == 0:
		return fmt.Errorf("train: %s: have limits of %d epochs and %d updates, want one of them above 0 and none below", e.Name, o.Epochs, e.MaxUpdates)
	case e.CheckEvery != 0 || e.BPTT != 0 || e.Window != 0:
		return fmt.Errorf("train: %s: have CheckEvery %d, BPTT %d and Window %d, want 0: a stream has epochs and Online.Window", e.Name, e.CheckEvery, e.BPTT, e.Window)
	case o.BestIfDiverged && !e.Best:
		return fmt.Errorf("train: %s: have Online.BestIfDiverged without Best, want both", e.Name)
	case len(e.Scalars) > 0:
		return fmt.Errorf("train: %s: have a schedule of %s, want none: the number of updates in an epoch of a stream is unknown", e.Name, e.Scalars[0].Name)
	case o.Stream.PerEpoch() < 1:
		return fmt.Errorf("train: %s has %d strings in an epoch, want at least 1", e.Name, o.Stream.PerEpoch())
	}
	return nil
}

// reader is the state of an online run.
type reader struct {
	piece StreamString
	goOn  bool // the next batch continues from the states of the last one
	begun bool // this process has read a string
	over  bool // the last allowed update is done
	since int  // symbols predicted since the last reset of the states
	mean  metric.CrossEntropy
}

// online reads strings until the run ends.
func (r *runner) online() error {
	per := r.exp.perEpoch()
	for r.res.Stopped == "" {
		owed, loss := r.owed() > 0, math.NaN() // owed: an earlier process stopped before this validation
		if !owed {
			if err := r.nextString(); err != nil {
				return err
			}
			if r.mean.Rows() > 0 {
				loss, _ = r.mean.Mean()
			}
		}
		p := Progress{Update: r.res.Updates, Epoch: r.res.Strings/per + 1, Loss: loss, Valid: math.NaN(), Rows: r.res.Rows - r.before}
		if r.owed() > 0 {
			p.Epoch--
			if err := r.check(!owed); err != nil {
				return err
			}
			p.Validated = true
			if n := r.exp.Online.Epochs; r.res.Stopped == "" && n > 0 && r.res.Strings >= n*per {
				r.res.Stopped = byEpochs
			}
		}
		if k := len(r.res.Checks); k > 0 {
			p.Valid = r.res.Checks[k-1].Loss
		}
		if most := r.exp.MaxUpdates; r.res.Stopped == "" && most > 0 && r.res.Updates >= most {
			r.res.Stopped = byUpdates
		}
		if r.res.Stopped == "" && r.over {
			return r.finish(byPrefix)
		}
		p.LR = r.opt.State().LR
		if r.opts.Progress != nil {
			r.opts.Progress(p)
		}
	}
	if err := r.finish(r.res.Stopped); err != nil {
		return err
	}
	return r.end()
}

// nextString reads the next string. Before each string except the first one of this
// process, it calls the method pause.
func (r *runner) nextString() error {
	i := r.res.Strings
	began := time.Now()
	r.piece.Reset()
	r.exp.Online.Stream.Fill(i, &r.piece)
	if err := r.piece.check(i); err != nil {
		return err
	}
	if r.piece.ResetStates || i%r.exp.perEpoch() == 0 {
		if err := r.symbols(); err != nil {
			return err
		}
		r.goOn = false
	}
	r.res.Took += time.Since(began)
	if r.begun && !r.over {
		if err := r.pause(); err != nil {
			return err
		}
	}
	r.begun = true
	return r.read(i)
}

// read reads string i, to its end or to the last update of the run.
func (r *runner) read(i int) error {
	began := time.Now()
	defer func() { r.res.Took += time.Since(began) }()
	r.mean = metric.CrossEntropy{}
	every, b := r.exp.Online.every(), &r.batch
	for t, token := range r.piece.Token {
		if r.over {
			return nil
		}
		if class := r.piece.Target[t]; class >= 0 {
			b.ExampleRows = append(b.ExampleRows, int32(len(b.Token)))
			b.Target = append(b.Target, class)
		}
		b.Active = append(b.Active, 1)
		b.Token = append(b.Token, token)
		b.Coord = append(b.Coord, int32(i), int32(t), int32(r.res.Updates))
		if len(b.Token) == every {
			if err := r.symbols(); err != nil {
				return err
			}
		}
	}
	if r.res.Strings = i + 1; r.res.Strings%r.exp.perEpoch() == 0 {
		return r.symbols()
	}
	return nil
}

// symbols runs the network on the symbols gathered in the batch, if there are any. It
// updates the parameters if at least one of these symbols was predicted.
func (r *runner) symbols() error {
	b := &r.batch
	if len(b.Token) == 0 || r.over {
		return nil
	}
	if b.Continue = r.goOn; !b.Continue {
		r.since = 0
	}
	r.goOn = true
	if r.since += len(b.Target); r.exp.Online.LimitToPredicted {
		r.vm.LimitGradient(r.since)
	}
	if err := b.Load(r.vm); err != nil {
		return fmt.Errorf("update %d: %w", r.res.Updates+1, err)
	}
	r.vm.Forward()
	if len(b.Target) == 0 {
		r.res.Rows += int64(len(b.Token))
		b.Reset()
		return nil
	}
	if _, err := r.learn(b); err != nil {
		return err
	}
	r.mean.AddRows(r.loss[:len(b.Target)])
	b.Reset()
	n := r.opt.State().Updates
	r.res.Updates = n
	r.over = n == r.exp.MaxUpdates || n == r.opts.Updates
	if golden.Step(n).Decade() {
		return r.mark(golden.Step(n))
	}
	return nil
}

// divergent reports whether err ends the run with the best parameters instead of
// failing it.
func (r *runner) divergent(err error) bool {
	return r.exp.Online.BestIfDiverged && r.opts.Updates == 0 && len(r.res.Checks) > 0 && errors.Is(err, metric.ErrNotFinite)
}

// diverged ends the run with the best parameters. The last parameters get no digest,
// because they are not finite.
func (r *runner) diverged() error {
	r.best.write(r.vm, r.vm.Layout().Params)
	if err := r.finish(byDivergence); err != nil {
		return err
	}
	return r.end()
}
