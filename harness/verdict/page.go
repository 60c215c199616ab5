package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// A mark stands for an outcome in a cell of a page.
var marks = map[golden.Outcome]string{
	golden.Matches: "✓", golden.Better: "▲", golden.Worse: "▼", golden.OpenRuns: "○", golden.OpenSpread: "◇", golden.Misprinted: "†",
}

// unfinished marks a printed number of which no run has ended.
const unfinished = "…"

// Legend says how to read a cell of a page.
const Legend = `Each cell has the printed number and, below it, a mark and ours: for a mean or a single run the mean of our runs, for a best or a
chosen run that of ours, and in brackets the interval in which our runs predict the paper's number. "7/10" counts the runs above 50 where
some are above and some below. Runs is the number of ours.

| mark | outcome | meaning |
| --- | --- | --- |
| ✓ | matches | our runs predict the printed number: the interval is narrow, and the number lies in it or within the margin of its unit |
| ▲ | differs (better) | the number lies outside the interval and the margin, and ours are better |
| ▼ | differs (worse) | the same, and ours are worse |
| ○ | open (runs) | too few runs of ours to tell |
| ◇ | open (spread) | runs differ so much that one printed number of one experiment cannot tell, however many runs we add |
| † | misprint | the paper's own text or tables contradict the number |
| … | unfinished | no run of ours has ended yet |
| no mark | shown | not judged: minutes, sizes, and rows that the paper does not print |
`

// lineOf is a line of a table on a page: a row of the paper, or a variant of one.
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
	placed  map[golden.Name]bool // groups that stand in a table of a paper
}

func newPage(files []*golden.File) *page {
	p := &page{files: files, verdict: make(map[string]golden.Verdict), placed: make(map[golden.Name]bool)}
	for _, f := range files {
		for _, v := range f.Verdicts {
			p.verdict[v.Key] = v
		}
	}
	return p
}

// Page returns the page of a suite: what was decided after results were seen, then each
// table of a paper in which the files have a row, in the paper's shape, then the runs that
// no table prints. Commands has the command that runs a table, by "paper table".
func Page(commands map[string]string, files ...*golden.File) string {
	p := newPage(files)
	p.fitted(files...)
	for _, s := range papers.Shapes() {
		p.table(s, commands[s.Paper+" "+home(s)])
	}
	p.others()
	return p.String()
}

// home returns the table at whose place the runs of a table report: of two tables that
// print figures of the same runs, the other one.
func home(s papers.Shape) string {
	for _, c := range papers.Published().Cells {
		if c.Paper == s.Paper && c.Table == s.Table && c.Quantity.Unit != "" {
			place, _, _ := strings.Cut(strings.TrimPrefix(c.Quantity.Place, "table="), "/")
			return place
		}
	}
	return s.Table
}

// anchor returns the heading of a table on a page.
func anchor(s papers.Shape) string {
	return fmt.Sprintf("Table %s of %s", s.Table, s.Paper)
}

// table adds a table of a paper, unless the files have none of its rows.
func (p *page) table(s papers.Shape, command string) {
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
	left := 0
	for _, row := range rows {
		of := rowLines(p, s, cells[row])
		if of == nil {
			left++
		}
		lines = append(lines, of...)
	}
	if left == len(rows) {
		return
	}
	lines = append(lines, p.unprinted(s, cells)...)
	fmt.Fprintf(p, "\n## %s\n\n%s.\n\n", anchor(s), s.Title)
	head := slices.Clone(s.Labels)
	for _, c := range s.Columns {
		head = append(head, c.Head)
	}
	p.grid(s, append(head, "Runs"), lines)
	if left > 0 {
		fmt.Fprintf(p, "\n%d more rows of this table have no runs yet.\n", left)
	}
	if command != "" {
		fmt.Fprintf(p, "\nRun it: `%s`\n", command)
	}
	p.misprints(s)
	p.readings(s)
}

// grid adds a table with a heading, or its transpose where the paper prints it across.
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

