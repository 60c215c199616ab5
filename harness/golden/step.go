package golden

import (
	"fmt"
	"strconv"
)

// A Step is a position along a run: an update number, where 0 is the initial
// state, or one of the two states Best and End.
type Step uint64

const (
	// Best marks the parameters of the best validation, if the run returns these as its
	// result.
	Best Step = 1<<63 + iota
	// End marks the parameters after the last update, or the best ones if the run
	// diverged.
	End
)

// String returns the word "best", the word "end" or the update number.
func (m Step) String() string {
	switch m {
	case Best:
		return "best"
	case End:
		return "end"
	}
	return strconv.FormatUint(uint64(m), 10)
}

// parseMark is the inverse of String.
func parseMark(s string) (Step, error) {
	switch s {
	case "best":
		return Best, nil
	case "end":
		return End, nil
	}
	n, err := strconv.ParseUint(s, 10, 63)
	if err != nil || strconv.FormatUint(n, 10) != s {
		return 0, fmt.Errorf("update: have %q, want a number, best or end", abbreviate(s))
	}
	return Step(n), nil
}
