package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
	"pushdown/harness/verdict"
)

// A layout is a table of a paper with our results, in the rows and columns of the paper.
type layout struct {
	papers.Shape
	Lines  []*line
	Groups map[golden.Name]bool // the groups whose runs the table shows
}

// A line is a line of a table.
type line struct {
	Kind    lineKind
	Labels  []string // in the columns to the left of the numbers
	Entries []entry  // one for each column of the shape
	Runs    int      // the number of our finished runs
}

// A lineKind says what a line of a table is.
type lineKind int

// The kinds of lines.
const (
	printedLine lineKind = iota // a row that the paper prints
	variantLine                 // a variant of the row above it that is none
	otherLine                   // a row that the paper does not print
)

// An entry is one place of a table: a printed number, a result of ours, or both. It is the
// zero value where the table is empty.
type entry struct {
	// InPaper is the printed number. In lines that the paper does not have, it is the printed
	// number whose unit and decimals ours has.
	InPaper papers.Number
	Printed bool // whether the paper prints the number in this place

	// Group has the runs that the entry shows. It is empty if no run measures the number.
	Group golden.Name
	File  *golden.File // the file that has the runs, or nil if there is none yet
	Row   *row         // the row that has them, or nil

	Table  *table
	Column string // the heading of the column
	First  bool   // see row.Numbers

	// Verdict has the number of our runs and their value. Runs is 0 if the number needs whole
	// runs and none is finished. For a variant of a printed row, its outcome is what the verdict would be.
	verdict.Verdict
	// Compared reports whether ours is compared with the printed number.
	Compared bool
	// Readings has the verdict under each reading of the paper, if it leaves several.
	Readings []verdict.Reading
	// FirstEpoch reports that there is no finished run. Value is then the mean of runs that stop
	// after one epoch. A count of parameters needs no more.
	FirstEpoch bool
}

// Empty reports whether the table is empty in this place.
func (e entry) Empty() bool { return e.InPaper.Quantity == nil }

// Measured reports whether runs measure the number.
func (e entry) Measured() bool { return e.Group != "" }

// Result returns the outcome that the page shows for the number, or "" if no runs measure it.
func (e entry) Result() verdict.Outcome {
	switch {
	case !e.Measured():
		return ""
	case e.Runs == 0:
		return unfinished
	case e.Compared && !e.InPaper.Quantity.Shown:
		return e.Outcome
	}
	return shown
}

// Page returns where the site shows a printed number.
func (e entry) Page() string { return "tables/" + e.Table.Slug + ".html#" + cellID(e.InPaper.Key) }

// Mark returns the symbol of the result. It is empty if the number is not judged.
func (e entry) Mark() string { return marks[e.Result()] }

// Number returns our number as text, in the scale of the printed number. It is empty if
// there is none.
func (e entry) Number() string {
	q := e.InPaper.Quantity
	switch {
	case !e.Measured():
		return ""
	case e.FirstEpoch && e.Exact: // training does not change it
		return numberText(q, e.Value, 0, true) + q.Suffix
	case e.FirstEpoch:
		return e.Text(e.Value)
	case e.Runs == 0:
		return ""
	case q.Shown:
		v := q.Printed(e.Value)
		if v >= 100 {
			return strconv.FormatFloat(v, 'f', 0, 64)
		}
		return strconv.FormatFloat(v, 'g', 2, 64)
	}
	return e.Text(e.Value) + q.Suffix
}

// Text formats a value in the unit of the cell like our number, in the scale of the printed
// number.
func (e entry) Text(v float64) string {
	return numberText(e.InPaper.Quantity, v, places(e.InPaper, e.Exact), e.Exact)
}

// Interval returns the ends of the interval in which our runs predict the printed number, in
// the unit of the cell. The result ok is false if there is no interval, or if it is a point.
func (e entry) Interval() (low, high float64, ok bool) {
	if !e.Compared || e.Runs == 0 || e.InPaper.Quantity.Shown {
		return 0, 0, false
	}
	return e.Low, e.High, e.Verdict.Interval && e.Low < e.High
}

// Range returns the interval as text, or "" if there is none.
func (e entry) Range() string {
	low, high, ok := e.Interval()
	if !ok {
		return ""
	}
	return "[" + e.Text(low) + ", " + e.Text(high) + "]"
}

