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

// Example explains a place of a table whose printed number is 70, with ours below it: an open
// number whose mean is 52.10, with an interval from 20.40 to 83.80, and with five of ten runs
// above 50.
const Example = `The paper prints 70, the mean of its ten runs. Ours have the mean 52.10. From their spread, a repetition of the paper's ten runs would
give a mean between 20.40 and 83.80 (19 times out of 20): too wide to tell. Five of our ten runs are above 50; this is shown where runs lie on both
sides. For a best, or a run chosen by its validation loss, ours is the best or chosen run. Runs is the number of our runs. Lines with ↳
are variants of the row above, which the paper does not have; the mark says what their outcome would be, but they are not counted. Rows in
italics are networks, or kinds of data, that the paper does not print.`

// A Meaning says what an outcome of a printed number means. Outcome is empty for numbers that
// have none: those that are unfinished or only shown.
type Meaning struct {
	Outcome          golden.Outcome
	Mark, Name, Text string
}

// Meanings returns the meaning of each outcome.
func Meanings() (list []Meaning) {
	text := map[golden.Outcome]string{
		golden.Matches:    "our runs predict the printed number: it lies in the interval or within the margin of its unit, and the interval is narrow",
		golden.Better:     "the printed number lies outside the interval and the margin, and ours are better",
		golden.Worse:      "the same, and ours are worse",
		golden.OpenRuns:   "our runs do not tell yet; a best of ten needs at least thirty",
		golden.OpenSpread: "the paper's own figure would vary so much from repetition to repetition that no number of our runs can confirm it",
		golden.Misprinted: "the paper's own text or tables contradict the number",
	}
	for _, o := range golden.CellOutcomes() {
		list = append(list, Meaning{o, marks[o], o.Description(), text[o]})
	}
	return append(list,
		Meaning{"", Unfinished, "unfinished", "no run of ours has ended yet; a number after the mark is that of a run that stopped after one epoch"},
		Meaning{"", "", "shown", "not judged: minutes, sizes, rows that the paper does not print"})
}

// Legend says in Markdown how to read a cell of a page.
func Legend() string {
	var b markdown
	b.WriteString("Each cell has the number that the paper prints, in bold, and below it a mark with ours. For example\n\n" +
		"| test, mean |\n| --- |\n| **70**<br>" + nonBreaking("◇ 52.10<br>[20.40, 83.80]<br>5 of 10 > 50") + " |\n\n" + Example + "\n\n")
	b.row("mark", "outcome", "meaning")
	b.row("---", "---", "---")
	for _, m := range Meanings() {
		b.row(cmp.Or(m.Mark, "none"), m.Name, m.Text)
	}
	return b.String()
}

// Key is a short form of Legend, for the top of a page.
const Key = `In each cell the paper's number is bold, and ours stands below it: ✓ matches, ▲ differs (better), ▼ differs (worse),
○ open (runs), ◇ open (spread), † misprint, … unfinished. Brackets have the interval in which our runs predict the paper's
number; "7 of 10 > 50" counts runs where some are above 50 and some are not. ↳ is a variant that the paper does not have, and is not counted.
[How to read a table](../README.md#how-to-read-a-table) has an example.
`

// page writes the tables of a suite in Markdown.
type page struct {
	markdown
	*Results
	own      []*golden.File       // those of the suite; tables also show the runs of other suites
	placed   map[golden.Name]bool // groups of the suite that the tables of papers already show
	withRuns bool                 // whether to write the tables that have runs of the suite, or those that have none
}

// newPage returns an empty page of a suite. The parameter own lists the golden files of
// the suite, and all lists those of all suites.
func newPage(own, all []*golden.File) *page {
	return &page{Results: NewResults(all...), own: own, placed: make(map[golden.Name]bool), withRuns: true}
}

// Page returns the page of a suite. The parameter own lists the golden files of the suite,
// and all lists those of all suites. First come the readings that were decided after
// results were seen. Then comes each table of a paper in which the suite has a row, laid
// out as in the paper and with the rows of all suites. The runs that no table prints come
// last. For commands, see [Layout.Commands].
func Page(commands map[string][]string, own []*golden.File, all ...*golden.File) string {
	p := newPage(own, all)
	p.fitted(own...)
	for _, s := range papers.Shapes() {
		p.table(s, commands)
	}
	p.others()
	if p.Len() == 0 {
		p.WriteString("No row of a paper has ended yet. The golden files have short trainings that a plain go test repeats.\n")
	}
	return p.String()
}

