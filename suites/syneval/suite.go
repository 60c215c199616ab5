package syneval

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

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
	Units: append([]suite.Unit{
		suite.Higher("test-pair-acc-%"),       // of all pairs; a tie counts as wrong
		suite.Higher("test-pair-acc-known-%"), // of the pairs whose words the vocabulary has
		suite.Higher("pairs").Fixed(),
		suite.Higher("pairs-known").Fixed(),
	}, wordUnits()...),
	Tables: []suite.Table{{Test: "TestTable3", Paper: "second-order-lstm", Name: "3", At: table3}},
	Claims: claims(),
}

// network is a network that is scored.
type network struct {
	name  string // in the names of runs
	row   wikitext.Model
	small bool // trained on the embedded text; its parameters are in the repository
}

// networks lists the networks: those of table 2, or the small ones of package wikitext. The
// attention model of table 3 is the one with five cells.
func networks(small bool) []network {
	rows, prefix := wikitext.Table2(), ""
	if small {
		rows, prefix = wikitext.Embedded(), "small-"
	}
	var list []network
	for _, r := range rows {
		name := map[int]string{1: "baseline", 2: "attention2", 5: "attention"}[r.Cells]
		list = append(list, network{prefix + name, r, small})
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

// scorer returns a scorer by a network.
func (n network) scorer(seed int) (s Scorer, err error) {
	p, err := n.params(seed)
	if err != nil {
		return s, err
	}
	t, err := lm.Words(n.row.Corpus)
	if err != nil {
		return s, err
	}
	m, err := n.row.Network(t.Len(), true)
	return Scorer{t.Vocabulary, m, p}, err
}

// example is the intrusive sentence whose words the paper scores. verb is the number of its
// word "like", counted from 1, whose loss claim S14 compares. The paper shows the losses only
// in a picture.
const (
	example = "the authors that no security guards like will ever be popular"
	verb    = 7
)

// wordUnit returns the unit of the loss of a word of the example, in nats. Words are counted
// from 1.
func wordUnit(number int) string { return fmt.Sprintf("test-word%02d-ce", number) }

// wordUnits returns the units of the losses of all words of the example.
func wordUnits() (list []suite.Unit) {
	for i := range strings.Fields(example) {
		list = append(list, suite.Lower(wordUnit(i+1)))
	}
	return list
}

// exampleTask is the task of the runs that score the example.
const exampleTask = "example"

// exampleValues returns the values of the example, and the digest of the parameters.
func (n network) exampleValues(dev kernel.Device, seed int) ([]golden.Value, string, error) {
	s, err := n.scorer(seed)
	if err != nil {
		return nil, "", err
	}
	losses, err := s.Losses(dev, []string{example})
	if err != nil {
		return nil, "", err
	}
	var values []golden.Value
	for i := range strings.Fields(example) {
		values = append(values, golden.Value{Unit: wordUnit(i + 1), Value: float64(losses[0][i])})
	}
	return values, s.Params.Digest(), nil
}

// A key names the sentences of one or two tests, scored by a network.
type key struct {
	row  suite.RowID // of the network's training
	seed int
	test string
}

// scored has the sentences that a key names, and their scores.
type scored struct {
	Scorer        // without parameters
	digest string // of the parameters
	items  []Item
	sums   map[string]float64
}

var scores suite.Cache[key, *scored]

// score scores the sentences of the tests of a category. It keeps the scores, because the three
// categories of an NPI test have the same sentences.
func (n network) score(dev kernel.Device, seed int, c Category) (*scored, error) {
	return scores.Get(key{n.row.Row, seed, c.Tests[0]}, func() (*scored, error) {
		s, err := n.scorer(seed)
		if err != nil {
			return nil, err
		}
		list, err := items(n.small)
		if err != nil {
			return nil, err
		}
		r := &scored{Scorer: s, digest: s.Params.Digest()}
		r.Params = nil
		var sentences []string
		for _, x := range list {
			if c.of(x) {
				r.items, sentences = append(r.items, x), append(sentences, x.Sentences...)
			}
		}
		r.sums, err = s.Sums(dev, sentences)
		return r, err
	})
}

// values returns the values of a category, and the digest of the parameters.
func (n network) values(dev kernel.Device, seed int, c Category) ([]golden.Value, string, error) {
	r, err := n.score(dev, seed, c)
	if err != nil {
		return nil, "", err
	}
	all, known := r.count(c, r.items, r.sums)
	values := []golden.Value{
		{Unit: "test-pair-acc-%", Value: all.Percent()},
		{Unit: "pairs", Value: float64(all.Cases)}, {Unit: "pairs-known", Value: float64(known.Cases)},
	}
	if known.Cases > 0 {
		values = append(values, golden.Value{Unit: "test-pair-acc-known-%", Value: known.Percent()})
	}
	return values, r.digest, nil
}

// seeds is the number of seeds of the rows of table 2.
const seeds = 3

// table3 returns the runs of table 3: each network in each category, and on the example. Scale
// paper scores networks that package wikitext has trained at that scale, on the whole test
// set, and also these networks after the first epoch of their training. The other scales score
// the small networks of package wikitext on the sample.
func table3(s suite.Scale) suite.Part {
	var p suite.Part
	paper := s == suite.Paper
	add := func(n network, suffix string, seeds int) {
		computed := suite.Computed{Seeds: seeds, Long: paper}
		for _, c := range Categories() {
			computed.ID = place(n.name, c.Name+suffix)
			computed.About = comparison{computed.ID, n.row.Corpus, c, n.small}
			computed.Compute = func(dev kernel.Device, seed int) ([]golden.Value, string, error) { return n.values(dev, seed, c) }
			p.Computed = append(p.Computed, computed)
		}
		computed.ID, computed.Compute, computed.About = place(n.name, exampleTask+suffix), n.exampleValues, nil
		p.Computed = append(p.Computed, computed)
	}
	for _, n := range networks(!paper) {
		if !paper {
			add(n, "", 1)
			continue
		}
		add(n, "", seeds)
		n.row = n.row.FirstEpoch()
		add(n, "-"+verdict.FirstEpoch, 1)
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
func place(network, category string) suite.RowID {
	return suite.RowID{Paper: "second-order-lstm", Table: "3", Row: network, Task: category}
}

// claims returns the measures of claims S12 and S14. S12: of the 19 categories, 11 differ by
// less than a point between the baseline and the attention model, 4 by 2 to 5 points, and 4 by
// more. S14: the attention model has a lower loss at the verb of the example.
func claims() []verdict.Measure {
	cells := func(category, unit string) (list []verdict.MeasureValue) {
		for _, n := range []string{"baseline", "attention"} {
			list = append(list, verdict.MeasureValue{Group: place(n, category).Group(), Unit: unit})
		}
		return list
	}
	s12 := verdict.Measure{Claim: "S12", Holds: func(v []float64) bool {
		alike, apart, far := 0, 0, 0
		for pair := range slices.Chunk(v, 2) {
			switch d := max(pair[0]-pair[1], pair[1]-pair[0]); {
			case d < 1:
				alike++
			case 2 <= d && d <= 5:
				apart++
			case d > 5:
				far++
			}
		}
		return alike == 11 && apart == 4 && far == 4
	}}
	for _, c := range names() {
		s12.Values = append(s12.Values, cells(c, "test-pair-acc-%")...)
	}
	s14 := verdict.Measure{Claim: "S14", Values: cells(exampleTask, wordUnit(verb)), Holds: func(v []float64) bool { return v[1] < v[0] }}
	return []verdict.Measure{s12, s14}
}
