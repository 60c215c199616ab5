package recognition

import (
	"fmt"

	"pushdown/corpora/formal"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/metric"
	"pushdown/harness/suite"
	"pushdown/harness/train"
	"pushdown/models"
)

// judge holds a network's answers against the truth about a part.
type judge struct {
	strings *Strings
	oracle  formal.Judge
	closes  []bool
	found   metric.Recognition
	answer  metric.Answer // of the present string
}

func newJudge(s *Strings) *judge {
	j := &judge{strings: s, oracle: s.lang.Judge(), closes: make([]bool, formal.Symbols(s.lang))}
	for i := range j.closes {
		j.closes[i] = j.oracle.Closes(uint8(i))
	}
	return j
}

// visit judges the strings of a batch.
func (j *judge) visit(o *train.Outcome) error {
	s, symbols := j.strings, len(j.closes)
	logits, err := o.Output(models.OutputLogits, symbols)
	if err != nil {
		return err
	}
	yhat, err := o.Output(models.OutputValid, 1)
	if err != nil {
		return err
	}
	p := s.Batch(o.Index)
	for i, text := range p.Text {
		a := &j.answer
		*a = metric.Answer{Valid: s.corpus.Valid(int(p.List[i].String)), Closes: j.closes, End: int32(formal.End(s.lang)),
			Viable: a.Viable[:0], Yhat: a.Yhat[:0], Prob: a.Prob[:0], Due: a.Due[:0]}
		j.oracle.Reset()
		for t, symbol := range text {
			j.oracle.Read(symbol)
			due := int32(-1)
			if next, ok := j.oracle.Due(); ok {
				due = int32(next)
			}
			at := p.Row(t, i)
			a.Viable, a.Due = append(a.Viable, j.oracle.Viable()), append(a.Due, due)
			a.Yhat, a.Prob = append(a.Yhat, yhat[at]), append(a.Prob, logits[at*symbols:(at+1)*symbols]...)
		}
		j.found.Add(*a)
	}
	return nil
}

// readings are the names of the figures of accuracy in the order of [figures]. N is
// held against the paper.
var readings = []string{"", "-star", "-a", "-f", "-c"}

// figures lists N, N*, A, F and C in per cent.
func figures(r *metric.Recognition) []float64 {
	return []float64{r.N.Percent(), r.NStar.Percent(), r.A.Percent(), r.F.Percent(), r.C.Percent()}
}

// observe gives the figures of a validation.
func (s *Strings) observe() (visit func(*train.Outcome) error, after func() ([]float64, error)) {
	j := newJudge(s)
	return j.visit, func() ([]float64, error) { return figures(&j.found), nil }
}

// Evaluate judges parameters on a part of the experiment's corpus.
func (e Experiment) Evaluate(dev kernel.Device, p *train.Params, seed uint64, split formal.Split) (*metric.Recognition, error) {
	lang, parts, err := e.strings()
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		if part.Part.Name != split {
			continue
		}
		set := NewStrings(lang, part, evalStrings)
		j := newJudge(set)
		_, err := train.Evaluate(e.build(formal.Symbols(lang), longest(parts[0]), longest(parts...)), dev, set, seed, p, j.visit)
		return &j.found, err
	}
	return nil, fmt.Errorf("recognition: the corpus has no part %q", split)
}

// reported are the parts that a run is judged on and the words for them.
var reported = []struct {
	name  string
	split formal.Split
}{{"train", formal.Train}, {"valid", formal.Dev}, {"test", formal.Test}, {"long120", formal.Long120}, {"long160", formal.Long160}}

// Measure judges the result of a run on all parts of the corpus.
func (e Experiment) Measure(dev kernel.Device, x *train.Experiment, res *train.Result) (*suite.Measured, error) {
	epoch := func(c train.Check) float64 { return float64(c.Update) / float64(x.Train.PerEpoch()) }
	best, top := suite.Best(res.Checks), res.Checks[0]
	for _, c := range res.Checks {
		if ofTest(c) > ofTest(top) {
			top = c
		}
	}
	values := []golden.Value{
		{Unit: "params", Value: float64(res.Params.Count())},
		{Unit: "updates", Value: float64(res.Updates)},
		{Unit: "epochs-best", Value: epoch(best)},
		{Unit: "valid-ce", Value: best.Loss},
		{Unit: "epochs-top", Value: epoch(top)},
		{Unit: "test-acc-top-%", Value: ofTest(top)},
		{Unit: "train-min", Value: res.Took.Minutes()},
	}
	for _, p := range reported {
		found, err := e.Evaluate(dev, res.Params, x.Seed, p.split)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", x.Name, p.name, err)
		}
		for i, v := range figures(found) {
			values = append(values, golden.Value{Unit: p.name + "-acc" + readings[i] + "-%", Value: v})
		}
	}
	return &suite.Measured{Values: values}, nil
}

// ofTest is N on the test strings, whose figures follow those of the development
// strings.
func ofTest(c train.Check) float64 { return c.Figures[len(readings)] }
