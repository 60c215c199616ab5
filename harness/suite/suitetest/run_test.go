package suitetest

import (
	"testing"

	"pushdown/harness/suite"
)

func TestSeedsSuffice(t *testing.T) {
	for _, c := range []struct {
		scale   suite.Scale
		n       int // the seeds are 11, 12, ...
		present []int
		want    bool
	}{
		{suite.Paper, 3, nil, true},
		{suite.Paper, 3, []int{11}, true},
		{suite.Paper, 3, []int{11, 12}, true},
		{suite.Paper, 3, []int{12}, false},
		{suite.Paper, 3, []int{11, 13}, false},
		{suite.Paper, 3, []int{11, 12, 13}, true},
		{suite.Paper, 10, []int{11, 12}, true},
		{suite.Paper, 10, []int{11, 12, 13}, false}, // three runs can be judged
		{suite.CI, 3, []int{11, 12}, false},
		{suite.CI, 1, nil, false},
		{suite.CI, 1, []int{11}, true},
	} {
		if have := seedsSuffice(c.scale, suite.Runs{Seeds: c.n, First: 11}.List(), c.present); have != c.want {
			t.Errorf("scale %s, seeds %v of %d: have %v, want %v", c.scale, c.present, c.n, have, c.want)
		}
	}
}
