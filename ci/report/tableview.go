package main

import (
	"slices"
	"strconv"
	"strings"

	"pushdown/ci/results"
	"pushdown/golden/papers"
	"pushdown/harness/golden"
	"pushdown/harness/verdict"
)

// A tableView is the data of the page of a table.
type tableView struct {
	*table
	Bar           []slice
	Head          []square
	Body          [][]square
	Before, After *table
	Readings      []reading
	Misprints     []string
	Fitted        []string
}

// A reading is a list of readings that were tried.
type reading struct{ Tried, Open, Settle string }

// A square is a place of a table on a page: a heading or an entry.
type square struct {
	Scope string // col or row, for a heading
	Kind  verdict.LineKind
	Text  string // of a heading
	Entry verdict.Entry
	Row   *row // the page with the runs, or nil
	Again bool // whether the printed number has its id elsewhere
}

// Low and High return the ends of the interval as text, "" if there is none.
func (s square) Low() string  { return s.end(false) }
func (s square) High() string { return s.end(true) }

func (s square) end(high bool) string {
	from, to, ok := s.Entry.Interval()
	switch {
	case !ok:
		return ""
	case high:
		return s.Entry.Text(to)
	}
	return s.Entry.Text(from)
}

// Class returns the class of the square's colour: an outcome, unfinished, or "".
func (s square) Class() string {
	e := s.Entry
	switch {
	case e.Empty() || !e.Measured():
		return ""
	case e.Runs == 0:
		return "unfinished"
	case e.Compared && !e.Cell.Quantity.Shown:
		return string(e.Outcome)
	}
	return "shown"
}

// Meaning returns the mark in words.
func (s square) Meaning() string {
	if class := s.Class(); class != "unfinished" && class != "shown" {
		return s.Entry.Outcome.Description()
	}
	return s.Class()
}

// tableView returns the data of the page of a table.
func (r *report) tableView(t, before, after *table) tableView {
	v := tableView{table: t, Bar: bar(t.Counts), Before: before, After: after, Misprints: r.Misprints(t.Shape)}
	for _, x := range r.Interpretations(t.Shape) {
		v.Readings = append(v.Readings, reading{x.Tried, x.Open, x.Settle})
	}
	v.Fitted = verdict.PostHoc(func(applies func(golden.Name) bool) bool {
		for g := range t.Groups {
			if applies(g.WithSeed(1)) {
				return true
			}
		}
		return false
	})
	text := [][]square{nil}
	for _, label := range t.Shape.Labels {
		text[0] = append(text[0], square{Scope: "col", Text: label})
	}
	for _, c := range t.Columns {
		text[0] = append(text[0], square{Scope: "col", Text: c.Head})
	}
	text[0] = append(text[0], square{Scope: "col", Text: "Runs"})
	for _, line := range t.Lines {
		var list []square
		for _, label := range line.Labels {
			list = append(list, square{Scope: "row", Kind: line.Kind, Text: label})
		}
		for _, e := range line.Entries {
			list = append(list, square{Kind: line.Kind, Entry: e, Row: r.byName[e.Group]})
		}
		text = append(text, append(list, square{Kind: line.Kind, Text: strconv.Itoa(line.Runs)}))
	}
	if t.Across {
		across := make([][]square, len(text[0]))
		turned := map[string]string{"col": "row", "row": "col"}
		for i := range across {
			for _, line := range text {
				s := line[i]
				s.Scope = turned[s.Scope]
				across[i] = append(across[i], s)
			}
		}
		across[0][0].Scope = "col"
		text = across
	}
	v.Head, v.Body = text[0], text[1:]
	return v
}

// A drawing is a table without numbers to judge, such as the trace of a run.
type drawing struct {
	results.Figure
	Suite, Slug, Command string
	Rows                 []*row // those that it shows, and their variants
}

// drawings returns the tables without numbers to judge.
func (r *report) drawings() (list []drawing) {
	for _, s := range r.Suites {
		for _, f := range s.Figures {
			if f.Table == "" {
				continue
			}
			d := drawing{Figure: f, Suite: s.Name, Slug: f.Paper + "-table" + f.Table, Command: s.CommandOf(f)}
			for _, x := range r.rows {
				if strings.HasPrefix(string(x.Name), "paper="+f.Paper+"/table="+f.Table+"/") {
					d.Rows = append(d.Rows, x)
				}
			}
			list = append(list, d)
		}
	}
	return list
}

