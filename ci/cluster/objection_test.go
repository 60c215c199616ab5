package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/golden"
)

// TestObjectionsAreSummedUp checks that many objections to the results of a row are one line,
// but that a file whose objection is its own is always named.
func TestObjectionsAreSummedUp(t *testing.T) {
	var list []*objection
	for i := range 30 {
		list = append(list, &objection{"another contract", "paper=a/table=1/row=x", fmt.Sprint("file ", i)})
	}
	list = append(list, &objection{"another contract", "paper=a/table=1/row=y", "file y"}, &objection{"", "", "corrupt: a"}, &objection{"", "", "corrupt: b"})
	want := []string{"file 0; and 29 more results of paper=a/table=1/row=x: another contract", "file y", "corrupt: a", "corrupt: b"}
	if diff := cmp.Diff(want, summed(list)); diff != "" {
		t.Errorf("summed (-want +have):\n%s", diff)
	}
}

// TestMissingResultsAreSummedUp checks that 478 missing results are three lines, the last of
// which has the pattern of the complete rows.
func TestMissingResultsAreSummedUp(t *testing.T) {
	m := &merger{known: map[string]experiment{}, wanted: map[string]bool{}, seen: map[string]bool{}}
	add := func(row string, seeds int, there func(seed int) bool) {
		for seed := 1; seed <= seeds; seed++ {
			name := golden.Name("paper=resurgence/" + row).WithSeed(seed)
			m.known[string(name)], m.wanted[string(name)], m.seen[string(name)] = experiment{name: name}, true, there(seed)
		}
	}
	all, none := func(int) bool { return true }, func(int) bool { return false }
	add("section=6.2/row=m4+1d", 10, all)
	add("section=6.2/row=m4-2d", 10, all)
	add("table=2/row=m4/task=literal", 10, all)
	add("table=2/row=m6", 6, func(seed int) bool { return seed%2 == 0 })
	for i := range 59 {
		add(fmt.Sprintf("table=3/row=r%02d", i), 8, none)
	}
	lines := m.missing()
	const pattern = `^paper=resurgence/section=6\.2/row=(m4\+1d|m4-2d)/seed=|^paper=resurgence/table=2/row=m4/task=literal/seed=`
	want := []string{
		"paper=resurgence/table=2/row=m6: missing: have 3 of 6 results, want those of the seeds 1 3 5",
		"paper=resurgence/table=3/row=r00: missing: have no result, want 8; and so for 58 more rows, 472 results in all",
		"to merge what is there: -match '" + pattern + "' for the rows that are complete, or -partial",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("missing (-want +have):\n%s", diff)
	}
	for hash := range m.wanted {
		name := string(m.known[hash].name)
		whole := strings.Contains(name, "section=") || strings.Contains(name, "literal")
		if match := regexp.MustCompile(pattern).MatchString(name); match != whole {
			t.Errorf("%s: the pattern matches: %v, want %v", name, match, whole)
		}
	}
	m.wanted = nil
	if have := m.missing(); have != nil {
		t.Errorf("nothing wanted: have %q", have)
	}
}
