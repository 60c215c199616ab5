package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pushdown/harness/golden"
)

// An objection says why a result cannot be merged.
type objection struct {
	kind string // such as another contract; "" if the objection stands alone
	text string
}

func (o *objection) Error() string { return o.text }

// summed returns the texts of objections. Of several objections of one kind, it returns only
// the first, with the number of the others.
func summed(list []*objection) (texts []string) {
	count := map[string]int{}
	for _, o := range list {
		count[o.kind]++
	}
	for _, o := range list {
		switch n := count[o.kind]; {
		case o.kind == "" || n == 1:
			texts = append(texts, o.text)
		case n > 1:
			texts = append(texts, fmt.Sprintf("%s; and %d more results: %s", o.text, n-1, o.kind))
			count[o.kind] = 0
		}
	}
	return texts
}

// missing describes the wanted results that no file has: a line for each row of which there are
// other results, and one for all other rows. The last line names the flags that help.
func (m *merger) missing() (lines []string) {
	seeds, have := map[golden.Name][]int{}, map[golden.Name]int{} // by row: the missing seeds, and the number of results
	for hash := range m.wanted {
		name := m.known[hash].Name
		if m.seen[hash] {
			have[name.Group()]++
		} else {
			seeds[name.Group()] = append(seeds[name.Group()], name.Seed())
		}
	}
	if len(seeds) == 0 {
		return nil
	}
	var none []golden.Name
	runs := 0
	for _, row := range slices.SortedFunc(maps.Keys(seeds), golden.CompareNames) {
		list := seeds[row]
		if have[row] == 0 {
			none, runs = append(none, row), runs+len(list)
			continue
		}
		slices.Sort(list)
		lines = append(lines, fmt.Sprintf("%s: missing: have %d of %d results, want those of the seeds %s", row, have[row], have[row]+len(list), strings.Trim(fmt.Sprint(list), "[]")))
	}
	if len(none) > 0 {
		line := fmt.Sprintf("%s: missing: have no result, want %d", none[0], len(seeds[none[0]]))
		if len(none) > 1 {
			line += fmt.Sprintf("; and so for %d more rows, %d results in all", len(none)-1, runs)
		}
		lines = append(lines, line)
	}
	return append(lines, "to merge what is there: -partial, or -match with a pattern of rows that are complete")
}
