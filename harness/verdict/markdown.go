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

// chance adds a sentence that says how many numbers differ, and how many would differ by
// chance. A 95 per cent interval misses the result of the next experiment in one case out of
// twenty.
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
		fmt.Fprintf(b, "\nOf %d numbers that are judged by an interval %d differ. If every number were reproduced and runs were normal, about %.0f would differ by chance alone; "+
			"more where runs either succeed or fail completely, and of bests.\n", judged, differ, float64(judged)/20)
	}
}

// title returns the name of a group in words, such as "resurgence, table 2, dyck-m4".
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
