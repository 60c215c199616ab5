package golden

import (
	"fmt"
	"strings"

	"pushdown/golden/papers"
)

// Markdown returns the tables of a README, generated from golden files: every
// measured figure beside the published one, with its verdict, then the claims.
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
			row(f.Suite+"/"+f.Scale, title(l.group), l.metric, l.paper, l.golden, l.verdict)
		}
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
