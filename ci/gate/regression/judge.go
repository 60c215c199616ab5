package regression

import (
	"flag"
	"fmt"
	"slices"
	"strconv"

	"golang.org/x/perf/benchmath"

	"pushdown/ci/gate/trial"
)

// MinLoss is the smallest estimated loss that fails.
const MinLoss = 0.01

// Flag defines the flag for the loss to detect.
func Flag(flags *flag.FlagSet) *float64 {
	loss := 0.05
	flags.Func("loss", "the `loss` of speed to detect (default 0.05)", func(value string) error {
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || !(v > MinLoss && v < 1) {
			return fmt.Errorf("want a number above %v and below 1", MinLoss)
		}
		loss = v
		return nil
	})
	return &loss
}

// Outcome is the result of one comparison.
type Outcome int

// The outcomes.
const (
	Same          Outcome = iota // no significant difference
	Lost                         // slower
	Gained                       // faster
	Slight                       // significantly slower, but by less than MinLoss
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

	trial *trial.Trial // nil if Exact or judged by a history
}

// Status is the result of comparing two texts. Its value is the exit status of the
// commands gate and compare.
type Status int

// The statuses.
const (
	NoLoss      Status = iota // no loss, and enough samples to be sure
	Loss                      // something has become slower, or allocates more
	Unusable                  // wrong arguments, or text that is damaged or incomplete
	TooFew                    // no loss was seen, but one may have been missed
	Missing                   // no baseline, or head lacks a benchmark or measurement of base
	Environment               // the two sides ran in different environments
)

func (s Status) String() string {
	return []string{"no loss", "loss", "unusable input", "too few samples", "missing benchmarks", "changed environment"}[s]
}

// severity lists the statuses, most severe last.
var severity = []Status{NoLoss, TooFew, Missing, Loss, Environment, Unusable}

// A Warning is what a reader of a report should know beside its tables: a reason for a status, or
// a remark, which has the status NoLoss.
type Warning struct {
	Status Status
	Text   string
}

// A Report has the outcomes of all comparisons.
type Report struct {
	Loss     float64 // the loss of speed to detect, 0.05 for 5 %
	Rows     []Row
	Drift    []Row // benchmarks judged by a history: Base is the median of earlier commits, Head that of the newest
	Warnings []Warning
}

// Warn adds a warning, unless the report has it.
func (rep *Report) Warn(s Status, format string, args ...any) {
	if w := (Warning{s, fmt.Sprintf(format, args...)}); !slices.Contains(rep.Warnings, w) {
		rep.Warnings = append(rep.Warnings, w)
	}
}

// Status returns the most severe status of the warnings.
func (rep *Report) Status() Status {
	worst := 0
	for _, w := range rep.Warnings {
		worst = max(worst, slices.Index(severity, w.Status))
	}
	return severity[worst]
}

// Judge compares head with base. The loss to detect is more than MinLoss and less than 1.
func Judge(base, head Text, loss float64) *Report {
	rep := &Report{Loss: loss}
	r := rep.read(base, head)
	matched := false
	for _, b := range r.benchmarks {
		switch {
		case len(b.of[0].rounds) == 0:
			rep.Warn(NoLoss, "new in head: %s", b.title())
		case len(b.of[1].rounds) == 0:
			rep.Warn(Missing, "%s: no %s, which %s has", head.Name, b.title(), base.Name)
		case r.matches(b):
			matched = true
			r.compare(b)
			if b.of[0].rounds[0] == "" {
				rep.Warn(NoLoss, "no round lines: samples are taken to be interleaved in their order")
			}
		}
	}
	if matched && len(rep.Rows) == 0 {
		rep.Warn(Missing, "no measurement that can be gated, want rates or times in both texts")
	}
	rep.decide()
	return rep
}

