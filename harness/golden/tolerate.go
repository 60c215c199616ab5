package golden

import (
	"fmt"
	"math"
)

// allows reports whether the value of a run and the golden value differ by no more than the
// tolerance.
func (t Tolerance) allows(have, want float64) bool {
	if t.Any || have == want {
		return true
	}
	return math.Abs(have-want) <= max(t.Abs, t.Rel*math.Abs(want))
}

// looserThan reports whether t might allow a difference that the old tolerance does not
// allow. If one of the two has an absolute bound and the other a relative one, the answer
// depends on the values, and looserThan returns true.
func (t Tolerance) looserThan(old Tolerance) bool {
	if old.Any {
		return false
	}
	return t.Any || t.Abs > old.Abs || t.Rel > old.Rel
}

// limits describes in words which differences t allows.
func (t Tolerance) limits() string {
	if !t.Any && t.Abs == 0 && t.Rel == 0 {
		return fmt.Sprintf("equality (%s)", t.Reason)
	}
	return fmt.Sprintf("%s (%s)", JoinFields(t.bounds()), t.Reason)
}
