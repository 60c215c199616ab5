package verdict

import (
	"cmp"
	"fmt"
	"maps"
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

// unfinished marks a printed number for which no run has ended.
const unfinished = "…"

// FirstEpoch is the task of runs that stop after the first epoch of the runs of a row. A
// page shows their numbers as long as the row has no run that went to its end. They decide
// nothing. A task that begins with FirstEpoch and a hyphen is a variant that stops after its
// first epoch.
const FirstEpoch = "first-epoch"

// firstEpochOf returns the group of the runs that stop after the first epoch of a group.
func firstEpochOf(group golden.Name) golden.Name { return group + "/task=" + FirstEpoch }

// Legend says how to read a cell of a page.
const Legend = `Each cell has the number that the paper prints, in bold, and below it a mark with ours. For example

| test, mean |
| --- |
| **70**<br>◇ 52.10<br>[20.40, 83.80]<br>5 of 10 > 50 |

The paper prints 70, the mean of its ten runs. Ours have the mean 52.10. From their spread, a repetition of the paper's ten runs would
give a mean between 20.40 and 83.80 (19 times out of 20): too wide to tell. Five of our ten runs are above 50; this is shown where runs lie on both
sides. For a best, or a run chosen by its validation loss, ours is the best or chosen run. Runs is the number of our runs. Lines with ↳
are variants of the row above, which the paper does not have; the mark says what their outcome would be, but they are not counted. Rows in
italics are other networks that the paper does not print.

| mark | outcome | meaning |
| --- | --- | --- |
| ✓ | matches | our runs predict the printed number: it lies in the interval or within the margin of its unit, and the interval is narrow |
| ▲ | differs (better) | the printed number lies outside the interval and the margin, and ours are better |
| ▼ | differs (worse) | the same, and ours are worse |
| ○ | open (runs) | too few runs of ours to tell; a best of ten needs thirty |
| ◇ | open (spread) | the paper's own figure would vary so much from repetition to repetition that no number of our runs can confirm it |
| † | misprint | the paper's own text or tables contradict the number |
| … | unfinished | no run of ours has ended yet; a number after the mark is that of a run that stopped after one epoch |
| none | shown | not judged: minutes, sizes, rows that the paper does not print |
`

// Key is a short form of Legend, for the top of a page.
const Key = `In each cell the paper's number is bold, and ours stands below it: ✓ matches, ▲ differs (better), ▼ differs (worse), ○ open (too few
runs), ◇ open (spread), † misprint, … unfinished. Brackets have the interval in which our runs predict the paper's number; "7 of 10 > 50" counts
runs where some are above 50 and some are not. ↳ is a variant that the paper does not have, and is not counted.
[How to read a table](../README.md#how-to-read-a-table) has an example.
`

// lineOf is a line of a table on a page: a row of the paper, or a variant of such a row.
type lineOf struct {
	labels []string
	cells  []string
	runs   int
}

// page writes the tables of a suite.
type page struct {
	markdown
	files   []*golden.File
	verdict map[string]golden.Verdict
	own     []*golden.File       // those of the suite; tables also show the runs of other suites
	placed  map[golden.Name]bool // groups of the suite that the tables of papers already show
	shown   map[golden.Name]bool // groups in the table that is being built
	variant map[string][]inFile  // the variants of each printed row at paper scale

	withRuns bool // whether to write the tables that have runs of the suite, or those that have none
}

// inFile is a group of a golden file.
type inFile struct {
	file  *golden.File
	group golden.Name
}

// newPage returns an empty page of a suite. The parameter own lists the golden files of
// the suite, and all lists those of all suites.
func newPage(own, all []*golden.File) *page {
	p := &page{own: own, files: all, verdict: make(map[string]golden.Verdict), placed: make(map[golden.Name]bool), variant: make(map[string][]inFile), withRuns: true}
	for _, f := range all {
		for _, v := range f.Verdicts {
			p.verdict[v.Key] = v
		}
		if f.Scale != "paper" {
			continue
		}
		for _, g := range f.Groups() {
			if row, ok := variantOf(g); ok {
				p.variant[string(row)] = append(p.variant[string(row)], inFile{f, g})
			}
		}
	}
	return p
}

// Page returns the page of a suite. The parameter own lists the golden files of the suite,
// and all lists those of all suites. First come the readings that were decided after
// results were seen. Then comes each table of a paper in which the suite has a row, laid
// out as in the paper and with the rows of all suites. The runs that no table prints come
// last. commands maps a paper and a table, such as "resurgence 2", to the commands that
// run the table.
func Page(commands map[string][]string, own []*golden.File, all ...*golden.File) string {
	p := newPage(own, all)
	p.fitted(own...)
	for _, s := range papers.Shapes() {
		var own []string
		for _, table := range homes(s) {
			own = append(own, commands[s.Paper+" "+table]...)
		}
		p.table(s, own)
	}
	p.others()
	if p.Len() == 0 {
		p.WriteString("No row of a paper has ended yet. The golden files have short trainings that a plain go test repeats.\n")
	}
	return p.String()
}

// homes returns the numbers of the tables under which the runs of table s are named. Tables
// that print numbers of the same runs share them, and the runs are named after one of these
// tables.
func homes(s papers.Shape) (list []string) {
	for _, c := range papers.Published().Cells {
		if c.Paper == s.Paper && c.Table == s.Table && c.Quantity.Unit != "" {
			table, _, _ := strings.Cut(strings.TrimPrefix(c.Quantity.Place, "table="), "/")
			if !slices.Contains(list, table) {
				list = append(list, table)
			}
		}
	}
	return list
}

// anchor returns the heading of a table on a page.
func anchor(s papers.Shape) string {
	return fmt.Sprintf("Table %s of %s", s.Table, s.Paper)
}

// table adds a table of a paper. If p.withRuns is set, it skips tables in which the suite has
// no runs; otherwise it skips tables in which the suite has runs.
func (p *page) table(s papers.Shape, commands []string) {
	p.shown = make(map[golden.Name]bool)
	var rows []string
	cells := make(map[string]map[string]papers.Cell) // by row and metric:stat
	for _, c := range papers.Published().Cells {
		if c.Paper != s.Paper || c.Table != s.Table {
			continue
		}
		if cells[c.Row] == nil {
			rows = append(rows, c.Row)
			cells[c.Row] = make(map[string]papers.Cell)
		}
		cells[c.Row][c.Metric+":"+c.Stat] = c
	}
	var lines []lineOf
	for _, row := range rows {
		lines = append(lines, rowLines(p, s, cells[row])...)
	}
	lines = append(lines, p.unprinted(s, rows, cells)...)
	own := false
	for _, f := range p.own {
		own = own || slices.ContainsFunc(f.Groups(), func(g golden.Name) bool { return p.shown[g] })
	}
	if own != p.withRuns {
		return
	}
	maps.Copy(p.placed, p.shown)
	fmt.Fprintf(p, "\n## %s\n\n%s.\n\n", anchor(s), s.Title)
	head := slices.Clone(s.Labels)
	for _, c := range s.Columns {
		head = append(head, c.Head)
	}
	p.grid(s, append(head, "Runs"), lines)
	if p.withRuns {
		p.limits(s, cells)
	}
	for _, c := range commands {
		fmt.Fprintf(p, "\nRun it: `%s`\n", c)
	}
	p.misprints(s)
	p.readings(s)
}

// limits adds the margins and the widths that decide which numbers of a table
// match.
func (p *page) limits(s papers.Shape, cells map[string]map[string]papers.Cell) {
	var list []string
	for _, col := range s.Columns {
		for _, row := range cells {
			c, ok := pick(row, col)
			if q := c.Quantity; ok && q.Unit != "" && !q.Shown && q.Width.Value > 0 {
				_, unit, split := strings.Cut(q.Unit, "-") // without train, valid or test
				if !split {
					unit = q.Unit
				}
				text := fmt.Sprintf("%s within %s, intervals no wider than %s", unit, limitText(q.Margin), limitText(q.Width))
				if !slices.Contains(list, text) {
					list = append(list, text)
				}
			}
		}
	}
	if slices.Sort(list); len(list) > 0 {
		fmt.Fprintf(p, "\nMatches: %s.\n", strings.Join(list, "; "))
	}
}

// limitText formats a distance, or a share of the printed number in per cent.
func limitText(l papers.Limit) string {
	if l.Relative {
		return golden.Number(golden.Round6(float64(100*l.Value))) + " %"
	}
	return golden.Number(l.Value)
}

// grid adds a table. If the paper prints our columns as rows, grid transposes the table.
func (p *page) grid(s papers.Shape, head []string, lines []lineOf) {
	text := [][]string{head}
	for _, l := range lines {
		text = append(text, append(slices.Concat(l.labels, l.cells), strconv.Itoa(l.runs)))
	}
	if s.Across {
		across := make([][]string, len(head))
		for i := range head {
			for _, line := range text {
				across[i] = append(across[i], line[i])
			}
		}
		text = across
	}
	p.row(text[0]...)
	p.row(slices.Repeat([]string{"---"}, len(text[0]))...)
	for _, line := range text[1:] {
		p.row(line...)
	}
}

// rowLines returns the line of a printed row, followed by the lines of its
// variants.
func rowLines(p *page, s papers.Shape, cells map[string]papers.Cell) []lineOf {
	var any papers.Cell
	own := lineOf{}
	var variants []string
	groups := make(map[string]map[int]golden.Name) // of variants, by label and column
	for i, col := range s.Columns {
		c, ok := pick(cells, col)
		if !ok {
			own.cells = append(own.cells, "")
			continue
		}
		any = c
		text, n := p.printed(c)
		own.cells = append(own.cells, text)
		own.runs = max(own.runs, n)
		if c.Quantity.Unit == "" {
			continue
		}
		for label, group := range p.variants(s, c) {
			if groups[label] == nil {
				groups[label] = make(map[int]golden.Name)
				variants = append(variants, label)
			}
			groups[label][i] = group
		}
	}
	own.labels = labels(s, any)
	lines := []lineOf{own}
	slices.SortFunc(variants, func(a, b string) int { return cmp.Compare(order(s, a), order(s, b)) })
	for _, label := range variants {
		v := lineOf{labels: labelled(s, "↳ "+label)}
		for i, col := range s.Columns {
			group, ok := groups[label][i]
			c, _ := pick(cells, col)
			text, n := "", 0
			switch _, task, _ := strings.Cut(string(group), "/task="); {
			case ok && strings.HasPrefix(task, FirstEpoch):
				p.shown[group] = true
				text = p.begun(c, group)
			case ok:
				text, n = p.ours(c, group, true)
			}
			v.cells = append(v.cells, text)
			v.runs = max(v.runs, n)
		}
		lines = append(lines, v)
	}
	return lines
}

// order returns the index of a variant in the list of variants of a shape.
func order(s papers.Shape, label string) int {
	return slices.IndexFunc(s.Variants, func(v papers.Variant) bool { return v.Label == label })
}

// pick returns the printed number of a row in a column. It is the first of the column's
// candidates that the row has. cells has the cells of the row.
func pick(cells map[string]papers.Cell, col papers.Column) (papers.Cell, bool) {
	for _, of := range col.Candidates {
		if c, ok := cells[of]; ok {
			return c, true
		}
	}
	return papers.Cell{}, false
}

// labels returns the texts of a row in the columns to the left of the numbers.
func labels(s papers.Shape, c papers.Cell) (list []string) {
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

// labelled returns the labels of a line that the paper does not have. The given label is in
// the column Model or, if there is no such column, in the first one. The other labels are
// empty.
func labelled(s papers.Shape, label string) []string {
	list := make([]string, len(s.Labels))
	list[max(0, slices.Index(s.Labels, "Model"))] = nonBreaking(label)
	return list
}

// variants returns the groups of runs that are variants of a cell, by the label of
// the variant. If the runs are named after another table, only the variants in the shape
// are returned, because the other table has them all.
func (p *page) variants(s papers.Shape, c papers.Cell) map[string]golden.Name {
	list := make(map[string]golden.Name)
	for _, v := range p.variant[c.Group()] {
		if len(v.file.Values(v.group, c.Quantity.Unit)) == 0 {
			continue
		}
		if v.group == firstEpochOf(golden.Name(c.Group())) { // see begun
			p.shown[v.group] = true
			continue
		}
		if label := variantLabel(s, c, v.group); order(s, label) >= 0 || strings.HasPrefix(c.Group(), "paper="+s.Paper+"/table="+s.Table+"/") {
			list[label] = v.group
		}
	}
	return list
}

// variantLabel returns the label of the variant g of a row: the label in the shape or, if the
// shape does not list the variant, the task of the variant.
func variantLabel(s papers.Shape, c papers.Cell, g golden.Name) string {
	task := strings.TrimPrefix(string(g), c.Group()+"/task=")
	for _, v := range s.Variants {
		if v.Task == task || v.New != "" && strings.HasPrefix(string(g), "paper="+s.Paper+"/"+strings.ReplaceAll(v.New, "{row}", c.Row)) {
			return v.Label
		}
	}
	return task
}

// unprinted returns a line for each row that has runs under the name of this table,
// but that the paper does not print.
func (p *page) unprinted(s papers.Shape, rows []string, cells map[string]map[string]papers.Cell) (lines []lineOf) {
	for _, f := range p.files {
		for _, g := range f.Groups() {
			rest, ok := strings.CutPrefix(string(g), "paper="+s.Paper+"/table="+s.Table+"/row=")
			if !ok || f.Scale != "paper" || p.shown[g] {
				continue
			}
			l := lineOf{labels: labelled(s, "")}
			l.labels[0] = "*" + nonBreaking(strings.ReplaceAll(rest, "/task=", ", ")) + "*"
			for _, col := range s.Columns {
				text, n := "", 0
				var like papers.Cell // the printed cell of the same column whose unit the group has, with the most decimals
				for _, row := range rows {
					c, ok := pick(cells[row], col)
					if ok && c.Quantity.Unit != "" && len(f.Values(g, c.Quantity.Unit)) > 0 && (like.Quantity == nil || c.HalfDigit < like.HalfDigit) {
						like = c
					}
				}
				if like.Quantity != nil {
					text, n = p.ours(like, g, false)
				}
				l.cells = append(l.cells, text)
				l.runs = max(l.runs, n)
			}
			if l.runs > 0 {
				lines = append(lines, l)
			}
		}
	}
	return lines
}

// fileOf returns the first file that has runs of a group, or nil if there is none.
func (p *page) fileOf(group golden.Name) *golden.File {
	for _, f := range p.files {
		if len(f.Seeds(group)) > 0 {
			return f
		}
	}
	return nil
}

// printed returns the text of a printed cell, with our result below it, and the
// number of our runs.
func (p *page) printed(c papers.Cell) (string, int) {
	if c.Quantity.Unit == "" {
		return "**" + c.Value + "**", 0
	}
	text, n := p.ours(c, golden.Name(c.Group()), true)
	if n == 0 {
		text = p.begun(c, firstEpochOf(golden.Name(c.Group())))
	}
	return "**" + c.Value + "**<br>" + text, n
}

// begun returns the text for a cell of a row that no run has finished. It has the number of
// a group that stops after the first epoch, if there is one.
func (p *page) begun(c papers.Cell, group golden.Name) string {
	q, f := c.Quantity, p.fileOf(group)
	if f == nil || q.Shown || strings.HasPrefix(q.Unit, "epochs") { // how long a whole run takes
		return unfinished
	}
	s := sampleOf(f, group, q.Unit, q.ChosenBy)
	if len(s.values) == 0 {
		return unfinished
	}
	u, _ := f.UnitOf(q.Unit)
	mean := golden.Mean(s.values)
	if u.Exact { // training does not change it
		return nonBreaking(unfinished + " " + numberText(q, mean, 0, true))
	}
	text := unfinished + " " + numberText(q, mean, places(c, false), false) + "<br>after one epoch"
	if gap := q.Printed(mean) - c.Number; q.Higher && gap > 0 || !q.Higher && gap < 0 {
		text += ", already better"
	}
	return nonBreaking(text)
}

// ours returns the text for the result of a group in cell c, and the number of its runs. If
// compared is set, the text has the mark of the outcome and the interval. For rows that the
// paper does not print, compared is not set, and c only gives the unit and the decimals.
func (p *page) ours(c papers.Cell, group golden.Name, compared bool) (string, int) {
	f := p.fileOf(group)
	q := c.Quantity
	if f == nil {
		return unfinished, 0
	}
	s := sampleOf(f, group, q.Unit, q.ChosenBy)
	if len(s.values) == 0 {
		return unfinished, 0
	}
	p.shown[group] = true
	u, _ := f.UnitOf(q.Unit)
	outcome, evidence := reproduce(c, s, u.Exact)
	if v, ok := p.verdict[c.Key.String()]; ok && string(group) == c.Group() {
		outcome, evidence = v.Outcome, v.Evidence
	}
	var centre float64
	switch {
	case q.ChosenBy != "":
		centre = s.chosen()
	case q.Best:
		centre = best(s.values, q.Higher)
	default:
		centre = golden.Mean(s.values)
	}
	number := func(v float64) string { return numberText(q, v, places(c, u.Exact), u.Exact) }
	text := number(centre) + q.Suffix
	if q.Shown {
		text = strconv.FormatFloat(q.Printed(centre), 'g', 2, 64)
	}
	if compared && !q.Shown {
		text = marks[outcome] + " " + text
	}
	if low, high, ok := bounds(evidence); ok && compared && !q.Shown && low < high {
		text += "<br>[" + number(low) + ", " + number(high) + "]"
	}
	if n, both := above(s.values); both && isShare(q.Unit, q.Higher) && !q.Best {
		text += fmt.Sprintf("<br>%d of %d > %s", n, len(s.values), golden.Number(q.Printed(middle)))
	}
	return nonBreaking(text), len(s.values)
}

// nonBreaking makes all blanks non-breaking, so that a cell breaks only at <br>.
func nonBreaking(s string) string { return strings.ReplaceAll(s, " ", "\u00a0") }

// numberText formats a value in the scale of the printed number, with the given
// number of decimals. In shares, 0 and 100 per cent have no decimals, and no other
// value is rounded to 0 or 100.
func numberText(q *papers.Quantity, v float64, digits int, exact bool) string {
	if exact {
		return golden.Number(golden.Round6(q.Printed(v)))
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
func places(c papers.Cell, exact bool) int {
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

// others adds the groups at paper scale that no table of a paper shows. The table
// has a line for each group and a column for each unit that some paper prints.
func (p *page) others() {
	for _, f := range p.own {
		if f.Scale != "paper" {
			continue
		}
		var units []string
		var groups []golden.Name
		for _, g := range f.Groups() {
			if p.placed[g] {
				continue
			}
			groups = append(groups, g)
			for _, u := range f.Units {
				if _, ok := papers.Published().Unit(u.Name); ok && len(f.Values(g, u.Name)) > 0 && !slices.Contains(units, u.Name) {
					units = append(units, u.Name)
				}
			}
		}
		if len(groups) == 0 {
			continue
		}
		slices.Sort(units)
		p.WriteString("\n## Runs that no table prints\n\nMeans with the standard deviation over runs, in the units that the papers print; the golden file has the other units.\n\n" +
			"<details><summary>" + strconv.Itoa(len(groups)) + " rows</summary>\n\n")
		p.row(slices.Concat([]string{"Row"}, units, []string{"Runs"})...)
		p.row(slices.Repeat([]string{"---"}, len(units)+2)...)
		for _, g := range groups {
			line, n := []string{title(g)}, 0
			for _, unit := range units {
				v := f.Values(g, unit)
				n = max(n, len(v))
				line = append(line, meanText(v, unit))
			}
			p.row(append(line, strconv.Itoa(n))...)
		}
		p.WriteString("\n</details>\n")
	}
}

// meanText formats the mean of values and their standard deviation. For shares that
// are on both sides of 50, it adds the number of values above 50.
func meanText(v []float64, unit string) string {
	if len(v) == 0 {
		return ""
	}
	text := strconv.FormatFloat(golden.Mean(v), 'g', 3, 64)
	if m := golden.Mean(v); max(m, -m) >= 1000 {
		text = strconv.FormatFloat(m, 'f', 0, 64)
	}
	if sd := Deviation(v); sd != 0 {
		text += " ± " + strconv.FormatFloat(sd, 'g', 2, 64)
	}
	higher, _ := papers.Published().Unit(unit)
	if n, both := above(v); both && isShare(unit, higher) {
		text += fmt.Sprintf(", %d of %d > %d", n, len(v), middle)
	}
	return text
}

// misprints adds a note for each misprint in a table, which says what contradicts
// the number.
func (p *page) misprints(s papers.Shape) {
	for _, m := range papers.Misprints() {
		if strings.HasPrefix(m.Key, "["+s.Paper+":"+s.Table+":") && p.verdict[m.Key].Outcome == golden.Misprinted {
			fmt.Fprintf(p, "\n† %s\n", m.Text)
		}
	}
}

// readings adds a list of the readings that were tried, if one of our results differs from
// a number of the table.
func (p *page) readings(s papers.Shape) {
	for _, r := range papers.TableReadings() {
		if r.Paper == s.Paper && r.Table == s.Table && p.differs(r) {
			fmt.Fprintf(p, "\nWhere it differs:\n\n* We tried: %s\n* The paper does not say: %s\n* What would settle it: %s\n", r.Tried, r.Open, r.Settle)
		}
	}
}

// differs reports whether one of our results differs from a number of the table of r.
func (p *page) differs(r papers.Readings) bool {
	for key, v := range p.verdict {
		if strings.HasPrefix(key, "["+r.Paper+":"+r.Table+":") && (v.Outcome == golden.Better || v.Outcome == golden.Worse) {
			return true
		}
	}
	return false
}

// fitted adds the readings of the paper that were chosen because printed numbers
// fit, or after results were seen.
func (p *page) fitted(files ...*golden.File) {
	var texts []string
	for _, r := range papers.FittedReadings() {
		if slices.ContainsFunc(files, func(f *golden.File) bool {
			return slices.ContainsFunc(f.Rows, func(row golden.Row) bool { return r.Rows.MatchString(string(row.Name)) })
		}) {
			texts = append(texts, "* "+r.Text+"\n")
		}
	}
	if len(texts) > 0 {
		p.WriteString("## Decided after results were seen\n\nWhere we chose a reading because certain printed numbers come out with it, those numbers do not confirm it.\n\n" + strings.Join(texts, ""))
	}
}

// Counts gives the number of printed numbers with each outcome.
type Counts struct {
	Printed, Shown, Unfinished int
	ByOutcome                  map[golden.Outcome]int
}

// Differs returns how many of the printed numbers differ from our results.
func (c Counts) Differs() int { return c.ByOutcome[golden.Better] + c.ByOutcome[golden.Worse] }

// Open returns how many of the printed numbers are undecided, because there are too few
// runs or because the runs vary too much.
func (c Counts) Open() int { return c.ByOutcome[golden.OpenRuns] + c.ByOutcome[golden.OpenSpread] }

// count counts the outcomes of measured cells by key. keyOf maps a cell to its key,
// such as the name of its paper. The keys are returned in the order in which they
// occur.
func count(files []*golden.File, keyOf func(papers.Key) string) (keys []string, counts map[string]*Counts) {
	p := newPage(files, files)
	counts = make(map[string]*Counts)
	for _, c := range papers.Published().Cells {
		if c.Quantity.Unit == "" {
			continue
		}
		key := keyOf(c.Key)
		n := counts[key]
		if n == nil {
			keys = append(keys, key)
			n = &Counts{ByOutcome: make(map[golden.Outcome]int)}
			counts[key] = n
		}
		n.Printed++
		v, judged := p.verdict[c.Key.String()]
		switch {
		case judged:
			n.ByOutcome[v.Outcome]++
		case c.Quantity.Shown && p.fileOf(golden.Name(c.Group())) != nil:
			n.Shown++
		default:
			n.Unfinished++
		}
	}
	return keys, counts
}

// Headline returns a table that has, for each paper, the number of printed numbers
// with each outcome.
func Headline(files ...*golden.File) string {
	var b markdown
	b.counts("paper", files, func(k papers.Key) string { return k.Paper }, func(paper string) string { return paper })
	b.easy(files)
	return b.String()
}

// easy adds a sentence that says how many of the matches are no surprise, because they are
// shares near 0 or counts of parameters.
func (b *markdown) easy(files []*golden.File) {
	matches, low, sizes := 0, 0, 0
	for _, f := range files {
		for _, v := range f.Verdicts {
			k, err := papers.ParseKey(v.Key)
			c, ok := papers.Published().Cell(k)
			if err != nil || !ok || v.Outcome != golden.Matches {
				continue
			}
			matches++
			u, _ := f.UnitOf(c.Quantity.Unit)
			switch {
			case u.Exact:
				sizes++
			case isShare(c.Quantity.Unit, c.Quantity.Higher) && c.Published <= 1.5:
				low++
			}
		}
	}
	fmt.Fprintf(b, "\nOf the %d matches, %d are shares of at most 1.5 per cent, mostly of networks that do not learn, and %d are counts of parameters.\n", matches, low, sizes)
}

// counts adds a table with the number of outcomes for each key.
func (b *markdown) counts(what string, files []*golden.File, keyOf func(papers.Key) string, text func(key string) string) {
	b.row(what, "printed numbers", "matches", "open", "differs", "misprint", "shown", "unfinished")
	b.row(slices.Repeat([]string{"---"}, 8)...)
	keys, counts := count(files, keyOf)
	for _, k := range keys {
		c := counts[k]
		b.row(text(k), strconv.Itoa(c.Printed), strconv.Itoa(c.ByOutcome[golden.Matches]), pair(c.Open(), c.ByOutcome[golden.OpenRuns], "runs", c.ByOutcome[golden.OpenSpread], "spread"),
			pair(c.Differs(), c.ByOutcome[golden.Better], "better", c.ByOutcome[golden.Worse], "worse"), strconv.Itoa(c.ByOutcome[golden.Misprinted]), strconv.Itoa(c.Shown), strconv.Itoa(c.Unfinished))
	}
}

// pair formats a sum and its two parts, such as "5 (3 runs, 2 spread)".
func pair(sum, a int, of string, b int, other string) string {
	if sum == 0 {
		return "0"
	}
	return fmt.Sprintf("%d (%d %s, %d %s)", sum, a, of, b, other)
}

// Overview returns the number of outcomes for each table of each paper, with links
// to the pages of the suites. It adds how many numbers would differ by chance, and
// the tables without runs.
func Overview(suites ...[]*golden.File) string {
	all := slices.Concat(suites...)
	link := make(map[string]string) // by paper and table
	for _, own := range suites {
		p := newPage(own, all)
		for _, s := range papers.Shapes() {
			at := p.Len()
			if p.table(s, nil); p.Len() == at {
				continue
			}
			key, page := s.Paper+", table "+s.Table, fmt.Sprintf("(%s/README.md#%s)", own[0].Suite, fragment(anchor(s)))
			if link[key] == "" {
				link[key] = "[" + key + "]" + page
			} else {
				link[key] += " [" + own[0].Suite + "]" + page
			}
		}
	}
	var b markdown
	b.counts("table", all, func(k papers.Key) string { return k.Paper + ", table " + k.Table }, func(k string) string { return cmp.Or(link[k], k) })
	b.chance(all...)
	p := newPage(all, all)
	p.withRuns = false
	for _, s := range papers.Shapes() {
		p.table(s, nil)
	}
	if p.Len() > 0 {
		b.WriteString("\n# Tables without runs yet\n" + p.String())
	}
	return b.String()
}

// fragment returns the name that GitHub gives to a heading.
func fragment(heading string) string {
	keep := func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			return r
		}
		return -1
	}
	return strings.Map(keep, strings.ToLower(heading))
}

// Claims returns a table of the claims of each paper, with their outcomes in the
// files.
func Claims(files ...*golden.File) string {
	found := make(map[string]golden.ClaimVerdict)
	suite := make(map[string]string)
	for _, f := range files {
		for _, c := range f.Claims {
			found[c.ID], suite[c.ID] = c, f.Suite
		}
	}
	var names []string
	for _, c := range papers.Published().Claims {
		if !slices.Contains(names, c.Paper) {
			names = append(names, c.Paper)
		}
	}
	var b markdown
	for _, name := range names {
		fmt.Fprintf(&b, "\n## %s\n\n", name)
		b.row("claim", "section", "what the paper says", "in its own tables", "here", "why", "suite")
		b.row(slices.Repeat([]string{"---"}, 7)...)
		for _, c := range papers.Published().Claims {
			if c.Paper != name {
				continue
			}
			v, judged := found[c.ID]
			here, why := string(v.Outcome), because(v)
			if !judged {
				here, why = unfinished, ""
			}
			text := c.Text
			if c.Note != "" {
				text += " (" + c.Note + ")"
			}
			b.row(c.ID, cmp.Or(c.Section, "-"), text, inPaper(c), here, why, suite[c.ID])
		}
	}
	return b.String()
}

// because explains the evidence of a claim in a few words.
func because(v golden.ClaimVerdict) string {
	fields, _ := golden.SplitFields(v.Evidence)
	value := make(map[string]string)
	for _, f := range fields {
		value[f.Key] = f.Value
	}
	if draws, trues := value["draws"], value["true"]; draws != "" && trues != "" {
		return fmt.Sprintf("true in %s of %s draws from our runs", trues, draws)
	}
	if missing := value["missing"]; missing != "" {
		text := "no runs of " + strings.ReplaceAll(missing, "`", "'")
		if more := value["more"]; more != "" {
			text += ", nor of " + more + " others"
		}
		return text
	}
	if short := value["short"]; short != "" {
		return "too few runs of " + strings.ReplaceAll(short, "`", "'")
	}
	return strings.ReplaceAll(v.Evidence, "`", "'")
}
