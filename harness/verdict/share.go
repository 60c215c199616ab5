package verdict

import "strings"

// The limits and the middle of a share, which is a percentage where higher is
// better.
const (
	whole  = 100
	middle = whole / 2
)

// isShare reports whether a unit is a percentage where higher is better.
func isShare(unit string, higher bool) bool { return higher && strings.HasSuffix(unit, "-%") }

// above compares values with the constant middle. The result n is the number of values that
// are greater, and the result both reports whether some values are greater and some are not.
func above(values []float64) (n int, both bool) {
	for _, v := range values {
		if v > middle {
			n++
		}
	}
	return n, 0 < n && n < len(values)
}
