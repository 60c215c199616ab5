package verdict

import (
	"strconv"
	"strings"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// A figure in per cent of which more is better is a share: it lies between 0 and
// whole.
const (
	whole  = 100
	middle = whole / 2
)

// isShare tells it of a unit.
func isShare(unit string, higher bool) bool { return higher && strings.HasSuffix(unit, "-%") }

// above counts the values above the middle of a share, and tells whether there are
// some on either side of it.
func above(values []float64) (n int, both bool) {
	for _, v := range values {
		if v > middle {
			n++
		}
	}
	return n, 0 < n && n < len(values)
}

// reproducedWide is how a verdict is shown that says little.
const reproducedWide = string(golden.Reproduced) + " (wide)"

// shown is the outcome as pages have it: reproduced is marked where the interval
// behind it takes up more than half of what a share can be. A number drawn blindly
// would meet such an interval rather than miss it.
func shown(v golden.Verdict, q *papers.Quantity) string {
	if v.Outcome != golden.Reproduced || !isShare(q.Unit, q.Higher) {
		return string(v.Outcome)
	}
	fields, _ := golden.SplitFields(v.Evidence) // which every file has been checked for
	low, high := 0.0, 0.0
	for _, f := range fields {
		switch f.Key {
		case "low":
			low, _ = strconv.ParseFloat(f.Value, 64)
		case "high":
			high, _ = strconv.ParseFloat(f.Value, 64)
		}
	}
	if min(high, whole)-max(low, 0) > middle {
		return reproducedWide
	}
	return string(v.Outcome)
}
