package main

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/golden"
	"pushdown/harness/suite"
)

// TestObjectionsAreSummedUp checks that many objections of a kind are one line,
// but that a file whose objection is its own is always named.
func TestObjectionsAreSummedUp(t *testing.T) {
	list := []*objection{{"", "corrupt: a"}, {"another contract", "file 1"}, {"another contract", "file 2"}, {"another experiment", "file 3"}, {"", "corrupt: b"}}
	want := []string{"corrupt: a", "file 1; and 1 more results: another contract", "file 3", "corrupt: b"}
	if diff := cmp.Diff(want, summed(list)); diff != "" {
		t.Errorf("summed (-want +have):\n%s", diff)
	}
}

// TestMissingResultsAreSummedUp checks that 475 missing results are three lines.
func TestMissingResultsAreSummedUp(t *testing.T) {
	m := &merger{known: map[string]suite.Expected{}, wanted: map[string]bool{}, seen: map[string]bool{}}
	add := func(row string, seeds int, there func(seed int) bool) {
		for seed := 1; seed <= seeds; seed++ {
			name := golden.Name("paper=resurgence/" + row).WithSeed(seed)
			m.known[string(name)], m.wanted[string(name)], m.seen[string(name)] = suite.Expected{Name: name}, true, there(seed)
		}
	}
	all, none := func(int) bool { return true }, func(int) bool { return false }
	add("table=2/row=m4/task=literal", 10, all)
	add("table=2/row=m6", 6, func(seed int) bool { return seed%2 == 0 })
	for i := range 59 {
		add(fmt.Sprintf("table=3/row=r%02d", i), 8, none)
	}
	lines := m.missing()
	want := []string{
		"paper=resurgence/table=2/row=m6: missing: have 3 of 6 results, want those of the seeds 1 3 5",
		"paper=resurgence/table=3/row=r00: missing: have no result, want 8; and so for 58 more rows, 472 results in all",
		"to merge what is there: -partial, or -match with a pattern of rows that are complete",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("missing (-want +have):\n%s", diff)
	}
	m.wanted = nil
	if have := m.missing(); have != nil {
		t.Errorf("nothing wanted: have %q", have)
	}
}
