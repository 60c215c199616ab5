package dyck

import (
	"fmt"
	"math"
	"strconv"

	"pushdown/harness/attention"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/metric"
	"pushdown/harness/suite"
	"pushdown/harness/traces"
	"pushdown/harness/train"
)

// Trace is the data of one run of a language model that the figures of the paper
// second-order-lstm show: the accuracy at each distance (figure 2), the WCPA of each
// validation (figure 3), the angles between the cells of an attention model (figure 4) and
// the cell of each symbol (figure 6). As text, a trace has these kinds of lines:
//
//	ldpa 3 51768 51760           distance, cases, right answers
//	wcpa 1 20                    epoch, per cent
//	angle 1 32.2754 31.4886      place, degrees between random matrices and cells
//	cell (a 1:0.9987             symbol, cell and weight
type Trace struct {
	Seed   int
	LDPA   []metric.Count // of the test strings, by distance
	WCPA   []float64      // of the validation strings after each epoch, in per cent
	Random []float64      // degrees between two random matrices, ascending; only for an attention model
	Angles []float64      // degrees between the matrices of its two cells, ascending
	Cells  []Cell         // for each symbol of the vocabulary; only for an attention model for m = 4
}

// Cell says which cell reads a symbol. Cells are numbered from 1. Weight is the weight of
// the cell at the temperature of the best parameters.
type Cell struct {
	Symbol string
	Cell   int
	Weight float64
}

// lines returns the trace as text.
func (t Trace) lines() []traces.Line {
	var list traces.List
	for _, c := range t.LDPA {
		list.Add(strconv.FormatInt(c.Correct, 10), "ldpa %d %d", c.Distance, c.Cases)
	}
	for i, x := range t.WCPA {
		list.Add(traces.Decimal(x), "wcpa %d", i+1)
	}
	for i, x := range t.Random {
		list.Add(traces.Decimal(t.Angles[i]), "angle %d %s", i+1, traces.Decimal(x))
	}
	for _, c := range t.Cells {
		list.Add(fmt.Sprintf("%d:%s", c.Cell, traces.Decimal(c.Weight)), "cell %s", c.Symbol)
	}
	return list
}

// parseTrace parses the lines of a run. It rejects malformed lines.
func parseTrace(r traces.Run) (t Trace, err error) {
	t.Seed = r.Seed
	if err := r.Each(t.add); err != nil {
		return t, err
	}
	if len(t.LDPA) == 0 || len(t.WCPA) == 0 {
		return t, fmt.Errorf("seed %d: have %d distances and %d epochs, want one or more", r.Seed, len(t.LDPA), len(t.WCPA))
	}
	return t, nil
}

// add adds a line of the run to the trace. The line is given in three parts: its first word
// (kind), its last word (word) and the words in between (first). Only the last word differs
// between seeds.
func (t *Trace) add(kind string, first []string, word string) error {
	switch kind {
	case "ldpa":
		before := 0
		if n := len(t.LDPA); n > 0 {
			before = t.LDPA[n-1].Distance
		}
		distance, err := traces.Ascending("distance", first[0], before)
		if err != nil {
			return err
		}
		cases, right, err := traces.Counts(first[1], word)
		if err != nil {
			return err
		}
		t.LDPA = append(t.LDPA, metric.Count{Distance: distance, Share: metric.Share{Correct: int64(right), Cases: int64(cases)}})
	case "wcpa":
		x, err := traces.Within(word, 0, 100)
		if err != nil {
			return err
		}
		t.WCPA = append(t.WCPA, x)
		return traces.CheckNumber("place", first[0], len(t.WCPA))
	case "angle":
		random, err := traces.Within(first[1], 0, 90)
		if err != nil {
			return err
		}
		x, err := traces.Within(word, 0, 90)
		if err != nil {
			return err
		}
		t.Random, t.Angles = append(t.Random, random), append(t.Angles, x)
		return traces.CheckNumber("place", first[0], len(t.Angles))
	case "cell":
		n, x, err := traces.NumberedWeight(word)
		if err != nil {
			return fmt.Errorf("cell: %w", err)
		}
		t.Cells = append(t.Cells, Cell{Symbol: first[0], Cell: n, Weight: x})
	default:
		return fmt.Errorf("kind of line: have %q, want ldpa, wcpa, angle or cell", kind)
	}
	return nil
}

