package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/verdict"
)

// A rowView is the data of the page of a row.
type rowView struct {
	*row
	Places  []placeView
	Beside  []neighbours
	Drawing *drawing // the table without numbers that shows the row, or nil
	Tables  []*table
	Curves  *chart
	Traces  []*chart
	Units   []string
	Lines   []runLine
	Origins []origin
	Stored  []stored
}

// A placeView is a number of the row in a table.
type placeView struct {
	place
	square
	First bool // whether it is the first one in its unit
	Strip *strip
	Is    string // the statistic of our runs, such as their mean
	Of    string // the statistic of the paper's runs
}

// A runLine is a run of the row.
type runLine struct {
	Seed   int
	Values []string // in the units of the row, "" if there is none
	Digest string
	From   int
}

// An origin is a provenance with the seeds that have it.
type origin struct {
	golden.Provenance
	Seeds string
}

// rowView returns the data of the page of a row.
func (r *report) rowView(x *row) rowView {
	v := rowView{row: x, Beside: r.neighboursOf(x), Drawing: r.drawingOf(x), Stored: r.State.of(x)}
	for _, p := range x.Places {
		if !slices.Contains(v.Tables, p.Table) {
			v.Tables = append(v.Tables, p.Table)
		}
		if !p.Compared || p.FirstEpoch {
			continue // there is no number to compare with
		}
		first := !slices.ContainsFunc(v.Places, func(other placeView) bool { return other.Cell.Quantity.Unit == p.Cell.Quantity.Unit })
		v.Places = append(v.Places, placeView{place: p, First: first, square: square{Entry: p.Entry}, Strip: stripOf(x, p.Entry), Is: ours(p.Entry), Of: theirs(p.Cell.Quantity)})
	}
	v.Curves = curves(x)
	v.Traces = traceCharts(x)
	v.Units = x.units()
	seeds := make(map[int][]int)
	for _, run := range x.Runs {
		line := runLine{Seed: run.Name.Seed(), From: run.From}
		if t, ok := x.runs[line.Seed]; ok {
			line.Digest = suite.ResultDigest(t)
		}
		for _, u := range v.Units {
			text := ""
			if y, ok := run.Value(u); ok {
				text = number(y)
			}
			line.Values = append(line.Values, text)
		}
		v.Lines = append(v.Lines, line)
		seeds[run.From] = append(seeds[run.From], line.Seed)
	}
	for _, p := range x.File.Provenance {
		if list := seeds[p.ID]; len(list) > 0 {
			v.Origins = append(v.Origins, origin{p, ranges(list)})
		}
	}
	return v
}

// units returns the units of the row, those that a paper prints first.
func (x *row) units() (list []string) {
	for _, run := range x.Runs {
		for _, v := range run.Values {
			if !slices.Contains(list, v.Unit) {
				list = append(list, v.Unit)
			}
		}
	}
	rank := func(unit string) int {
		if i := slices.IndexFunc(x.Places, func(p place) bool { return p.Cell.Quantity.Unit == unit }); i >= 0 {
			return i
		}
		if _, printed := papers.Published().Unit(unit); printed {
			return len(x.Places)
		}
		return len(x.Places) + 1
	}
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b)) })
	return list
}

// ours says what our number is of our runs.
func ours(e verdict.Entry) string {
	of := fmt.Sprintf(" of %d runs", e.Runs)
	switch q := e.Cell.Quantity; {
	case e.Runs == 1:
		return "one run"
	case e.Exact:
		return "in each" + of
	case q.ChosenBy != "":
		return "the one with the lowest " + verdict.MetricName(q.ChosenBy) + of
	case q.Best:
		return "best" + of
	}
	return "mean" + of
}

// theirs says what the printed number is of the paper's runs.
func theirs(q *papers.Quantity) string {
	switch {
	case q.ChosenBy != "":
		return fmt.Sprintf("one of %d runs, chosen by %s", q.Trials, verdict.MetricName(q.ChosenBy))
	case q.Best:
		return fmt.Sprintf("best of %d runs", q.Trials)
	case q.Trials > 1:
		return fmt.Sprintf("mean of %d runs", q.Trials)
	}
	return "one run"
}

// number formats a value with five significant digits, but whole numbers in full.
func number(v float64) string {
	if v == float64(int64(v)) && max(v, -v) < 1e15 {
		return strconv.FormatInt(int64(v), 10)
	}
	text := strconv.FormatFloat(v, 'g', 5, 64)
	if x, err := strconv.ParseFloat(text, 64); err == nil && max(x, -x) >= 0.001 {
		text = strconv.FormatFloat(x, 'f', -1, 64)
	}
	return text
}

// ranges formats rising numbers, such as 1-10, 12.
func ranges(list []int) string {
	var parts []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		switch {
		case i == j:
			parts = append(parts, strconv.Itoa(list[i]))
		default:
			parts = append(parts, fmt.Sprintf("%d–%d", list[i], list[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ", ")
}

// A rowGroup holds the rows of a table, section or figure of a paper.
type rowGroup struct {
	ID, Title string
	Rows      []rowItem
}

// A rowItem is a row in the list of all rows, with the outcomes of its numbers.
type rowItem struct {
	*row
	Label string
	Marks []golden.Outcome
}

// RowGroups returns all rows by the table, section or figure that they are named after.
func (r *report) RowGroups() (list []*rowGroup) {
	for _, x := range r.rows {
		parts := x.Name.Parts()
		at := min(2, len(parts)-1)
		group, _, _ := strings.Cut(string(x.Name), "/"+parts[at].Key+"=")
		id := slug(golden.Name(group))
		if len(list) == 0 || list[len(list)-1].ID != id {
			list = append(list, &rowGroup{ID: id, Title: title(golden.Name(group))})
		}
		item := rowItem{row: x, Label: strings.TrimPrefix(title(x.Name), title(golden.Name(group))+", ")}
		for _, p := range x.Places {
			if p.Compared && p.Runs > 0 && !p.Cell.Quantity.Shown {
				item.Marks = append(item.Marks, p.Outcome)
			}
		}
		list[len(list)-1].Rows = append(list[len(list)-1].Rows, item)
	}
	return list
}
