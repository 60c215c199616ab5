package recognition

import (
	"fmt"
	"strings"

	"pushdown/harness/suite"
)

// Grid lists, for a network on a language, the settings among which the search of
// section 5.1 chooses: "optimal settings are extracted by observing loss over validation for k
// simulations, 10 to 35". The paper does not say which settings were searched. The rate is printed and is not searched.
// The number of strings in an update is not: it is 1, 8, 32 or 64. The number of stacks is 1 or, because
// "training hyper-parameters match the setting proposed by Joulin and Mikolov", 10, in networks that
// may have several. This list was fixed before any of its runs. It was then made shorter for the other languages, before
// any of theirs: on D2, whose grid has all points, the mean loss of 32 or 64 strings was above that of 1 and of 8
// with the same stacks, in each of the first seven networks. After D2 and two networks on D6 it was made shorter for the
// languages of tables 2 and 4, again before any of their runs: in the eight searches that had ended of networks that may have several
// stacks, ten stacks and one string had the lowest mean loss, so there these networks are searched with one string.
func Grid(table, language string, n Network) (list []Experiment) {
	sizes := []int{1, 8}
	switch {
	case language == "D2":
		sizes = []int{1, 8, 32, 64}
	case language != "D6" && n.severalStacks():
		sizes = []int{1}
	}
	for _, stacks := range []int{1, 10} {
		if stacks > 1 && !n.severalStacks() {
			continue
		}
		for _, size := range sizes {
			s, task := settings{stacks, size}, fmt.Sprintf("search-batch%d", size)
			if stacks > 1 {
				task = fmt.Sprintf("search-stacks%d-batch%d", stacks, size)
			}
			list = append(list, s.of(table, language, n, task))
		}
	}
	return list
}

// settings is a point of a [Grid].
type settings struct{ stacks, batch int }

// of returns the experiment of a network on a language with these settings.
func (s settings) of(table, language string, n Network, task string) Experiment {
	e := printed(table, language, n)
	e.Row.Task, e.Batch = task, s.batch
	if s.stacks > 1 {
		e.Stacks = s.stacks
	}
	if prefix, ok := strings.CutPrefix(language, "palindrome-"); ok {
		e.Row.Task = prefix + "-" + task
	}
	return e
}

// exceptions has the settings that the search has chosen where they are not the usual ones: one string an update and ten stacks, or
// one stack if the network cannot have several.
var exceptions = map[string]map[Network][]settings{
	"D2": {DiffStkMRNN: {{10, 1}, {1, 8}}},
	"D3": {DeltaRNN: {{1, 8}}, DiffStkMRNN: {{1, 1}}},
	"D6": {RNN: {{1, 8}}, DeltaRNN: {{1, 8}}, StackRNNSoftmax: {{1, 8}}, BabyNTM: {{1, 8}}, DiffStkMRNN: {{1, 1}}},
}

// chosen returns the settings with the lowest mean validation loss in the [Grid] of a network
// on a language and, if they have several stacks, those with the lowest loss of one stack. A test
// compares it with the results.
func chosen(language string, n Network) []settings {
	switch list := exceptions[language][n]; {
	case list != nil:
		return list
	case n.severalStacks():
		return []settings{{10, 1}, {1, 1}}
	}
	return []settings{{1, 1}}
}

// Searched lists the rows of a network on a language with the settings that the search has
// chosen, once it has. They are judged. If the chosen settings have several stacks, there is also a row
// with one, which is how equations 4 to 7 and figure 1 of the paper show the stack.
func Searched(table, language string, n Network) (list []Experiment) {
	for _, s := range chosen(language, n) {
		task := "searched"
		if s.stacks > 1 {
			task = fmt.Sprintf("searched-stacks%d", s.stacks)
		}
		list = append(list, s.of(table, language, n, task))
	}
	return list
}

// searched reports whether the settings of the row have been chosen by a search. These rows have reading M of
// accuracy, which was not considered before.
func (e Experiment) searched() bool { return strings.Contains(e.Row.Task, "searched") }

// searchSeeds is the number of seeds of each point of a [Grid].
const searchSeeds = 10

// freshSeed is the first seed of the rows that a search has chosen. Their seeds are others than those
// of the search, because the choice makes the results of these look better than they are.
const freshSeed = 101

// searches returns the runs of [Grid] and of [Searched] for one of tables 1 to 4: table 4 has all readings of its palindromes.
// Tests do not repeat their first updates, because these rows differ from others of the table
// in settings that the tests of trajectories cover.
func searches(number string) (grid, searched []suite.Runs) {
	for _, language := range languages(number) {
		for _, n := range Networks() {
			grid = append(grid, suite.Seeds(searchSeeds, Grid(number, language, n)...)...)
			searched = append(searched, fresh(Searched(number, language, n))...)
		}
	}
	for i := range grid {
		grid[i].Prefixes = -1
	}
	return grid, searched
}

// fresh returns the runs of rows whose settings a search has chosen.
func fresh(rows []Experiment) []suite.Runs {
	list := suite.Seeds(judgedSeeds, rows...)
	for i := range list {
		list[i].First, list[i].Prefixes = freshSeed, -1
	}
	return list
}
