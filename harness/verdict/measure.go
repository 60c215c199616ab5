package verdict

import (
	"fmt"
	"slices"
	"sync"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// A Measure decides a claim that no printed table holds (its relation starts
// with measure:) on values that our runs report. Of a claim with a relation over
// published cells it is the half that no table holds: both have to be true.
type Measure struct {
	Claim string        // the id, such as R09
	Cells []MeasureCell // what it rests on
	// Holds says whether the claim is true of the values, one for each of
	// Cells, of one bootstrap draw.
	Holds func(values []float64) bool
}

// A MeasureCell is a sample over seeds condensed to one value.
type MeasureCell struct {
	Group golden.Name // such as paper=resurgence/section=6.2/row=dyck-m4-1d
	Unit  string      // such as test-wcpa-%
	// Of condenses the values of the drawn seeds; nil takes their mean. It
	// must not keep or change the slice.
	Of func(sample []float64) float64
	// By is the unit of a loss, such as valid-ce: the value is that of the drawn
	// seed with the least, and Of is nil. Empty: no seed is chosen.
	By string
}

// Pairs returns the function that reports whether every two values that follow each
// other satisfy holds.
func Pairs(holds func(first, second float64) bool) func([]float64) bool {
	return func(v []float64) bool {
		for i := 0; i < len(v); i += 2 {
			if !holds(v[i], v[i+1]) {
				return false
			}
		}
		return true
	}
}

// Median returns the middle value of a sample, the lower of two.
func Median(sample []float64) float64 {
	sorted := slices.Sorted(slices.Values(sample))
	return sorted[(len(sorted)-1)/2]
}

var measures struct {
	sync.Mutex
	byClaim map[string]Measure
}

// RegisterMeasure makes m the function of its claim. Suites call it from a
// package variable or init. It panics if the claim is unknown or has a function
// already.
func RegisterMeasure(m Measure) {
	_, ok := papers.Published().Claim(m.Claim)
	switch {
	case !ok:
		panic(fmt.Sprintf("verdict: measure: claim %q: no such claim", m.Claim))
	case len(m.Cells) == 0 || m.Holds == nil:
		panic(fmt.Sprintf("verdict: measure: claim %s: no cells or no function", m.Claim))
	}
	for _, cell := range m.Cells {
		if _, err := golden.ParseGroup(string(cell.Group)); err != nil {
			panic(fmt.Sprintf("verdict: measure: claim %s: %v", m.Claim, err))
		}
		if cell.By != "" && cell.Of != nil {
			panic(fmt.Sprintf("verdict: measure: claim %s: %s: seeds are chosen by %s and condensed, want one of them", m.Claim, cell.Group, cell.By))
		}
	}
	measures.Lock()
	defer measures.Unlock()
	if _, twice := measures.byClaim[m.Claim]; twice {
		panic(fmt.Sprintf("verdict: measure: claim %s: registered twice", m.Claim))
	}
	if measures.byClaim == nil {
		measures.byClaim = make(map[string]Measure)
	}
	measures.byClaim[m.Claim] = m
}

func measureOf(claim string) (Measure, bool) {
	measures.Lock()
	defer measures.Unlock()
	m, ok := measures.byClaim[claim]
	return m, ok
}
