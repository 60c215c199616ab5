package verdict

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
)

// marks maps each outcome to the symbol that stands for it in a cell of a page.
var marks = map[golden.Outcome]string{
	golden.Matches: "✓", golden.Better: "▲", golden.Worse: "▼", golden.OpenRuns: "○", golden.OpenSpread: "◇", golden.Misprinted: "†",
}

// Symbol returns the symbol that stands for an outcome of a printed number on a page.
func Symbol(o golden.Outcome) string { return marks[o] }

// Unfinished marks a printed number for which no run has ended.
const Unfinished = "…"

// FirstEpoch is the task of runs that stop after the first epoch of the runs of a row. If that
// row has a task of its own, theirs is that task, a hyphen and FirstEpoch. A page shows their
// numbers as long as the row has no run that went to its end. They decide only whether the count
// of parameters matches, because training does not change it. A task that
// begins with FirstEpoch and a hyphen is a variant that stops after its first epoch. No other row
// may have such a name, because a page would take it for a finished one.
const FirstEpoch = "first-epoch"

// FirstEpochOf returns the group of the runs that stop after the first epoch of a group.
func FirstEpochOf(group golden.Name) golden.Name {
	if strings.Contains(string(group), "/task=") {
		return group + "-" + FirstEpoch
	}
	return group + "/task=" + FirstEpoch
}

// wholeOf returns the group whose first epoch the group g has, and true. If g is no such group,
// wholeOf returns g and false.
func wholeOf(g golden.Name) (whole golden.Name, first bool) {
	for _, suffix := range []string{"/task=" + FirstEpoch, "-" + FirstEpoch} {
		if s, ok := strings.CutSuffix(string(g), suffix); ok {
			return golden.Name(s), true
		}
	}
	return g, false
}

// A Layout is a table of a paper with our results, in the rows and columns of the paper.
type Layout struct {
	papers.Shape
	Lines  []Line
	Groups map[golden.Name]bool // the groups whose runs the table shows
}

// A Line is a line of a table.
type Line struct {
	Kind    LineKind
	Labels  []string // in the columns to the left of the numbers
	Entries []Entry  // one for each column of the shape
	Runs    int      // the number of our finished runs
}

// A LineKind says what a line of a table is.
type LineKind int

// The kinds of lines.
const (
	PrintedLine LineKind = iota // a row that the paper prints
	VariantLine                 // a variant of the row above it that is none
	OtherLine                   // a row that the paper does not print
)

// An Entry is one place of a table: a printed number, a result of ours, or both. It is the
// zero value where the table is empty.
type Entry struct {
	// Cell is the printed number. In lines that the paper does not have, it is the printed
	// number whose unit and decimals ours has.
	Cell    papers.Number
	Printed bool // whether the paper prints the number in this place

	// Group has the runs that the entry shows. It is empty if no run measures the number.
	Group golden.Name
	File  *golden.File // the file that has the runs, or nil if there is none yet
	Runs  int          // the number of runs that the number is from; 0 if it needs whole runs and none is finished
	Exact bool         // whether all runs have the same value

	// Compared reports whether ours is compared with the printed number. If it is, and there
	// are runs, Outcome and Evidence are those of the verdict. For a variant of a printed row,
	// they are what the verdict would be.
	Compared bool
	Outcome  golden.Outcome
	Evidence string

	// Value is the mean of the runs, or the best or the chosen one, in the unit of the cell.
	// If FirstEpoch is set, there is no finished run, and Value is the mean of runs that stop
	// after one epoch. A count of parameters needs no more.
	Value      float64
	FirstEpoch bool
	above      int // the number of runs above the middle, or -1 if it is not to be shown
}

// Empty reports whether the table is empty in this place.
func (e Entry) Empty() bool { return e.Cell.Quantity == nil }

// Measured reports whether runs measure the number.
func (e Entry) Measured() bool { return e.Group != "" }

// Mark returns the symbol of the outcome. It is empty if the number is not judged.
func (e Entry) Mark() string {
	switch {
	case !e.Measured():
		return ""
	case e.Runs == 0:
		return Unfinished
	case e.Compared && !e.Cell.Quantity.Shown:
		return marks[e.Outcome]
	}
	return ""
}

