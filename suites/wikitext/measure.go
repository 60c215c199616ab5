package wikitext

import (
	"fmt"

	"pushdown/corpora/text"
	"pushdown/harness/attention"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/metric"
	"pushdown/harness/suite"
	"pushdown/harness/train"
	"pushdown/models"
	"pushdown/suites/lm"
)

// units returns the units of the suite. The perplexities of an attention model are those of a
// sharp choice: in each step, only the cell with the largest weight counts. Units that end in
// -soft, and valid-ce, are those of the mixture of its cells, at the temperature that it had
// when its parameters were the best.
func units() []suite.Unit {
	return []suite.Unit{
		suite.Lower("params").Fixed(),       // those of the cells, as the paper counts
		suite.Lower("params-whole").Fixed(), // all trained parameters
		suite.Lower("valid-ce"),             // the best validation loss, at the temperature of training
		suite.Lower("valid-ppl"), suite.Lower("test-ppl"),
		suite.Lower("valid-ppl-soft"), suite.Lower("test-ppl-soft"),
		suite.Lower("cosine-max"),              // of the smallest angle between the matrices of two cells
		suite.Higher("cell-by-symbol").Fixed(), // 1: the cell depends only on the word read, else 0; measured for seed 1
		suite.Lower("epochs").FromTraining(),
		suite.Lower("epochs-best").FromTraining(), // to the best validation loss
		suite.TrainMinutes,
	}
}

// Measure measures the result of a run on the validation and test text.
func (e Model) Measure(dev kernel.Device, x *train.Experiment, res *train.Result) (*suite.Measured, error) {
	t, err := lm.Words(e.Corpus)
	if err != nil {
		return nil, err
	}
	best := suite.Best(res.Checks)
	values := []golden.Value{
		{Unit: "params", Value: float64(e.Cells * models.LSTM{Hidden: e.Hidden}.Count(e.Embedding))},
		{Unit: "params-whole", Value: float64(res.Params.Count())},
		{Unit: "valid-ce", Value: best.Loss},
		{Unit: "epochs", Value: res.Epochs(x)},
		{Unit: "epochs-best", Value: float64(best.Update) / float64(x.Train.PerEpoch())},
		{Unit: "train-min", Value: res.Took.Minutes()},
	}
	sharp, err := e.Network(t.Len(), true)
	if err != nil {
		return nil, err
	}
	test := 0.0
	for _, p := range []struct {
		name string
		of   *text.Part[int32]
	}{{"valid", t.Valid}, {"test", t.Test}} {
		if test, err = e.loss(dev, sharp, p.of, x.Seed, res.Params, 0); err != nil {
			return nil, err
		}
		values = append(values, golden.Value{Unit: p.name + "-ppl", Value: metric.Perplexity(test)})
	}
	if e.Cells == 1 {
		return &suite.Measured{Values: values}, nil
	}
	mixed, err := e.Network(t.Len(), false)
	if err != nil {
		return nil, err
	}
	soft, err := e.loss(dev, mixed, t.Test, x.Seed, res.Params, best.Scalars[0])
	if err != nil {
		return nil, err
	}
	values = append(values, golden.Value{Unit: "valid-ppl-soft", Value: metric.Perplexity(best.Loss)}, golden.Value{Unit: "test-ppl-soft", Value: metric.Perplexity(soft)})
	all, err := attention.PrincipalCosines(res.Params, e.Cells)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", x.Name, err)
	}
	cosine := 0.0
	for _, list := range all {
		cosine = max(cosine, list[0])
	}
	values = append(values, golden.Value{Unit: "cosine-max", Value: cosine})
	if x.Seed == 1 {
		v, err := e.byWord(dev, t, x.Seed, res.Params, test)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", x.Name, err)
		}
		values = append(values, golden.Value{Unit: "cell-by-symbol", Value: v})
	}
	return &suite.Measured{Values: values, Detail: all}, nil
}

// loss returns the mean loss of a part in nats. temperature is 0 if the model has none.
func (e Model) loss(dev kernel.Device, m *models.Model, part *text.Part[int32], seed uint64, p *train.Params, temperature float64) (float64, error) {
	ev, err := train.NewEvaluator(m.Build, dev, lm.Columns(part, e.Limit, e.Columns, e.Steps).Set(e.Columns), seed)
	if err != nil {
		return 0, err
	}
	defer ev.Close()
	if temperature != 0 {
		if err := ev.SetScalar(e.temperature().Input(temperature)); err != nil {
			return 0, err
		}
	}
	return ev.Run(p, nil)
}

// byWord returns 1 if the cell that an attention model chooses depends only on the word read,
// as claim S11Text says, and else 0. To find out, it gives the weights to a model that has a fixed
// cell for each word: the cell with the word's largest score. The loss of this model on the
// test text must be equal, to the bit, to that of the attention model with a sharp choice.
func (e Model) byWord(dev kernel.Device, t *text.Text[int32], seed uint64, p *train.Params, sharp float64) (float64, error) {
	of, err := attention.Choices(p)
	if err != nil {
		return 0, err
	}
	m, err := e.network(models.AssignmentLSTM{Hidden: e.Hidden, Cells: e.Cells, CellOf: of}, t.Len())
	if err != nil {
		return 0, err
	}
	loss, err := e.loss(dev, m, t.Test, seed, p.Without("V_att"), 0)
	if err != nil || loss != sharp {
		return 0, err
	}
	return 1, nil
}
