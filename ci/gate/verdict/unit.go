package verdict

import (
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
)

// kind is how a unit is judged.
type kind int

const (
	ignored kind = iota
	timed        // a rate or a time: by trials
	fixed        // may not get worse at all
)

// perOp is time per operation, which every benchmark reports.
const perOp = "sec/op"

// costs reports whether a unit counts what nobody wants more of, whatever a text
// says of it: time per something, and allocations.
func costs(unit string) bool { return unit == "allocs/op" || strings.HasPrefix(unit, "sec/") }

// declare takes a Unit line. Its direction may not turn a loss into a gain: costs
// are better lower, and head may not disagree with base.
func (r *reading) declare(side int, rec *benchfmt.UnitMetadata) {
	if rec.Key != "better" {
		return
	}
	file, line := rec.Pos()
	if costs(rec.Unit) && rec.Value != "lower" {
		r.say(Unusable, "%s:%d: have better=%s for unit %s, want better=lower for what counts time or allocations", file, line, rec.Value, rec.OrigUnit)
		return
	}
	of := benchfmt.UnitMetadataMap{rec.UnitMetadataKey: rec}
	if want := r.units.GetBetter(rec.Unit); side == 1 && want != 0 && of.GetBetter(rec.Unit) != want {
		r.say(Unusable, "%s:%d: have better=%s for unit %s, want the direction that it has in %s", file, line, rec.Value, rec.OrigUnit, r.texts[0].Name)
	}
}

// kindOf tells how a unit (as benchunit tidies it) is judged and whether more of
// it is better (+1), worse (-1) or unknown (0).
func kindOf(units benchfmt.UnitMetadataMap, unit string) (kind, int) {
	better := units.GetBetter(unit)
	if costs(unit) {
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
