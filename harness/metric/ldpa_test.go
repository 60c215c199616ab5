package metric

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/rng"
)

// pair is a closing bracket of a test string, described by its type and its
// distance from the opening bracket.
type pair struct {
	kind     int
	distance int
}

// pairs draws the closing brackets of a random well-nested string.
func pairs(q *rng.Seq, kinds, most int) []pair {
	type open struct{ at, kind int }
	var (
		stack []open
		list  []pair
	)
	for at := 0; at < most || len(stack) > 0; at++ {
		if at < most && (len(stack) == 0 || q.IntN(2) == 0) {
			stack = append(stack, open{at, int(q.IntN(uint32(kinds)))})
			continue
		}
		last := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		list = append(list, pair{last.kind, at - last.at})
	}
	return list
}

// TestUniformAndTruePredictors checks two predictors. One gives equal probabilities
// to all closing brackets and has LDPA 0 at every distance. The other knows the
// string and has LDPA 1. The probability that they leave to other tokens makes no
// difference.
func TestUniformAndTruePredictors(t *testing.T) {
	for _, kinds := range []int{2, 3, 8, 128} {
		for _, rule := range []Rule{Paper, PublicCode} {
			uniform, oracle := NewLDPA(rule, 0), NewLDPA(rule, 1000)
			s := rng.New(uint64(kinds), "test")
			row := make([]float32, kinds)
			for index := range uint32(20) {
				q := s.Seq(index, 0)
				for i, p := range pairs(&q, kinds, 200) {
					mass := s.Uniform(rng.At{Unit: uint32(i), Row: index, Update: 1}, 0.01, 1)
					for k := range row {
						row[k] = mass / float32(kinds)
					}
					uniform.AddRow(p.distance, row, p.kind)
					clear(row)
					row[p.kind] = mass
					oracle.AddRow(p.distance, row, p.kind)
				}
			}
			if diff := cmp.Diff(len(uniform.Counts()), len(oracle.Counts())); diff != "" {
				t.Fatalf("distances (-uniform +oracle):\n%s", diff)
			}
			for _, c := range uniform.Counts() {
				if c.Percent() != 0 {
					t.Errorf("k=%d %v: uniform predictor has %v, want 0", kinds, rule, c)
				}
			}
			for _, c := range oracle.Counts() {
				if c.Percent() != 100 {
					t.Errorf("k=%d %v: true predictor has %v, want 1", kinds, rule, c)
				}
			}
			for name, l := range map[string]*LDPA{"uniform": uniform, "true": oracle} {
				worst, err := l.Worst(1)
				if err != nil {
					t.Fatal(err)
				}
				if want := map[string]float64{"uniform": 0, "true": 100}[name]; worst.Percent() != want {
					t.Errorf("k=%d %v: WCPA of the %s predictor is %v, want %v", kinds, rule, name, worst.Percent(), want)
				}
				if l.Undefined() != 0 {
					t.Errorf("%d shares are undefined", l.Undefined())
				}
			}
		}
	}
}

// filled returns an LDPA with counts of correct predictions: 7 of 8 at distance 1, 9 of 9 at
// distance 3, 2 of 3 at distance 7, and 20 of 30 at distance 9.
func filled(rule Rule) *LDPA {
	l := NewLDPA(rule, 4)
	add := func(distance, correct, cases int) {
		for i := range cases {
			p := 0.25
			if i < correct {
				p = 1
			}
			l.add(distance, p, 1)
		}
	}
	add(9, 20, 30)
	add(1, 7, 8)
	add(7, 2, 3)
	add(3, 9, 9)
	return l
}

func TestCountsAndWorst(t *testing.T) {
	l := filled(Paper)
	want := []Count{{1, Share{7, 8}}, {3, Share{9, 9}}, {7, Share{2, 3}}, {9, Share{20, 30}}}
	if diff := cmp.Diff(want, l.Counts()); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Share{38, 50}, l.Total()); diff != "" {
		t.Errorf("total (-want +got):\n%s", diff)
	}
	for _, c := range []struct {
		least int64
		want  string
	}{
		{0, "distance 7: 2/3 (66.67%)"}, // 20/30 is equal, but 7 is the shorter distance
		{1, "distance 7: 2/3 (66.67%)"},
		{4, "distance 9: 20/30 (66.67%)"},
		{30, "distance 9: 20/30 (66.67%)"},
		{31, "worst-case prediction accuracy: no distance has 31 cases; the most, 30, are at distance 9"},
	} {
		worst, err := l.Worst(c.least)
		got := worst.String()
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("at least %d cases: got %q, want %q", c.least, got, c.want)
		}
	}
	if _, err := NewLDPA(Paper, 4).Worst(1); err == nil || err.Error() != "worst-case prediction accuracy: have no closing brackets, want at least 1" {
		t.Errorf("without brackets: got error %v", err)
	}
}

// TestUndefinedShares checks that an undefined share counts as a wrong prediction and
// makes Worst fail.
func TestUndefinedShares(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range [][2]float32{{0, 0}, {1, 0}, {nan, 1}, {1, nan}, {nan, nan}, {inf, inf}, {1, inf}, {inf, 1}, {-1, -1}, {-0.5, 1}, {0.5, -1}} {
		for _, rule := range []Rule{Paper, PublicCode} {
			l := NewLDPA(rule, 1)
			l.add(1, float64(c[0]), float64(c[1]))
			if got := l.Total(); got != (Share{0, 1}) || l.Undefined() != 1 {
				t.Errorf("%v of %v: share %v, %d undefined, want 0/1 and 1", c[0], c[1], got, l.Undefined())
			}
		}
	}
	l := NewLDPA(Paper, 1)
	l.AddRow(1, []float32{nan, 1}, 1)
	if l.Undefined() != 1 {
		t.Errorf("a NaN among the others: %d undefined, want 1", l.Undefined())
	}
	l.add(1, 1, 1)
	const want = "worst-case prediction accuracy: the model gives no share for 1 of 2 closing brackets, want numbers for all"
	if worst, err := l.Worst(1); err == nil || err.Error() != want || worst != (Count{}) {
		t.Errorf("worst is %v, error %v, want the error %q", worst, err, want)
	}
}

func TestMisusePanics(t *testing.T) {
	for _, c := range []struct {
		want string
		call func()
	}{
		{"metric: distance is -1, want 0 or more", func() { NewLDPA(Paper, 1).AddRow(-1, []float32{1}, 0) }},
	} {
		func() {
			defer func() {
				if got := recover(); got != c.want {
					t.Errorf("got panic %v, want %q", got, c.want)
				}
			}()
			c.call()
		}()
	}
}

func TestNoAllocationPerRow(t *testing.T) {
	l := NewLDPA(Paper, 9)
	var (
		ce  CrossEntropy
		acc Accuracy
	)
	row := []float32{0.2, 0.7, 0.1}
	allocs := testing.AllocsPerRun(100, func() {
		l.AddRow(3, row, 1)
		ce.AddRows(row)
		acc.Add(Argmax(row) == 1)
	})
	if allocs != 0 {
		t.Errorf("got %v allocations, want 0", allocs)
	}
}
