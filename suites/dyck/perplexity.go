package dyck

import (
	"fmt"

	"pushdown/corpora/formal"
	"pushdown/harness/kernel"
	"pushdown/harness/metric"
	"pushdown/harness/numeric"
	"pushdown/harness/train"
	"pushdown/models"
)

// frequent is the least number of cases of a distance that says something of
// the model: WCPA is mostly decided by single cases of rare distances.
const frequent = 20

// Scores is what a language model says of a split: the perplexity, and the
// accuracy at closing brackets by the rule of the paper and by that of the
// public code, which asks wherever a bracket is open.
type Scores struct {
	Loss        float64 // mean nats, END included
	Paper, Code *metric.LDPA
}

// Perplexity is exp of the mean loss.
func (r *Scores) Perplexity() float64 { return numeric.Exp64(r.Loss) }

// counter counts answers by the rules.
type counter struct {
	set         *Sentences
	paper, code *metric.LDPA // code may be nil
	list        []question
}

// visit counts the answers of a batch.
func (c *counter) visit(o *train.Outcome) error {
	width, k := c.set.lang.Vocabulary(), c.set.lang.K
	prob, err := o.Output(models.OutputProb, width)
	if err != nil {
		return err
	}
	for _, x := range []struct {
		list func(int, []question) ([]question, error)
		to   *metric.LDPA
	}{{c.set.closings, c.paper}, {c.set.pending, c.code}} {
		if x.to == nil {
			continue
		}
		if c.list, err = x.list(o.Index, c.list[:0]); err != nil {
			return err
		}
		for _, q := range c.list {
			x.to.AddRow(q.distance, prob[q.row*width+k:q.row*width+2*k], q.kind)
		}
	}
	return nil
}

// observe gives the WCPA of each validation, as the paper's figure 3 shows it.
func (s *Sentences) observe() (visit func(*train.Outcome) error, figures func() ([]float64, error)) {
	c := &counter{set: s, paper: metric.NewLDPA(metric.Paper, s.lang.Max)}
	return c.visit, func() ([]float64, error) {
		worst, err := c.paper.Worst(1)
		return []float64{worst.Percent()}, err
	}
}

// Read evaluates parameters on a split of the experiment's strings: under a
// temperature, or with the sharp choice of the paper's test if that is 0, which
// says nothing to a model without one.
func (e LanguageModel) Read(dev kernel.Device, p *train.Params, seed uint64, split formal.Split, temperature float64) (*Scores, error) {
	model, err := e.model(temperature == 0)
	if err != nil {
		return nil, err
	}
	var scalars []train.Scalar
	if temperature != 0 {
		scalars = e.temperature()
	}
	return e.readBy(dev, model, p, seed, split, func(ev *train.Evaluator) error {
		for _, s := range scalars {
			if err := ev.SetScalar(s.Input(temperature)); err != nil {
				return err
			}
		}
		return nil
	})
}

// readBy is Read by a given network.
func (e LanguageModel) readBy(dev kernel.Device, model *models.Model, p *train.Params, seed uint64, split formal.Split, set func(*train.Evaluator) error) (*Scores, error) {
	lang, corpus, err := e.Sample(split)
	if err != nil {
		return nil, err
	}
	sentences := NewSentences(lang, corpus, evalStrings)
	ev, err := train.NewEvaluator(model.Build, dev, sentences, seed)
	if err != nil {
		return nil, err
	}
	defer ev.Close()
	if err := set(ev); err != nil {
		return nil, err
	}
	r := &Scores{Paper: metric.NewLDPA(metric.Paper, lang.Max), Code: metric.NewLDPA(metric.PublicCode, lang.Max)}
	c := &counter{set: sentences, paper: r.Paper, code: r.Code}
	if r.Loss, err = ev.Run(p, c.visit); err != nil {
		return nil, err
	}
	for _, l := range []*metric.LDPA{r.Paper, r.Code} {
		if n := l.Undefined(); n > 0 {
			return nil, fmt.Errorf("dyck: %d of %d predictions are not numbers", n, l.Total().Cases)
		}
	}
	return r, nil
}
