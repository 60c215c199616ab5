package verdict

import (
	"fmt"
	"strings"

	"pushdown/harness/golden"
)

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

// inWords has the words of the parts of a unit that are no words.
var inWords = map[string]string{
	"acc": "accuracy", "bpc": "BPC", "ce": "cross-entropy", "ldpa": "LDPA", "min": "minutes", "params": "parameters", "ppl": "perplexity",
	"train": "training", "valid": "validation", "wcpa": "WCPA", "wcpa20": "WCPA over distances with 20 brackets or more", "%": "in %",
}

// MetricName returns the name of a unit in words, such as validation accuracy in %.
func MetricName(unit string) string {
	parts := strings.Split(unit, "-")
	for i, p := range parts {
		if words, ok := inWords[p]; ok {
			parts[i] = words
		}
	}
	return strings.Join(parts, " ")
}
