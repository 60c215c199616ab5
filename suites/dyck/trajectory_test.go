package dyck

import (
	"path/filepath"
	"testing"

	"pushdown/corpora/formal"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/optim"
	"pushdown/harness/suite"
	"pushdown/harness/train"
	"pushdown/models"
)

// cells are the networks of the suite that predict closing brackets, shrunken.
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

// TestTrajectory trains every cell under every protocol of the suite on a
// shrunken problem and compares each digest along the way with the golden file,
// so that one run of it says whether a machine keeps the numeric contract. Each
// run goes through a cut of the learning rate, a return to the best parameters
// and a stop, but where its protocol does not: that of the Dyck-RNN stops and does
// nothing else, that of section 5.4 has no cuts, that of table 1 returns at the
// end alone. With -short the first 30 updates are compared.
func TestTrajectory(t *testing.T) {
	dev := suite.Open(t)
	all := trajectories(t)
	most := 0 // updates: all
	if testing.Short() {
		most = 30
	}
	run := &golden.Run{Suite: "dyck", Scale: "trajectory", Contract: kernel.ContractVersion, Machine: suite.Machine(dev), Complete: true}
	products := 0.0
	for _, e := range all {
		if !t.Run(e.Name, func(t *testing.T) {
			res, err := train.Run(e, train.Options{Device: dev, Updates: most})
			if err != nil {
				t.Fatal(err)
			}
			if res.Complete {
				eventful(t, e, res)
			}
			res.Trajectory.Name = golden.Name(e.Name)
			t.Log("\n" + res.Trajectory.String())
			run.Trajectories = append(run.Trajectories, res.Trajectory)
			products += 3 * float64(res.Rows) * float64(res.Params.Count()) // forward, and two for the gradients
		}) {
			return
		}
	}
	t.Logf("%.2g multiplications", products)
	run.Complete = len(run.Trajectories) == len(all) && most == 0 // -run may have left some out
	if run.Complete && products > 3e9 {
		t.Errorf("%.2g multiplications, want at most 3e9", products)
	}
	golden.Check(t, filepath.Join("testdata", "trajectory.txt"), run)
}

// eventful fails a run in which too little happens.
func eventful(t *testing.T, e *train.Experiment, res *train.Result) {
	t.Helper()
	if e.Plateau.Below > 0 {
		if res.Stopped != "loss" {
			t.Errorf("ended by %q after %d updates, want a loss that is low enough", res.Stopped, res.Updates)
		}
		return
	}
	cuts, best := 0, 0
	for i, c := range res.Checks {
		if i > 0 && c.LR < res.Checks[i-1].LR {
			cuts++
		}
		if c.Best {
			best = c.Update
		}
	}
	if cuts == 0 && e.Plateau.Patience > 0 || best == res.Updates || res.Stopped != "patience" {
		t.Errorf("%d cuts, best after update %d of %d, ended by %q, want a cut, a best before the end and an end by patience", cuts, best, res.Updates, res.Stopped)
	}
}

// trajectories lists the shrunken runs.
func trajectories(t *testing.T) []*train.Experiment {
	t.Helper()
	lang := formal.NewBoundedDyck(2, 3)
	lang.Min, lang.Max = 6, 31
	sample := func(split formal.Split, n int) *formal.Corpus {
		corpus, err := lang.Sample(17, split, n)
		if err != nil {
			t.Fatal(err)
		}
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
	source, err := NewPrefixes(lang, corpus, 32, 1)
	if err != nil {
		t.Fatal(err)
	}
	sentences := func() train.Source {
		s, err := NewShuffledSentences(lang, corpus, 20, 1)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	valid := NewStrings(lang, dev, 16)

	// The protocol of the tables, made by what makes their runs.
	for _, c := range cells[:4] {
		own := resurgence(3)
		own.Row, own.Name, own.Model = Table2()[0].Row, c.name, func(m, k int) (*models.Model, error) { return c.model() }
		own.Min, own.Max, own.Train, own.Dev, own.CorpusSeed = lang.Min, lang.Max, 80, 40, 17
		own.Batch, own.CheckEvery, own.MaxUpdates, own.Below = 32, 10, 2000, 0.3
		x, err := own.Run(1)
		if err != nil {
			t.Fatal(err)
		}
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
	return append(list, published1(t, lang)...)
}

// published1 are shrunken runs of the protocols of section 5.4 of resurgence and
// of table 1 of second-order-lstm, made by what makes those.
func published1(t *testing.T, lang formal.BoundedDyck) (list []*train.Experiment) {
	t.Helper()
	add := func(e experiment, name string) {
		x, err := e.Run(1)
		if err != nil {
			t.Fatal(err)
		}
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
	for _, kind := range []Kind{Baseline, Attention, Assignment} {
		e := second(3, kind)
		shrink(&e.Data)
		e.Rule.LR, e.Epochs, e.Plateau.Gain, e.Plateau.Patience, e.Plateau.Stop = 0.05, 100, 0.005, 2, 5
		add(e, string(kind)+"/protocol=table1")
	}
	return list
}
