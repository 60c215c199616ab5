package train

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"pushdown/harness/checkpoint"
)

// SavedProgress is the progress of an unfinished run, read from its checkpoint.
type SavedProgress struct {
	Name    string // name of the experiment
	Updates int
	Epoch   float64 // epochs done
	Epochs  float64 // maximum number of epochs of the run; 0: unknown
	Checks  int     // validations done
	Best    float64 // least validation loss, nats; NaN before the first validation
	Took    time.Duration
}

// Left returns an upper bound of the remaining time at the mean speed so far, and
// reports whether it is known. A run that stops early takes less.
func (s SavedProgress) Left() (time.Duration, bool) {
	if s.Epoch == 0 || s.Epochs == 0 {
		return 0, false
	}
	return time.Duration(float64(s.Took) * max(0, s.Epochs/s.Epoch-1)), true
}

// ReadProgress reads the progress of a run from the checkpoint file with the given
// name.
func ReadProgress(name string) (s SavedProgress, err error) {
	f, err := checkpoint.Read(name)
	if err != nil {
		return s, err
	}
	return progressOf(f)
}

// progressOf returns the progress of the run whose checkpoint is f.
func progressOf(f *checkpoint.File) (s SavedProgress, err error) {
	var e struct {
		Name       string `json:"name"`
		MaxUpdates int    `json:"max_updates"`
		Online     *struct {
			Epochs int `json:"epochs"`
		} `json:"online"`
		Data struct {
			PerEpoch int `json:"per_epoch"`
		} `json:"data"`
	}
	if err := json.Unmarshal([]byte(f.Meta["experiment"]), &e); err != nil {
		return s, fmt.Errorf("%s: metadata experiment: %w", f.Path, err)
	}
	var p progressState
	if err := json.Unmarshal([]byte(f.Meta[metaProgress]), &p); err != nil {
		return s, fmt.Errorf("%s: metadata %s: %w", f.Path, metaProgress, err)
	}
	if e.Data.PerEpoch < 1 {
		return s, fmt.Errorf("%s: metadata experiment: have %d in an epoch, want at least 1", f.Path, e.Data.PerEpoch)
	}
	s = SavedProgress{Name: e.Name, Updates: p.Optimizer.Updates, Checks: len(p.Checks), Best: math.NaN(), Took: p.Took}
	for _, c := range p.Checks {
		if c.Best {
			s.Best = c.Loss
		}
	}
	per := float64(e.Data.PerEpoch)
	if e.Online != nil { // epochs count strings
		s.Epoch, s.Epochs = float64(p.Strings)/per, float64(e.Online.Epochs)
	} else {
		s.Epoch, s.Epochs = float64(p.Optimizer.Updates)/per, float64(e.MaxUpdates)/per
	}
	return s, nil
}
