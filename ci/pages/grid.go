package main

import (
	"slices"
	"strconv"
)

// A square is a place of a table on a page: a heading, the number of runs of a line, or an entry.
type square struct {
	Scope string // col or row, for a heading
	Kind  lineKind
	Text  string // of a heading or a number of runs
	entry
	Again bool // whether the printed number has its id elsewhere
}

// grid returns lines of the table in some columns, with a line of headings above them.
func (l *layout) grid(lines []*line, columns []int) [][]square {
	var head []square
	for _, label := range l.Labels {
		head = append(head, square{Scope: "col", Text: label})
	}
	for _, c := range columns {
		head = append(head, square{Scope: "col", Text: l.Columns[c].Head})
	}
	list := [][]square{append(head, square{Scope: "col", Text: "Runs"})}
	for _, n := range lines {
		var row []square
		for _, label := range n.Labels {
			row = append(row, square{Scope: "row", Kind: n.Kind, Text: label})
		}
		for _, c := range columns {
			row = append(row, square{Kind: n.Kind, entry: n.Entries[c]})
		}
		list = append(list, append(row, square{Kind: n.Kind, Text: strconv.Itoa(n.Runs)}))
	}
	return list
}

// Grid returns the table. If the paper prints our columns as rows, so does Grid.
func (l *layout) Grid() [][]square {
	var columns []int
	for i := range l.Columns {
		columns = append(columns, i)
	}
	list := l.grid(l.Lines, columns)
	if !l.Across {
		return list
	}
	turned := map[string]string{"col": "row", "row": "col"}
	across := make([][]square, len(list[0]))
	for i := range across {
		for _, row := range list {
			s := row[i]
			s.Scope = turned[s.Scope]
			across[i] = append(across[i], s)
		}
	}
	across[0][0].Scope = "col"
	return across
}

// A part is a part of a table beside which rows are shown.
type part struct {
	*table
	Part [][]square
}

// parts returns a part of each table that has places for which shows is true: their columns, in
// their lines and in those for which also is true. Lines that no paper prints come first.
func (r *report) parts(shows func(*line, entry) bool, also func(*line) bool) (list []part) {
	for _, t := range r.Tables {
		var columns []int
		for i := range t.Columns {
			if slices.ContainsFunc(t.Lines, func(n *line) bool { return shows(n, n.Entries[i]) }) {
				columns = append(columns, i)
			}
		}
		if columns == nil {
			continue
		}
		lines := slices.DeleteFunc(slices.Clone(t.Lines), func(n *line) bool {
			return !slices.ContainsFunc(columns, func(c int) bool { return shows(n, n.Entries[c]) || also(n) && !n.Entries[c].Empty() })
		})
		slices.SortStableFunc(lines, func(a, b *line) int { return int(b.Kind - a.Kind) })
		p := part{t, t.grid(lines, columns)}
		for _, row := range p.Part {
			for i := range row {
				row[i].Again = true
			}
		}
		list = append(list, p)
	}
	return list
}

// Beside returns a part of each table that shows the row in a line that the paper does not print,
// with the rows that it prints.
func (r *report) Beside(x *row) []part {
	return r.parts(func(n *line, e entry) bool { return n.Kind == otherLine && e.Group == x.Name }, func(n *line) bool { return n.Kind == printedLine })
}

// Drawings returns the figures of tables without numbers to judge, such as the trace of a run.
func (r *report) Drawings() (list []*figure) {
	for _, s := range r.Suites {
		for _, f := range s.Figures {
			if f.Table != "" {
				list = append(list, f)
			}
		}
	}
	return list
}

// DrawingOf returns the figure of a table that shows a row, or nil if there is none.
func (r *report) DrawingOf(x *row) *figure {
	for _, f := range r.Drawings() {
		if named(x.Name, f.Paper, f.Table) {
			return f
		}
	}
	return nil
}

// RowsOf returns the rows that the figure of a table shows, and their variants.
func (r *report) RowsOf(f *figure) []*row {
	return slices.DeleteFunc(slices.Clone(r.rows), func(x *row) bool { return !named(x.Name, f.Paper, f.Table) })
}
