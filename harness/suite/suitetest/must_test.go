package suitetest

import (
	"errors"
	"testing"
)

// failing is a testing.TB that records the arguments of Fatal but does not end the
// test.
type failing struct {
	testing.TB
	said []any
}

func (f *failing) Helper()           {}
func (f *failing) Fatal(args ...any) { f.said = append(f.said, args...) }

func TestMust(t *testing.T) {
	bad := errors.New("bad")
	f := &failing{TB: t}
	if v := Must(3, nil)(f); v != 3 || len(f.said) != 0 {
		t.Errorf("have %v and %v without an error, want 3 and nothing", v, f.said)
	}
	if v, w := Must2(3, "x", nil)(f); v != 3 || w != "x" || len(f.said) != 0 {
		t.Errorf("have %v, %v and %v without an error, want 3, x and nothing", v, w, f.said)
	}
	Must(3, bad)(f)
	Must2(3, "x", bad)(f)
	if len(f.said) != 2 || f.said[0] != bad || f.said[1] != bad {
		t.Errorf("have %v, want the error of each call", f.said)
	}
}
