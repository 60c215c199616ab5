package verdict

import (
	"slices"
	"strings"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// A Reading is one of the readings of a number, with the verdict under it.
type Reading struct {
	Label string
	Group golden.Name // the row that stands for the reading
	Verdict
}

// Readings returns the readings of a number, with the verdict under each. It returns nil if the number has
// one reading. Without runs the outcome is OpenRuns.
func (r *Results) Readings(n papers.Number) (list []Reading) {
	for _, x := range n.Readings() {
		group := r.rowOf(x)
		v, ok := r.Judge(n, group)
		if !ok {
			v.Outcome = OpenRuns
		}
		list = append(list, Reading{x.Label, group, v})
	}
	return list
}

// rowOf returns the first row of a reading that has runs. If none has, it returns the last.
func (r *Results) rowOf(x papers.Reading) golden.Name {
	for _, g := range x.Groups {
		if r.FileOf(golden.Name(g)) != nil {
			return golden.Name(g)
		}
	}
	return golden.Name(x.Groups[len(x.Groups)-1])
}

// underAll returns the outcome of a number from its outcomes under each reading, as the package comment
// describes.
func underAll(list []Reading) Outcome {
	has := func(o Outcome) bool {
		return slices.ContainsFunc(list, func(x Reading) bool { return x.Outcome == o })
	}
	decided := 0
	for _, o := range []Outcome{Matches, Better, Worse} {
		if has(o) {
			decided++
		}
	}
	switch {
	case decided > 1:
		return Undetermined
	case has(OpenRuns):
		return OpenRuns
	case has(OpenSpread):
		return OpenSpread
	}
	return list[0].Outcome
}

// underFirst says under which readings a claim about printed numbers is decided, if some of the numbers have several:
// the first of each.
func underFirst(c papers.Claim) []Phrase {
	var labels []string
	for _, k := range keys(c) {
		n, _ := papers.Published().Number(k)
		if list := n.Readings(); len(list) > 1 && !slices.Contains(labels, list[0].Label) {
			labels = append(labels, list[0].Label)
		}
	}
	if labels == nil {
		return nil
	}
	return []Phrase{{Text: "; in the reading " + strings.Join(labels, " and ")}}
}
