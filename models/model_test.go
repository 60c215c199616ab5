package models_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gorgonia.org/tensor"

	"pushdown/harness/argument"
	"pushdown/harness/stepgraph"
	"pushdown/models"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestMain(m *testing.M) { argument.Main(m) }

// describe returns the definition of a graph as text: parameters with their initial
// values, states, the nodes, and which of them are results.
func describe(g *stepgraph.Graph) string {
	var s strings.Builder
	for _, p := range g.Params {
		fmt.Fprintf(&s, "param %s %dx%d %s", p.Name, p.Rows, p.Cols, initial(p.Init))
		if p.Frozen {
			s.WriteString(" frozen")
		}
		s.WriteString("\n")
	}
	for _, st := range g.States {
		fmt.Fprintf(&s, "state %s width %d stacks %d starts %v next %v\n", st.Name, st.Width, st.Stacks, st.Init, at(g, st.Out))
	}
	for _, name := range []string{models.OutputLogits, models.OutputProb, models.OutputValid} {
		if n := g.Outputs[name]; n != nil {
			fmt.Fprintf(&s, "output %s %v\n", name, at(g, n))
		}
	}
	fmt.Fprintf(&s, "loss %v\ntrained %d\n\n%s", at(g, g.Loss), g.CountParams(), g.Format())
	return s.String()
}

// at returns the name that a node has in the printed graph, such as %7.
func at[T comparable](g interface{ Nodes() []T }, n T) string {
	for i, x := range g.Nodes() {
		if x == n {
			return fmt.Sprint("%", i)
		}
	}
	return "nowhere"
}

func initial(i stepgraph.Init) string {
	switch i.Kind {
	case stepgraph.Constant:
		return fmt.Sprintf("constant(%v)", i.A)
	case stepgraph.Uniform:
		return fmt.Sprintf("uniform(%.9g, %.9g)", i.A, i.B)
	case stepgraph.Normal:
		return fmt.Sprintf("normal(%v, %v)", i.A, i.B)
	}
	return fmt.Sprintf("given%v", i.Values)
}

// TestGraphs compares the printed graph of each model with a golden file.
func TestGraphs(t *testing.T) {
	graphs := func(n models.Sample, cfg stepgraph.Config) {
		t.Run(n.Name, func(t *testing.T) {
			name, _, _ := about(n)
			golden(t, filepath.Join("testdata", n.Name+".txt"), name+"\n\n"+describe(buildFor(t, n, cfg)))
		})
	}
	for _, n := range models.All() {
		graphs(n, stepgraph.Config{})
	}
	graphs(withDropout(t), stepgraph.Config{Training: true, Seed: 1})
}

// golden compares got with a golden file, or writes it with -update.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (go test ./models -update writes it)", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("differs from %s (-golden +got):\n%s", file, diff)
	}
}

// withDropout returns a model with dropout like that of the language models on
// WikiText-2.
func withDropout(t *testing.T) models.Sample {
	m, err := models.LanguageModel(models.RNN{Hidden: 3}, 5, 2)
	if err != nil {
		t.Fatal(err)
	}
	m.Embedding.Dropout, m.Readout.Dropout = 0.5, 0.25
	return models.Sample{Name: "training-with-dropout", Network: m}
}

// TestDropoutInTraining checks that dropout changes only the training graph.
func TestDropoutInTraining(t *testing.T) {
	count := func(cfg stepgraph.Config) (n int) {
		for _, node := range buildFor(t, withDropout(t), cfg).Nodes() {
			if o := stepgraph.OpOf(node); o != nil && o.Kind == stepgraph.Dropout {
				n++
			}
		}
		return n
	}
	if n := count(stepgraph.Config{}); n != 0 {
		t.Errorf("evaluation has %d dropout sites, want 0", n)
	}
	if n := count(stepgraph.Config{Training: true}); n != 2 {
		t.Errorf("training has %d dropout sites, want 2", n)
	}
}

// TestTrainable checks that every network can be differentiated in training and has no
// outputs there.
func TestTrainable(t *testing.T) {
	for _, n := range models.All() {
		g := buildFor(t, n, stepgraph.Config{Training: true})
		if len(g.Outputs) > 0 {
			t.Errorf("%s: outputs in training are %v, want none", n.Name, g.Outputs)
		}
		if err := g.Differentiate(); err != nil {
			t.Errorf("%s: %v", n.Name, err)
		}
		for _, p := range g.Params {
			if (p.Grad == nil) != p.Frozen {
				t.Errorf("%s: parameter %s has a gradient: %v, is frozen: %v", n.Name, p.Name, p.Grad != nil, p.Frozen)
			}
		}
	}
}