// rowLines returns the line of a printed row and those of its variants, none if the files
// have no run of it.
func rowLines(p *page, s papers.Shape, cells map[string]papers.Cell) []lineOf {
	var any papers.Cell
	own := lineOf{}
	var variants []string
	groups := make(map[string]map[int]golden.Name) // of variants, by label and column
	ran := false
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
		ran = ran || n > 0
		for label, group := range p.variants(s, c) {
			if groups[label] == nil {
				groups[label] = make(map[int]golden.Name)
				variants = append(variants, label)
			}
			groups[label][i] = group
		}
	}
	if !ran {
		return nil
	}
	own.labels = labels(s, any)
	lines := []lineOf{own}
	slices.Sort(variants)
	for _, label := range variants {
		v := lineOf{labels: labelled(s, "↳ "+label)}
		for i, col := range s.Columns {
			group, ok := groups[label][i]
			c, _ := pick(cells, col)
			text, n := "", 0
			if ok {
				text, n = p.ours(c, group, true)
			}
			v.cells = append(v.cells, text)
			v.runs = max(v.runs, n)
		}
		lines = append(lines, v)
	}
	return lines
}

// pick returns the cell that a row has in a column.
func pick(cells map[string]papers.Cell, col papers.Column) (papers.Cell, bool) {
	for _, of := range col.Of {
		if c, ok := cells[of]; ok {
			return c, true
		}
	}
	return papers.Cell{}, false
}

// labels returns what a row has before its numbers.
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

// labelled returns the labels of a line that the paper does not have.
func labelled(s papers.Shape, label string) []string {
	list := make([]string, len(s.Labels))
	list[max(0, slices.Index(s.Labels, "Model"))] = label
	return list
}

// variants returns the groups of the variants of a cell, by label.
func (p *page) variants(s papers.Shape, c papers.Cell) map[string]golden.Name {
	list := make(map[string]golden.Name)
	for _, f := range p.files {
		if f.Scale != "paper" {
			continue
		}
		for _, g := range f.Groups() {
			if row, ok := variantOf(g); !ok || string(row) != c.Group() || len(f.Values(g, c.Quantity.Unit)) == 0 {
				continue
			}
			list[variantLabel(s, c, g)] = g
		}
	}
	return list
}

// variantLabel names a variant of a row: as the shape does, or by its task.
func variantLabel(s papers.Shape, c papers.Cell, g golden.Name) string {
	for _, v := range s.Variants {
		if strings.HasPrefix(string(g), "paper="+s.Paper+"/"+strings.ReplaceAll(v.New, "{row}", c.Row)) {
			return v.Label
		}
	}
	return strings.TrimPrefix(string(g), c.Group()+"/task=")
}