// Remark returns a text to show below the number and the interval, or "".
func (e entry) Remark() string {
	switch {
	case e.FirstEpoch && !e.Exact:
		text := "after one epoch"
		if gap := e.InPaper.Quantity.Printed(e.Value) - e.InPaper.Float; e.Compared && (e.InPaper.Quantity.Higher && gap > 0 || !e.InPaper.Quantity.Higher && gap < 0) {
			text += ", already better"
		}
		return text
	case e.Runs > 0 && e.Above > 0:
		return fmt.Sprintf("%d of %d > %s", e.Above, e.Runs, golden.Number(e.InPaper.Quantity.Printed(verdict.Middle)))
	case e.Compared && e.Pool != nil:
		return fmt.Sprintf("spread of %d rows", e.Pool.Rows)
	}
	return ""
}

// UnderEach returns the outcomes of the readings that the paper leaves open, each with the labels of its readings.
// It returns "" if there are no readings. The function text gives the text of an outcome.
func (e entry) UnderEach(text func(verdict.Outcome) string) string {
	var outcomes []verdict.Outcome
	labels := make(map[verdict.Outcome][]string)
	for _, x := range e.Readings {
		o := x.Outcome
		if x.Runs == 0 {
			o = unfinished
		}
		outcomes = with(outcomes, o)
		labels[o] = append(labels[o], x.Label)
	}
	var list []string
	for _, o := range outcomes {
		list = append(list, text(o)+" "+strings.Join(labels[o], "; "))
	}
	return strings.Join(list, " · ")
}

// Disagreement returns the readings with their marks, unless the outcome is the same under each.
func (e entry) Disagreement() string {
	if !slices.ContainsFunc(e.Readings, func(x verdict.Reading) bool { return x.Outcome != e.Readings[0].Outcome }) {
		return ""
	}
	return e.UnderEach(func(o verdict.Outcome) string { return marks[o] })
}

// layOut lays out a table of a paper.
func layOut(r *verdict.Results, s papers.Shape) *layout {
	l := &layouter{Results: r, variant: variantsOf(r.Files()), layout: &layout{Shape: s, Groups: make(map[golden.Name]bool)}}
	rows, cells := rowsOf(s)
	for _, row := range rows {
		l.row(cells[row])
	}
	l.unprinted(rows, cells)
	return l.layout
}

// rowsOf returns the names of the rows of a table in printed order, and the cells of each
// row by metric:stat.
func rowsOf(s papers.Shape) (rows []string, cells map[string]map[string]papers.Number) {
	cells = make(map[string]map[string]papers.Number)
	for _, c := range papers.Published().Numbers {
		if c.Paper != s.Paper || c.Table != s.Table {
			continue
		}
		if cells[c.Row] == nil {
			rows = append(rows, c.Row)
			cells[c.Row] = make(map[string]papers.Number)
		}
		cells[c.Row][c.Metric+":"+c.Stat] = c
	}
	return rows, cells
}

// A layouter builds a layout.
type layouter struct {
	*verdict.Results
	*layout
	variant map[string][]inFile // the variants of each printed row at paper scale
}

// inFile is a group of a golden file.
type inFile struct {
	file  *golden.File
	group golden.Name
}

// variantsOf returns the variants of each printed row at the scale of the paper.
func variantsOf(files []*golden.File) map[string][]inFile {
	list := make(map[string][]inFile)
	for _, f := range files {
		if f.Scale != "paper" {
			continue
		}
		for _, g := range f.Groups() {
			if row, ok := verdict.VariantOf(g); ok {
				list[string(row)] = append(list[string(row)], inFile{f, g})
			}
		}
	}
	return list
}

// row adds the line of a printed row, followed by the lines of its variants.
func (l *layouter) row(cells map[string]papers.Number) {
	var any papers.Number
	own := &line{Entries: make([]entry, len(l.Columns))}
	var labels []string // of variants
	lines := make(map[string]*line)
	add := func(label string, column int, e entry) {
		if lines[label] == nil {
			labels = append(labels, label)
			lines[label] = l.line(variantLine, max(0, slices.Index(l.Labels, "Model")), label)
		}
		lines[label].set(column, e)
	}
	for i, col := range l.Columns {
		c, ok := pick(cells, col)
		if !ok {
			continue
		}
		any = c
		own.set(i, l.printed(c))
		if c.Quantity.Unit == "" {
			continue
		}
		for label, group := range l.variants(c) {
			add(label, i, l.ours(c, group, true))
		}
		for _, v := range l.Variants {
			if v.Unit == "" || v.Factor != 0 && v.Unit != c.Quantity.Unit {
				continue
			}
			if e := l.wholeOrBegun(measuredIn(c, v)); e.Runs > 0 || e.FirstEpoch && v.Factor == 0 {
				add(v.Label, i, e)
			}
		}
	}
	own.Labels = rowLabels(l.Shape, any)
	l.Lines = append(l.Lines, own)
	slices.SortFunc(labels, func(a, b string) int { return cmp.Compare(order(l.Shape, a), order(l.Shape, b)) })
	for _, label := range labels {
		l.Lines = append(l.Lines, lines[label])
	}
}

