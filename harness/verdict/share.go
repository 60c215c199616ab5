package verdict

import "strings"

// The greatest share, which is a percentage where higher is better, and the middle.
const (
	whole  = 100
	Middle = whole / 2
)

// IsShare reports whether a unit is a percentage where higher is better.
func IsShare(unit string, higher bool) bool { return higher && strings.HasSuffix(unit, "-%") }

// Above compares values with the constant Middle. The result n is the number of values that
// are greater, and the result both reports whether some values are greater and some are not.
func Above(values []float64) (n int, both bool) {
	for _, v := range values {
		if v > Middle {
			n++
		}
	}
	return n, 0 < n && n < len(values)
}