// Trace returns the lines that the figures need from a run.
func (e LanguageModel) Trace(_ kernel.Device, x *train.Experiment, res *train.Result, m *suite.Measured) ([]traces.Line, error) {
	t, err := e.trace(res, m)
	return t.lines(), err
}

func (e LanguageModel) trace(res *train.Result, m *suite.Measured) (Trace, error) {
	t := Trace{LDPA: m.Detail.(*metric.LDPA).Counts()}
	for _, c := range res.Checks {
		t.WCPA = append(t.WCPA, traces.Rounded(c.Figures[0]))
	}
	if e.Kind != Attention {
		return t, nil
	}
	all, err := attention.PrincipalCosines(res.Params, e.Cells)
	if err != nil {
		return t, err
	}
	for i, cosine := range attention.RandomCosines(e.Hidden) {
		t.Random = append(t.Random, traces.Rounded(attention.Degrees(cosine)))
		t.Angles = append(t.Angles, traces.Rounded(attention.Degrees(all[0][i])))
	}
	if e.M != 4 {
		return t, nil
	}
	lang, err := e.Language()
	if err != nil {
		return t, err
	}
	list, err := attention.TopCells(res.Params, suite.Best(res.Checks).Scalars[0])
	if err != nil {
		return t, err
	}
	for i, s := range list {
		t.Cells = append(t.Cells, Cell{Symbol: lang.Token(uint8(i)), Cell: s.Cell + 1, Weight: traces.Rounded(s.Weight)})
	}
	return t, nil
}

// agrees returns an error unless a trace agrees with the golden row of its run. Counts
// must be equal. Values that the trace rounds may differ by half a unit in the last
// place.
func agrees(row suite.Row, run traces.Run, of golden.Row) error {
	e := row.(LanguageModel)
	t, err := parseTrace(run)
	if err != nil {
		return err
	}
	const half = 0.5001 / traces.Precision
	worst, often, fall := 100.0, 100.0, 0.0
	for _, c := range t.LDPA {
		worst = min(worst, c.Percent())
		if c.Cases >= frequent {
			often = min(often, c.Percent())
		}
	}
	for i := 1; i < len(t.WCPA); i++ {
		fall += max(0, t.WCPA[i-1]-t.WCPA[i])
	}
	type number struct {
		unit           string
		value, allowed float64
	}
	list := []number{
		{"test-wcpa-%", worst, 0}, {"test-wcpa20-%", often, 0}, {"epochs", float64(len(t.WCPA)), 0},
		{"wcpa-fall-%", fall, 2 * half * float64(len(t.WCPA))},
	}
	if e.Kind == Attention {
		if len(t.Angles) == 0 {
			return fmt.Errorf("have no angles, want those of its cells")
		}
		list = append(list, number{"cosine-max", math.Cos(t.Angles[0] * math.Pi / 180), half * math.Pi / 180})
	}
	if len(t.Cells) > 0 {
		var cells []int
		for _, c := range t.Cells {
			cells = append(cells, c.Cell)
		}
		split := 0.0
		if apart(cells, e.K) {
			split = 1
		}
		list = append(list, number{"kinds-apart", split, 0})
	}
	for _, x := range list {
		if want, ok := of.Value(x.unit); !ok || math.Abs(x.value-want) > x.allowed {
			return fmt.Errorf("%s: have %v in the trace, want %v as in the golden file", x.unit, x.value, want)
		}
	}
	return nil
}