// line returns a line without numbers that has a text in one of the columns to the left of them.
func (l *layouter) line(kind lineKind, column int, label string) *line {
	n := &line{Kind: kind, Labels: make([]string, len(l.Labels)), Entries: make([]entry, len(l.Columns))}
	n.Labels[column] = label
	return n
}

// set sets the entry in a column.
func (n *line) set(column int, e entry) {
	n.Entries[column] = e
	if !e.FirstEpoch {
		n.Runs = max(n.Runs, e.Runs)
	}
}

// measuredIn returns a cell whose printed number is compared with runs as the variant v says, in another unit
// or times a factor.
func measuredIn(c papers.Number, v papers.Variant) papers.Number {
	q := *c.Quantity
	q.Unit, q.Factor, c.Quantity = v.Unit, v.Factor, &q
	return c
}

// order returns the index of a variant in the list of variants of a shape.
func order(s papers.Shape, label string) int {
	return slices.IndexFunc(s.Variants, func(v papers.Variant) bool { return v.Label == label })
}

// pick returns the printed number of a row in a column. It is the first of the column's
// candidates that the row has. cells has the cells of the row.
func pick(cells map[string]papers.Number, col papers.Column) (papers.Number, bool) {
	for _, of := range col.Candidates {
		if c, ok := cells[of]; ok {
			return c, true
		}
	}
	return papers.Number{}, false
}

// rowLabels returns the texts of a row in the columns to the left of the numbers.
func rowLabels(s papers.Shape, c papers.Number) (list []string) {
	metric := map[string]string{"wcpa_percent": "WCPA", "bpc": "BPC", "ce_nats": "Average CE loss"}
	for _, l := range s.Labels {
		switch l {
		case "Data":
			list = append(list, c.Dataset)
		case "Metric":
			list = append(list, metric[c.Metric])
		default:
			list = append(list, modelOf(c))
		}
	}
	return list
}

// modelOf returns the name of the model of a printed number, with its layers if it has two.
func modelOf(c papers.Number) string {
	if strings.Contains(c.Config, "layers=2") {
		return c.Model + " (2 layers)"
	}
	return c.Model
}

// variants returns the groups of runs that are variants of a cell, by the label of
// the variant. If the runs are named after another table, only the variants in the shape
// are returned, because the other table has them all.
func (l *layouter) variants(c papers.Number) map[string]golden.Name {
	list := make(map[string]golden.Name)
	own, shown := golden.Name(c.Group()), l.GroupOf(c)
	if file := l.FileOf(own); shown != own && file != nil && len(file.Values(own, c.Quantity.Unit)) > 0 {
		list[l.Own] = own
	}
	first := verdict.FirstEpochOf(own)
	for _, v := range l.variant[string(own)] {
		label, listed := variantLabel(l.Shape, c, v.group)
		if v.group != first && v.group != shown && (listed || named(own, l.Paper, l.Table)) && len(v.file.Values(v.group, c.Quantity.Unit)) > 0 { // for first, see printed
			list[label] = v.group
		}
	}
	// A variant with a name of its own may have only runs that stop after the first epoch.
	for _, v := range l.variant[string(first)] {
		if label, listed := variantLabel(l.Shape, c, v.group); listed && list[label] == "" && len(v.file.Values(v.group, c.Quantity.Unit)) > 0 {
			list[label] = v.group
		}
	}
	return list
}

// variantLabel returns the label of the variant g of a row, and whether the shape lists the
// variant. If it does not, the label is the task of the variant.
func variantLabel(s papers.Shape, c papers.Number, g golden.Name) (label string, listed bool) {
	task := strings.TrimPrefix(string(g), c.Group()+"/task=")
	for _, v := range s.Variants {
		if v.Task == task || v.New != "" && strings.HasPrefix(string(g), "paper="+s.Paper+"/"+strings.ReplaceAll(v.New, "{row}", c.Row)) {
			return v.Label, true
		}
	}
	return task, false
}

