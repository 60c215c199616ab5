package regression

import (
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
)

// A kind is a way to judge a unit.
type kind int

const (
	ignored kind = iota // not gated
	timed               // a rate or a time: judged with statistics, by package trial
	fixed               // must not get worse at all
)

// perOp is the unit of time per operation, which package testing reports by default.
const perOp = "sec/op"

// isCost reports whether less of the unit is always better, even if a text declares
// otherwise. This is so for time per something and for allocations.
func isCost(unit string) bool { return unit == "allocs/op" || strings.HasPrefix(unit, "sec/") }

// declare checks the better direction that a Unit line declares, because a wrong direction
// would turn a loss into a gain. Less of a cost is always better. For other units, a later
// text must declare the same direction as the first.
func (r *reading) declare(side int, rec *benchfmt.UnitMetadata) {
	if rec.Key != "better" {
		return
	}
	file, line := rec.Pos()
	if isCost(rec.Unit) && rec.Value != "lower" {
		r.fault(Unusable, "%s:%d: have better=%s for unit %s, want better=lower for time and allocations", file, line, rec.Value, rec.OrigUnit)
		return
	}
	of := benchfmt.UnitMetadataMap{rec.UnitMetadataKey: rec}
	if want := r.units.GetBetter(rec.Unit); side > 0 && want != 0 && of.GetBetter(rec.Unit) != want {
		r.fault(Unusable, "%s:%d: have better=%s for unit %s, want the direction that it has in %s", file, line, rec.Value, rec.OrigUnit, r.texts[0].Name)
	}
}

// kindOf returns how to judge a unit, and its better direction: +1 if more is better,
// -1 if less is better, 0 if unknown. The unit is in the form of benchunit.Tidy.
func kindOf(units benchfmt.UnitMetadataMap, unit string) (kind, int) {
	better := units.GetBetter(unit)
	if isCost(unit) {
		better = -1
	}
	switch {
	case unit == "allocs/op":
		return fixed, better
	case units.GetAssumption(unit) == benchmath.AssumeExact:
		if better == 0 {
			return ignored, 0
		}
		return fixed, better
	case strings.HasSuffix(unit, "/s"), strings.HasPrefix(unit, "sec/"):
		return timed, better
	}
	return ignored, better
}
