package models_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gorgonia.org/tensor"

	"pushdown/harness/scan"
	"pushdown/harness/stepgraph"
	"pushdown/models"
)

// stacksMachine is a [machine] for cells with several stacks of numbers.
type stacksMachine struct {
	machine
	stacks [][]vec
}

// step runs one step of a cell with several stacks on a symbol.
func (m *stacksMachine) step(cell models.Reader, s models.DiffStk, symbol int) {
	zhat := m.z
	for j, stack := range m.stacks {
		for k := range s.Read {
			row := vec(m.weights["P"].Data[(j*s.Read+k)*s.Hidden:][:s.Hidden])
			zhat = zhat.add(row.scaled(stack[k][0]))
		}
	}
	scores := func(z vec) vec { return m.of("A", z).add(m.row("b_A")) }
	u := vec(m.weights["U"].Data[symbol*cell.Inputs() : (symbol+1)*cell.Inputs()])
	z, c := m.update(cell, u, zhat)
	if s.Carry {
		all := true
		for j := range m.stacks {
			score := scores(z)[3*j : 3*j+3]
			all = all && score[2] > score[0] && score[2] > score[1]
		}
		switch {
		case all:
			m.noops++
			if m.noops > 1 {
				z, c = zhat, m.c
			}
		case !s.Total:
			m.noops = 0
		}
	}
	m.z, m.c = z, c
	last := scores(z)
	for j, stack := range m.stacks {
		pushed := last[3*len(m.stacks)+j : 3*len(m.stacks)+j+1].each(sigma)
		m.stacks[j] = superpose(stack, last[3*j:3*j+3].softmax(), []string{"push", "pop", "none"}, pushed, vec{-1})
	}
}

// TestReaderLanguageModels compares language models whose cell is a Reader with their
// equations, in float64. The cells are those of table 5 of the paper diffstk. Those
// with a DiffStk are tested with one stack, with several, and with several and
// carry-forward.
func TestReaderLanguageModels(t *testing.T) {
	const symbols = 4
	one := models.DiffStk{Hidden: 4, Read: 3, Capacity: 5}
	several := models.DiffStk{Hidden: 3, Stacks: 3, Read: 2, Capacity: 4}
	carry, total := several, several
	carry.Carry, total.Carry, total.Total = true, true, true
	list := []models.Reader{models.StackRNNSoftmax{Hidden: 4, Width: 2, Capacity: 4}, models.BabyNTM{Hidden: 4, Width: 2, Cells: 3}, models.GRU{Hidden: 3}, models.DeltaRNN{Hidden: 3}}
	for _, s := range []models.DiffStk{one, several, carry, total} {
		list = append(list, models.DiffStkRNN{DiffStk: s}, models.DiffStkLSTM{DiffStk: s}, models.DiffStkMRNN{DiffStk: s}, models.DiffStkMLSTM{DiffStk: s}, models.DiffStkMIRNN{DiffStk: s})
	}
	kept := 0
	for _, cell := range list {
		t.Run(cell.String(), func(t *testing.T) {
			random := rand.New(rand.NewPCG(5, uint64(len(cell.String()))))
			model, err := models.ReaderLanguageModel(cell, symbols)
			g := build(t, model, err)
			params := draw(random, g, 1.5)
			if a, ok := params["b_A"]; ok && a.Cols > 4 {
				for j := 2; j < a.Cols*3/4; j += 3 {
					a.Set(0, j, 3) // make NO-OP likely; otherwise several stacks seldom choose it at the same step
				}
			}
			strings := [][]int{{0, 2, 1, 1, 3, 2, 0, 0, 3, 1, 2, 2}}
			got := run(t, g, pack(strings, everyRow(random, symbols)), tensor.Float64, params)
			s, units, cells, width, value := shape(cell)
			params["U"] = params["E"]
			m := stacksMachine{machine: machine{weights: params, z: make(vec, units), c: make(vec, units)}}
			empty := func() (stack []vec) {
				for range cells {
					stack = append(stack, make(vec, width).each(func(float64) float64 { return value }))
				}
				return stack
			}
			m.stack = empty()
			for range s.Stacks {
				m.stacks = append(m.stacks, empty())
			}
			for at, symbol := range strings[0] {
				if s.Stacks > 1 {
					m.step(cell, s, symbol)
				} else {
					m.machine.step(cell, s, symbol)
				}
				if m.noops > 1 && s.Stacks > 1 {
					kept++
				}
				for j, w := range m.of("W_o", m.z).add(m.row("b_o")) {
					near(t, fmt.Sprintf("logit %d after symbol %d", j, at), got.Outputs[models.OutputLogits].At(at, j), w)
				}
			}
		})
	}
	if kept == 0 {
		t.Error("carry-forward kept no state of a network with several stacks, which checks nothing")
	}
}