// drawingOf returns the drawing of a table that shows a row, or nil if there is none.
func (r *report) drawingOf(x *row) *drawing {
	for _, d := range r.drawings() {
		if slices.Contains(d.Rows, x) {
			return &d
		}
	}
	return nil
}

// A neighbours is the part of a table that a row which the paper does not have is compared with:
// that row, and the rows of the paper, in the columns that the row has.
type neighbours struct {
	*table
	Head []square
	Body [][]square
}

// neighboursOf returns a part of each table that shows the row in a line that the paper does not
// print.
func (r *report) neighboursOf(x *row) (list []neighbours) {
	for _, t := range r.tables {
		var own *verdict.Line
		for i, line := range t.Lines {
			if line.Kind == verdict.OtherLine && slices.ContainsFunc(line.Entries, func(e verdict.Entry) bool { return e.Group == x.Name }) {
				own = &t.Lines[i]
			}
		}
		if own == nil {
			continue
		}
		n := neighbours{table: t}
		for _, label := range t.Shape.Labels {
			n.Head = append(n.Head, square{Text: label})
		}
		var columns []int
		for i, e := range own.Entries {
			if e.Group == x.Name {
				columns = append(columns, i)
				n.Head = append(n.Head, square{Text: t.Columns[i].Head})
			}
		}
		n.Head = append(n.Head, square{Text: "Runs"})
		for i := range t.Lines {
			if line := &t.Lines[i]; line == own {
				n.Body = slices.Insert(n.Body, 0, r.squares(line, columns))
			} else if line.Kind == verdict.PrintedLine && slices.ContainsFunc(columns, func(c int) bool { return !line.Entries[c].Empty() }) {
				n.Body = append(n.Body, r.squares(line, columns))
			}
		}
		list = append(list, n)
	}
	return list
}

// squares returns the labels, some columns and the number of runs of a line.
func (r *report) squares(line *verdict.Line, columns []int) (list []square) {
	for _, label := range line.Labels {
		list = append(list, square{Scope: "row", Kind: line.Kind, Text: label})
	}
	for _, c := range columns {
		e := line.Entries[c]
		list = append(list, square{Kind: line.Kind, Entry: e, Row: r.byName[e.Group], Again: true})
	}
	return append(list, square{Kind: line.Kind, Text: strconv.Itoa(line.Runs)})
}

// A claimGroup holds the claims of a paper.
type claimGroup struct {
	Paper  string
	Claims []claimLine
	Counts map[golden.Outcome]int
}

// A claimLine is a claim with the tables whose numbers it is about.
type claimLine struct {
	verdict.ClaimLine
	Tables []*table
	Why    []phrase
}

// A phrase is a part of a text, with the page to which it leads, or "".
type phrase struct{ Text, Page string }

// pageOf returns the page of a group: that of its runs or, if there are none, of its table.
func (r *report) pageOf(g golden.Name) string {
	if x := r.byName[g]; x != nil {
		return "rows/" + x.Slug + ".html"
	}
	for _, t := range r.tables {
		if strings.HasPrefix(string(g), "paper="+t.Paper+"/table="+t.Table+"/") {
			return "tables/" + t.Slug + ".html"
		}
	}
	return ""
}

// claimsView returns the claims by paper.
func (r *report) claimsView() (list []*claimGroup) {
	for _, l := range r.Claims() {
		if len(list) == 0 || list[len(list)-1].Paper != l.Paper {
			list = append(list, &claimGroup{Paper: l.Paper, Counts: make(map[golden.Outcome]int)})
		}
		g := list[len(list)-1]
		line := claimLine{ClaimLine: l}
		for _, p := range l.Why {
			line.Why = append(line.Why, phrase{p.Text, r.pageOf(p.Group)})
		}
		for _, t := range r.tables {
			if l.Relation != nil && slices.ContainsFunc(l.Relation.Keys(), func(k papers.Key) bool { return k.Paper == t.Paper && k.Table == t.Shape.Table }) {
				line.Tables = append(line.Tables, t)
			}
		}
		g.Claims = append(g.Claims, line)
		g.Counts[l.Verdict.Outcome]++
	}
	return list
}
