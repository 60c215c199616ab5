package wikitext

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"pushdown/corpora/text"
	"pushdown/harness/attention"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/suite"
	"pushdown/harness/traces"
	"pushdown/harness/train"
	"pushdown/suites/lm"
)

// Trace is the data of one run of an attention model that figures 5 and 6 of the paper
// second-order-lstm show. Numbers are rounded by [traces.Rounded].
type Trace struct {
	Seed   int          `json:"-"`
	Random []float64    `json:"random"` // degrees between two random matrices, ascending
	Pairs  []Pair       `json:"pairs"`  // of cells
	Cells  []CellOfWord `json:"cells"`  // for each word of the sample, in the order in which they first occur
}

// Pair holds the principal angles between the hidden-to-hidden matrices of two cells.
type Pair struct {
	Name   string    `json:"name"`   // the numbers of the cells: 1-2
	Angles []float64 `json:"angles"` // in degrees, ascending
}

// CellOfWord says which cell reads a word. Cells are numbered from 1. Weight is the weight of
// the cell at the temperature of the best parameters.
type CellOfWord struct {
	Word   string  `json:"word"`
	Cell   int     `json:"cell"`
	Weight float64 `json:"weight"`
}

// sample is the text of the heat map in figure 6 of the paper second-order-lstm.
const sample = `@-@ yard line . Tech picked up a first down , then Chapman was forced to scramble for a first
down after facing third and 10 . Stopped inches short of gaining the first down , Tech risked turning
the ball over by attempting to convert the fourth down . Unlike their previous try in the game , Tech
was successful and the Hokies ' drive continued . Tech continued`

// sampleWords returns the different words of the sample, in the order in which they first occur.
func sampleWords() []string {
	var list []string
	for _, w := range strings.Fields(sample) {
		if !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	return list
}

// Trace returns the [Trace] of a run. An LSTM has none.
func (e Model) Trace(_ kernel.Device, _ *train.Experiment, res *train.Result, m *suite.Measured) (any, error) {
	if e.Cells == 1 {
		return nil, nil
	}
	t, err := lm.Words(e.Corpus)
	if err != nil {
		return nil, err
	}
	return e.trace(t, res, m.Detail.([][]float64))
}

// trace returns the Trace of a run. cosines has the cosines of each pair of cells.
func (e Model) trace(of *text.Text[int32], res *train.Result, cosines [][]float64) (t Trace, err error) {
	degrees := func(cosines []float64) (list []float64) {
		for _, c := range cosines {
			list = append(list, traces.Rounded(attention.Degrees(c)))
		}
		return list
	}
	t.Random = degrees(attention.RandomCosines(e.Hidden))
	for i, name := range e.pairs() {
		t.Pairs = append(t.Pairs, Pair{name, degrees(cosines[i])})
	}
	top, err := attention.TopCells(res.Params, suite.Best(res.Checks).Scalars[0])
	if err != nil {
		return t, err
	}
	for _, w := range sampleWords() {
		ids, err := of.Encode(w)
		if err != nil {
			return t, err
		}
		c := top[ids[0]]
		t.Cells = append(t.Cells, CellOfWord{w, c.Cell + 1, traces.Rounded(c.Weight)})
	}
	return t, nil
}

// pairs returns the names of the pairs of cells, in the order of attention.PrincipalCosines.
func (e Model) pairs() (list []string) {
	for i := range e.Cells {
		for j := range i {
			list = append(list, fmt.Sprintf("%d-%d", j+1, i+1))
		}
	}
	return list
}

// decode decodes the trace of a run of e.
func (e Model) decode(r traces.Run) (Trace, error) {
	t, err := traces.Decode(r, e.check)
	t.Seed = r.Seed
	return t, err
}

// check returns an error for numbers that no run of e has, and for a trace that lacks an angle or a word.
func (e Model) check(t Trace) error {
	var names, words []string
	whole := len(t.Random) == e.Hidden
	err := traces.Within("random angle", t.Random, 0, 90)
	for _, p := range t.Pairs {
		names = append(names, p.Name)
		whole = whole && len(p.Angles) == e.Hidden
		err = cmp.Or(err, traces.Within("angle of cells "+p.Name, p.Angles, 0, 90))
	}
	for _, c := range t.Cells {
		words = append(words, c.Word)
		whole = whole && c.Cell >= 1 && c.Cell <= e.Cells
		err = cmp.Or(err, traces.Within("weight of "+c.Word, []float64{c.Weight}, 0, 1))
	}
	if err == nil && (!whole || !slices.Equal(names, e.pairs()) || !slices.Equal(words, sampleWords())) {
		err = fmt.Errorf("have %d random angles, angles of the pairs %v and cells of %d words, want %d random angles, %d for each of the pairs %v, and one of %d cells for each of %d words",
			len(t.Random), names, len(words), e.Hidden, e.Hidden, e.pairs(), e.Cells, len(sampleWords()))
	}
	return err
}

// agrees returns an error unless the cosine of the smallest angle of a trace is cosine-max of
// the golden row of its run. The trace rounds the angle, so the cosines may differ by what half
// a unit in its last place makes.
func agrees(row suite.Row, run traces.Run, of golden.Row) error {
	t, err := row.(Model).decode(run)
	if err != nil {
		return err
	}
	least := math.Inf(1)
	for _, p := range t.Pairs {
		least = min(least, p.Angles[0])
	}
	const half = 0.5001 / traces.Precision * math.Pi / 180
	have := math.Cos(least * math.Pi / 180)
	if want, ok := of.Value("cosine-max"); !ok || math.Abs(have-want) > half {
		return fmt.Errorf("cosine-max: have %v in the trace, want %v as in the golden file", have, want)
	}
	return nil
}
