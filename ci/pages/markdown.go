package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
	"pushdown/harness/verdict"
)

var inMarkdown = template.Must(template.New("").Funcs(template.FuncMap{
	"externalColumns": func() string { return verdict.ExternalColumns },
	"rows":            markdownRows, "join": strings.Join, "legend": legend,
	"example": func() string { return example }, "fitted": func() string { return fitted },
}).ParseFS(assets, "templates/markdown.tmpl"))

// markdownRows returns a table in Markdown. The first line has the headings.
func markdownRows(lines [][]string) string {
	var b strings.Builder
	escape := strings.NewReplacer("|", `\|`, "\n", " ")
	for i, line := range lines {
		b.WriteString("|")
		for _, cell := range line {
			b.WriteString(" " + escape.Replace(cell) + " |")
		}
		b.WriteString("\n")
		if i == 0 {
			b.WriteString("|" + strings.Repeat(" --- |", len(line)) + "\n")
		}
	}
	return b.String()
}

// Markdown returns the texts of the table.
func (l *layout) Markdown() (lines [][]string) {
	for _, row := range l.Grid() {
		var line []string
		for _, s := range row {
			line = append(line, s.markdown())
		}
		lines = append(lines, line)
	}
	return lines
}

// markdown returns the text of a place of a table: a heading, or the printed number and below it
// ours with the mark of the outcome, the interval and the remark.
func (s square) markdown() string {
	switch {
	case s.Text != "" && s.Scope != "" && s.Kind == variantLine:
		return nonBreaking("↳ " + s.Text)
	case s.Text != "" && s.Scope != "" && s.Kind == otherLine:
		return "*" + nonBreaking(s.Text) + "*"
	case s.Text != "" || s.Empty():
		return s.Text
	}
	var lines []string
	if s.Printed {
		lines = append(lines, "**"+s.InPaper.AsPrinted()+"**")
	}
	for _, text := range []string{strings.TrimSpace(s.Mark() + " " + s.Number()), s.Range(), s.Remark(), s.Disagreement()} {
		if text != "" {
			lines = append(lines, nonBreaking(text))
		}
	}
	return strings.Join(lines, "<br>")
}

// nonBreaking makes all blanks non-breaking, so that a cell breaks only at <br>.
func nonBreaking(s string) string { return strings.ReplaceAll(s, " ", "\u00a0") }

// A suitePage is the page of a suite in Markdown: the readings that were decided after results were
// seen, the tables in which the suite has a row, and the runs that no table prints.
type suitePage struct {
	source
	PostHoc []string
	Tables  []*table
	Others  []otherRuns
	// Externals are the kept results that no table has.
	Externals []*external
}

// otherRuns has the runs of a file that no table prints.
type otherRuns struct {
	Count int
	Lines [][]string
}

// Drawn reports whether the suite has figures that are of no table.
func (p suitePage) Drawn() bool {
	return slices.ContainsFunc(p.Figures, func(f *figure) bool { return f.Table == "" })
}

// suitePage returns the page of a suite.
func (r *report) suitePage(s source) suitePage {
	p := suitePage{source: s, PostHoc: postHoc(s.groups()), Externals: r.externalsOutside(s.Name)}
	placed := make(map[golden.Name]bool)
	for _, t := range r.Tables {
		if slices.Contains(t.Suites, s.Name) {
			p.Tables = append(p.Tables, t)
			maps.Copy(placed, t.Groups)
		}
	}
	for _, f := range s.Files {
		groups := slices.DeleteFunc(f.Groups(), func(g golden.Name) bool { return placed[g] })
		if f.Scale == "paper" && len(groups) > 0 {
			p.Others = append(p.Others, otherRuns{len(groups), means(f, groups)})
		}
	}
	return p
}

