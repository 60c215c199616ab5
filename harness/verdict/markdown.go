package verdict

import (
	"fmt"
	"strings"

	"pushdown/harness/golden"
)

// markdown builds a page in Markdown.
type markdown struct{ strings.Builder }

// row adds a line of a table.
func (b *markdown) row(cells ...string) {
	for i, c := range cells {
		cells[i] = strings.NewReplacer("|", `\|`, "\n", " ").Replace(c)
	}
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

// Title returns the name of a group in words, such as "resurgence, table 2, dyck-m4".
func Title(group golden.Name) string {
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
