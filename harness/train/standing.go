package train

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"pushdown/harness/checkpoint"
)

// Standing is how far a run has come that has not ended, by its checkpoint.
type Standing struct {
	Name    string // of the experiment
	Updates int
	Epoch   float64 // that have gone by
	Epochs  float64 // after which the run ends at the latest; 0: not known
	Checks  int     // validations
	Best    float64 // least validation loss, nats; NaN before the first validation
	Took    time.Duration
}

// Left returns how long the run takes at the most from there on, at its mean speed, and
// whether that is known. A run that stops early takes less.
func (s Standing) Left() (time.Duration, bool) {
	if s.Epoch == 0 || s.Epochs == 0 {
		return 0, false
	}
	return time.Duration(float64(s.Took) * max(0, s.Epochs/s.Epoch-1)), true
}

// ReadStanding reads it from a checkpoint.
func ReadStanding(name string) (s Standing, err error) {
	f, err := checkpoint.Read(name)
	if err != nil {
		return s, err
	}
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
		return s, fmt.Errorf("%s: metadata experiment: %w", name, err)
	}
	var p progressState
	if err := json.Unmarshal([]byte(f.Meta[metaProgress]), &p); err != nil {
		return s, fmt.Errorf("%s: metadata %s: %w", name, metaProgress, err)
	}
	if e.Data.PerEpoch < 1 {
		return s, fmt.Errorf("%s: metadata experiment: have %d in an epoch, want at least 1", name, e.Data.PerEpoch)
	}
	s = Standing{Name: e.Name, Updates: p.Optimizer.Updates, Checks: len(p.Checks), Best: math.NaN(), Took: p.Took}
	for _, c := range p.Checks {
		if c.Best {
			s.Best = c.Loss
		}
	}
	per := float64(e.Data.PerEpoch)
	if e.Online != nil { // an epoch is of strings
		s.Epoch, s.Epochs = float64(p.Strings)/per, float64(e.Online.Epochs)
	} else {
		s.Epoch, s.Epochs = float64(p.Optimizer.Updates)/per, float64(e.MaxUpdates)/per
	}
	return s, nil
}
