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
func (s Step) String() string {
	switch s {
	case Best:
		return "best"
	case End:
		return "end"
	}
	return strconv.FormatUint(uint64(s), 10)
}

// parseStep is the inverse of String.
func parseStep(text string) (Step, error) {
	switch text {
	case "best":
		return Best, nil
	case "end":
		return End, nil
	}
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil || strconv.FormatUint(n, 10) != text {
		return 0, fmt.Errorf("update: have %q, want a number, best or end", abbreviate(text))
	}
	return Step(n), nil
}

// MarshalText returns the text of String, as which a Step is written in JSON.
func (s Step) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText is the inverse of MarshalText.
func (s *Step) UnmarshalText(text []byte) (err error) {
	*s, err = parseStep(string(text))
	return err
}
