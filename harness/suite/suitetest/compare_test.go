package suitetest

import (
	"errors"
	"testing"
)

// counting is a testing.TB that counts errors.
type counting struct {
	testing.TB
	errors int
}

func (c *counting) Helper()               {}
func (c *counting) Errorf(string, ...any) { c.errors++ }

func TestCompare(t *testing.T) {
	c := &counting{TB: t}
	Equal(c, []int{1, 2}, []int{1, 2}, "equal")
	Error(c, errors.New("a bad name"), "bad")
	if c.errors != 0 {
		t.Errorf("have %d errors, want none", c.errors)
	}
	Equal(c, []int{1, 2}, []int{1, 3}, "list %d", 1)
	Error(c, errors.New("a good name"), "bad")
	Error(c, nil, "")
	if c.errors != 3 {
		t.Errorf("have %d errors, want 3", c.errors)
	}
}