// TestOneStack checks that Stacks: 1 makes the same network as Stacks: 0.
func TestOneStack(t *testing.T) {
	graph := func(stacks int) string {
		s := models.DiffStk{Hidden: 3, Stacks: stacks, Read: 2, Capacity: 4, Carry: true}
		model, err := models.ReaderLanguageModel(models.DiffStkMRNN{DiffStk: s}, 5)
		return model.Name + describe(build(t, model, err))
	}
	if diff := cmp.Diff(graph(0), graph(1)); diff != "" {
		t.Errorf("graph (-without Stacks +with one):\n%s", diff)
	}
}

// TestTracedStacks checks the outputs of a traced network with several stacks:
// their widths, and that the action weights of each stack sum to 1.
func TestTracedStacks(t *testing.T) {
	const stacks = 3
	cell := models.DiffStkRNN{DiffStk: models.DiffStk{Hidden: 4, Stacks: stacks, Read: 1, Capacity: 3}}
	r, err := models.NewRecognizer(models.Traced{Reader: cell}, 4)
	g := build(t, r, err)
	random := rand.New(rand.NewPCG(2, 2))
	got := run(t, g, pack([][]int{{0, 2, 1}}, everyRow(random, 4)), tensor.Float64, draw(random, g, 1))
	actions, tops := got.Outputs[models.OutputActions], got.Outputs[models.OutputTops]
	if actions.Cols != 3*stacks || tops.Cols != stacks {
		t.Fatalf("outputs are %d and %d wide, want %d and %d", actions.Cols, tops.Cols, 3*stacks, stacks)
	}
	for i := range actions.Rows {
		for j := range stacks {
			near(t, "sum of actions", actions.At(i, 3*j)+actions.At(i, 3*j+1)+actions.At(i, 3*j+2), 1)
		}
	}
}

// TestSRCN compares the network, with and without Lagged, with its equations, in
// float64.
func TestSRCN(t *testing.T) {
	const vocabulary, h, c = 4, 5, 3
	for _, lagged := range []bool{false, true} {
		cell := models.SRCN{Hidden: h, Context: c, Lagged: lagged}
		t.Run(cell.String(), func(t *testing.T) {
			random := rand.New(rand.NewPCG(5, 0))
			model, err := models.SRCNLanguageModel(cell, vocabulary)
			g := build(t, model, err)
			p := weights(draw(random, g, 1))
			list := symbolsOf(random, vocabulary)
			got, i := run(t, g, pack(list, everyRow(random, vocabulary)), tensor.Float64, p), 0
			start := func(float64) float64 { return 0.1 }
			for _, s := range list {
				fast, slow := make(vec, h).each(start), make(vec, c).each(start)
				for _, v := range s {
					row := vec(p["E"].Data[v*(h+c) : (v+1)*(h+c)])
					before := slow
					slow = row[h:].scaled(0.05).add(slow.scaled(0.95))
					read := slow
					if lagged {
						read = before
					}
					fast = row[:h].add(p.of("R", fast)).add(p.of("P", read)).each(sigma)
					for j, w := range p.of("W_o", append(slices.Clone(fast), slow...)) {
						near(t, fmt.Sprintf("logit %d of prediction %d", j, i), got.Outputs[models.OutputLogits].At(i, j), w)
					}
					i++
				}
			}
			if i != got.Loss.Rows {
				t.Errorf("%d predictions compared, want %d", i, got.Loss.Rows)
			}
			// The program starts W_o at zero.
			if w := g.Param("W_o").Init; w.Kind != stepgraph.Normal || w.A != 0 || w.B != 0 {
				t.Errorf("W_o starts %+v, want normal(0, 0)", w)
			}
		})
	}
}

// TestSymbolLSTM checks that SymbolLSTM equals an LSTM that reads one-hot vectors,
// if W_x of the LSTM is the embedding of the SymbolLSTM.
func TestSymbolLSTM(t *testing.T) {
	const vocabulary, h = 4, 3
	random := rand.New(rand.NewPCG(5, 5))
	model, err := models.ReaderLanguageModel(models.SymbolLSTM{Hidden: h}, vocabulary)
	g := build(t, model, err)
	model, err = models.OneHotLanguageModel(models.LSTM{Hidden: h}, vocabulary)
	oneHot := build(t, model, err)
	p := draw(random, g, 1)
	q := draw(random, oneHot, 1)
	for _, name := range []string{"W_h", "b", "W_o", "b_o"} {
		q[name] = p[name]
	}
	q["W_x"] = p["E"]
	b := pack(symbolsOf(random, vocabulary), everyRow(random, vocabulary))
	got, want := run(t, g, b, tensor.Float64, p), run(t, oneHot, b, tensor.Float64, q)
	if diff := cmp.Diff(want.Outputs, got.Outputs); diff != "" {
		t.Errorf("outputs (-one-hot +rows of W_x):\n%s", diff)
	}
}

