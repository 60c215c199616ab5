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

// kindOf tells how a unit (as benchunit tidies it) is judged and whether more of
// it is better (+1), worse (-1) or unknown (0).
func kindOf(units benchfmt.UnitMetadataMap, unit string) (kind, int) {
	better := units.GetBetter(unit)
	if unit == perOp && better == 0 {
		better = -1 // a Unit line that says something else of it
	}
	switch {
	case unit == "allocs/op":
		return fixed, -1
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
