package wikitext

import (
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
// second-order-lstm show. As text, a trace has these kinds of lines:
//
//	random 1 32.2754        place, degrees between two random matrices
//	angle 1-2 1 31.4886     pair of cells, place, degrees between their matrices
//	cell game 4:0.3987      word, cell and weight
type Trace struct {
	Seed   int
	Random []float64    // ascending
	Pairs  []Pair       // of cells
	Cells  []CellOfWord // for each word of the sample, in the order in which they first occur
}

// Pair holds the principal angles between the hidden-to-hidden matrices of two cells.
type Pair struct {
	Name   string    // the numbers of the cells: 1-2
	Angles []float64 // in degrees, ascending
}

// CellOfWord says which cell reads a word. Cells are numbered from 1. Weight is the weight of
// the cell at the temperature of the best parameters.
type CellOfWord struct {
	Word   string
	Cell   int
	Weight float64
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

// Trace returns the lines that the figures need from a run. An LSTM has none.
func (e Model) Trace(_ kernel.Device, _ *train.Experiment, res *train.Result, m *suite.Measured) ([]traces.Line, error) {
	if e.Cells == 1 {
		return nil, nil
	}
	t, err := lm.Words(e.Corpus)
	if err != nil {
		return nil, err
	}
	trace, err := e.trace(t, res, m.Detail.([][]float64))
	return trace.lines(), err
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

// lines returns the trace as text.
func (t Trace) lines() []traces.Line {
	var list traces.List
	for i, x := range t.Random {
		list.Add(traces.Decimal(x), "random %d", i+1)
	}
	for _, p := range t.Pairs {
		for i, x := range p.Angles {
			list.Add(traces.Decimal(x), "angle %s %d", p.Name, i+1)
		}
	}
	for _, c := range t.Cells {
		list.Add(fmt.Sprintf("%d:%s", c.Cell, traces.Decimal(c.Weight)), "cell %s", c.Word)
	}
	return list
}

// parseTrace parses the lines of a run of e. It rejects malformed lines, and traces that lack
// an angle or a word.
func (e Model) parseTrace(r traces.Run) (t Trace, err error) {
	t.Seed = r.Seed
	if err := r.Each(t.add); err != nil {
		return t, err
	}
	var names, words []string
	whole := len(t.Random) == e.Hidden
	for _, p := range t.Pairs {
		names = append(names, p.Name)
		whole = whole && len(p.Angles) == e.Hidden
	}
	for _, c := range t.Cells {
		words = append(words, c.Word)
		whole = whole && c.Cell <= e.Cells
	}
	if !whole || !slices.Equal(names, e.pairs()) || !slices.Equal(words, sampleWords()) {
		return t, fmt.Errorf("seed %d: have %d random angles, angles of the pairs %v and cells of %d words, want %d random angles, %d for each of the pairs %v, and one of %d cells for each of %d words",
			r.Seed, len(t.Random), names, len(words), e.Hidden, e.Hidden, e.pairs(), e.Cells, len(sampleWords()))
	}
	return t, nil
}

// add adds a line of the run to the trace; see traces.Run.Each for the parts of a line.
func (t *Trace) add(kind string, first []string, word string) error {
	switch kind {
	case "random":
		x, err := traces.Within(word, 0, 90)
		if err != nil {
			return err
		}
		t.Random = append(t.Random, x)
		return traces.CheckNumber("place", first[0], len(t.Random))
	case "angle":
		x, err := traces.Within(word, 0, 90)
		if err != nil {
			return err
		}
		if n := len(t.Pairs); n == 0 || t.Pairs[n-1].Name != first[0] {
			t.Pairs = append(t.Pairs, Pair{Name: first[0]})
		}
		p := &t.Pairs[len(t.Pairs)-1]
		p.Angles = append(p.Angles, x)
		return traces.CheckNumber("place", first[1], len(p.Angles))
	case "cell":
		n, x, err := traces.NumberedWeight(word)
		if err != nil {
			return fmt.Errorf("cell: %w", err)
		}
		t.Cells = append(t.Cells, CellOfWord{first[0], n, x})
	default:
		return fmt.Errorf("kind of line: have %q, want random, angle or cell", kind)
	}
	return nil
}

// agrees returns an error unless the cosine of the smallest angle of a trace is cosine-max of
// the golden row of its run. The trace rounds the angle, so the cosines may differ by what half
// a unit in its last place makes.
func agrees(row suite.Row, run traces.Run, of golden.Row) error {
	t, err := row.(Model).parseTrace(run)
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
