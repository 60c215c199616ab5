package dyck

import (
	"testing"

	"pushdown/corpora/formal"
	"pushdown/harness/optim"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
	"pushdown/models"
)

// cells lists small versions of the suite's networks that predict closing brackets.
var cells = []struct {
	name  string
	model func() (*models.Model, error)
}{
	{"dyckrnn", func() (*models.Model, error) { return models.DyckRNN(3, 2) }},
	{"dyckrnn-1d", func() (*models.Model, error) { return models.DyckRNN1D(3, 2) }},
	{"dyckrnn-2d", func() (*models.Model, error) { return models.DyckRNN2D(3, 2) }},
	{"dyckrnn-2d-byone", func() (*models.Model, error) { return models.DyckRNN2DShiftByOne(3, 2) }},
	{"rnn", func() (*models.Model, error) { return models.LastState(models.RNN{Hidden: 9}, 2, 30) }},
	{"lstm", func() (*models.Model, error) { return models.LastState(models.LSTM{Hidden: 9}, 2, 30) }},
	{"mmrnn", func() (*models.Model, error) { return models.LastState(models.MMRNN{Hidden: 9}, 2, 30) }},
	{"mmlstm", func() (*models.Model, error) { return models.LastState(models.MMLSTM{Hidden: 5}, 2, 30) }},
}

// shrunken lists small runs of every cell under the training rules of every experiment. In
// each run, everything that its rules provide for happens: the learning rate is cut, the
// best parameters are restored, and the run ends. Not all rules provide for all three. The
// rules of the Dyck-RNN only end a run, the rules of section 5.4 never cut the rate, and
// the rules of table 1 restore the best parameters only at the end.
func shrunken(t testing.TB) []*train.Experiment {
	t.Helper()
	lang := formal.NewBoundedDyck(2, 3)
	lang.Min, lang.Max = 6, 31
	sample := func(split formal.Split, n int) *formal.Corpus {
		corpus := suitetest.Must(lang.Sample(17, split, n))(t)
		return corpus
	}
	corpus, dev := sample(formal.Train, 80), sample(formal.Dev, 40)
	var list []*train.Experiment
	add := func(name string, model *models.Model, err error, e train.Experiment) {
		if err != nil {
			t.Fatal(err)
		}
		e.Name, e.Build, e.Seed, e.MaxUpdates = "test=trajectory/cell="+name+"/seed=1", model.Build, 1, 2000
		list = append(list, &e)
	}
	source := suitetest.Must(NewPrefixes(lang, corpus, 32, 1))(t)
	sentences := func() train.Source {
		s := suitetest.Must(NewShuffledSentences(corpus, 20, false, 1))(t)
		return s
	}
	valid := NewStrings(lang, dev, 16)

	// Add runs with the training rules of table 2, built by the same code as the runs
	// of the table.
	for _, c := range cells[:4] {
		own := resurgence(3)
		own.Row, own.Name, own.Model = Table2()[0].Row, c.name, func(m, k int) (*models.Model, error) { return c.model() }
		own.Min, own.Max, own.Train, own.Dev, own.CorpusSeed = lang.Min, lang.Max, 80, 40, 17
		own.Batch, own.CheckEvery, own.MaxUpdates, own.Below = 32, 10, 2000, 0.3
		x := suitetest.Must(own.Build(1))(t)
		x.Name = "test=trajectory/cell=" + c.name + "/protocol=resurgence/seed=1"
		list = append(list, x)
	}
	for _, c := range cells {
		model, err := c.model()
		add(c.name+"/protocol=plateau", model, err, train.Experiment{
			Train: source, Valid: valid, CheckEvery: 10, Best: true,
			Rule:    optim.Rule{Method: optim.Adam, LR: 0.03},
			Plateau: optim.Plateau{Gain: 0.06, Patience: 1, Factor: 0.5, Stop: 4, Return: true},
		})
	}
	model, err := models.LanguageModel(models.LSTM{Hidden: 20}, lang.Vocabulary(), 12)
	add("lstm-lm/protocol=clipped", model, err, train.Experiment{
		Train: sentences(), Valid: NewSentences(lang, dev, 20), Best: true,
		Rule:    optim.Rule{Method: optim.Adam, LR: 0.05, ClipNorm: 0.25},
		Plateau: optim.Plateau{Gain: 0.01, Patience: 2, Factor: 0.5, Stop: 6, Return: true},
	})
	model, err = models.LanguageModel(models.LSTM{Hidden: 20}, lang.Vocabulary(), 12)
	add("lstm-lm/protocol=sgd", model, err, train.Experiment{
		Train: sentences(), Valid: NewSentences(lang, dev, 20), Best: true,
		Rule:    optim.Rule{Method: optim.SGD, LR: 20, ClipNorm: 0.5, Clip: 0.2},
		Plateau: optim.Plateau{Gain: 0.01, Patience: 2, Factor: 0.5, Stop: 6, Return: true},
		BPTT:    9,
	})
	return append(list, publishedRuns(t, lang)...)
}

// publishedRuns returns small runs with published training rules: those of section 5.4 of
// the paper resurgence and of table 1 of the paper second-order-lstm. The code that builds
// these runs is the same as for runs at full size.
func publishedRuns(t testing.TB, lang formal.BoundedDyck) (list []*train.Experiment) {
	t.Helper()
	add := func(e suite.Row, name string) {
		x := suitetest.Must(e.Build(1))(t)
		x.Name = "test=trajectory/cell=" + name + "/seed=1"
		list = append(list, x)
	}
	shrink := func(d *Data) {
		d.Min, d.Max, d.Train, d.Dev, d.CorpusSeed = lang.Min, lang.Max, 80, 40, 17
	}
	for _, n := range networks[1:] {
		e := readout(3, n, 6)
		shrink(&e.Data)
		e.Batch, e.Epochs, e.Stop, e.Rule.LR, e.Rule.ClipNorm = 64, 200, 3, 0.05, 0.2
		add(e, n.name+"/protocol=readouts")
	}
	e := Dropouts(3)[3]
	shrink(&e.Data)
	e.Batch, e.Epochs, e.Stop, e.Rule.LR, e.Rule.ClipNorm = 64, 200, 3, 0.05, 0.2
	add(e, "mmlstm/protocol=dropout")
	lm := Generators(3)[2]
	shrink(&lm.Data)
	lm.Batch, lm.Epochs, lm.Rule.LR, lm.Rule.ClipNorm = 10, 100, 0.05, 0.2
	add(lm, "mmrnn/protocol=language-model")
	for _, kind := range []Kind{Baseline, Attention, Assignment} {
		e := second(3, kind)
		shrink(&e.Data)
		e.Rule.LR, e.Epochs, e.Plateau.Gain, e.Plateau.Patience, e.Plateau.Stop = 0.05, 100, 0.005, 2, 5
		add(e, string(kind)+"/protocol=table1")
	}
	return list
}
