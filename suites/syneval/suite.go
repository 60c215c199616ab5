package syneval

import (
	"fmt"
	"path/filepath"
	"slices"

	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/suite"
	"pushdown/harness/train"
	"pushdown/harness/verdict"
	"pushdown/suites/lm"
	"pushdown/suites/wikitext"
)

// Suite is the suite of table 3 of the paper second-order-lstm.
var Suite = suite.Suite{
	Name: "syneval",
	Units: []suite.Unit{
		suite.Higher("test-pair-acc-%"),       // of all pairs; a tie counts as wrong
		suite.Higher("test-pair-acc-known-%"), // of the pairs whose words the vocabulary has
		suite.Higher("pairs").Fixed(),
		suite.Higher("pairs-known").Fixed(),
		suite.Lower("test-verb-ce"), // loss of the verb of the relative clause in example, in nats
	},
	Tables: []suite.Table{{Paper: "second-order-lstm", Name: "3", At: table3}},
	Claims: claims(),
}

// network is a network that is scored.
type network struct {
	name  string // in the names of runs
	row   wikitext.Model
	small bool // trained on the embedded text; its parameters are in the repository
}

// networks lists the networks: those of table 2, or the small ones of package wikitext. The
// attention model of the table is the one with five cells.
func networks(small bool) []network {
	rows := wikitext.Table2()
	if small {
		rows = wikitext.Embedded()
	}
	var list []network
	for _, r := range rows {
		name := map[int]string{1: "baseline", 2: "attention2", 5: "attention"}[r.Cells]
		list = append(list, network{name, r, small})
	}
	return list
}

// params returns the parameters of a network.
func (n network) params(seed int) (*train.Params, error) {
	if n.small {
		return train.ReadParams(filepath.Join("..", "wikitext", suite.TrainedFile(n.row)))
	}
	return suite.Trained(n.row, seed)
}

// example is the intrusive sentence whose words the paper scores, and verb the number of the
// word whose loss is compared, like. The figure with the losses is not in the paper's text.
const (
	example = "the authors that no security guards like will ever be popular"
	verb    = 7
)

// scored holds the values of a network.
type scored struct {
	digest string                    // of the parameters
	values map[string][]golden.Value // by category, and those of the example
}

// exampleTask is the task of the runs that score the example.
const exampleTask = "example"

var scores suite.Cache[string, *scored]

// scored returns the values of a network, in all categories and of the example.
func (n network) scored(dev kernel.Device, seed int) (*scored, error) {
	return scores.Get(fmt.Sprintf("%s seed %d small %t", n.name, seed, n.small), func() (*scored, error) {
		list, err := items(n.small)
		if err != nil {
			return nil, err
		}
		t, err := lm.Words(n.row.Corpus)
		if err != nil {
			return nil, err
		}
		p, err := n.params(seed)
		if err != nil {
			return nil, err
		}
		m, err := n.row.Network(t.Len(), true)
		if err != nil {
			return nil, err
		}
		s := Scorer{t.Vocabulary, m, p}
		losses, err := s.Losses(dev, []string{example})
		if err != nil {
			return nil, err
		}
		r := &scored{p.Digest(), map[string][]golden.Value{
			exampleTask: {{Unit: "test-verb-ce", Value: float64(losses[0][verb-1])}},
		}}
		var sentences []string
		for _, x := range list {
			sentences = append(sentences, x.Sentences...)
		}
		sums, err := s.Sums(dev, sentences)
		if err != nil {
			return nil, err
		}
		for _, c := range Categories() {
			all, known := s.count(c, list, sums)
			values := []golden.Value{
				{Unit: "test-pair-acc-%", Value: all.Percent()},
				{Unit: "pairs", Value: float64(all.Pairs)}, {Unit: "pairs-known", Value: float64(known.Pairs)},
			}
			if known.Pairs > 0 {
				values = append(values, golden.Value{Unit: "test-pair-acc-known-%", Value: known.Percent()})
			}
			r.values[c.Name] = values
		}
		return r, nil
	})
}

// table3 returns the runs of table 3: each network in each category, and on the example. Scale
// paper scores networks that package wikitext has trained at that scale, on the whole test
// set. The other scales score its small networks on the sample.
func table3(s suite.Scale) suite.Part {
	p := suite.Part{Judge: s == suite.Paper}
	if p.Judge {
		p.Claims = []string{"S12", "S13", "S14"}
	}
	for _, n := range networks(s != suite.Paper) {
		for _, c := range append(names(), exampleTask) {
			run := suite.Computed{Place: place(n.name, c), Compute: func(dev kernel.Device, seed int) ([]golden.Value, string, error) {
				r, err := n.scored(dev, seed)
				if err != nil {
					return nil, "", err
				}
				return r.values[c], r.digest, nil
			}}
			if s == suite.Paper {
				run.Seeds = 3 // those of package wikitext
			}
			p.Computed = append(p.Computed, run)
		}
	}
	return p
}

// names returns the names of all categories.
func names() (list []string) {
	for _, c := range Categories() {
		list = append(list, c.Name)
	}
	return list
}

// place returns the place of a network's score in a category.
func place(network, category string) suite.Place {
	return suite.Place{Paper: "second-order-lstm", Table: "3", Row: network, Task: category}
}

// claims returns the measures of claims S12 and S14. S12: of the 19 categories, 11 differ by
// less than a point between the baseline and the attention model, and 4 by 2 to 5 points. S14:
// the attention model has a lower loss at the verb of the example.
func claims() []verdict.Measure {
	cells := func(category, unit string) (list []verdict.MeasureCell) {
		for _, n := range []string{"baseline", "attention"} {
			list = append(list, verdict.MeasureCell{Group: place(n, category).Group(), Unit: unit})
		}
		return list
	}
	s12 := verdict.Measure{Claim: "S12", Holds: func(v []float64) bool {
		alike, apart := 0, 0
		for pair := range slices.Chunk(v, 2) {
			switch d := max(pair[0]-pair[1], pair[1]-pair[0]); {
			case d < 1:
				alike++
			case 2 <= d && d <= 5:
				apart++
			}
		}
		return alike == 11 && apart == 4
	}}
	for _, c := range names() {
		s12.Cells = append(s12.Cells, cells(c, "test-pair-acc-%")...)
	}
	s14 := verdict.Measure{Claim: "S14", Cells: cells(exampleTask, "test-verb-ce"), Holds: func(v []float64) bool { return v[1] < v[0] }}
	return []verdict.Measure{s12, s14}
}
