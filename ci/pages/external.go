package main

import (
	"maps"
	"slices"
	"strings"

	"pushdown/harness/exchange"
	"pushdown/harness/golden"
	"pushdown/harness/verdict"
	"pushdown/suites"
)

// An external is a kept result of a model made elsewhere. Nothing counts it.
type external struct {
	*exchange.External
	Title string
	Ours  *row       // with our runs, or nil
	Lines [][]string // what the paper prints, ours and theirs, below headings
}

// Web reports whether the link is an address, and not a file of the repository.
func (e *external) Web() bool { return strings.HasPrefix(e.Link, "https://") }

// addExternals reads the kept results and adds each to the table after which its row is named, or to the first table
// that has its row or the row of which it is a variant. Results whose row is in no table are left to the page of their suite.
func (r *report) addExternals() error {
	kept, err := exchange.ReadExternals(r.fsys, suites.All)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(kept)) {
		e := kept[name]
		of, err := e.Check(name+".json", suites.All)
		if err != nil {
			return err
		}
		ours := &golden.File{Suite: e.Suite, Scale: scales[0]}
		row := r.byName[e.Row]
		if row != nil {
			ours = row.File
		}
		x := &external{e, verdict.Title(e.Row), row, verdict.ExternalLines(r.Results, ours, e.File(of), e.Row, verdict.MetricName)}
		r.externals = append(r.externals, x)
		printed, _ := verdict.VariantOf(e.Row)
		at := slices.IndexFunc(r.Tables, func(t *table) bool { return named(e.Row, t.Paper, t.Table) })
		if at < 0 {
			at = slices.IndexFunc(r.Tables, func(t *table) bool { return t.Groups[e.Row] || t.Groups[printed] })
		}
		if at >= 0 {
			r.Tables[at].Externals = append(r.Tables[at].Externals, x)
		}
	}
	return nil
}

// externalsOutside returns the kept results of a suite that no table has.
func (r *report) externalsOutside(suite string) (list []*external) {
	for _, x := range r.externals {
		if x.Suite == suite && !slices.ContainsFunc(r.Tables, func(t *table) bool { return slices.Contains(t.Externals, x) }) {
			list = append(list, x)
		}
	}
	return list
}
