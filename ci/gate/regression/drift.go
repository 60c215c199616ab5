package regression

import (
	"errors"
	"slices"

	"golang.org/x/perf/benchmath"

	"pushdown/ci/gate/trial"
)

const (
	// newest is the number of commits, head included, that are compared with those before.
	newest = 8
	// window is the number of commits of a history that count, head included.
	window = 30
)

// A series holds the speed of a benchmark in each commit of a history that has it.
type series struct {
	Row
	better int
	values []float64 // medians, oldest first; the last is that of head
}

// JudgeHistory judges head against the texts of earlier commits of the same machine, oldest first,
// and adds the outcome to the report.
func (rep *Report) JudgeHistory(earlier []Text, head Text) {
	if len(earlier) == 0 {
		rep.Warn(NoLoss, "history: no commit of this machine yet, nothing is judged by it")
		return
	}
	list := rep.read(append(slices.Clone(earlier), head)...).series()
	rep.judgeSeries(list)
	if len(rep.Drift) == 0 {
		rep.Warn(NoLoss, "history: earlier commits of this machine: %d, want at least %d for %d benchmarks", len(earlier), leastHistory(len(list))-1, len(list))
		return
	}
	var changes []float64
	for _, row := range rep.Drift {
		changes = append(changes, row.Change)
	}
	// If all benchmarks have become slower, it may be the machine.
	rep.Warn(NoLoss, "history: %d of %d benchmarks judged by %d earlier commits of this machine, median change %+.2f%%", len(rep.Drift), len(list), min(len(earlier), window-1), 100*median(changes))
}

// Check returns an error if JudgeHistory would refuse the text.
func Check(t Text) error {
	rep := &Report{}
	rep.read(t)
	for _, w := range rep.Warnings {
		return errors.New(w.Text)
	}
	return nil
}

// series lists the benchmarks of the last text with their speeds in all texts.
func (r *reading) series() (list []series) {
	for _, b := range r.benchmarks {
		s := series{Row: Row{Pkg: b.pkg, Name: b.name}}
		if s.Unit, s.better = r.unitOf(b.of[len(b.of)-1].units); s.Unit == "" {
			continue
		}
		for _, of := range b.of {
			if v := of.values[s.Unit]; len(v) > 0 {
				s.values = append(s.values, median(v))
			}
		}
		list = append(list, s)
	}
	return list
}

// unitOf returns the unit by which a history judges a benchmark, and its better direction:
// peak-%, or else the first rate or time, or else the time of an iteration. The unit is empty
// if there is none.
func (r *reading) unitOf(units []string) (unit string, better int) {
	if better := r.units.GetBetter(share); slices.Contains(units, share) && better != 0 {
		return share, better
	}
	for _, u := range perOpLast(units) {
		if k, better := r.kindOf(u); k == timed && better != 0 {
			return u, better
		}
	}
	return "", 0
}

// leastHistory returns the number of commits with which a loss can be significant if a
// history has the given number of series: chance alone must put the newest commits last with
// at most the accepted probability.
func leastHistory(series int) int {
	n, orders := newest+1, float64(newest+1) // the number of sets of newest commits among n
	for 1/orders > trial.Alarm/float64(series) {
		n++
		orders = orders * float64(n) / float64(n-newest)
	}
	return n
}

// judgeSeries appends a row to rep.Drift for each series that is long enough.
func (rep *Report) judgeSeries(list []series) {
	least := leastHistory(len(list))
	var chance []float64
	for _, s := range list {
		v := s.values[max(0, len(s.values)-window):]
		if len(v) < least {
			continue
		}
		before, now := v[:len(v)-newest], v[len(v)-newest:]
		row, p := s.Row, 1.0
		row.Base, row.Head, row.Have, row.Need = median(before), median(now), len(v), least
		if row.Change = row.Head/row.Base - 1; s.better < 0 {
			row.Change = row.Base/row.Head - 1
		}
		if row.Change < 0 {
			// Compare doubles the probability, because it looks for losses and gains.
			p = benchmath.AssumeNothing.Compare(sample(before), sample(now)).P / 2
		}
		rep.Drift, chance = append(rep.Drift, row), append(chance, p)
	}
	for len(chance) < len(list) {
		chance = append(chance, 1) // too short to be judged
	}
	chance = trial.Holm(chance)
	for i := range rep.Drift {
		row := &rep.Drift[i]
		switch row.Chance = chance[i]; {
		case row.Chance > trial.Alarm:
		case row.Change <= -rep.Loss:
			row.Outcome = Lost
			rep.Warn(Loss, "history: %s: %s: %+.2f%%", row.Name, row.Unit, 100*row.Change)
		default:
			row.Outcome = Slight
		}
	}
}