// anchor returns the heading of a table on a page.
func anchor(s papers.Shape) string {
	return fmt.Sprintf("Table %s of %s", s.Table, s.Paper)
}

// table adds a table of a paper. If p.withRuns is set, it skips tables in which the suite has
// no runs; otherwise it skips tables in which the suite has runs.
func (p *page) table(s papers.Shape, commands map[string][]string) {
	l := p.Layout(s)
	if l.shows(p.own) != p.withRuns {
		return
	}
	maps.Copy(p.placed, l.Groups)
	fmt.Fprintf(p, "\n## %s\n\n%s.\n\n", anchor(s), s.Title)
	p.grid(l)
	if limits := l.Limits(); p.withRuns && len(limits) > 0 {
		fmt.Fprintf(p, "\nMatches: %s.\n", strings.Join(limits, "; "))
	}
	for _, c := range l.Commands(commands) {
		fmt.Fprintf(p, "\nRun it: `%s`\n", c)
	}
	for _, text := range p.Misprints(s) {
		fmt.Fprintf(p, "\n† %s\n", text)
	}
	for _, r := range p.Interpretations(s) {
		fmt.Fprintf(p, "\nWhere it differs:\n\n* We tried: %s\n* The paper does not say: %s\n* What would settle it: %s\n", r.Tried, r.Open, r.Settle)
	}
}

// shows reports whether the table shows runs of one of the files.
func (l *Layout) shows(files []*golden.File) bool {
	return slices.ContainsFunc(files, func(f *golden.File) bool {
		return slices.ContainsFunc(f.Groups(), func(g golden.Name) bool { return l.Groups[g] })
	})
}

