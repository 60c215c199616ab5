package verdict

import (
	"fmt"
	"slices"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// A Measure decides a claim that no printed table covers, from values that our runs report.
// In the list of claims, such a claim has a text that starts with "measure:" in place of a
// relation. A claim can also have both a relation over printed cells and a Measure for the
// part that no table covers. It is true if both are true.
type Measure struct {
	Claim  string         // the id, such as R09
	Values []MeasureValue // the values that the claim depends on
	// Holds reports whether the claim is true for the values of one bootstrap
	// draw, one value for each of Values.
	Holds func(values []float64) bool
	// Pair stands in place of Holds if the claim is one about pairs of values, 0 and 1, 2 and 3, and so on: it
	// must be true of each.
	Pair func(first, second float64) bool
	// Premise reports whether the networks of a draw do what the claim presumes, such as
	// having learned the task. A draw in which they do not counts neither for nor against
	// the claim. If Premise is nil, every draw counts.
	Premise func(values []float64) bool
}

// A MeasureValue describes a value of a Measure: a sample of seeds, reduced to one number.
type MeasureValue struct {
	Group golden.Name // such as paper=resurgence/section=6.2/row=dyck-m4-1d
	Unit  string      // such as test-wcpa-%
	// Reduce reduces the values of the drawn seeds to one number. If it is nil, the number
	// is their mean. Reduce must not keep or modify the slice.
	Reduce func(sample []float64) float64
	// ChosenBy is the unit of a loss, such as valid-ce. If it is not empty, the number
	// is the value of the drawn seed with the smallest loss, and Reduce must be nil.
	ChosenBy string
}

// parts lists what must be true for the claim to be true.
func (m Measure) parts() (list []func(values []float64) bool) {
	if m.Pair == nil {
		return []func([]float64) bool{m.Holds}
	}
	for i := 0; i < len(m.Values); i += 2 {
		list = append(list, func(v []float64) bool { return m.Pair(v[i], v[i+1]) })
	}
	return list
}

// Median returns the middle value of a sample. For an even number of values it is the
// lower of the two in the middle. The sample is not modified.
func Median(sample []float64) float64 {
	sorted := slices.Sorted(slices.Values(sample))
	return sorted[(len(sorted)-1)/2]
}

// check panics if the claim of m is unknown, or if m is incomplete or inconsistent.
func (m Measure) check() {
	_, ok := papers.Published().Claim(m.Claim)
	switch {
	case !ok:
		panic(fmt.Sprintf("verdict: measure: claim %q: have no such claim, want a claim of the papers", m.Claim))
	case len(m.Values) == 0 || (m.Holds == nil) == (m.Pair == nil):
		panic(fmt.Sprintf("verdict: measure: claim %s: have no values, or both or none of the functions Holds and Pair, want values and one function", m.Claim))
	case m.Pair != nil && len(m.Values)%2 != 0:
		panic(fmt.Sprintf("verdict: measure: claim %s: have %d values, want pairs", m.Claim, len(m.Values)))
	}
	for _, v := range m.Values {
		if _, err := golden.ParseGroup(string(v.Group)); err != nil {
			panic(fmt.Sprintf("verdict: measure: claim %s: %v", m.Claim, err))
		}
		if v.ChosenBy != "" && v.Reduce != nil {
			panic(fmt.Sprintf("verdict: measure: claim %s: %s: have both ChosenBy, %s, and Reduce, want at most one", m.Claim, v.Group, v.ChosenBy))
		}
	}
}
