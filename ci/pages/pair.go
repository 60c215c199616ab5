package main

import (
	"cmp"
	"slices"
	"strings"

	"pushdown/harness/golden"
	"pushdown/harness/verdict"
)

// A pair is two rows side by side.
type pair struct{ A, B *row }

// Slug returns the name of the page of the pair, without extension.
func (p *pair) Slug() string { return p.A.Slug + "." + p.B.Slug }

// A relative is a row that is shown beside another one.
type relative struct {
	Row  *row
	Pair *pair
	Why  string // what it is to the other one
}

// addPairs pairs each variant with its row, rows in the same line of a table that have the same data, and each row with
// the next better one on the same data in a table. All pairs would be hundreds of times as many.
func (r *report) addPairs() {
	seen := make(map[pair]bool)
	add := func(a, b *row, toA, toB string) {
		if a == nil || b == nil || a == b || seen[pair{a, b}] || seen[pair{b, a}] {
			return
		}
		p := &pair{a, b}
		seen[*p], r.Pairs = true, append(r.Pairs, p)
		a.Relatives, b.Relatives = append(a.Relatives, relative{b, p, toA}), append(b.Relatives, relative{a, p, toB})
	}
	for _, x := range r.rows {
		add(x, x.Of, "the row of which it is a variant", "a variant")
	}
	type on struct {
		paper, data string
		row         *row
	}
	done := make(map[on]bool)
	var places []string
	ranks := make(map[string][]entry) // the first number of each row on test data
	var last entry
	for e := range r.numbers() {
		if e.Row == nil || e.Runs == 0 || !strings.HasPrefix(e.InPaper.Quantity.Unit, "test-") {
			continue
		}
		key := on{e.InPaper.Paper, e.InPaper.Dataset, e.Row}
		if last.Table == e.Table && last.InPaper.Row == e.InPaper.Row && last.InPaper.Dataset == e.InPaper.Dataset && last.Row != e.Row {
			line := "in the same line of " + e.Table.Title()
			add(last.Row, e.Row, line, line)
		} else if !done[key] {
			place := e.InPaper.Dataset + " in " + e.Table.Title()
			places, ranks[place] = with(places, place), append(ranks[place], e)
		}
		done[key], last = true, e
	}
	for _, place := range places {
		list := ranks[place]
		slices.SortStableFunc(list, func(a, b entry) int {
			if a.InPaper.Quantity.Higher {
				a, b = b, a
			}
			return cmp.Compare(a.Value, b.Value)
		})
		for i, e := range list[1:] {
			add(list[i].Row, e.Row, "the next worse on "+place, "the next better on "+place)
		}
	}
}

// Shared returns a part of each table that shows both rows of a pair, with the lines of the numbers with which they are
// compared, which other rows may be judged by.
func (r *report) Shared(p *pair) []part {
	var printed []golden.Name
	for _, x := range []*row{p.A, p.B} {
		of, _ := verdict.VariantOf(x.Name)
		printed = append(printed, cmp.Or(of, x.Name))
	}
	list := r.parts(func(_ *line, e entry) bool { return e.Row == p.A || e.Row == p.B }, func(n *line) bool {
		return n.Kind == printedLine && slices.ContainsFunc(n.Entries, func(e entry) bool {
			return e.InPaper.Quantity != nil && slices.Contains(printed, golden.Name(e.InPaper.Group()))
		})
	})
	return slices.DeleteFunc(list, func(x part) bool {
		return !slices.Contains(p.A.Tables(), x.table) || !slices.Contains(p.B.Tables(), x.table)
	})
}

// Values returns the mean of each unit in both rows.
func (p *pair) Values() (list [][3]string) {
	units := p.A.Units()
	for _, u := range p.B.Units() {
		units = with(units, u)
	}
	for _, u := range units {
		list = append(list, [3]string{verdict.MetricName(u), meanText(p.A.File.Values(p.A.Name, u), u), meanText(p.B.File.Values(p.B.Name, u), u)})
	}
	return list
}

// Settings returns the settings in which the rows differ.
func (p *pair) Settings() (list [][3]string, err error) {
	a, err := p.A.Settings()
	if err != nil {
		return nil, err
	}
	b, err := p.B.Settings()
	for _, s := range a {
		list = append(list, [3]string{s.Name, s.Value, ""})
	}
	for _, s := range b {
		at := slices.IndexFunc(list, func(x [3]string) bool { return x[0] == s.Name })
		if at < 0 {
			at, list = len(list), append(list, [3]string{s.Name, "", ""})
		}
		list[at][2] = s.Value
	}
	return slices.DeleteFunc(list, func(x [3]string) bool { return x[1] == x[2] }), err
}

// Curves draws the validation losses of the first ten runs of each row.
func (p *pair) Curves() *chart {
	first, second := p.A.losses(), p.B.losses()
	for i := range second {
		second[i].class = "second"
	}
	return lossChart(slices.Concat(first[:min(10, len(first))], second[:min(10, len(second))]))
}
