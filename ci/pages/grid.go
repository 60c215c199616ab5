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

// A neighbours is the part of a table that a row which the paper does not have is compared with:
// that row, and the rows of the paper, in the columns that the row has.
type neighbours struct {
	*table
	Part [][]square
}

// Beside returns a part of each table that shows the row in a line that the paper does not print.
func (r *report) Beside(x *row) (list []neighbours) {
	for _, t := range r.Tables {
		own := slices.IndexFunc(t.Lines, func(n *line) bool {
			return n.Kind == otherLine && slices.ContainsFunc(n.Entries, func(e entry) bool { return e.Group == x.Name })
		})
		if own < 0 {
			continue
		}
		lines, columns := []*line{t.Lines[own]}, []int(nil)
		for i, e := range t.Lines[own].Entries {
			if e.Group == x.Name {
				columns = append(columns, i)
			}
		}
		for _, n := range t.Lines {
			if n.Kind == printedLine && slices.ContainsFunc(columns, func(c int) bool { return !n.Entries[c].Empty() }) {
				lines = append(lines, n)
			}
		}
		n := neighbours{table: t, Part: t.grid(lines, columns)}
		for _, row := range n.Part {
			for i := range row {
				row[i].Again = true
			}
		}
		list = append(list, n)
	}
	return list
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