// TestLossOnly checks that LossOnly omits the outputs of an evaluation and changes
// no loss. It also checks that with a large vocabulary neither an evaluation nor a
// training takes as much memory as the logits of a batch.
func TestLossOnly(t *testing.T) {
	model, err := models.LanguageModel(models.LSTM{Hidden: 3}, 5, 2)
	full := build(t, model, err)
	model.Readout.LossOnly = true
	g := build(t, model, nil)
	if len(g.Outputs) > 0 {
		t.Errorf("outputs are %v, want none", g.Outputs)
	}
	random := rand.New(rand.NewPCG(3, 3))
	p := draw(random, full, 1)
	b := pack(symbolsOf(random, 5), everyRow(random, 5))
	got, want := run(t, g, b, tensor.Float64, p), run(t, full, b, tensor.Float64, p)
	for i, w := range want.Loss.Data {
		if math.Float64bits(got.Loss.Data[i]) != math.Float64bits(w) {
			t.Errorf("loss of prediction %d is %v, want %v", i, got.Loss.Data[i], w)
		}
	}

	const strings, steps = 128, 25
	for _, c := range []struct{ h, e, vocabulary int }{{125, 64, 10_000}, {600, 300, 33_278}} {
		model, err := models.LanguageModel(models.LSTM{Hidden: c.h}, c.vocabulary, c.e)
		if err != nil {
			t.Fatal(err)
		}
		model.Readout.LossOnly = true
		for _, training := range []bool{false, true} {
			g := buildFor(t, model, stepgraph.Config{Training: training, Seed: 1})
			opts, copies := scan.Options{MaxStrings: strings, MaxRows: strings * steps, MaxSteps: steps, MaxExamples: strings * steps}, 1
			if training {
				opts.Moments, copies = 2, 4
				if err := g.Differentiate(); err != nil {
					t.Fatal(err)
				}
			}
			words, logits := arenaWords(t, g, opts), strings*steps*c.vocabulary
			other := words - copies*g.CountParams()
			t.Logf("V=%d, training %v: arena of %d MB, %d MB beside parameters, gradients and moments; logits of a batch would be %d MB", c.vocabulary, training, words>>18, other>>18, logits>>18)
			if other >= logits {
				t.Errorf("V=%d, training %v: %d words beside the parameters, want less than the %d logits of a batch", c.vocabulary, training, other, logits)
			}
		}
	}
}

// arenaWords returns the size of the memory that a run of the graph needs, in words of
// 4 bytes.
func arenaWords(t *testing.T, g *stepgraph.Graph, opts scan.Options) (words int) {
	t.Helper()
	text, err := scan.Format(g, opts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscanf(text[strings.LastIndex(text, "words "):], "words %d", &words); err != nil {
		t.Fatal(err)
	}
	return words
}

// TestTopDropout checks that a model of two layers with Readout.Dropout drops units of
// the top layer alone, in training only.
func TestTopDropout(t *testing.T) {
	for _, cell := range []models.Cell{models.RNN{Hidden: 3}, models.LSTM{Hidden: 3}, models.MRNN{Hidden: 3}, models.MLSTM{Hidden: 3}, models.MMRNN{Hidden: 3}, models.MMLSTM{Hidden: 3}} {
		model, err := models.LanguageModel(models.Layers{Cells: []models.Cell{cell, cell}}, 5, 2)
		if err != nil {
			t.Fatal(err)
		}
		model.Readout.Dropout = 0.25
		for _, training := range []bool{true, false} {
			var have, want []string
			for _, n := range buildFor(t, model, stepgraph.Config{Training: training}).Nodes() {
				if op := stepgraph.OpOf(n); op != nil && op.Kind == stepgraph.Dropout {
					have = append(have, op.Name)
				}
			}
			if training {
				want = []string{"dropout.readout"}
			}
			if diff := cmp.Diff(want, have); diff != "" {
				t.Errorf("%v, training %v: dropout sites (-want +have):\n%s", cell, training, diff)
			}
		}
	}
}

// TestBadReaders checks the errors for invalid language models whose cell is a Reader.
func TestBadReaders(t *testing.T) {
	for _, c := range []struct {
		cell models.Reader
		want string
	}{
		{nil, "models: language-model of V=5: there is no cell, want one"},
		{models.SRCN{Hidden: 2}, "models: language-model srcn h=2 c=0 V=5: c (context units) is 0, want at least 1"},
		{models.SymbolLSTM{Hidden: 2, Clip: -1}, "models: language-model symbol-lstm h=2 clip=-1 V=5: clip of the errors is -1, want at least 0"},
		{models.SymbolLSTM{}, "models: language-model symbol-lstm h=0 V=5: h (hidden units) is 0, want at least 1"},
		{models.DiffStkRNN{DiffStk: models.DiffStk{Hidden: 1, Stacks: -1, Read: 1, Capacity: 1}}, "models: language-model diffstk-rnn m=1 k=1 capacity=1 V=5: s (stacks) is -1, want at least 0"},
	} {
		if _, err := models.ReaderLanguageModel(c.cell, 5); err == nil || err.Error() != c.want {
			t.Errorf("got error  %v\nwant error %s", err, c.want)
		}
	}
	if _, err := models.SRCNLanguageModel(models.SRCN{Context: 1}, 5); err == nil {
		t.Error("an SRCN without hidden units is no error")
	}
}
