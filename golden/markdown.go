package golden

import (
	"fmt"
	"slices"
	"strings"

	"pushdown/golden/papers"
)

// Markdown returns the tables of a README, generated from golden files: every
// published figure with the measured one and its verdict, then the runs that no
// table prints, a line each, then the claims.
func Markdown(files ...*File) string {
	var b strings.Builder
	row := func(cells ...string) {
		for i, c := range cells {
			cells[i] = strings.NewReplacer("|", `\|`, "\n", " ").Replace(c)
		}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	row("suite", "row", "metric", "paper", "here", "verdict")
	row("---", "---", "---", "---", "---", "---")
	for _, f := range files {
		for _, l := range sideBySide(f, new(File)) {
			if l.paper != "-" {
				row(f.Suite+"/"+f.Scale, title(l.group), l.metric, l.paper, l.golden, l.verdict)
			}
		}
	}
	for _, f := range files {
		b.WriteString(unpublished(f))
	}
	heading := false
	for _, f := range files {
		for _, c := range f.Claims {
			if !heading {
				b.WriteByte('\n')
				row("claim", "what the paper says", "in its own table", "here", "evidence")
				row("---", "---", "---", "---", "---")
				heading = true
			}
			claim, _ := papers.Published().Claim(c.ID)
			row(c.ID, claim.Text, inPaper(claim), string(c.Outcome), c.Evidence)
		}
	}
	return b.String()
}

// unpublished is the table of the groups of f without a published figure: a
// line a group, a column a unit. It is empty if there are none.
func unpublished(f *File) string {
	var groups []Name
	var units []string
	cell := make(map[Name]map[string]string)
	published := make(map[Name]bool)
	lines := sideBySide(f, new(File))
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
func title(group Name) string {
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
