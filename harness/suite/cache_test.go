package suite

import (
	"errors"
	"testing"
)

func TestCache(t *testing.T) {
	var c Cache[string, int]
	calls := 0
	bad := errors.New("bad")
	for i, want := range []struct {
		key string
		err error
		v   int
	}{{"a", bad, 1}, {"a", nil, 2}, {"a", nil, 2}, {"b", nil, 3}, {"a", bad, 2}} {
		have, err := c.Get(want.key, func() (int, error) { calls++; return calls, want.err })
		if have != want.v || err != nil && err != bad || (err == nil) != (i > 0) {
			t.Errorf("call %d: have %d and error %v, want %d", i, have, err, want.v)
		}
	}
}