// grid adds a table. If the paper prints our columns as rows, grid transposes the table.
func (p *page) grid(l *Layout) {
	head := slices.Clone(l.Labels)
	for _, c := range l.Columns {
		head = append(head, c.Head)
	}
	text := [][]string{append(head, "Runs")}
	for _, line := range l.Lines {
		words := slices.Clone(line.Labels)
		for i := range words {
			switch {
			case words[i] == "":
			case line.Kind == VariantLine:
				words[i] = nonBreaking("↳ " + words[i])
			case line.Kind == OtherLine:
				words[i] = "*" + nonBreaking(words[i]) + "*"
			}
		}
		for _, e := range line.Entries {
			words = append(words, e.markdown())
		}
		text = append(text, append(words, strconv.Itoa(line.Runs)))
	}
	if l.Across {
		across := make([][]string, len(text[0]))
		for i := range across {
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

// markdown returns the text of a place of a table: the printed number, and below it ours with
// the mark of the outcome, the interval and the remark.
func (e Entry) markdown() string {
	var lines []string
	if ours := strings.TrimSpace(e.Mark() + " " + e.Number()); ours != "" {
		lines = append(lines, nonBreaking(ours))
	}
	if low, high, ok := e.Interval(); ok {
		lines = append(lines, nonBreaking("["+e.Text(low)+", "+e.Text(high)+"]"))
	}
	if text := e.Remark(); text != "" {
		lines = append(lines, nonBreaking(text))
	}
	if e.Printed {
		lines = slices.Insert(lines, 0, "**"+e.Cell.AsPrinted()+"**")
	}
	return strings.Join(lines, "<br>")
}

// nonBreaking makes all blanks non-breaking, so that a cell breaks only at <br>.
func nonBreaking(s string) string { return strings.ReplaceAll(s, " ", "\u00a0") }

// others adds the groups at paper scale that no table of a paper shows. The table
// has a line for each group and a column for each unit that some paper prints, or that a group
// without such a unit has.
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
			var own, printed []string
			for _, u := range f.Units {
				if len(f.Values(g, u.Name)) == 0 {
					continue
				}
				own = append(own, u.Name)
				if _, ok := papers.Published().Unit(u.Name); ok {
					printed = append(printed, u.Name)
				}
			}
			if len(printed) == 0 {
				printed = own
			}
			units = append(units, printed...)
		}
		if len(groups) == 0 {
			continue
		}
		slices.Sort(units)
		units = slices.Compact(units)
		p.WriteString("\n## Runs that no table prints\n\nMeans with the standard deviation over runs, in the units that the papers print, if a run has any; the golden file has the other units.\n\n" +
			"<details><summary>" + strconv.Itoa(len(groups)) + " rows</summary>\n\n")
		head := []string{"Row"}
		for _, u := range units {
			head = append(head, MetricName(u))
		}
		p.row(append(head, "Runs")...)
		p.row(slices.Repeat([]string{"---"}, len(units)+2)...)
		for _, g := range groups {
			line := []string{Title(g)}
			for _, unit := range units {
				line = append(line, meanText(f.Values(g, unit), unit))
			}
			p.row(append(line, strconv.Itoa(len(f.Seeds(g))))...)
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

// fitted adds the readings of the paper that were chosen because printed numbers
// fit, or after results were seen.
func (p *page) fitted(files ...*golden.File) {
	texts := PostHoc(func(applies func(golden.Name) bool) bool {
		return slices.ContainsFunc(files, func(f *golden.File) bool {
			return slices.ContainsFunc(f.Rows, func(row golden.Row) bool { return applies(row.Name) })
		})
	})
	if len(texts) > 0 {
		p.WriteString("## Decided after results were seen\n\nWhere we chose a reading because certain printed numbers come out with it, those numbers do not confirm it.\n\n")
	}
	for _, text := range texts {
		p.WriteString("* " + text + "\n")
	}
}

// Headline returns a table that has, for each paper, the number of printed numbers
// with each outcome.
func Headline(files ...*golden.File) string {
	var b markdown
	r := NewResults(files...)
	b.counts("paper", r, func(k papers.Key) string { return k.Paper }, func(paper string) string { return paper })
	b.WriteString("\n" + r.TrivialMatches() + "\n")
	return b.String()
}

// counts adds a table with the number of outcomes for each key.
func (b *markdown) counts(what string, r *Results, keyOf func(papers.Key) string, text func(key string) string) {
	b.row(what, "printed numbers", "matches", "open", "differs", "misprint", "shown", "unfinished")
	b.row(slices.Repeat([]string{"---"}, 8)...)
	keys, counts := r.Count(keyOf)
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
	p := newPage(all, all)
	b.counts("table", p.Results, func(k papers.Key) string { return k.Paper + ", table " + k.Table }, func(k string) string { return cmp.Or(link[k], k) })
	if text := p.ExpectedByChance(); text != "" {
		b.WriteString("\n" + text + "\n")
	}
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
// files. Its links are for a page beside the folders of the suites.
func Claims(files ...*golden.File) string {
	var b markdown
	r := NewResults(files...)
	paper := ""
	for _, l := range r.Claims() {
		if l.Paper != paper {
			paper = l.Paper
			fmt.Fprintf(&b, "\n## %s\n\n", paper)
			b.row("claim", "section", "what the paper says", "in its own tables", "here", "why", "suite")
			b.row(slices.Repeat([]string{"---"}, 7)...)
		}
		here := Unfinished
		if l.Judged {
			here = string(l.Verdict.Outcome)
		}
		text := l.Text
		if l.Note != "" {
			text += " (" + l.Note + ")"
		}
		why := ""
		for _, p := range l.Why {
			if at := r.sectionOf(p.Group, l.Suite); at != "" {
				p.Text = "[" + p.Text + "](" + at + ")"
			}
			why += p.Text
		}
		suite := l.Suite
		if suite != "" {
			suite = "[" + suite + "](" + suite + "/README.md)"
		}
		b.row(l.ID, cmp.Or(l.Section, "-"), text, l.InPaper, here, why, suite)
	}
	return b.String()
}

// sectionOf returns where the page of a suite shows the table of a group, or "" if it does not.
func (r *Results) sectionOf(g golden.Name, suite string) string {
	for _, s := range papers.Shapes() {
		if strings.HasPrefix(string(g), "paper="+s.Paper+"/table="+s.Table+"/") {
			own := slices.DeleteFunc(slices.Clone(r.files), func(f *golden.File) bool { return f.Suite != suite })
			if r.Layout(s).shows(own) {
				return fmt.Sprintf("%s/README.md#%s", suite, fragment(anchor(s)))
			}
		}
	}
	return ""
}
