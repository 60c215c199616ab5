package verdict

import (
	"maps"
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
	switch {
	case has(Matches) && (has(Better) || has(Worse)):
		return Undetermined
	case has(OpenRuns):
		return OpenRuns
	case has(OpenSpread):
		return OpenSpread
	}
	return list[0].Outcome
}

// A scenario has an option for each point that a paper leaves open, by point.
type scenario map[string]string

// scenarios lists the combinations of options between which readings of the printed numbers of a claim choose. The first
// has the first option of each point. names has the options in words.
func scenarios(c papers.Claim) (list []scenario, names []string) {
	list, names = []scenario{{}}, []string{""}
	var points []string
	options := make(map[string][]string)
	for _, k := range keys(c) {
		n, _ := papers.Published().Number(k)
		for _, x := range n.Readings() {
			for _, of := range x.Choices {
				if options[of.Point] == nil {
					points = append(points, of.Point)
				}
				if !slices.Contains(options[of.Point], of.Option) {
					options[of.Point] = append(options[of.Point], of.Option)
				}
			}
		}
	}
	for _, p := range points {
		var longer []scenario
		var named []string
		for i, s := range list {
			for _, o := range options[p] {
				t := maps.Clone(s)
				t[p] = o
				longer, named = append(longer, t), append(named, strings.TrimPrefix(names[i]+" and "+o, " and "))
			}
		}
		list, names = longer, named
	}
	return list, names
}

// groupIn returns the row whose runs stand for a printed number in a scenario.
func (r *Results) groupIn(n papers.Number, s scenario) golden.Name {
	for _, x := range n.Readings() {
		if !slices.ContainsFunc(x.Choices, func(c papers.Choice) bool { return s[c.Point] != c.Option }) {
			return r.rowOf(x)
		}
	}
	return golden.Name(n.Group())
}

// scenarioOf returns what the reading chooses for which a group stands, and whether the outcome of the number rests on the group.
func (r *Results) scenarioOf(n papers.Number, group golden.Name) (s scenario, ok bool) {
	s = scenario{}
	for _, x := range n.Readings() {
		if r.rowOf(x) == group {
			for _, c := range x.Choices {
				s[c.Point] = c.Option
			}
			return s, true
		}
	}
	return s, n.Readings() == nil && n.Group() == string(group)
}

// groupWith is like groupIn, but s may say nothing of a point: it then takes the first option.
func (r *Results) groupWith(n papers.Number, s scenario) golden.Name {
	for _, x := range n.Readings() {
		if !slices.ContainsFunc(x.Choices, func(c papers.Choice) bool { o, ok := s[c.Point]; return ok && o != c.Option }) {
			return r.rowOf(x)
		}
	}
	return golden.Name(n.Group())
}
