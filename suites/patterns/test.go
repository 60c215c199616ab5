package patterns

import (
	"pushdown/corpora/formal"
	"pushdown/harness/kernel"
	"pushdown/harness/metric"
	"pushdown/harness/train"
	"pushdown/models"
)

// The test of the paper: strings of each n from 1 to 60, 200 of them, of which the
// last is not scored.
const (
	shortest, longest = 1, 60
	perLength         = 200
)

// Test is the test strings of a task: those of a length, one after the other, and
// the lengths one after the other, the states going on throughout but in
// additions, where they start anew after ten strings.
type Test struct {
	*train.StreamSet
	lo, hi int
	per    int
	of     []int32 // the string whose answer each prediction is a part of
}

// NewTest draws the test strings of lengths lo to hi, per of each. Lengths of which
// the task has none are left out.
func NewTest(task formal.Pattern, seed uint64, lo, hi, per int) (*Test, error) {
	least := max(lo, task.Shortest())
	s := testStream(task, seed, least, per)
	if task == formal.Addition {
		s.ResetEvery = 10
	}
	if err := task.Check(formal.Range{Min: least, Max: hi}); err != nil {
		return nil, err
	}
	t := &Test{lo: least, hi: hi, per: per}
	var err error
	t.StreamSet, err = train.NewStreamSet(recorder{s, t}, 0, (hi-least+1)*per, readSymbols)
	return t, err
}

// testStream gives per strings of each length from least on.
func testStream(task formal.Pattern, seed uint64, least, per int) *Stream {
	return &Stream{Task: task, Seed: seed, Split: formal.Test, Per: per, Follow: true, Answers: true,
		Lengths: func(epoch int) formal.Range { return formal.Range{Min: least + epoch, Max: least + epoch} }}
}

// recorder notes which string each prediction belongs to.
type recorder struct {
	*Stream
	t *Test
}

// Fill makes p the string i. The first symbol is the end of the answer before.
func (r recorder) Fill(i int, p *train.Piece) {
	r.Stream.Fill(i, p)
	for j, target := range p.Target {
		switch {
		case target < 0:
		case j == 0 && i > 0:
			r.t.of = append(r.t.of, int32(i-1))
		default:
			r.t.of = append(r.t.of, int32(i))
		}
	}
}

// Measure counts the strings of each length that the parameters of a network
// answer rightly.
func (t *Test) Measure(m *models.Model, dev kernel.Device, p *train.Params) (*metric.Lengths, error) {
	right := make([]bool, 0, len(t.of))
	if _, err := train.Evaluate(m.Build, dev, t, 0, p, func(o *train.Outcome) error {
		logits, err := o.Output(models.OutputLogits, m.Vocabulary)
		if err != nil {
			return err
		}
		for i, target := range o.Batch.Target {
			row := logits[i*m.Vocabulary : (i+1)*m.Vocabulary]
			right = append(right, metric.Argmax(row) == int(target))
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return t.count(right), nil
}

// count counts strings by which predictions are right.
func (t *Test) count(right []bool) *metric.Lengths {
	wrong := make([]bool, (t.hi-t.lo+1)*t.per)
	for i, ok := range right {
		wrong[t.of[i]] = wrong[t.of[i]] || !ok
	}
	lengths := metric.NewLengths(shortest, t.hi)
	for i, no := range wrong {
		if i%t.per < t.per-1 { // the symbol after the last string is that of another length
			lengths.Add(t.lo+i/t.per, !no)
		}
	}
	return lengths
}