// unprinted adds a line for each row that has runs under the name of this table, but that the
// paper does not print. Below it are the variants of its groups that the shape lists. If a group
// has only runs that stop after the first epoch, the line has their numbers.
func (l *layouter) unprinted(rows []string, cells map[string]map[string]papers.Number) {
	type name struct{ row, variant string }
	var names []name
	lines := make(map[name]*line)
	add := func(n name, kind lineKind, label string) {
		if lines[n] == nil {
			names, lines[n] = append(names, n), l.line(kind, 0, label)
		}
	}
	for _, f := range l.Files() {
		for _, g := range f.Groups() {
			if !strings.HasPrefix(string(g), "paper="+l.Paper+"/table="+l.Table+"/row=") || f.Scale != "paper" || l.Groups[g] {
				continue
			}
			whole, first := verdict.WholeOf(g)
			if first && l.FileOf(whole) != nil {
				l.Groups[g] = true
				continue
			}
			for i, col := range l.Columns {
				var like papers.Number // the printed cell of the column whose place and unit the group has, with the most decimals
				var of name
				for _, row := range rows {
					c, ok := pick(cells[row], col)
					if !ok || c.Quantity.Unit == "" || len(f.Values(g, c.Quantity.Unit)) == 0 || like.Quantity != nil && c.HalfDigit >= like.HalfDigit {
						continue
					}
					if row, variant, ok := rowOf(l.Shape, c, whole); ok {
						like, of = c, name{strings.ReplaceAll(row, "/task=", ", "), variant}
					}
				}
				if like.Quantity == nil {
					continue
				}
				add(name{row: of.row}, otherLine, cmp.Or(l.Unprinted[of.row], of.row)) // even if it has no runs: no variant may stand below another row
				if of.variant != "" {
					add(of, variantLine, of.variant)
				}
				lines[of].set(i, l.ours(like, g, false))
				for _, v := range l.Variants {
					if n := (name{of.row, v.Label}); v.Unit != "" && v.Factor == 0 && of.variant == "" && len(f.Values(g, v.Unit)) > 0 {
						add(n, variantLine, v.Label)
						lines[n].set(i, l.ours(measuredIn(like, v), g, false))
					}
				}
			}
		}
	}
	rank := func(n name) int { return slices.IndexFunc(names, func(m name) bool { return m.row == n.row }) }
	ordered := slices.Clone(names)
	slices.SortStableFunc(ordered, func(a, b name) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(order(l.Shape, a.variant), order(l.Shape, b.variant)))
	})
	for _, n := range ordered {
		l.Lines = append(l.Lines, lines[n])
	}
}

// rowOf returns the part of a group's name that stands for {row} in the place of c. If only the
// place of a listed variant fits, it also returns the label of that variant. The result ok
// reports whether a place fits.
func rowOf(s papers.Shape, c papers.Number, g golden.Name) (row, variant string, ok bool) {
	name := strings.TrimPrefix(string(g), "paper="+s.Paper+"/")
	match := func(place string) bool {
		before, after, _ := strings.Cut(place, "{row}")
		if row, ok = strings.CutPrefix(name, before); ok {
			row, ok = strings.CutSuffix(row, after)
		}
		return ok
	}
	if match(c.Quantity.Place) {
		return row, "", true
	}
	for _, v := range s.Variants {
		if v.Old != "" && match(strings.Replace(c.Quantity.Place, v.Old, v.New, 1)) {
			return row, v.Label, true
		}
	}
	return "", "", false
}

// printed returns the entry of a printed number.
func (l *layouter) printed(c papers.Number) entry {
	e := entry{InPaper: c, Printed: true}
	if c.Quantity.Unit == "" {
		return e
	}
	if first := verdict.FirstEpochOf(golden.Name(c.Group())); l.FileOf(first) != nil {
		l.Groups[first] = true
	}
	e = l.wholeOrBegun(c)
	e.Printed = true
	if e.Readings = l.Results.Readings(c); e.Readings != nil && e.Runs > 0 {
		e.Verdict, _ = l.Verdict(c.Key)
	}
	return e
}

// wholeOrBegun returns the entry of a printed cell's own runs or, if none has ended, of those
// that stop after the first epoch.
func (l *layouter) wholeOrBegun(c papers.Number) entry {
	group := l.GroupOf(c)
	if e := l.ours(c, group, true); e.Runs > 0 {
		return e
	}
	return l.ours(c, verdict.FirstEpochOf(group), true)
}