// TestProb checks that the output prob is the softmax of the logits over all classes.
func TestProb(t *testing.T) {
	m, err := models.LanguageModel(models.RNN{Hidden: 3}, 5, 2)
	g := build(t, m, err)
	b := pack([][]int{{0, 4, 2}, {1, 3}}, func(s []int) (list []prediction) {
		for t := range s {
			list = append(list, prediction{At: t, Target: s[t]})
		}
		return list
	})
	r := run(t, g, b, tensor.Float64, draw(rand.New(rand.NewPCG(1, 1)), g, 1))
	prob, logits := r.Outputs[models.OutputProb], r.Outputs[models.OutputLogits]
	if prob.Rows != 5 || prob.Cols != 5 {
		t.Fatalf("prob is %dx%d, want 5x5", prob.Rows, prob.Cols)
	}
	for i := range prob.Rows {
		sum := 0.0
		for c := range prob.Cols {
			sum += math.Exp(logits.At(i, c))
		}
		for c := range prob.Cols {
			if want := math.Exp(logits.At(i, c)) / sum; math.Abs(prob.At(i, c)-want) > 1e-15 {
				t.Errorf("probability of class %d at %d is %v, want %v", c, i, prob.At(i, c), want)
			}
		}
	}
}

// TestBracketValues checks that the values of different types differ, and that opening and
// closing brackets are on opposite sides of zero.
func TestBracketValues(t *testing.T) {
	if diff := cmp.Diff([]float32{1, 2, 3, -1, -2, -3}, models.BracketValues(3)); diff != "" {
		t.Error(diff)
	}
}

func TestErrors(t *testing.T) {
	built := func(m models.Model) (*models.Model, error) {
		_, err := m.Build(stepgraph.Config{Training: true})
		return &m, err
	}
	rnn := models.RNN{Hidden: 3}
	for _, c := range []struct {
		make func() (*models.Model, error)
		want string
	}{
		{func() (*models.Model, error) { return models.DyckRNN(0, 2) },
			"models: dyckrnn m=0 k=2: m (cells of the stack) is 0, want at least 1"},
		{func() (*models.Model, error) { return models.DyckRNN(4, 1) },
			"models: dyckrnn m=4 k=1: k (types of brackets) is 1, want at least 2"},
		{func() (*models.Model, error) { return models.DyckRNN2DShiftByOne(-1, -2) },
			"models: dyckrnn-2d-byone m=-1 k=-2: m (cells of the stack) is -1, want at least 1"},
		{func() (*models.Model, error) { return models.LastState(rnn, 1, 4) },
			"models: last-state rnn h=3 k=1 e=4: k (types of brackets) is 1, want at least 2"},
		{func() (*models.Model, error) { return models.LastState(rnn, 2, 0) },
			"models: last-state rnn h=3 k=2 e=0: embedding width is 0, want at least 1"},
		{func() (*models.Model, error) { return models.LanguageModel(rnn, 0, 4) },
			"models: language-model rnn h=3 V=0 e=4: vocabulary is 0, want at least 1"},
		{func() (*models.Model, error) { return models.LanguageModel(nil, 5, 4) },
			"models: language-model <nil> V=5 e=4: there is no cell, want one"},
		{func() (*models.Model, error) {
			return built(models.Model{Name: "x", Vocabulary: 5, Embedding: models.NormalEmbedding(2), Cell: rnn})
		}, "models: x: number of classes is 0, want at least 1"},
		{func() (*models.Model, error) {
			return built(models.Model{Name: "x", Vocabulary: 5, Embedding: models.NormalEmbedding(2), Cell: models.RNN{}, Readout: models.Readout{Classes: 2}})
		}, "models: x: stepgraph: parameter W_x is 2x0, want at least 1x1"},
		{func() (*models.Model, error) {
			return built(models.Model{Name: "x", Vocabulary: 5, Embedding: models.FixedEmbedding(2, models.BracketValues(2)), Cell: rnn, Readout: models.Readout{Classes: 2}})
		}, "models: x: stepgraph: parameter E [5x2] has 4 initial values, want 10"},
		{func() (*models.Model, error) {
			return built(models.Model{Name: "x", Vocabulary: 5, Embedding: models.NormalEmbedding(2), Cell: rnn, Readout: models.Readout{Classes: 2, Dropout: 1}})
		}, "models: x: stepgraph: dropout dropout.readout: rate 1, want 0 <= rate < 1"},
		{func() (*models.Model, error) {
			return built(models.Model{Name: "x", Vocabulary: 4, Embedding: models.NormalEmbedding(3), Cell: models.DyckCell{Depth: 4, Width: 2}, Readout: models.Readout{Classes: 2}})
		}, "tostackmajor{2} of x [Bx3]: width 3 is no multiple of 2 (dyckrnn.go:"},
		{func() (*models.Model, error) {
			return built(models.Model{Name: "x", Vocabulary: 4, Embedding: models.NormalEmbedding(3), Cell: models.DyckCell{Depth: 4, Width: 2, ByOne: true}, Readout: models.Readout{Classes: 2}})
		}, "addatrows{1,0,1} of stack [8xBx1] (of h [8xBx1], sigmoid [Bx1], oneminus [Bx1] and tostackmajor [1xBx1]) and tostackmajor [1xBx2] (of mulcol [Bx2]): want equal numbers of columns (dyckrnn.go:"},
	} {
		if m, err := c.make(); err == nil {
			t.Errorf("%s is no error, want %q", m.Name, c.want)
		} else if !strings.Contains(err.Error(), c.want) {
			t.Errorf("error is %q, want %q", err, c.want)
		}
	}
}