// matches reports whether the two sides of b can be compared: they must have the same
// number of samples, from the same rounds, and head must have every unit that base has.
// Head may have further units. Each unit of a side must be in all samples of that side. If
// something is missing, matches warns of it.
func (r *reading) matches(b *benchmark) bool {
	before := len(r.rep.Warnings)
	base, head := b.of[0], b.of[1]
	for _, unit := range base.units {
		if !slices.Contains(head.units, unit) {
			r.rep.Warn(Missing, "%s: no %s of %s, which %s has", r.texts[1].Name, unit, b.title(), r.texts[0].Name)
		}
	}
	for i, s := range b.of {
		for _, unit := range s.units {
			if n := len(s.values[unit]); n != len(s.rounds) {
				r.rep.Warn(Unusable, "%s: %s: %s in %d of %d samples, want it in all", r.texts[i].Name, b.title(), unit, n, len(s.rounds))
			}
		}
	}
	if n := len(base.rounds); n != len(head.rounds) {
		r.rep.Warn(Unusable, "%s: have %d samples in %s and %d in %s, want equal numbers", b.title(), n, r.texts[0].Name, len(head.rounds), r.texts[1].Name)
	} else if !slices.Equal(base.rounds, head.rounds) {
		r.rep.Warn(Unusable, "%s: have rounds %q in %s and %q in %s, want the same", b.title(), base.rounds, r.texts[0].Name, head.rounds, r.texts[1].Name)
	}
	return len(r.rep.Warnings) == before
}

// compare adds a row to the report for each measurement of a benchmark that is judged. Exact ones
// are judged here.
func (r *reading) compare(b *benchmark) {
	first := len(r.rep.Rows)
	for _, unit := range perOpLast(b.of[0].units) {
		base, head := b.of[0].values[unit], b.of[1].values[unit]
		row := Row{Pkg: b.pkg, Name: b.name, Unit: unit, Base: median(base), Head: median(head), Have: len(base)}
		switch kind, better := r.kindOf(unit); {
		case kind == ignored:
			r.rep.Warn(NoLoss, "not gated: %s", unit)
			continue
		case better == 0:
			r.rep.Warn(Unusable, "unit %s: no better direction, want a line such as %q in %s", unit, "Unit "+unit+" better=higher", r.texts[0].Name)
			continue
		case kind == timed:
			row.trial = trial.New(base, head, better)
			if slices.ContainsFunc(r.rep.Rows[first:], func(o Row) bool { return o.trial != nil && o.trial.Repeats(row.trial) }) {
				continue
			}
		default:
			row.Exact, row.Change = true, row.Head/row.Base-1
			switch rise := float64(better) * (row.Head - row.Base); {
			case rise < 0:
				row.Outcome = Lost
			case rise > 0:
				row.Outcome = Gained
			}
		}
		r.rep.Rows = append(r.rep.Rows, row)
	}
}

// decide judges the rows that have a trial, and warns of losses and of too few samples.
func (rep *Report) decide() {
	var slower, faster []float64
	for _, row := range rep.Rows {
		if row.trial != nil {
			slower, faster = append(slower, row.trial.Slower()), append(faster, row.trial.Faster())
		}
	}
	slower, faster = trial.Holm(slower), trial.Holm(faster)
	n := len(slower)
	var worst Row // of those with too few samples
	for i := range rep.Rows {
		row := &rep.Rows[i]
		if t := row.trial; t != nil {
			lost, gained := slower[0] <= trial.Alarm, faster[0] <= trial.Alarm
			row.Change, row.Noise, row.Need, row.Chance = t.Change(), t.Noise(), t.Need(rep.Loss, n), min(slower[0], faster[0])
			slower, faster = slower[1:], faster[1:]
			if mean := t.Mean(); lost && row.Change > -MinLoss && mean <= -MinLoss {
				row.Change = mean // only some of the runs are slower
			}
			switch {
			case lost && row.Change <= -MinLoss:
				row.Outcome = Lost
			case gained:
				row.Outcome = Gained
			case row.Need > row.Have:
				row.Outcome = TooFewSamples
				if row.Need > worst.Need {
					worst = *row
				}
			case lost:
				row.Outcome = Slight
			}
		}
		if row.Outcome == Lost {
			rep.Warn(Loss, "%s: %s: %+.2f%%", row.Name, row.Unit, 100*row.Change)
		}
	}
	if worst.Need > 0 {
		rep.Warn(TooFew, "have %d, want about %d to see a loss of %.3g%% (%s, %s, noise %.1f%%)",
			worst.Have, worst.Need, 100*rep.Loss, worst.Name, worst.Unit, 100*worst.Noise)
	}
}

// sample returns values as a sample of package benchmath.
func sample(values []float64) *benchmath.Sample {
	return benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds)
}

// median returns the median of values.
func median(values []float64) float64 {
	return benchmath.AssumeNothing.Summary(sample(values), 0).Center
}
