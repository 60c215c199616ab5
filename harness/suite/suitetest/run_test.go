package suitetest

import (
	"testing"

	"pushdown/harness/suite"
)

func TestSeedsSuffice(t *testing.T) {
	for _, c := range []struct {
		scale   suite.Scale
		n       int
		present []int
		want    bool
	}{
		{suite.Paper, 3, nil, true},
		{suite.Paper, 3, []int{1}, true},
		{suite.Paper, 3, []int{1, 2}, true},
		{suite.Paper, 3, []int{2}, false},
		{suite.Paper, 3, []int{1, 3}, false},
		{suite.Paper, 3, []int{1, 2, 3}, true},
		{suite.Paper, 10, []int{1, 2}, true},
		{suite.Paper, 10, []int{1, 2, 3}, false}, // three runs can be judged
		{suite.CI, 3, []int{1, 2}, false},
		{suite.CI, 1, nil, false},
		{suite.CI, 1, []int{1}, true},
	} {
		if have := seedsSuffice(c.scale, c.n, c.present); have != c.want {
			t.Errorf("scale %s, seeds %v of %d: have %v, want %v", c.scale, c.present, c.n, have, c.want)
		}
	}
}
