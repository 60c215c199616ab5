package verdict

import "strings"

// A share is a percentage where higher is better. It is between 0 and whole.
const (
	whole  = 100
	middle = whole / 2
)

// isShare reports whether unit is a share: a percentage where higher is better.
func isShare(unit string, higher bool) bool { return higher && strings.HasSuffix(unit, "-%") }

// above returns the number of values above middle. In both it reports whether there are
// also values that are not above it.
func above(values []float64) (n int, both bool) {
	for _, v := range values {
		if v > middle {
			n++
		}
	}
	return n, 0 < n && n < len(values)
}