// Number returns our number as text, in the scale of the printed number. It is empty if
// there is none.
func (e Entry) Number() string {
	q := e.Cell.Quantity
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
func (e Entry) Text(v float64) string {
	return numberText(e.Cell.Quantity, v, places(e.Cell, e.Exact), e.Exact)
}

// Interval returns the ends of the interval in which our runs predict the printed number, in
// the unit of the cell. The result ok is false if there is no interval, or if it is a point.
func (e Entry) Interval() (low, high float64, ok bool) {
	if !e.Compared || e.Runs == 0 || e.Cell.Quantity.Shown {
		return 0, 0, false
	}
	low, high, ok = bounds(e.Evidence)
	return low, high, ok && low < high
}

// Remark returns a text to show below the number and the interval, or "".
func (e Entry) Remark() string {
	switch {
	case e.FirstEpoch && !e.Exact:
		text := "after one epoch"
		if gap := e.Cell.Quantity.Printed(e.Value) - e.Cell.Float; e.Compared && (e.Cell.Quantity.Higher && gap > 0 || !e.Cell.Quantity.Higher && gap < 0) {
			text += ", already better"
		}
		return text
	case e.Runs > 0 && e.above >= 0:
		return fmt.Sprintf("%d of %d > %s", e.above, e.Runs, golden.Number(e.Cell.Quantity.Printed(middle)))
	}
	return ""
}

// Layout lays out a table of a paper.
func (r *Results) Layout(s papers.Shape) *Layout {
	l := &layouter{Results: r, Layout: &Layout{Shape: s, Groups: make(map[golden.Name]bool)}}
	rows, cells := rowsOf(s)
	for _, row := range rows {
		l.row(cells[row])
	}
	l.unprinted(rows, cells)
	return l.Layout
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

// A layouter builds a Layout.
type layouter struct {
	*Results
	*Layout
}

// row adds the line of a printed row, followed by the lines of its variants.
func (l *layouter) row(cells map[string]papers.Number) {
	var any papers.Number
	own := Line{Entries: make([]Entry, len(l.Columns))}
	var labels []string // of variants
	lines := make(map[string]*Line)
	add := func(label string, column int, e Entry) {
		if lines[label] == nil {
			labels = append(labels, label)
			lines[label] = l.line(VariantLine, max(0, slices.Index(l.Labels, "Model")), label)
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
			_, task, _ := strings.Cut(string(group), "/task=")
			if _, first := wholeOf(group); first || strings.HasPrefix(task, FirstEpoch) {
				l.Groups[group] = true
				add(label, i, l.begun(c, group, true))
			} else {
				add(label, i, l.ours(c, group, true))
			}
		}
		for _, v := range l.Variants {
			if v.Unit == "" {
				continue
			}
			if e := l.wholeOrBegun(measuredIn(c, v.Unit)); e.Runs > 0 || e.FirstEpoch {
				add(v.Label, i, e)
			}
		}
	}
	own.Labels = rowLabels(l.Shape, any)
	l.Lines = append(l.Lines, own)
	slices.SortFunc(labels, func(a, b string) int { return cmp.Compare(order(l.Shape, a), order(l.Shape, b)) })
	for _, label := range labels {
		l.Lines = append(l.Lines, *lines[label])
	}
}

// line returns a line without numbers that has a text in one of the columns to the left of them.
func (l *layouter) line(kind LineKind, column int, label string) *Line {
	n := &Line{Kind: kind, Labels: make([]string, len(l.Labels)), Entries: make([]Entry, len(l.Columns))}
	n.Labels[column] = label
	return n
}

// set sets the entry in a column.
func (n *Line) set(column int, e Entry) {
	n.Entries[column] = e
	if !e.FirstEpoch {
		n.Runs = max(n.Runs, e.Runs)
	}
}

// measuredIn returns a cell whose printed number is compared with runs in another unit.
func measuredIn(c papers.Number, unit string) papers.Number {
	q := *c.Quantity
	q.Unit, c.Quantity = unit, &q
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
			if strings.Contains(c.Config, "layers=2") {
				c.Model += " (2 layers)"
			}
			list = append(list, c.Model)
		}
	}
	return list
}

