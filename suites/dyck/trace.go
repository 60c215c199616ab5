package dyck

import (
	"cmp"
	"fmt"
	"math"

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
// the cell of each symbol (figure 6). Numbers other than counts are rounded by [traces.Rounded].
type Trace struct {
	Seed   int            `json:"-"`
	LDPA   []metric.Count `json:"ldpa"`             // of the test strings, by distance
	WCPA   []float64      `json:"wcpa,omitempty"`   // of the validation strings after each epoch, in per cent
	Random []float64      `json:"random,omitempty"` // degrees between two random matrices, ascending; only for an attention model
	Angles []float64      `json:"angles,omitempty"` // degrees between the matrices of its two cells, ascending
	Cells  []Cell         `json:"cells,omitempty"`  // for each symbol of the vocabulary; only for an attention model for m = 4
}

// Cell says which cell reads a symbol. Cells are numbered from 1. Weight is the weight of
// the cell at the temperature of the best parameters.
type Cell struct {
	Symbol string  `json:"symbol"`
	Cell   int     `json:"cell"`
	Weight float64 `json:"weight"`
}

// decode decodes the trace of a run. It returns an error for numbers that no run has.
func decode(r traces.Run) (Trace, error) {
	t, err := traces.Decode(r, Trace.check)
	t.Seed = r.Seed
	return t, err
}

func (t Trace) check() error {
	if len(t.LDPA) == 0 || len(t.WCPA) == 0 || len(t.Random) != len(t.Angles) {
		return fmt.Errorf("have %d distances, %d epochs, %d angles and %d random ones, want one or more distances and epochs, and as many angles of both kinds",
			len(t.LDPA), len(t.WCPA), len(t.Angles), len(t.Random))
	}
	before := 0
	err := cmp.Or(traces.Within("epoch", t.WCPA, 0, 100), traces.Within("random angle", t.Random, 0, 90), traces.Within("angle", t.Angles, 0, 90))
	for _, c := range t.LDPA {
		err = cmp.Or(err, traces.CheckShare("distance", before, c.Distance, c.Correct, c.Cases))
		before = c.Distance
	}
	for _, c := range t.Cells {
		if err == nil && c.Cell < 1 {
			err = fmt.Errorf("symbol %s: have cell %d, want a number from 1", c.Symbol, c.Cell)
		}
		err = cmp.Or(err, traces.Within("weight of "+c.Symbol, []float64{c.Weight}, 0, 1))
	}
	return err
}

// Trace returns the [Trace] of a run.
func (e LanguageModel) Trace(_ kernel.Device, _ *train.Experiment, res *train.Result, m *suite.Measured) (any, error) {
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
	t, err := decode(run)
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
