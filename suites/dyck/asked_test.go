package dyck

import (
	"testing"

	"pushdown/corpora/formal"
	"pushdown/harness/metric"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
)

// TestFromFailing finds the nearest of the distances with the lowest accuracy.
func TestFromFailing(t *testing.T) {
	count := func(distance int, right, cases int64) metric.Count {
		return metric.Count{Distance: distance, Share: metric.Share{Correct: right, Cases: cases}}
	}
	for _, c := range []struct {
		counts []metric.Count
		want   int
	}{
		{[]metric.Count{count(1, 9, 10), count(251, 0, 1), count(291, 1, 7), count(333, 0, 5), count(401, 0, 1)}, 33},
		{[]metric.Count{count(1, 9, 10), count(297, 4, 5), count(301, 6, 9), count(411, 2, 3)}, 1},
		{[]metric.Count{count(1, 5, 5), count(203, 2, 2)}, 97},
		{[]metric.Count{count(299, 1, 1), count(3, 99_999_999, 100_000_000)}, 297},
	} {
		if have := fromFailing(c.counts); have != c.want {
			t.Errorf("%v: %d from %d, want %d", c.counts, have, failing, c.want)
		}
	}
}

// TestBySymbol: the cells of trained attention models depend on the symbol alone if
// the choice is sharp, and do not if it is soft.
func TestBySymbol(t *testing.T) {
	dev := suite.Open(t)
	e := Reduced()[1]
	if e.Kind != Attention {
		t.Fatalf("the second reduced row is of kind %s", e.Kind)
	}
	p := suitetest.Must(train.ReadParams(suite.TrainedFile(e)))(t)
	for temperature, want := range map[float64]bool{0: true, 1: false} { // each is reported
		r := suitetest.Must(e.Read(dev, p, 1, formal.Test, temperature))(t)
		have := suitetest.Must(e.bySymbol(dev, p, 1, r))(t)
		if have != want {
			t.Errorf("at temperature %v the cell depends on the symbol alone: %v, want %v", temperature, have, want)
		}
	}
}