// ours returns the entry of a group in cell c. If compared is set, the entry has the outcome.
// For rows that the paper does not print, compared is not set, and c only gives the unit and
// the decimals. For a group that stops after the first epoch, the entry is that of a row which no
// run has finished, with the number of the group.
func (l *layouter) ours(c papers.Number, group golden.Name, compared bool) entry {
	e := entry{InPaper: c, Group: group, File: l.FileOf(group), Compared: compared}
	if e.File == nil {
		return e
	}
	all, _ := l.Judge(c, group)
	_, task, _ := strings.Cut(string(group), "/task=")
	_, first := verdict.WholeOf(group)
	first = first || strings.HasPrefix(task, verdict.FirstEpoch)
	if first || all.Runs > 0 {
		l.Groups[group] = true
	}
	switch q := c.Quantity; {
	case !first:
		e.Verdict = all
	case all.Runs > 0 && !q.Shown && !strings.HasPrefix(q.Unit, "epochs"): // how long a whole run takes
		if compared && q.Untrained() {
			e.Verdict = all
		}
		e.Value, e.Exact, e.FirstEpoch = golden.Mean(e.File.Values(group, q.Unit)), all.Exact, true
	}
	return e
}

// Limits returns the margins and the widths that decide which numbers of the table
// match.
func (l *layout) Limits() (list []string) {
	rows, cells := rowsOf(l.Shape)
	for _, col := range l.Columns {
		for _, row := range rows {
			c, ok := pick(cells[row], col)
			if q := c.Quantity; ok && q.Unit != "" && !q.Shown && q.Width.Value > 0 {
				_, unit, split := strings.Cut(q.Unit, "-") // without train, valid or test
				if !split {
					unit = q.Unit
				}
				if q.Printed(100) == 1 { // the table has shares
					unit = strings.TrimSuffix(unit, "-%")
				}
				text := fmt.Sprintf("%s within %s, intervals no wider than %s", verdict.MetricName(unit), limitText(q, q.Margin), limitText(q, q.Width))
				list = with(list, text)
			}
		}
	}
	slices.Sort(list)
	return list
}

// Spreads describes the spreads of several rows by which numbers of the table are judged.
func (l *layout) Spreads() (list []string) {
	for _, line := range l.Lines {
		for _, e := range line.Entries {
			if e.Pool != nil {
				list = with(list, fmt.Sprintf("%s: %v", verdict.MetricName(e.InPaper.Quantity.Unit), e.Pool))
			}
		}
	}
	slices.Sort(list)
	return list
}

// limitText formats a distance in the scale of the table, or a share of the printed number in
// per cent.
func limitText(q *papers.Quantity, l papers.Limit) string {
	if l.Relative {
		return golden.Number(golden.Round6(float64(100*l.Value))) + " %"
	}
	return golden.Number(golden.Round6(q.Printed(l.Value)))
}

// commands returns the commands that run what the table shows, sorted: those of its own rows and of
// variants, which may be named after another table or after a section.
func (l *layout) commands() (list []string) {
	groups := slices.Collect(maps.Keys(l.Groups))
	for _, c := range papers.Published().Numbers {
		if c.Paper == l.Shape.Paper && c.Table == l.Shape.Table {
			groups = append(groups, golden.Name(c.Group()))
		}
	}
	for _, g := range groups {
		if d, ok := declared()["paper"][g]; ok {
			list = with(list, d.Table)
		}
	}
	slices.Sort(list)
	return list
}

// numberText formats a value in the scale of the printed number, with the given number of
// decimals; an exact integer has all its digits. In shares, 0 and 100 per cent have no
// decimals, and no other value is rounded to 0 or 100.
func numberText(q *papers.Quantity, v float64, digits int, exact bool) string {
	if exact {
		number := q.Printed(v)
		if number != math.Trunc(number) {
			number = golden.Round6(number)
		}
		return golden.Number(number)
	}
	if !verdict.IsShare(q.Unit, q.Higher) || v != 0 && v != 100 {
		text := strconv.FormatFloat(q.Printed(v), 'f', digits, 64)
		switch back, _ := strconv.ParseFloat(text, 64); {
		case !verdict.IsShare(q.Unit, q.Higher):
		case back == 0:
			return "<0." + strings.Repeat("0", digits-1) + "1"
		case back == q.Printed(100):
			return ">" + golden.Number(q.Printed(100)-1) + "." + strings.Repeat("9", digits)
		}
		return text
	}
	return golden.Number(q.Printed(v))
}

// places returns the number of decimals for our results, in the scale of the printed
// number. If the value varies between seeds, these are the decimals that the paper prints,
// but at least one.
func places(c papers.Number, exact bool) int {
	if exact {
		return 3
	}
	n := c.Quantity.Shift
	for last := 2 * c.HalfDigit; 0 < last && last < 0.75; last *= 10 { // 0.01 is two decimals
		n++
	}
	return max(1, n)
}
