package recognition

import (
	"fmt"

	"pushdown/corpora/formal"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/metric"
	"pushdown/harness/stepgraph"
	"pushdown/harness/suite"
	"pushdown/harness/train"
	"pushdown/models"
)

// judge compares a network's answers with the oracle's on a part of the corpus.
type judge struct {
	strings *Strings
	oracle  formal.Oracle
	closes  []bool
	found   metric.Recognition
	answer  metric.Answer // for the current string
}

func newJudge(s *Strings) *judge {
	j := &judge{strings: s, oracle: s.lang.NewOracle(), closes: make([]bool, formal.Symbols(s.lang))}
	for i := range j.closes {
		j.closes[i] = j.oracle.Closes(uint8(i))
	}
	return j
}

// visit judges the strings of a batch.
func (j *judge) visit(o *train.BatchOutput) error {
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
		a.Yhat, a.Prob = a.Yhat[:0], a.Prob[:0]
		for t := range text {
			at := p.Row(t, i)
			a.Yhat, a.Prob = append(a.Yhat, yhat[at]), append(a.Prob, logits[at*symbols:(at+1)*symbols]...)
		}
		a.Next = text[1:]
		j.add(int(p.List[i].String))
	}
	return nil
}

// add judges string i of the part. The fields Yhat and Prob of j.answer hold what a network says; add
// sets the others.
func (j *judge) add(i int) {
	a := &j.answer
	a.Valid, a.Closes, a.End = j.strings.corpus.Valid(i), j.closes, int32(formal.End(j.strings.lang))
	a.Viable, a.Due = a.Viable[:0], a.Due[:0]
	j.oracle.Reset()
	for _, symbol := range j.strings.corpus.String(i) {
		j.oracle.Read(symbol)
		due := int32(-1)
		if next, ok := j.oracle.Due(); ok {
			due = int32(next)
		}
		a.Viable, a.Due = append(a.Viable, j.oracle.Viable()), append(a.Due, due)
	}
	j.found.Add(*a)
}

// readings lists the suffixes of the accuracy units, one for each reading of accuracy in
// [metric.Recognition], in the order of [figures]. The first reading is N, which is
// compared with the paper; it has no suffix.
var readings = []string{"", "-star", "-a", "-f", "-c"}

// figures returns the five accuracies N, N*, A, F and C in per cent.
func figures(r *metric.Recognition) []float64 {
	return []float64{r.N.Percent(), r.NStar.Percent(), r.A.Percent(), r.F.Percent(), r.C.Percent()}
}

// observe returns functions that compute the figures of a validation.
func (s *Strings) observe() (visit func(*train.BatchOutput) error, after func() ([]float64, error)) {
	j := newJudge(s)
	return j.visit, func() ([]float64, error) { return figures(&j.found), nil }
}

// Evaluate measures the accuracy of parameters on a part of the experiment's corpus.
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

// reported lists the parts on which a run is measured and their names in units.
var reported = []struct {
	name  string
	split formal.Split
}{{"train", formal.Train}, {"valid", formal.Dev}, {"test", formal.Test}, {"long120", formal.Long120}, {"long160", formal.Long160}}

// Measure measures the result of a run on all parts of the corpus.
func (e Experiment) Measure(dev kernel.Device, x *train.Experiment, res *train.Result) (*suite.Measured, error) {
	epoch := func(c train.Validation) float64 { return float64(c.Update) / float64(x.Train.PerEpoch()) }
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
		if p.split == formal.Test && e.searched() {
			values = append(values, golden.Value{Unit: "test-acc-m-%", Value: found.M.Percent()})
		}
	}
	return &suite.Measured{Values: values}, nil
}

// ofTest returns the accuracy N on the test strings at a validation. The figures of a
// validation begin with the readings on the development strings, followed by those on the
// test strings, of which N is the first.
func ofTest(c train.Validation) float64 { return c.Figures[len(readings)] }

