package suitetest

import (
	"testing"

	"pushdown/harness/optim"
	"pushdown/harness/stepgraph"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

func TestMain(m *testing.M) { suite.Main(m) }

// letters is both a source and a set. Each batch has one string, which is classified at
// its last symbol. If letters.on is true, each batch continues from the states of the
// previous one, except for every tenth batch. The type stream gives the same strings as a
// train.Stream.
type letters struct{ on bool }

func (letters) Len() int             { return 1 }
func (letters) PerEpoch() int        { return 30 }
func (letters) Bounds() train.Bounds { return train.Bounds{Strings: 1, Rows: 2, Steps: 2, Examples: 1} }
func (l letters) Fill(i int, b *train.Batch) {
	b.Active, b.Token = append(b.Active, 1, 1), append(b.Token, int32(i%3), 1)
	b.ExampleRows, b.Target = append(b.ExampleRows, 1), append(b.Target, int32(i%2))
	b.Continue = l.on && i%10 > 0
}

type stream struct{}

func (stream) PerEpoch() int { return 30 }
func (stream) Fill(i int, p *train.StreamString) {
	p.ResetStates = i%10 == 0
	p.Token, p.Target = append(p.Token, int32(i%3), 1), append(p.Target, -1, int32(i%2))
}

func spelling(change func(exp *train.Experiment)) func() *train.Experiment {
	return func() *train.Experiment {
		exp := &train.Experiment{
			Name: "spelling",
			Build: func(cfg stepgraph.Config) (*stepgraph.Graph, error) {
				return stepgraph.Build(cfg, func(b *stepgraph.Builder) {
					table := b.Param(stepgraph.Spec{Name: "E", Rows: 3, Cols: 2, Init: stepgraph.Init{Kind: stepgraph.Uniform, A: -1, B: 1}})
					h := b.State(stepgraph.StateSpec{Name: "h", Width: 2})
					next := b.Tanh(b.Add(h, b.Gather(table, b.Token())))
					b.SetNext(h, next)
					b.SetLoss(b.CrossEntropy(b.ExampleRows(next), b.Target()))
				})
			},
			Valid: letters{}, Seed: 1, Rule: optim.Rule{Method: optim.Adam, LR: 0.1}, Best: true,
			Plateau: optim.Plateau{Gain: 0.2, Patience: 1, Factor: 0.7, Return: true},
		}
		change(exp)
		return exp
	}
}

// TestKill tests Kill with three runs: on batches, on batches that continue the
// previous ones, and on a stream.
func TestKill(t *testing.T) {
	Kill(t, map[string]func() *train.Experiment{
		"batches":    spelling(func(exp *train.Experiment) { exp.Train, exp.MaxUpdates = letters{}, 300 }),
		"continuing": spelling(func(exp *train.Experiment) { exp.Train, exp.MaxUpdates = letters{on: true}, 300 }),
		"stream": spelling(func(exp *train.Experiment) {
			exp.Online = train.Online{Stream: stream{}, Window: 7, Every: 3, Epochs: 10}
		}),
	})
}