// unprinted returns the lines of rows that runs report at a table of a paper, but that the
// paper does not print.
func (p *page) unprinted(s papers.Shape, cells map[string]map[string]papers.Cell) (lines []lineOf) {
	var like map[string]papers.Cell // a printed row, for its columns
	for _, row := range cells {
		like = row
	}
	for _, f := range p.files {
		for _, g := range f.Groups() {
			rest, ok := strings.CutPrefix(string(g), "paper="+s.Paper+"/table="+s.Table+"/row=")
			if !ok || f.Scale != "paper" || p.placed[g] {
				continue
			}
			l := lineOf{labels: labelled(s, "*"+strings.ReplaceAll(rest, "/task=", ", ")+"*")}
			for _, col := range s.Columns {
				c, ok := pick(like, col)
				text, n := "", 0
				if ok && c.Quantity.Unit != "" {
					if text, n = p.ours(c, g, false); n == 0 {
						text = ""
					}
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

// fileOf returns the file with the runs of a group, that of the larger scale; nil if there
// is none.
func (p *page) fileOf(group golden.Name) *golden.File {
	for _, f := range p.files {
		if len(f.Seeds(group)) > 0 {
			return f
		}
	}
	return nil
}

// printed returns the text of a printed cell with ours, and the number of our runs.
func (p *page) printed(c papers.Cell) (string, int) {
	if c.Quantity.Unit == "" {
		return c.Value, 0
	}
	text, n := p.ours(c, golden.Name(c.Group()), true)
	return c.Value + "<br>" + text, n
}

// ours returns what the runs of a group have for a cell, and how many there are. Compared
// says that the cell is what the runs are compared with, and not just of the same column.
func (p *page) ours(c papers.Cell, group golden.Name, compared bool) (string, int) {
	f := p.fileOf(group)
	q := c.Quantity
	if f == nil {
		return unfinished, 0
	}
	s := sampleOf(f, group, q.Unit, q.By)
	if len(s.values) == 0 {
		return unfinished, 0
	}
	p.placed[group] = true
	u, _ := f.UnitOf(q.Unit)
	outcome, evidence := reproduce(c, s, u.Exact)
	if v, ok := p.verdict[c.Key.String()]; ok && string(group) == c.Group() {
		outcome, evidence = v.Outcome, v.Evidence
	}
	var centre float64
	switch {
	case q.By != "":
		centre = s.chosen()
	case q.Best:
		centre = best(s.values, q.Higher)
	default:
		centre = golden.Mean(s.values)
	}
	digits := places(c, u.Exact)
	number := func(v float64) string { return trim(strconv.FormatFloat(q.Printed(v), 'f', digits, 64)) }
	text := number(centre) + q.Suffix
	if q.Shown {
		text = strconv.FormatFloat(q.Printed(centre), 'g', 2, 64)
	}
	if low, high, ok := bounds(evidence); ok && compared && !q.Shown {
		if l, h := number(low), number(high); l != number(centre) || h != l {
			text += " [" + l + ", " + h + "]"
		}
	}
	if n, both := above(s.values); both && isShare(q.Unit, q.Higher) {
		text += fmt.Sprintf(", %d/%d", n, len(s.values))
	}
	if compared && !q.Shown {
		text = marks[outcome] + " " + text
	}
	return text, len(s.values)
}

// places returns the decimals of ours in the scale of the printed number: as many as the
// paper prints, one at least of what varies.
func places(c papers.Cell, exact bool) int {
	if exact {
		return 3
	}
	n := c.Quantity.Shift
	for last := 2 * c.Half; 0 < last && last < 0.75; last *= 10 { // 0.01 is two decimals
		n++
	}
	return max(1, n)
}

// trim removes zeros behind the decimal point.
func trim(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		return "0"
	}
	return s
}

// bounds returns the interval in the evidence of a verdict.
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

// others adds the groups of paper scale that stand in no table of a paper: a line a group,
// a column a unit that some paper prints.
func (p *page) others() {
	for _, f := range p.files {
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
		p.WriteString("\n## Runs that no table prints\n\nMeans with the standard deviation over runs, in the units that the papers print; the golden file has the other units.\n\n")
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
	}
}

// meanText writes the mean of values with their deviation, and the runs above 50 of shares
// on both sides of it.
func meanText(v []float64, unit string) string {
	if len(v) == 0 {
		return ""
	}
	text := short(golden.Mean(v))
	if sd := Deviation(v); sd != 0 {
		text += " ± " + strconv.FormatFloat(sd, 'g', 2, 64)
	}
	higher, _ := papers.Published().Unit(unit)
	if n, both := above(v); both && isShare(unit, higher) {
		text += fmt.Sprintf(", %d/%d", n, len(v))
	}
	return text
}

// misprints adds what contradicts the numbers of a table that are not compared with.
func (p *page) misprints(s papers.Shape) {
	for _, m := range papers.Misprints() {
		if strings.HasPrefix(m.Key, "["+s.Paper+":"+s.Table+":") && p.verdict[m.Key].Outcome == golden.Misprinted {
			fmt.Fprintf(p, "\n† %s\n", m.Text)
		}
	}
}

// readings adds what was tried of a table with numbers that differ.
func (p *page) readings(s papers.Shape) {
	for _, r := range papers.TableReadings() {
		if r.Paper == s.Paper && r.Table == s.Table && p.differs(r) {
			fmt.Fprintf(p, "\nWhere it differs:\n\n* tried: %s\n* not said: %s\n* what would settle it: %s\n", r.Tried, r.Open, r.Settle)
		}
	}
}

// differs reports whether a number of the table differs.
func (p *page) differs(r papers.Readings) bool {
	for key, v := range p.verdict {
		if strings.HasPrefix(key, "["+r.Paper+":"+r.Table+":") && (v.Outcome == golden.Better || v.Outcome == golden.Worse) {
			return true
		}
	}
	return false
}

// fitted adds the readings that were chosen because printed numbers fit, or after results
// were seen.
func (p *page) fitted(files ...*golden.File) {
	var texts []string
	for _, r := range papers.FittedReadings() {
		if slices.ContainsFunc(files, func(f *golden.File) bool {
			return slices.ContainsFunc(f.Rows, func(row golden.Row) bool { return strings.HasPrefix(string(row.Name), r.Rows) })
		}) {
			texts = append(texts, "* "+r.Text+"\n")
		}
	}
	if len(texts) > 0 {
		p.WriteString("## Decided after results were seen\n\nNumbers that a reading was chosen by are no evidence for it.\n\n" + strings.Join(texts, ""))
	}
}

// Counts says how many printed numbers had which outcome.
type Counts struct {
	Printed, Shown, Unfinished int
	Of                         map[golden.Outcome]int
}

// Differs returns the number of those that differ.
func (c Counts) Differs() int { return c.Of[golden.Better] + c.Of[golden.Worse] }

// Open returns the number of those that are open.
func (c Counts) Open() int { return c.Of[golden.OpenRuns] + c.Of[golden.OpenSpread] }

// count counts the measured cells that belong to a key.
func count(files []*golden.File, keyOf func(papers.Key) string) (keys []string, counts map[string]*Counts) {
	verdict := newPage(files).verdict
	counts = make(map[string]*Counts)
	for _, c := range papers.Published().Cells {
		if c.Quantity.Unit == "" {
			continue
		}
		key := keyOf(c.Key)
		n := counts[key]
		if n == nil {
			keys = append(keys, key)
			n = &Counts{Of: make(map[golden.Outcome]int)}
			counts[key] = n
		}
		n.Printed++
		v, judged := verdict[c.Key.String()]
		switch {
		case judged:
			n.Of[v.Outcome]++
		case c.Quantity.Shown:
			n.Shown++
		default:
			n.Unfinished++
		}
	}
	return keys, counts
}

// Headline returns a table with a line for each paper: its printed numbers by outcome.
func Headline(files ...*golden.File) string {
	var b markdown
	b.counts("paper", files, func(k papers.Key) string { return k.Paper }, func(paper string) string { return paper })
	return b.String()
}

// counts adds a table of outcomes, a line for each key.
func (b *markdown) counts(what string, files []*golden.File, keyOf func(papers.Key) string, text func(key string) string) {
	b.row(what, "printed numbers", "matches", "open", "differs", "misprint", "shown", "unfinished")
	b.row(slices.Repeat([]string{"---"}, 8)...)
	keys, counts := count(files, keyOf)
	for _, k := range keys {
		c := counts[k]
		b.row(text(k), strconv.Itoa(c.Printed), strconv.Itoa(c.Of[golden.Matches]), pair(c.Open(), c.Of[golden.OpenRuns], "runs", c.Of[golden.OpenSpread], "spread"),
			pair(c.Differs(), c.Of[golden.Better], "better", c.Of[golden.Worse], "worse"), strconv.Itoa(c.Of[golden.Misprinted]), strconv.Itoa(c.Shown), strconv.Itoa(c.Unfinished))
	}
}

// pair writes a sum with its two parts.
func pair(sum, a int, of string, b int, other string) string {
	if sum == 0 {
		return "0"
	}
	return fmt.Sprintf("%d (%d %s, %d %s)", sum, a, of, b, other)
}

// Overview returns the counts of each table of each paper, with links to the pages of
// suites, and how many numbers would differ by chance.
func Overview(suites ...[]*golden.File) string {
	var all []*golden.File
	link := make(map[string]string) // by paper and table
	for _, files := range suites {
		all = append(all, files...)
		p := newPage(files)
		for _, s := range papers.Shapes() {
			at := p.Len()
			p.table(s, "")
			if key := s.Paper + ", table " + s.Table; p.Len() > at {
				link[key] = fmt.Sprintf("[%s](%s/README.md#%s)", key, files[0].Suite, fragment(anchor(s)))
			}
		}
	}
	var b markdown
	b.counts("table", all, func(k papers.Key) string { return k.Paper + ", table " + k.Table }, func(k string) string { return cmp.Or(link[k], k) })
	b.chance(all...)
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

// Claims returns a table of all claims of each paper, with what the files say of them.
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

// because puts the evidence of a claim in words.
func because(v golden.ClaimVerdict) string {
	fields, _ := golden.SplitFields(v.Evidence)
	value := make(map[string]string)
	for _, f := range fields {
		value[f.Key] = f.Value
	}
	if draws, trues := value["draws"], value["true"]; draws != "" && trues != "" {
		return fmt.Sprintf("true in %s of %s draws", trues, draws)
	}
	return strings.ReplaceAll(v.Evidence, "`", "'")
}
