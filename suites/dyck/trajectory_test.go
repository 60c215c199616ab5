package dyck

import (
	"path/filepath"
	"slices"
	"testing"

	"pushdown/corpora/formal"
	"pushdown/golden"
	"pushdown/harness/bench"
	"pushdown/harness/kernel"
	"pushdown/harness/optim"
	"pushdown/harness/rng"
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
}

// TestTrajectory trains every cell under every protocol of the suite on a
// shrunken problem and compares each digest along the way with the golden file,
// so that one run of it says whether a machine keeps the numeric contract. Each
// run goes through a cut of the learning rate, a return to the best parameters
// and a stop, but for the protocol of resurgence, which stops and does nothing
// else.
func TestTrajectory(t *testing.T) {
	dev := bench.Open(t)
	all := trajectories(t)
	run := &golden.Run{Suite: "dyck", Scale: "trajectory", Contract: kernel.ContractVersion, Machine: bench.Machine(dev), Complete: true}
	products := 0.0
	for _, e := range all {
		if !t.Run(e.Name, func(t *testing.T) {
			res, err := train.Run(e, train.Options{Device: dev})
			if err != nil {
				t.Fatal(err)
			}
			eventful(t, e, res)
			res.Trajectory.Name = golden.Name(e.Name)
			t.Log("\n" + res.Trajectory.String())
			run.Trajectories = append(run.Trajectories, res.Trajectory)
			products += 3 * float64(res.Rows) * float64(res.Params.Count()) // forward, and two for the gradients
		}) {
			return
		}
	}
	t.Logf("%.2g multiplications", products)
	run.Complete = len(run.Trajectories) == len(all) // -run may have left some out
	if run.Complete && products > 3e9 {
		t.Errorf("%.2g multiplications, want at most 3e9", products)
	}
	golden.Check(t, filepath.Join("testdata", "trajectory.txt"), run)
}

// eventful fails a run in which too little happens.
func eventful(t *testing.T, e *train.Experiment, res *train.Result) {
	t.Helper()
	if e.Plateau.Patience == 0 {
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
	if cuts == 0 || best == res.Updates || res.Stopped != "patience" {
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
		Train: &sentences{corpus: corpus, size: 20, order: rng.New(1, "order")}, Valid: &sentences{corpus: dev, size: 20}, Best: true,
		Rule:    optim.Rule{Method: optim.Adam, LR: 0.05, ClipNorm: 0.25},
		Plateau: optim.Plateau{Gain: 0.01, Patience: 2, Factor: 0.5, Stop: 6, Return: true},
	})
	model, err = models.LanguageModel(models.LSTM{Hidden: 20}, lang.Vocabulary(), 12)
	add("lstm-lm/protocol=sgd", model, err, train.Experiment{
		Train: &sentences{corpus: corpus, size: 20, order: rng.New(1, "order")}, Valid: &sentences{corpus: dev, size: 20}, Best: true,
		Rule:    optim.Rule{Method: optim.SGD, LR: 20, ClipNorm: 0.5, Clip: 0.2},
		Plateau: optim.Plateau{Gain: 0.01, Patience: 2, Factor: 0.5, Stop: 6, Return: true},
		BPTT:    9,
	})
	return list
}

// sentences gives whole strings to a language model: START b1 .. bn is read, b1
// .. bn END predicted. As a source it shuffles them for each epoch, as a set it
// takes them in order.
type sentences struct {
	corpus *formal.Corpus
	size   int
	order  rng.Stream
}

func (s *sentences) Len() int      { return s.corpus.Len() / s.size }
func (s *sentences) PerEpoch() int { return s.Len() }

func (s *sentences) Bounds() train.Bounds {
	longest := 0
	for i := range s.corpus.Len() {
		longest = max(longest, len(s.corpus.Input(i)))
	}
	return train.Bounds{Strings: s.size, Rows: s.size * longest, Steps: longest, Examples: s.size * longest}
}

func (s *sentences) Fill(update int, b *train.Batch) {
	perm := make([]int32, s.corpus.Len())
	if s.order == (rng.Stream{}) {
		for i := range perm {
			perm[i] = int32(i)
		}
	} else {
		s.order.Perm(perm, uint32(update/s.PerEpoch()))
	}
	at := update % s.PerEpoch() * s.size
	drawn := perm[at : at+s.size]
	slices.SortStableFunc(drawn, func(x, y int32) int { return len(s.corpus.Input(int(y))) - len(s.corpus.Input(int(x))) })
	for t := range s.corpus.Input(int(drawn[0])) {
		active := 0
		for _, i := range drawn {
			text := s.corpus.Input(int(i))
			if t >= len(text) {
				break
			}
			b.Pick = append(b.Pick, int32(len(b.Token)))
			b.Token = append(b.Token, int32(text[t]))
			b.Target = append(b.Target, int32(s.corpus.Target(int(i))[t]))
			active++
		}
		b.Active = append(b.Active, active)
	}
}
