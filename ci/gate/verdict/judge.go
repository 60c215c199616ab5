package verdict

import (
	"fmt"
	"slices"

	"pushdown/ci/gate/trial"
)

// Options say what a gate has to see.
type Options struct {
	Alarm float64 // accepted chance that texts without any loss raise an alarm
	Loss  float64 // the loss of speed that has to be seen, 0.05 for 5 %
	Miss  float64 // accepted chance that it is not
	Least float64 // estimates of a smaller loss raise no alarm
}

// Standard is a gate for 5 %. Both chances are promised to be at most 1 %. They
// are set to half of that, because the noise that decides about the samples is
// only an estimate.
var Standard = Options{Alarm: 0.005, Loss: 0.05, Miss: 0.005, Least: 0.01}

// Check returns what is wrong with options.
func (o Options) Check() error {
	if !(o.Least >= 0 && o.Least < o.Loss) {
		return fmt.Errorf("least: have %v, want at least 0 and less than loss, %v", o.Least, o.Loss)
	}
	return o.plan(1).Check()
}

func (o Options) plan(comparisons int) trial.Plan {
	return trial.Plan{Comparisons: comparisons, Alarm: o.Alarm, Loss: o.Loss, Miss: o.Miss}
}

// Outcome is what became of a comparison.
type Outcome int

// The outcomes.
const (
	Same   Outcome = iota // no difference beyond chance
	Lost                  // slower
	Gained                // faster
	Slight                // slower beyond chance, by less than counts
	Few                   // a loss might have been missed
)

func (o Outcome) String() string { return []string{"~", "LOSS", "gain", "slight", "too few"}[o] }

// A Row is a comparison.
type Row struct {
	Pkg, Name, Unit string
	Base, Head      float64 // medians
	Change          float64 // of speed, -0.05 for a loss of 5 %; of the value where Exact; the mean where only that is a loss
	Noise           float64 // relative standard deviation of a sample
	Chance          float64 // of so clear a change if there is none, corrected for the number of comparisons
	Have, Need      int     // samples
	Exact           bool    // judged without statistics
	Outcome         Outcome
}

// A Report is a verdict with its reasons.
type Report struct {
	Status      Status
	Options     Options
	Comparisons int // that the chances are corrected for
	Most        int // samples that the caller would take of a comparison; 0: no bound
	Rows        []Row
	Faults      []Fault
	Notes       []string
}

// Judge compares head with base. It panics if the options are wrong.
func Judge(base, head Text, o Options) *Report {
	if err := o.Check(); err != nil {
		panic("verdict: " + err.Error())
	}
	r := read(base, head)
	common, fresh := r.match()
	var list []*comparison
	var left []string
	for _, b := range common {
		list = append(list, r.compare(b, &left)...)
	}
	if len(common) > 0 && len(list) == 0 {
		r.say(Missing, "no measurement that can be gated, want rates or times in both texts")
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

// decide makes the rows.
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
		if mean := c.trial.Mean(); lost && row.Change > -rep.Options.Least && mean <= -rep.Options.Least {
			row.Change = mean // some of the runs are slower
		}
		switch {
		case lost && row.Change <= -rep.Options.Least:
			row.Outcome = Lost
		case faster[at] <= rep.Options.Alarm:
			row.Outcome = Gained
		case row.Need > row.Have:
			row.Outcome = Few
		case lost:
			row.Outcome = Slight
		}
		rep.Rows = append(rep.Rows, row)
		at++
	}
}

// Count returns how many comparisons came to an outcome.
func (rep *Report) Count(o Outcome) int {
	n := 0
	for _, row := range rep.Rows {
		if row.Outcome == o {
			n++
		}
	}
	return n
}

// worst returns the status that counts.
func (rep *Report) worst() Status {
	have := []Status{NoLoss}
	for _, f := range rep.Faults {
		have = append(have, f.Status)
	}
	if rep.Count(Lost) > 0 {
		have = append(have, Loss)
	}
	if rep.Count(Few) > 0 {
		have = append(have, TooFew)
	}
	return worst[slices.IndexFunc(worst, func(s Status) bool { return slices.Contains(have, s) })]
}
