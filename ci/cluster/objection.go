package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"pushdown/harness/golden"
)

// An objection says why a result cannot be merged.
type objection struct {
	kind  string      // such as corrupt; "" if the text says it
	group golden.Name // the row of the result, "" if unknown
	text  string
}

func (o *objection) Error() string { return o.text }

// summed returns the texts of objections. Of several objections of one kind to results of one
// row, it returns only the first, with the number of the others.
func summed(list []*objection) (texts []string) {
	type key struct {
		kind  string
		group golden.Name
	}
	count, first := map[key]int{}, []*objection{}
	for _, o := range list {
		k := key{o.kind, o.group}
		if count[k]++; count[k] == 1 || o.kind == "" {
			first = append(first, o)
		}
	}
	for _, o := range first {
		text := o.text
		if more := count[key{o.kind, o.group}] - 1; o.kind != "" && more > 0 {
			of := ""
			if o.group != "" {
				of = fmt.Sprintf(" of %s", o.group)
			}
			text += fmt.Sprintf("; and %d more results%s: %s", more, of, o.kind)
		}
		texts = append(texts, text)
	}
	return texts
}

// missing describes the wanted results that no file has: a line for each row of which there are
// other results, and one for all other rows. The last line names the flags that help.
func (m *merger) missing() (lines []string) {
	seeds, have := map[golden.Name][]int{}, map[golden.Name]int{} // by row: the missing seeds, and the number of results
	for hash := range m.wanted {
		name := m.known[hash].name
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
	runs, complete := 0, []string{}
	for _, row := range slices.SortedFunc(maps.Keys(seeds), golden.CompareNames) {
		if have[row] == 0 {
			none, runs = append(none, row), runs+len(seeds[row])
			continue
		}
		list := seeds[row]
		slices.Sort(list)
		text := strings.Trim(fmt.Sprint(list), "[]")
		lines = append(lines, fmt.Sprintf("%s: missing: have %d of %d results, want those of the seeds %s", row, have[row], have[row]+len(list), text))
	}
	if len(none) > 0 {
		line := fmt.Sprintf("%s: missing: have no result, want %d", none[0], len(seeds[none[0]]))
		if len(none) > 1 {
			line += fmt.Sprintf("; and so for %d more rows, %d results in all", len(none)-1, runs)
		}
		lines = append(lines, line)
	}
	for row := range have {
		if len(seeds[row]) == 0 {
			complete = append(complete, string(row))
		}
	}
	slices.Sort(complete)
	flags := "-partial"
	if len(complete) > 0 {
		flags = "-match '" + matching(complete) + "' for the rows that are complete, or -partial"
	}
	return append(lines, "to merge what is there: "+flags)
}

// matching returns a regular expression that matches the names of runs of the given rows, which
// it puts together by table.
func matching(rows []string) string {
	tables, rest := []string{}, map[string][]string{}
	for _, row := range rows {
		at := strings.Index(row, "/row=")
		table := row[:at]
		if rest[table] == nil {
			tables = append(tables, table)
		}
		rest[table] = append(rest[table], regexp.QuoteMeta(row[at+len("/row="):]))
	}
	for i, table := range tables {
		list := strings.Join(rest[table], "|")
		if len(rest[table]) > 1 {
			list = "(" + list + ")"
		}
		tables[i] = "^" + regexp.QuoteMeta(table) + "/row=" + list + "/seed="
	}
	return strings.Join(tables, "|")
}
