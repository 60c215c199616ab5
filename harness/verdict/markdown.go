package verdict

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// markdown is a text with tables.
type markdown struct{ strings.Builder }

// row adds a line of a table.
func (b *markdown) row(cells ...string) {
	for i, c := range cells {
		cells[i] = strings.NewReplacer("|", `\|`, "\n", " ").Replace(c)
	}
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

// Summary returns what golden files say in short: of each table of a paper what
// became of its numbers, how many would differ by chance, and the claims.
func Summary(files ...*golden.File) string {
	verdict := make(map[string]golden.Verdict)
	for _, f := range files {
		for _, v := range f.Verdicts {
			verdict[v.Key] = v
		}
	}
	type table struct {
		title  string
		counts map[golden.Outcome]int
		shown  int
		cells  int
	}
	var tables []*table
	for _, c := range papers.Published().Cells {
		if c.Quantity.Unit == "" {
			continue
		}
		title := fmt.Sprintf("%s, table %s", c.Key.Paper, c.Key.Table)
		at := slices.IndexFunc(tables, func(t *table) bool { return t.title == title })
		if at < 0 {
			at = len(tables)
			tables = append(tables, &table{title: title, counts: make(map[golden.Outcome]int)})
		}
		t := tables[at]
		t.cells++
		if v, ok := verdict[c.Key.String()]; ok {
			t.counts[v.Outcome]++
		} else if c.Quantity.Shown {
			t.shown++
		}
	}
	var b markdown
	head := []string{"table", "printed numbers"}
	for _, o := range golden.CellOutcomes() {
		head = append(head, o.Words())
	}
	head = append(head, "shown", "not judged yet")
	b.row(head...)
	b.row(slices.Repeat([]string{"---"}, len(head))...)
	for _, t := range tables {
		line, left := []string{t.title, strconv.Itoa(t.cells)}, t.cells-t.shown
		for _, o := range golden.CellOutcomes() {
			line = append(line, strconv.Itoa(t.counts[o]))
			left -= t.counts[o]
		}
		b.row(append(line, strconv.Itoa(t.shown), strconv.Itoa(left))...)
	}
	b.chance(files...)
	b.claims(false, files...)
	return b.String()
}

// chance adds how many numbers differ, and how many would by chance: an interval of 95
// per cent misses one further experiment in twenty.
func (b *markdown) chance(files ...*golden.File) {
	judged, differ := 0, 0
	for _, f := range files {
		for _, v := range f.Verdicts {
			if !strings.Contains(v.Evidence, "low=") {
				continue
			}
			judged++
			if v.Outcome == golden.Better || v.Outcome == golden.Worse {
				differ++
			}
		}
	}
	if judged > 0 {
		fmt.Fprintf(b, "\nOf %d numbers that are judged by an interval %d differ. If every number were reproduced and runs were normal, about %.1f would by chance; "+
			"more where runs succeed or fail altogether, and of bests.\n", judged, differ, float64(judged)/20)
	}
}

// Markdown returns all that golden files say: what was decided after seeing results,
// every published figure with the measured one and its outcome, then the runs that no
// table prints, a line each, then the claims.
func Markdown(files ...*golden.File) string {
	var b markdown
	b.fitted(files...)
	b.row("suite", "row", "metric", "paper", "here", "outcome")
	b.row("---", "---", "---", "---", "---", "---")
	for _, f := range files {
		for _, l := range sideBySide(f, new(golden.File)) {
			if l.paper != "-" {
				b.row(f.Suite+"/"+f.Scale, title(l.group), l.metric, l.paper, l.golden, l.verdict)
			}
		}
	}
	for _, f := range files {
		b.WriteString(unpublished(f))
	}
	b.chance(files...)
	b.misprints(files...)
	b.readings(files...)
	b.claims(true, files...)
	return b.String()
}

// misprints adds what contradicts the printed numbers that are not compared with.
func (b *markdown) misprints(files ...*golden.File) {
	for _, f := range files {
		for _, v := range f.Verdicts {
			if v.Outcome == golden.Misprinted {
				fmt.Fprintf(b, "\n*A misprint.* `%s`: %s\n", v.Key, misprints[v.Key])
			}
		}
	}
}

// readings adds what was tried of tables with numbers that differ.
func (b *markdown) readings(files ...*golden.File) {
	for _, r := range papers.TableReadings() {
		if slices.ContainsFunc(files, func(f *golden.File) bool { return differs(f, r) }) {
			fmt.Fprintf(b, "\n*Where table %s of %s differs.* Tried: %s Not said: %s What would settle it: %s\n", r.Table, r.Paper, r.Tried, r.Open, r.Settle)
		}
	}
}

// differs reports whether a number of the table differs.
func differs(f *golden.File, r papers.Readings) bool {
	return slices.ContainsFunc(f.Verdicts, func(v golden.Verdict) bool {
		return strings.HasPrefix(v.Key, "["+r.Paper+":"+r.Table+":") && (v.Outcome == golden.Better || v.Outcome == golden.Worse)
	})
}

// fitted adds the readings that were chosen because printed numbers fit, or after
// results were seen.
func (b *markdown) fitted(files ...*golden.File) {
	for _, r := range papers.FittedReadings() {
		if slices.ContainsFunc(files, func(f *golden.File) bool {
			return slices.ContainsFunc(f.Rows, func(row golden.Row) bool { return strings.HasPrefix(string(row.Name), r.Rows) })
		}) {
			b.WriteString("*Decided after seeing results.* " + r.Text + "\n\n")
		}
	}
}

// claims adds the table of the claims, with what was found of each or without.
func (b *markdown) claims(evidence bool, files ...*golden.File) {
	cells := []string{"claim", "what the paper says", "in its own table", "here", "evidence"}
	width := len(cells)
	if !evidence {
		width--
	}
	heading := false
	for _, f := range files {
		for _, c := range f.Claims {
			if !heading {
				b.WriteByte('\n')
				b.row(cells[:width]...)
				b.row(slices.Repeat([]string{"---"}, width)...)
				heading = true
			}
			claim, _ := papers.Published().Claim(c.ID)
			b.row([]string{c.ID, claim.Text, inPaper(claim), string(c.Outcome), c.Evidence}[:width]...)
		}
	}
}

// unpublished is the table of the groups of f without a published figure: a
// line a group, a column a unit. It is empty if there are none.
func unpublished(f *golden.File) string {
	var groups []golden.Name
	var units []string
	cell := make(map[golden.Name]map[string]string)
	published := make(map[golden.Name]bool)
	lines := sideBySide(f, new(golden.File))
	for _, l := range lines {
		published[l.group] = published[l.group] || l.paper != "-"
	}
	for _, l := range lines {
		if published[l.group] {
			continue
		}
		if cell[l.group] == nil {
			cell[l.group] = make(map[string]string)
			groups = append(groups, l.group)
		}
		cell[l.group][l.metric] = l.golden
		if !slices.Contains(units, l.metric) {
			units = append(units, l.metric)
		}
	}
	if len(groups) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n| suite | row | %s |\n|%s\n", strings.Join(units, " | "), strings.Repeat(" --- |", len(units)+2))
	for _, g := range groups {
		fmt.Fprintf(&b, "| %s/%s | %s |", f.Suite, f.Scale, title(g))
		for _, u := range units {
			text, ok := cell[g][u]
			if !ok {
				text = "-"
			}
			fmt.Fprintf(&b, " %s |", text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// title writes a group for readers: resurgence, table 2, dyck-m4.
func title(group golden.Name) string {
	var words []string
	for _, p := range group.Parts() {
		switch p.Key {
		case "paper", "row", "task":
			words = append(words, p.Value)
		default:
			words = append(words, fmt.Sprintf("%s %s", p.Key, p.Value))
		}
	}
	return strings.Join(words, ", ")
}
