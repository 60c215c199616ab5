package dyck

import (
	"pushdown/corpora/formal"
	"pushdown/harness/kernel"
	"pushdown/harness/metric"
	"pushdown/harness/train"
	"pushdown/models"
)

// Accuracy is the long-distance prediction accuracy of a model on a split.
type Accuracy struct {
	Loss float64 // mean nats
	LDPA *metric.LDPA
}

// Measure evaluates parameters on a split of the experiment's corpus.
func (e Experiment) Measure(dev kernel.Device, p *train.Params, seed uint64, split formal.Split) (*Accuracy, error) {
	lang, corpus, err := e.Sample(split)
	if err != nil {
		return nil, err
	}
	model, err := e.Model(e.M, e.K)
	if err != nil {
		return nil, err
	}
	set := NewStrings(lang, corpus, evalStrings)
	ev, err := train.NewEvaluator(model.Build, dev, set, seed)
	if err != nil {
		return nil, err
	}
	defer ev.Close()
	acc := &Accuracy{LDPA: metric.NewLDPA(metric.Paper, lang.Max)}
	var distances []int
	acc.Loss, err = ev.Run(p, func(o *train.Outcome) error {
		var err error
		if distances, err = set.Distances(o.Index, distances[:0]); err != nil {
			return err
		}
		prob, err := o.Output(models.OutputProb, e.K)
		if err != nil {
			return err
		}
		for i, d := range distances {
			acc.LDPA.AddRow(d, prob[i*e.K:(i+1)*e.K], int(o.Batch.Target[i]))
		}
		return nil
	})
	return acc, err
}
