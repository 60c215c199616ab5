package patterns

import (
	"testing"

	"pushdown/corpora/formal"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
)

// smallRuns lists runs on small problems. Together they have every network of the suite
// and all its rules of training.
var smallRuns = []struct {
	name    string
	task    formal.Pattern
	network Network
	every   int
}{
	{"stack/protocol=counting", formal.AnBn, Network{Kind: Stack, Hidden: 6, Count: 2, Read: 2}, 1},
	{"stack-rounded/protocol=counting", formal.AnB2n, Network{Kind: Stack, Hidden: 5, Count: 3, Read: 1, Round: true}, 1},
	{"stack-noop/protocol=memorization", formal.Memorization, Network{Kind: Stack, Hidden: 6, Count: 2, Read: 2, Noop: true}, 1},
	{"stack-noop-rounded/protocol=addition", formal.Addition, Network{Kind: Stack, Hidden: 6, Count: 2, Read: 2, Noop: true, Round: true}, 1},
	{"list/protocol=counting", formal.AnBnCn, Network{Kind: List, Hidden: 6, Count: 2, Read: 2}, 1},
	{"list-noop/protocol=memorization", formal.Memorization, Network{Kind: List, Hidden: 5, Count: 3, Read: 1, Noop: true}, 1},
	{"list-rounded/protocol=counting", formal.AnBmCnm, Network{Kind: List, Hidden: 5, Count: 1, Read: 3, Round: true}, 1},
	{"rnn/protocol=baseline", formal.AnBnCnDn, Network{Kind: Sigma, Hidden: 7}, 4},
	{"lstm/protocol=baseline", formal.AnBn, Network{Kind: LSTM, Hidden: 5, Layers: 1}, 4},
	{"lstm-2/protocol=baseline", formal.Memorization, Network{Kind: LSTM, Hidden: 4, Layers: 2}, 3},
}

// shrunken returns the small runs. In each run the learning rate is halved and the best
// parameters are restored, and the run ends because the rate is low enough.
func shrunken(t testing.TB) (list []*train.Experiment) {
	t.Helper()
	for _, c := range smallRuns {
		list = append(list, shrink(t, "test=trajectory/cell="+c.name+"/seed=1", c.task, c.network, c.every))
	}
	return list
}

// shrink returns the run of a network on a small problem.
func shrink(t testing.TB, name string, task formal.Pattern, network Network, every int) *train.Experiment {
	t.Helper()
	e := protocol(Data{Task: task, Corpus: 3, Min: least(task), Max: 5, Epoch: 12, ResetEvery: 5, Valid: 8}, network)
	e.Row = suite.RowID{Paper: "stack-rnn", Section: "5.1", Row: "shrunken"}
	e.Window, e.Every, e.LR, e.Capacity, e.Clip = 7, every, 0.5, 9, 0.02
	x := suitetest.Must(e.Build(1))(t)
	x.Name, x.Plateau.MinLR = name, 0.004*float64(every)
	return x
}