// means returns a line for each group of a file, below headings. It has a column for each unit that
// some paper prints, or that a group without such a unit has.
func means(f *golden.File, groups []golden.Name) [][]string {
	var units []string
	for _, g := range groups {
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
	slices.Sort(units)
	units = slices.Compact(units)
	head := []string{"Row"}
	for _, u := range units {
		head = append(head, verdict.MetricName(u))
	}
	lines := [][]string{append(head, "Runs")}
	for _, g := range groups {
		line := []string{verdict.Title(g)}
		for _, unit := range units {
			line = append(line, meanText(f.Values(g, unit), unit))
		}
		lines = append(lines, append(line, strconv.Itoa(len(f.Seeds(g)))))
	}
	return lines
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
	if sd := verdict.Deviation(v); sd != 0 {
		text += " ± " + strconv.FormatFloat(sd, 'g', 2, 64)
	}
	higher, _ := papers.Published().Unit(unit)
	if n, both := verdict.Above(v); both && verdict.IsShare(unit, higher) {
		text += fmt.Sprintf(", %d of %d > %d", n, len(v), verdict.Middle)
	}
	return text
}

// legend returns the meanings of the marks in a table.
func legend() [][]string {
	lines := [][]string{{"mark", "outcome", "meaning"}}
	for _, m := range meanings {
		lines = append(lines, []string{cmp.Or(marks[m.Outcome], "none"), m.Outcome.Description(), m.Text})
	}
	return lines
}

// countsLine returns the texts of counts.
func countsLine(name string, c verdict.Counts) []string {
	pair := func(sum int, a, b verdict.Outcome, of, other string) string {
		if sum == 0 {
			return "0"
		}
		return fmt.Sprintf("%d (%d %s, %d %s)", sum, c.ByOutcome[a], of, c.ByOutcome[b], other)
	}
	return []string{name, strconv.Itoa(c.Printed), strconv.Itoa(c.ByOutcome[verdict.Matches]), strconv.Itoa(c.ByOutcome[verdict.Undetermined]), pair(c.Open(), verdict.OpenRuns, verdict.OpenSpread, "runs", "spread"),
		pair(c.Differs(), verdict.Better, verdict.Worse, "better", "worse"), strconv.Itoa(c.ByOutcome[verdict.Misprinted]), strconv.Itoa(c.Shown), strconv.Itoa(c.Unfinished)}
}

// countsHead has the headings of a table of counts.
func countsHead(what string) []string {
	return []string{what, "printed numbers", "matches", "undetermined", "open", "differs", "misprint", "shown", "unfinished"}
}

// headline returns in Markdown the number of printed numbers with each outcome, by paper.
func (r *report) headline() string {
	lines := [][]string{countsHead("paper")}
	for _, p := range r.Papers {
		lines = append(lines, countsLine(p.Name, p.Counts))
	}
	return markdownRows(lines) + "\n" + r.TrivialMatches() + "\n"
}

// CountsByTable returns the number of printed numbers with each outcome, by table, with links to
// the pages of the suites.
func (r *report) CountsByTable() [][]string {
	lines := [][]string{countsHead("table")}
	var tables []*table
	for _, p := range r.Papers {
		tables = append(tables, p.Tables...)
	}
	for _, t := range tables {
		name := t.Paper + ", table " + t.Table
		link := name
		for i, suite := range t.Suites {
			if i == 0 {
				link = fmt.Sprintf("[%s](%s)", name, t.section(suite))
			} else {
				link += fmt.Sprintf(" [%s](%s)", suite, t.section(suite))
			}
		}
		lines = append(lines, countsLine(link, t.Counts))
	}
	return lines
}

// Unstarted returns the tables without runs.
func (r *report) Unstarted() []*table {
	return slices.DeleteFunc(slices.Clone(r.Tables), func(t *table) bool { return len(t.Suites) > 0 })
}

// section returns where the page of a suite shows the table, for a page in the folder golden.
func (t *table) section(suite string) string {
	return suite + "/README.md#" + strings.ReplaceAll(strings.ToLower(t.Title()), " ", "-")
}

// Markdown returns the claims as lines of a table.
func (g *claimGroup) Markdown() [][]string {
	lines := [][]string{{"claim", "section", "what the paper says", "in its own tables", "here", "why", "suite"}}
	for _, c := range g.Claims {
		text, why := c.Text, ""
		if c.Note != "" {
			text += " (" + c.Note + ")"
		}
		for _, p := range c.Why {
			if p.Section != "" {
				p.Text = "[" + p.Text + "](" + p.Section + ")"
			}
			why += p.Text
		}
		var links []string
		for _, suite := range c.Suites {
			links = append(links, "["+suite+"]("+suite+"/README.md)")
		}
		here := string(c.Verdict.Outcome)
		if !c.Judged {
			here = marks[unfinished]
		}
		lines = append(lines, []string{c.ID, cmp.Or(c.Section, "-"), text, c.InPaper, here, why, strings.Join(links, ", ")})
	}
	return lines
}
