package recognition

import (
	"testing"

	"pushdown/golden/papers"
)

// TestOrdered compares the first of two with the second, in every pair.
func TestOrdered(t *testing.T) {
	more := func(a, b float64) bool { return a > b }
	for _, c := range []struct {
		values []float64
		want   bool
	}{{[]float64{2, 1}, true}, {[]float64{1, 2}, false}, {[]float64{2, 1, 3, 1}, true}, {[]float64{2, 1, 1, 1}, false}, {[]float64{2, 1, 0, 3}, false}} {
		if got := ordered(c.values, more); got != c.want {
			t.Errorf("%v: %v, want %v", c.values, got, c.want)
		}
	}
}

// TestPublishedRows: every printed cell of tables 1 to 4 and 6 to 8 has a run that
// answers it, and no other run claims to.
func TestPublishedRows(t *testing.T) {
	list := append(append(Table6(), Table7()...), Table8()...)
	for _, c := range tables {
		list = append(list, Table(c.table, Networks()...)...)
	}
	list = append(list, Announced()...)
	cells := 0
	for _, e := range list {
		n := len(papers.Published().At(string(group(e.Row))))
		if e.published() != (n > 0) {
			t.Errorf("%v: %d printed cells, published is %v", e.Row, n, e.published())
		}
		cells += n
	}
	// 48 rows of 6 cells, and of each of 3 tables 6 rows of 4.
	if want := 48*6 + 3*6*4; cells != want {
		t.Errorf("%d printed cells, want %d", cells, want)
	}
}
