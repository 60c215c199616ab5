package regression

import (
	"slices"
	"strings"

	"golang.org/x/perf/benchmath"
)

// A kind is a way to judge a unit.
type kind int

const (
	ignored kind = iota // not gated
	timed               // a rate or a time: judged with statistics, by package trial
	fixed               // must not get worse at all
)

const (
	perOp = "sec/op" // time per operation, which package testing reports by default
	share = "peak-%" // a speed that is divided by a bound measured in the same process
)

func isTime(unit string) bool { return strings.HasPrefix(unit, "sec/") }

func isRate(unit string) bool { return strings.HasSuffix(unit, "/s") }

// perOpLast returns units with time per operation moved to the end.
func perOpLast(units []string) []string {
	list := slices.DeleteFunc(slices.Clone(units), func(u string) bool { return u == perOp })
	if len(list) < len(units) {
		list = append(list, perOp)
	}
	return list
}

// kindOf returns how to judge a unit, and its better direction: +1 if more is better,
// -1 if less is better, 0 if unknown. The unit is in the form of benchunit.Tidy. Less time and
// fewer allocations are better whatever a text declares.
func (r *reading) kindOf(unit string) (kind, int) {
	better := r.units.GetBetter(unit)
	if isTime(unit) || unit == "allocs/op" {
		better = -1
	}
	switch {
	case unit == "allocs/op", better != 0 && r.units.GetAssumption(unit) == benchmath.AssumeExact:
		return fixed, better
	case isTime(unit), isRate(unit):
		return timed, better
	}
	return ignored, better
}
