package train

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/optim"
	"pushdown/harness/rng"
	"pushdown/harness/stepgraph"
)

// The tests train a small RNN on strings of five symbols. After the third and each
// later symbol it predicts one of three classes, which is determined by the symbol two
// steps before. Training goes well at first and then gets stuck, so the schedules have
// something to do.
const symbols, embedded, hidden, classes = 5, 3, 6, 3

// build returns the graph of the network. A frozen parameter scales each unit of the
// state before the output layer.
func build(cfg stepgraph.Config) (*stepgraph.Graph, error) { return buildScaled(cfg, 0.6) }

// buildScaled is build with a scale drawn between -r and r.
func buildScaled(cfg stepgraph.Config, r float64) (*stepgraph.Graph, error) {
	return stepgraph.Build(cfg, func(b *stepgraph.Builder) {
		param := func(name string, rows, cols int) stepgraph.Spec {
			return stepgraph.Spec{Name: name, Rows: rows, Cols: cols, Init: stepgraph.Init{Kind: stepgraph.Uniform, A: -0.6, B: 0.6}}
		}
		scale := param("scale", 1, hidden)
		scale.Frozen, scale.Init.A, scale.Init.B = true, -r, r
		table := param("E", symbols, embedded)
		table.Init = stepgraph.Init{Kind: stepgraph.Normal, B: 1}
		h := b.State(stepgraph.StateSpec{Name: "h", Width: hidden})
		x := b.Gather(b.Param(table), b.Token())
		pre := b.Add(b.Affine(x, b.Param(param("W_x", embedded, hidden)), b.Param(param("b", 1, hidden))), b.MatMul(h, b.Param(param("W_h", hidden, hidden))))
		next := b.Tanh(pre)
		b.SetNext(h, next)
		y := b.ExampleRows(b.Dropout("drop", 0.1, b.MulRow(next, b.Param(scale))))
		logits := b.Affine(y, b.Param(param("W_o", hidden, classes)), b.Param(param("b_o", 1, classes)))
		b.SetOutput("logits", logits)
		if !b.Training() {
			b.SetOutput("prob", b.Softmax(logits, classes))
		}
		b.SetLoss(b.CrossEntropy(logits, b.Target()))
	})
}

const batchStrings, longest = 4, 6

// texts draws the strings of the batch with the given number, longest first.
func texts(stream rng.Stream, number int) [][]int32 {
	n := longest
	var list [][]int32
	for i := range batchStrings {
		n -= int(stream.IntN(rng.At{Unit: 100, Row: uint32(i), Update: uint32(number)}, 2))
		text := make([]int32, n)
		for t := range text {
			text[t] = int32(stream.IntN(rng.At{Unit: uint32(t), Row: uint32(i), Update: uint32(number)}, symbols))
		}
		list = append(list, text)
	}
	return list
}

// fill packs strings into b. Every row from the third symbol of a string on has a
// target, and so has the last row of a string with fewer than three symbols.
func fill(list [][]int32, update int, b *Batch) {
	row := int32(0)
	for t := range list[0] {
		active := 0
		for i, text := range list {
			if t >= len(text) {
				break
			}
			b.Token = append(b.Token, text[t])
			b.Coord = append(b.Coord, int32(i), int32(t), int32(update))
			if t >= 2 || t == len(text)-1 {
				b.ExampleRows = append(b.ExampleRows, row)
				b.Target = append(b.Target, text[max(t-2, 0)]%classes)
			}
			row++
			active++
		}
		b.Active = append(b.Active, active)
	}
}

var bounds = Bounds{Strings: batchStrings, Rows: batchStrings * longest, Steps: longest, Examples: batchStrings * longest}

// source is a source with different strings for each update. They are drawn in
// advance, so that Fill does not allocate.
type source struct {
	epoch int
	text  [][][]int32
}

func newSource(epoch, updates int) *source {
	s := &source{epoch: epoch}
	for u := range updates {
		s.text = append(s.text, texts(rng.New(1, "train"), u))
	}
	return s
}

func (s *source) Bounds() Bounds            { return bounds }
func (s *source) PerEpoch() int             { return s.epoch }
func (s *source) Fill(update int, b *Batch) { fill(s.text[update], update, b) }

// set is a sequence of batches.
type set []int

func (s set) Bounds() Bounds       { return bounds }
func (s set) Len() int             { return len(s) }
func (s set) Fill(i int, b *Batch) { fill(texts(rng.New(1, "valid"), s[i]), 0, b) }

// problem returns the experiment that most tests modify. Adam starts at a learning rate
// that is too high. Each time the validation loss stops falling, the run returns to its
// best parameters and halves the rate. Finally it ends by patience.
func problem() *Experiment {
	return &Experiment{
		Name: "tiny", About: "the problem of the tests", Build: build,
		Train: newSource(8, 400), Valid: set{0, 1, 2},
		Seed: 7, Rule: optim.Rule{Method: optim.Adam, LR: 0.2, ClipNorm: 1},
		Plateau:    optim.Plateau{Gain: 0.001, Patience: 2, Factor: 0.5, Floor: 0.01, Stop: 5, Return: true},
		MaxUpdates: 400, Best: true,
	}
}

func device(t testing.TB, isa cpu.ISA) kernel.Device {
	t.Helper()
	dev, err := cpu.New(cpu.Options{ISA: isa})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	return dev
}

// run runs e to the end.
func run(t testing.TB, e *Experiment, opts Options) *Result {
	t.Helper()
	if opts.Device == nil {
		opts.Device = device(t, cpu.Best())
	}
	res, err := Run(e, opts)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// differ returns the difference of two results. It ignores Took and Resumed, which depend
// on the processes that made the run.
func differ(want, have *Result) string {
	return cmp.Diff(want, have, cmpopts.IgnoreFields(Result{}, "Took", "Resumed"))
}
