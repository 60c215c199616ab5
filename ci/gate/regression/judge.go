package regression

import (
	"fmt"
	"slices"

	"pushdown/ci/gate/trial"
)

// Options set the sensitivity of a gate.
type Options struct {
	Alarm   float64 // accepted probability of an alarm when nothing has become slower
	Loss    float64 // the loss of speed to detect, 0.05 for 5 %
	Miss    float64 // accepted probability of missing such a loss
	MinLoss float64 // a loss whose estimate is smaller raises no alarm
}

// Standard is a gate for losses of 5 %. The promised probability of a false alarm and
// that of a miss are 1 % each. Alarm and Miss are set to half of that, because the
// number of samples depends on the noise, which is only estimated.
var Standard = Options{Alarm: 0.005, Loss: 0.05, Miss: 0.005, MinLoss: 0.01}

// Check returns an error if the options are inconsistent or out of range.
func (o Options) Check() error {
	if !(o.MinLoss >= 0 && o.MinLoss < o.Loss) {
		return fmt.Errorf("least: have %v, want at least 0 and less than loss, %v", o.MinLoss, o.Loss)
	}
	return o.plan(1).Check()
}

func (o Options) plan(comparisons int) trial.Plan {
	return trial.Plan{Comparisons: comparisons, Alarm: o.Alarm, Loss: o.Loss, Miss: o.Miss}
}

// Outcome is the result of one comparison.
type Outcome int

// The outcomes.
const (
	Same          Outcome = iota // no significant difference
	Lost                         // slower
	Gained                       // faster
	BelowMinLoss                 // significantly slower, but by less than Options.MinLoss
	TooFewSamples                // too few samples: a loss may have been missed
)

func (o Outcome) String() string { return []string{"~", "LOSS", "gain", "slight", "too few"}[o] }

// A Row describes a comparison and its outcome.
type Row struct {
	Pkg, Name, Unit string
	Base, Head      float64 // medians
	Change          float64 // relative change of speed, -0.05 for a loss of 5 %, by the mean if only the mean shows the loss; if Exact, relative change of the value
	Noise           float64 // relative standard deviation of a sample
	Chance          float64 // probability of a difference as clear as this if the sides do not differ, corrected for the number of comparisons
	Have, Need      int     // numbers of samples
	Exact           bool    // judged without statistics
	Outcome         Outcome
}

// A Report is a verdict with its reasons.
type Report struct {
	Status      Status
	Options     Options
	Comparisons int // number of comparisons for which the probabilities are corrected
	MaxSamples  int // the caller takes at most this many samples of a benchmark; 0 means no limit
	Rows        []Row
	Drift       []Row // benchmarks judged by a history: Base is the median of earlier commits, Head that of the newest
	Faults      []Fault
	Notes       []string
}

// Judge compares head with base. It panics if o.Check fails.
func Judge(base, head Text, o Options) *Report {
	if err := o.Check(); err != nil {
		panic("regression: " + err.Error())
	}
	r := read(base, head)
	common, fresh := r.match()
	var list []*comparison
	var left []string
	for _, b := range common {
		list = append(list, r.compare(b, &left)...)
	}
	if len(common) > 0 && len(list) == 0 {
		r.fault(Missing, "no measurement that can be gated, want rates or times in both texts")
	}
	rep := &Report{Options: o, Faults: r.faults}
	rep.decide(list)
	for _, name := range fresh {
		rep.Notes = append(rep.Notes, "new in head: "+name)
	}
	for _, unit := range left {
		rep.Notes = append(rep.Notes, "not gated: "+unit)
	}
	if slices.ContainsFunc(common, func(b *benchmark) bool { return b.side[0].rounds[0] == "" }) {
		rep.Notes = append(rep.Notes, "no round lines: samples are taken to be interleaved in their order")
	}
	rep.Status = rep.worst()
	return rep
}

// decide appends a row with its outcome for each comparison.
func (rep *Report) decide(list []*comparison) {
	var slower, faster []float64
	for _, c := range list {
		if c.trial != nil {
			rep.Comparisons++
			slower, faster = append(slower, c.trial.Slower()), append(faster, c.trial.Faster())
		}
	}
	slower, faster = trial.Holm(slower), trial.Holm(faster)
	at := 0
	for _, c := range list {
		if c.trial == nil {
			rep.Rows = append(rep.Rows, c.exact())
			continue
		}
		row := c.row()
		row.Change, row.Noise = c.trial.Change(), c.trial.Noise()
		row.Need = rep.Options.plan(rep.Comparisons).Need(c.trial)
		row.Chance = min(slower[at], faster[at])
		lost := slower[at] <= rep.Options.Alarm
		if mean := c.trial.Mean(); lost && row.Change > -rep.Options.MinLoss && mean <= -rep.Options.MinLoss {
			row.Change = mean // only some of the runs are slower
		}
		switch {
		case lost && row.Change <= -rep.Options.MinLoss:
			row.Outcome = Lost
		case faster[at] <= rep.Options.Alarm:
			row.Outcome = Gained
		case row.Need > row.Have:
			row.Outcome = TooFewSamples
		case lost:
			row.Outcome = BelowMinLoss
		}
		rep.Rows = append(rep.Rows, row)
		at++
	}
}

// Count returns the number of comparisons with outcome o.
func (rep *Report) Count(o Outcome) int {
	n := 0
	for _, row := range rep.Rows {
		if row.Outcome == o {
			n++
		}
	}
	return n
}

// Fault adds a fault that was found outside of this package.
func (rep *Report) Fault(s Status, err error) {
	rep.Faults = append(rep.Faults, Fault{s, err.Error()})
	rep.Status = rep.worst()
}

// worst returns the most severe status that applies.
func (rep *Report) worst() Status {
	have := []Status{NoLoss}
	for _, f := range rep.Faults {
		have = append(have, f.Status)
	}
	if rep.Count(Lost)+rep.drifted(Lost) > 0 {
		have = append(have, Loss)
	}
	if rep.Count(TooFewSamples) > 0 {
		have = append(have, TooFew)
	}
	return worst[slices.IndexFunc(worst, func(s Status) bool { return slices.Contains(have, s) })]
}