// variants returns the groups of runs that are variants of a cell, by the label of
// the variant. If the runs are named after another table, only the variants in the shape
// are returned, because the other table has them all.
func (l *layouter) variants(c papers.Number) map[string]golden.Name {
	list := make(map[string]golden.Name)
	for _, v := range l.variant[c.Group()] {
		if len(v.file.Values(v.group, c.Quantity.Unit)) == 0 {
			continue
		}
		if v.group == FirstEpochOf(golden.Name(c.Group())) { // see printed
			continue
		}
		label, listed := variantLabel(l.Shape, c, v.group)
		if listed || strings.HasPrefix(c.Group(), "paper="+l.Paper+"/table="+l.Table+"/") {
			list[label] = v.group
		}
	}
	// A variant with a name of its own may have only runs that stop after the first epoch.
	for _, v := range l.variant[string(FirstEpochOf(golden.Name(c.Group())))] {
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
	lines := make(map[name]*Line)
	add := func(n name, kind LineKind, label string) {
		if lines[n] == nil {
			names, lines[n] = append(names, n), l.line(kind, 0, label)
		}
	}
	for _, f := range l.files {
		for _, g := range f.Groups() {
			if !strings.HasPrefix(string(g), "paper="+l.Paper+"/table="+l.Table+"/row=") || f.Scale != "paper" || l.Groups[g] {
				continue
			}
			whole, first := wholeOf(g)
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
				add(name{row: of.row}, OtherLine, cmp.Or(l.Unprinted[of.row], of.row)) // even if it has no runs: no variant may stand below another row
				if of.variant != "" {
					add(of, VariantLine, of.variant)
				}
				put := func(n name, c papers.Number) {
					if first {
						l.Groups[g] = true
						lines[n].set(i, l.begun(c, g, false))
					} else {
						lines[n].set(i, l.ours(c, g, false))
					}
				}
				put(of, like)
				for _, v := range l.Variants {
					if n := (name{of.row, v.Label}); v.Unit != "" && of.variant == "" && len(f.Values(g, v.Unit)) > 0 {
						add(n, VariantLine, v.Label)
						put(n, measuredIn(like, v.Unit))
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
		l.Lines = append(l.Lines, *lines[n])
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
func (l *layouter) printed(c papers.Number) Entry {
	e := Entry{Cell: c, Printed: true}
	if c.Quantity.Unit == "" {
		return e
	}
	first := FirstEpochOf(golden.Name(c.Group()))
	if l.FileOf(first) != nil {
		l.Groups[first] = true
	}
	e = l.wholeOrBegun(c)
	if v, ok := l.Verdict(c.Key); ok {
		e.Outcome, e.Evidence = v.Outcome, v.Evidence
	}
	e.Printed = true
	return e
}

// wholeOrBegun returns the entry of a printed cell's own runs or, if none has ended, of those
// that stop after the first epoch.
func (l *layouter) wholeOrBegun(c papers.Number) Entry {
	group := golden.Name(c.Group())
	if e := l.ours(c, group, true); e.Runs > 0 {
		return e
	}
	return l.begun(c, FirstEpochOf(group), true)
}

// begun returns the entry of a cell of a row that no run has finished. It has the number of
// a group that stops after the first epoch, if there is one. The argument compared is that of
// ours.
func (l *layouter) begun(c papers.Number, group golden.Name, compared bool) Entry {
	e := Entry{Cell: c, Group: group, File: l.FileOf(group), Compared: compared}
	q := c.Quantity
	if e.File == nil || q.Shown || strings.HasPrefix(q.Unit, "epochs") { // how long a whole run takes
		return e
	}
	s := sampleOf(e.File, group, q.Unit, q.ChosenBy)
	if len(s.values) == 0 {
		return e
	}
	u, _ := e.File.UnitOf(q.Unit)
	e.Value, e.Exact, e.FirstEpoch = golden.Mean(s.values), u.Exact, true
	if compared && q.Untrained() {
		e.Runs, e.above = len(s.values), -1
		e.Outcome, e.Evidence = reproduce(c, s, u.Exact)
	}
	return e
}

// ours returns the entry of a group in cell c. If compared is set, the entry has the outcome.
// For rows that the paper does not print, compared is not set, and c only gives the unit and
// the decimals.
func (l *layouter) ours(c papers.Number, group golden.Name, compared bool) Entry {
	e := Entry{Cell: c, Group: group, File: l.FileOf(group), Compared: compared, above: -1}
	q := c.Quantity
	if e.File == nil {
		return e
	}
	s := sampleOf(e.File, group, q.Unit, q.ChosenBy)
	if len(s.values) == 0 {
		return e
	}
	l.Groups[group] = true
	u, _ := e.File.UnitOf(q.Unit)
	e.Runs, e.Exact = len(s.values), u.Exact
	if compared {
		e.Outcome, e.Evidence = reproduce(c, s, u.Exact)
	}
	switch {
	case q.ChosenBy != "":
		e.Value = s.chosen()
	case q.Best:
		e.Value = best(s.values, q.Higher)
	default:
		e.Value = golden.Mean(s.values)
	}
	if n, both := above(s.values); both && isShare(q.Unit, q.Higher) && !q.Best {
		e.above = n
	}
	return e
}

// Limits returns the margins and the widths that decide which numbers of the table
// match.
func (l *Layout) Limits() (list []string) {
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
				text := fmt.Sprintf("%s within %s, intervals no wider than %s", MetricName(unit), limitText(q, q.Margin), limitText(q, q.Width))
				if !slices.Contains(list, text) {
					list = append(list, text)
				}
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

// Commands returns the commands that run what the table shows. The keys of all are a paper
// and a table, such as "resurgence 2", or a section or figure, such as "stack-rnn section
// 5.1". Tables that print numbers of the same runs share their commands: runs are named after
// one of these tables, and variants after a section.
func (l *Layout) Commands(all map[string][]string) (list []string) {
	var places []string
	add := func(paper, place string) {
		if place = paper + " " + place; !slices.Contains(places, place) {
			places = append(places, place)
			list = append(list, all[place]...)
		}
	}
	for _, c := range papers.Published().Numbers {
		if c.Paper == l.Shape.Paper && c.Table == l.Shape.Table && c.Quantity.Unit != "" {
			table, _, _ := strings.Cut(strings.TrimPrefix(c.Quantity.Place, "table="), "/")
			add(c.Paper, table)
		}
	}
	for _, g := range slices.Sorted(maps.Keys(l.Groups)) {
		paper := ""
		for _, p := range g.Parts() {
			switch p.Key {
			case "paper":
				paper = p.Value
			case "table":
				add(paper, p.Value)
			case "section", "figure":
				add(paper, p.Key+" "+p.Value)
			}
		}
	}
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
	if !isShare(q.Unit, q.Higher) || v != 0 && v != whole {
		text := strconv.FormatFloat(q.Printed(v), 'f', digits, 64)
		switch back, _ := strconv.ParseFloat(text, 64); {
		case !isShare(q.Unit, q.Higher):
		case back == 0:
			return "<0." + strings.Repeat("0", digits-1) + "1"
		case back == q.Printed(whole):
			return ">" + golden.Number(q.Printed(whole)-1) + "." + strings.Repeat("9", digits)
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

// bounds returns the ends of the interval in the evidence of a verdict. ok reports whether
// the evidence has an interval.
func bounds(evidence string) (low, high float64, ok bool) {
	fields, _ := golden.SplitFields(evidence)
	found := 0
	for _, f := range fields {
		v, err := strconv.ParseFloat(f.Value, 64)
		switch {
		case f.Key == "low" && err == nil:
			low = v
			found++
		case f.Key == "high" && err == nil:
			high = v
			found++
		}
	}
	return low, high, found == 2
}
