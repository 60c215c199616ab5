package verdict

import "strings"

// A figure in per cent of which more is better is a share: it lies between 0 and
// whole.
const (
	whole  = 100
	middle = whole / 2
)

// isShare reports whether a unit is one.
func isShare(unit string, higher bool) bool { return higher && strings.HasSuffix(unit, "-%") }

// above counts the values above the middle of a share, and reports whether there are
// some on either side of it.
func above(values []float64) (n int, both bool) {
	for _, v := range values {
		if v > middle {
			n++
		}
	}
	return n, 0 < n && n < len(values)
}