// [Experiment.Lengths] divides the lengths of strings into ranges of lengthStep lengths.
// Each range has lengthStrings strings, half of them in the language.
const (
	shortestLength = 100 // the first range starts at the next length
	longestLength  = 1_000
	lengthStep     = 100
	lengthStrings  = 100
)

// lengthBatch is the number of strings that Lengths evaluates at a time. Stacks are as
// deep as the longest string, so the stacks of more strings would not fit the caches.
const lengthBatch = 8

// longParts caches the strings of Lengths by language. All experiments share them.
var longParts suite.Cache[string, []*formal.Labelled]

// long returns the strings of Lengths for a language, with a part for each range of
// lengths. It draws them on the first call.
func long(lang formal.Language) ([]*formal.Labelled, error) {
	return longParts.Get(lang.String(), func() ([]*formal.Labelled, error) {
		r := formal.NewRecognition(lang)
		r.Parts = nil
		for n := shortestLength + lengthStep; n <= longestLength; n += lengthStep {
			r.Parts = append(r.Parts, formal.Part{Name: formal.Split(fmt.Sprintf("length%d", n)), Strings: lengthStrings, MinLength: n - lengthStep + 1, MaxLength: n})
		}
		return r.Draw(corpusSeed)
	})
}

// Lengths measures the accuracy N on longer strings, for each range of lengths. p has the
// parameters of the network.
func (e Experiment) Lengths(dev kernel.Device, p *train.Params, seed uint64) (list []Share, err error) {
	lang, parts, err := e.strings()
	if err != nil {
		return nil, err
	}
	all, err := long(lang)
	if err != nil {
		return nil, err
	}
	for _, part := range all {
		set := NewStrings(lang, part, lengthBatch)
		j := newJudge(set)
		build := e.build(formal.Symbols(lang), longest(parts[0]), max(longest(parts...), longest(part)))
		if _, err := train.Evaluate(build, dev, set, seed, p, j.visit); err != nil {
			return nil, fmt.Errorf("recognition: strings of %d: %w", part.Part.MaxLength, err)
		}
		list = append(list, Share{part.Part.MaxLength, int(j.found.N.Cases), int(j.found.N.Correct)})
	}
	return list, nil
}

// sample is the string of D2 on which actions are traced. It has brackets that are nested
// and brackets side by side, and each type occurs inside the other.
const sample = "([()[]])[[(())]]()"

// Actions returns the steps of a network on [sample]. They are nil for networks without
// NO-OP or with several stacks, and for languages other than D2.
func (e Experiment) Actions(dev kernel.Device, p *train.Params, seed uint64) ([]Step, error) {
	switch e.Network {
	case DiffStkRNN, DiffStkLSTM, DiffStkMRNN, DiffStkMLSTM, DiffStkMIRNN:
	default:
		return nil, nil
	}
	lang, err := formal.LanguageOf(e.Language)
	if err != nil || e.Language != "D2" || e.Stacks > 1 {
		return nil, err
	}
	part, err := formal.LabelStrings(lang, formal.Test, sample)
	if err != nil {
		return nil, err
	}
	build := func(cfg stepgraph.Config) (*stepgraph.Graph, error) {
		cell, err := e.cell(longest(part))
		if err != nil {
			return nil, err
		}
		r, err := models.NewRecognizer(models.Traced{Reader: cell}, formal.Symbols(lang))
		if err != nil {
			return nil, err
		}
		return r.Build(cfg)
	}
	var list []Step
	_, err = train.Evaluate(build, dev, NewStrings(lang, part, 1), seed, p, func(o *train.BatchOutput) error {
		actions, err := o.Output(models.OutputActions, 3)
		if err != nil {
			return err
		}
		top, err := o.Output(models.OutputTops, 1)
		if err != nil {
			return err
		}
		for i, letter := range formal.Text(lang, part.String(0)) {
			list = append(list, Step{string(letter), float64(actions[3*i]), float64(actions[3*i+1]), float64(actions[3*i+2]), float64(top[i])})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("recognition: actions on %s: %w", sample, err)
	}
	return list, nil
}
