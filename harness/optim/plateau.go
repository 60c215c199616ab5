package optim

import "fmt"

// Plateau is a schedule of the learning rate. Training checks the validation loss at
// intervals. After each check, Plateau decides whether the loss is a new best, and
// whether to cut the rate, to return to the best parameters or to stop.
type Plateau struct {
	Gain      float64 `json:"gain"`     // relative improvement that a new best must exceed; see GainCuts
	Patience  int     `json:"patience"` // checks without a new best (with GainCuts, without a gain) before the rate is cut; 0: never cut
	Factor    float64 `json:"factor"`   // a cut multiplies the rate by this
	Floor     float64 `json:"floor"`    // lower bound of the rate after a cut
	Stop      int     `json:"stop"`     // checks without a new best before training stops; 0: never
	StopBelow float64 `json:"below"`    // training stops once the loss is below this; 0: never
	Return    bool    `json:"return"`   // a cut returns to the best parameters

	// With Consecutive, a check that is better than the check before starts the count of
	// Patience again, even if its loss is not a new best.
	Consecutive bool `json:"consecutive,omitempty"`

	// With GainCuts, Gain only matters for cuts: every lower loss is a new best, but starts the count of
	// Patience again only if it is lower by Gain than the loss that last did.
	GainCuts bool `json:"gain_cuts,omitempty"`

	From        int     `json:"from,omitempty"`         // first check that may cut, counted from 1
	MinLR       float64 `json:"least,omitempty"`        // training stops once the rate is below this; 0: never
	ReturnBelow float64 `json:"return_below,omitempty"` // once the best loss is below this, every check without a new best returns to the best parameters; 0: never
}

// Check returns an error if a setting is out of range.
func (p Plateau) Check() error {
	switch {
	case !(p.Gain >= 0 && p.Gain < 1):
		return fmt.Errorf("optim: gain of a new best %v, want 0 <= gain < 1", p.Gain)
	case p.Patience < 0 || p.Stop < 0:
		return fmt.Errorf("optim: patience %d and stop %d, want at least 0", p.Patience, p.Stop)
	case p.Patience > 0 && !(p.Factor > 0 && p.Factor < 1):
		return fmt.Errorf("optim: factor of a cut %v, want 0 < factor < 1", p.Factor)
	case p.From < 0 || !(p.MinLR >= 0) || !(p.ReturnBelow >= 0):
		return fmt.Errorf("optim: first check with a cut %d, stop below the rate %v, return below %v, want at least 0", p.From, p.MinLR, p.ReturnBelow)
	case !(p.Floor >= 0) || !(p.StopBelow >= 0):
		return fmt.Errorf("optim: floor %v and stop below %v, want at least 0", p.Floor, p.StopBelow)
	}
	return nil
}

// PlateauState is the state of a Plateau during a run. The zero PlateauState is the
// state before the first check.
type PlateauState struct {
	Checks         int
	Best           float64 // loss; meaningful once Checks > 0
	BestAt         int     // check with the best loss, counted from 1
	SinceBestOrCut int     `json:"Since"`      // checks since the best (with GainCuts, the last gain) or the last cut
	SinceBest      int     `json:"Without"`    // checks since the best
	Last           float64 `json:",omitempty"` // loss of the last check, if Plateau.Consecutive is set
	Gained         float64 `json:",omitempty"` // loss of the last check with a gain, if Plateau.GainCuts is set
}

// Decision is the result of a check.
type Decision struct {
	Best   bool    // the loss is a new best: keep the parameters
	Cut    bool    // the learning rate changes to LR
	LR     float64 // learning rate after the decision
	Return bool    // return to the best parameters
	Stop   bool    // stop training
}

// Observe updates w with the validation loss of the next check and returns the
// decision. lr is the learning rate before the check.
func (p Plateau) Observe(w *PlateauState, loss, lr float64) Decision {
	d := Decision{LR: lr}
	w.Checks++
	before := w.Best
	if p.GainCuts {
		before = w.Gained
	}
	gain := w.Checks == 1 || loss < before-float64(p.Gain*before) // rounded twice, never fused
	d.Best = gain || p.GainCuts && loss < w.Best
	w.SinceBestOrCut++
	w.SinceBest++
	if d.Best {
		w.Best, w.BestAt, w.SinceBest = loss, w.Checks, 0
	}
	if gain || p.Consecutive && loss < w.Last {
		w.SinceBestOrCut = 0
	}
	if p.GainCuts && gain {
		w.Gained = loss
	}
	if p.Consecutive {
		w.Last = loss
	}
	d.Stop = p.StopBelow > 0 && loss < p.StopBelow || p.Stop > 0 && w.SinceBest >= p.Stop
	if !d.Stop && p.Patience > 0 && w.SinceBestOrCut >= p.Patience && w.Checks >= p.From {
		w.SinceBestOrCut = 0
		if cut := max(lr*p.Factor, p.Floor); cut < lr {
			d.Cut, d.LR, d.Return = true, cut, p.Return
		}
	}
	d.Return = d.Return || !d.Best && w.Best < p.ReturnBelow
	d.Stop = d.Stop || d.LR < p.MinLR
	return d
}
