package models_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gorgonia.org/tensor"

	"pushdown/harness/stepgraph"
	"pushdown/models"
	"pushdown/models/celltest"
)

func sigma(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func f1(x float64) float64 { return 1.7159 * math.Tanh(2*x/3) }

// vec is a column vector with the operations of the equations.
type vec []float64

func (x vec) add(y vec) vec        { return x.with(y, func(a, b float64) float64 { return a + b }) }
func (x vec) times(y vec) vec      { return x.with(y, func(a, b float64) float64 { return a * b }) }
func (x vec) scaled(a float64) vec { return x.each(func(v float64) float64 { return a * v }) }

func (x vec) with(y vec, f func(a, b float64) float64) vec {
	if len(x) != len(y) {
		panic(fmt.Sprintf("vectors of %d and %d", len(x), len(y)))
	}
	z := make(vec, len(x))
	for i := range x {
		z[i] = f(x[i], y[i])
	}
	return z
}

func (x vec) each(f func(float64) float64) vec {
	return x.with(x, func(a, _ float64) float64 { return f(a) })
}

func (x vec) softmax() vec {
	e := x.each(math.Exp)
	sum := 0.0
	for _, v := range e {
		sum += v
	}
	return e.scaled(1 / sum)
}

// weights holds the parameters of a network.
type weights map[string]stepgraph.Mat

// part returns the product of x and the columns [from, from+n) of the weight matrix with
// the given name.
func (w weights) part(name string, x vec, from, n int) vec {
	m := w[name]
	y := make(vec, n)
	for j := range y {
		for i, v := range x {
			y[j] += v * m.At(i, from+j)
		}
	}
	return y
}

func (w weights) of(name string, x vec) vec { return w.part(name, x, 0, w[name].Cols) }
func (w weights) row(name string) vec       { return vec(w[name].Data) }

// machine runs a network with plain vectors and stacks, step by step.
type machine struct {
	weights
	z, c  vec
	stack []vec // cells, from the top
	noops int
}

// update returns the next z and c of a cell. The argument u is the contribution of the
// symbol. The argument zhat is the current z plus, if the cell has a stack, what the cell
// reads from the stack. The results are nil if the equations of the cell are not
// implemented here.
func (m *machine) update(cell models.Reader, u, zhat vec) (z, c vec) {
	n := len(m.z)
	gated := func(pre vec) (vec, vec) {
		i, f, o := pre[:n].each(sigma), pre[n:2*n].each(sigma), pre[2*n:3*n].each(sigma)
		c := f.times(m.c).add(i.times(pre[3*n:].each(f1)))
		return c.each(f1).times(o), c
	}
	switch cell.(type) {
	case models.DiffStkRNN, models.F1RNN:
		return u.add(m.of("R", zhat)).add(m.row("b")).each(f1), nil
	case models.DiffStkLSTM, models.F1LSTM:
		return gated(u.add(m.of("R", zhat)).add(m.row("b")))
	case models.DiffStkMRNN:
		between := u[:n].times(m.of("W_mz", zhat))
		return m.of("W_zm", between).add(u[n:]).add(m.row("b")).each(f1), nil
	case models.DiffStkMLSTM:
		between := u[4*n:].times(m.of("R_m", zhat))
		return gated(u[:4*n].add(m.of("R", between)).add(m.row("b")))
	case models.DiffStkMIRNN:
		return u.times(m.of("R", zhat)).add(m.row("b")).each(f1), nil
	case models.GRU:
		r := u[:n].add(m.part("R", zhat, 0, n)).each(sigma)
		gate := u[n : 2*n].add(m.part("R", zhat, n, n)).each(sigma)
		candidate := u[2*n:].add(m.of("R_h", r.times(zhat))).each(math.Tanh)
		return gate.times(zhat).add(gate.each(func(g float64) float64 { return 1 - g }).times(candidate)), nil
	case models.DeltaRNN:
		v := m.of("R", zhat)
		d1 := m.row("alpha").times(v).times(u)
		d2 := m.row("beta1").times(v).add(m.row("beta2").times(u))
		g := d1.add(d2).add(m.row("b")).each(math.Tanh)
		r := u.add(m.row("b_r")).each(sigma)
		return r.each(func(r float64) float64 { return 1 - r }).times(g).add(r.times(zhat)).each(math.Tanh), nil
	}
	return nil, nil
}

// moved returns the memory after a single action with weight 1.
func moved(memory []vec, action string, pushed, empty vec) []vec {
	last := len(memory) - 1
	switch action {
	case "push":
		return append([]vec{pushed}, memory[:last]...)
	case "pop":
		return append(slices.Clone(memory[1:]), empty)
	case "up":
		return append(slices.Clone(memory[1:]), memory[0])
	case "down":
		return append([]vec{memory[last]}, memory[:last]...)
	}
	return memory
}

// superpose returns the next memory: the sum of what each action would make of the
// memory, times the weight of the action.
func superpose(memory []vec, weight vec, actions []string, pushed, empty vec) []vec {
	next := make([]vec, len(memory))
	for i := range next {
		next[i] = make(vec, len(memory[i]))
		for a, action := range actions {
			next[i] = next[i].add(moved(memory, action, pushed, empty)[i].scaled(weight[a]))
		}
	}
	return next
}

// top returns the elements of the k topmost cells.
func (m *machine) top(k int) vec { return slices.Concat(m.stack[:k]...) }

// step runs one step of a cell on a symbol.
func (m *machine) step(cell models.Reader, s models.DiffStk, symbol int) {
	u := vec(m.weights["U"].Data[symbol*cell.Inputs() : (symbol+1)*cell.Inputs()])
	switch cell := cell.(type) {
	case models.StackRNN:
		m.z = u.add(m.of("R", m.z)).add(m.of("P", m.top(cell.Read))).each(sigma)
		a := m.of("A", m.z).add(m.row("b_A")).softmax()
		m.stack = superpose(m.stack, a, []string{"push", "pop"}, m.of("D", m.z).add(m.row("b_D")).each(sigma), vec{-1})
		return
	case models.StackRNNSoftmax, models.BabyNTM:
		p := m.weights["W_sh"].Rows
		hbar := m.z.add(m.of("W_sh", m.top(1))).add(m.row("b_sh"))
		m.z = u.add(m.row("b_1")).add(m.of("R", hbar)).add(m.row("b_2")).each(math.Tanh)
		said := m.of("W_a", m.z).add(m.row("b_a"))
		a, n := said[:len(said)-p].softmax(), said[len(said)-p:].each(sigma)
		zero := make(vec, len(n))
		if _, ok := cell.(models.StackRNNSoftmax); ok {
			m.stack = superpose(m.stack, a, []string{"push", "pop"}, n, zero)
			return
		}
		m.stack = superpose(m.stack, a, []string{"up", "down", "none", "push", "pop"}, zero, zero)
		m.stack[0] = m.stack[0].add(n)
		return
	}
	if len(m.stack) == 0 {
		m.z, m.c = m.update(cell, u, m.z)
		return
	}
	zhat := m.z.add(m.of("P", m.top(s.Read)))
	z, c := m.update(cell, u, zhat)
	if s.Carry {
		score := m.of("A", z).add(m.row("b_A"))
		if score[2] > score[0] && score[2] > score[1] {
			m.noops++
			if m.noops > 1 {
				z, c = zhat, m.c
			}
		} else if !s.Total {
			m.noops = 0
		}
	}
	m.z, m.c = z, c
	said := m.of("A", z).add(m.row("b_A"))
	pushed := said[3:].each(sigma)
	empty := pushed.each(func(float64) float64 { return -1 })
	m.stack = superpose(m.stack, said[:3].softmax(), []string{"push", "pop", "none"}, pushed, empty)
}

// shape returns the stack options of a cell, its number of units, and its memory
// before the first symbol: the number of cells, their width and the initial value.
func shape(cell models.Reader) (s models.DiffStk, units, cells, width int, value float64) {
	value = -1
	switch c := cell.(type) {
	case models.DiffStkRNN:
		s = c.DiffStk
	case models.DiffStkLSTM:
		s = c.DiffStk
	case models.DiffStkMRNN:
		s = c.DiffStk
	case models.DiffStkMLSTM:
		s = c.DiffStk
	case models.DiffStkMIRNN:
		s = c.DiffStk
	case models.StackRNN:
		return s, c.Hidden, c.Capacity, 1, -1
	case models.StackRNNSoftmax:
		return s, c.Hidden, c.Capacity, c.Width, 0
	case models.BabyNTM:
		return s, c.Hidden, c.Cells, c.Width, 0
	}
	return s, cell.Output(), s.Capacity, max(1, s.Width), -1
}

// TestRecognizerEquations compares the logits, yhat and loss of each recognizer in
// evaluation with its equations, in float64.
func TestRecognizerEquations(t *testing.T) {
	kept, held := 0, 0
	for _, n := range models.All() {
		r, ok := n.Network.(*models.Recognizer)
		if !ok {
			continue
		}
		t.Run(n.Name, func(t *testing.T) {
			random, symbols := rand.New(rand.NewPCG(5, celltest.Seed(n.Name))), r.Symbols
			g := build(t, r, nil)
			params := draw(random, g, 1.5)
			b := pack([][]int{{0, 2, 1, 1, 3, 2, 0, 0, 3, 1, 2, 2}}, func(s []int) (list []prediction) {
				for at := range s {
					list = append(list, prediction{At: at, Target: random.IntN(symbols)})
				}
				return list
			})
			got := run(t, g, b, tensor.Float64, params)
			s, units, cells, width, value := shape(r.Cell)
			m := machine{weights: params, z: make(vec, units), c: make(vec, units)}
			for range cells {
				m.stack = append(m.stack, make(vec, width).each(func(float64) float64 { return value }))
			}
			for at, symbol := range b.Token {
				m.step(r.Cell, s, int(symbol))
				if m.z == nil {
					t.Skip("its equations are not written out")
				}
				if m.noops > 1 {
					kept++
				}
				both := m.of("V", m.z).add(m.row("b_V"))
				logits, yhat := both[:symbols], both[symbols:].each(sigma)[0]
				off := yhat - b.Label[at]
				loss := -b.Weight[at]*math.Log(logits.softmax()[int(b.Target[at])]) + off*off/2
				for j, w := range logits {
					near(t, fmt.Sprintf("logit %d after symbol %d", j, at), got.Outputs[models.OutputLogits].At(at, j), w)
				}
				near(t, fmt.Sprintf("yhat after symbol %d", at), got.Outputs[models.OutputValid].Data[at], yhat)
				near(t, fmt.Sprintf("loss of symbol %d", at), got.Loss.Data[at], loss)
			}
			held++
		})
	}
	if kept == 0 {
		t.Errorf("carry-forward kept no state, which checks nothing")
	}
	if held < 16 {
		t.Errorf("%d cells have their equations written out, want at least 16", held)
	}
}

// near fails the test unless the values agree up to a relative error of 1e-7. The bound
// is far above the rounding of one float64 operation because each of a dozen steps may
// amplify the errors of the steps before it.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-7*(1+math.Abs(want)) {
		t.Fatalf("%s is %v, want %v", what, got, want)
	}
}

// TestCarryForwardWithoutNoops checks two options that must not change a bit of the outputs
// here. With carry-forward, a network can keep its state only where NO-OP is the largest
// action. In this test it never is, because its bias is -1000. Noise is added only in
// training, and the test runs networks in evaluation.
func TestCarryForwardWithoutNoops(t *testing.T) {
	const symbols = 4
	plain := models.DiffStk{Hidden: 4, Read: 3, Capacity: 6}
	carry, noisy := plain, plain
	carry.Carry, noisy.Noise = true, 0.05
	cells := map[string]func(s models.DiffStk) models.Reader{
		"rnn":   func(s models.DiffStk) models.Reader { return models.DiffStkRNN{DiffStk: s} },
		"lstm":  func(s models.DiffStk) models.Reader { return models.DiffStkLSTM{DiffStk: s} },
		"mrnn":  func(s models.DiffStk) models.Reader { return models.DiffStkMRNN{DiffStk: s} },
		"mlstm": func(s models.DiffStk) models.Reader { return models.DiffStkMLSTM{DiffStk: s} },
		"mirnn": func(s models.DiffStk) models.Reader { return models.DiffStkMIRNN{DiffStk: s} },
	}
	for name, cell := range cells { // the order does not matter
		t.Run(name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(9, 0))
			of := func(s models.DiffStk) *stepgraph.Graph {
				return build(t, recognizer(t, cell(s), symbols), nil)
			}
			params := draw(random, of(plain), 1)
			params["b_A"].Data[2] = -1000
			b := pack([][]int{{0, 2, 1, 1, 3, 2, 0, 0}, {1, 2, 3}}, func(s []int) []prediction {
				return []prediction{{At: 0, Target: 1}, {At: len(s) - 1, Target: 2}}
			})
			want := run(t, of(plain), b, tensor.Float32, params)
			for what, s := range map[string]models.DiffStk{"carry-forward": carry, "noise": noisy} {
				got := run(t, of(s), b, tensor.Float32, params)
				if diff := cmp.Diff(want.Outputs, got.Outputs); diff != "" {
					t.Errorf("with %s (-plain +got):\n%s", what, diff)
				}
			}
		})
	}
}

// TestNoiseInTraining checks that noise changes the baselines in training and changes
// no bit in evaluation.
func TestNoiseInTraining(t *testing.T) {
	const symbols = 4
	for name, cell := range map[string]func(noise float64) models.Reader{
		"rnn":       func(sd float64) models.Reader { return models.F1RNN{Hidden: 4, Noise: sd} },
		"lstm":      func(sd float64) models.Reader { return models.F1LSTM{Hidden: 4, Noise: sd} },
		"gru":       func(sd float64) models.Reader { return models.GRU{Hidden: 4, Noise: sd} },
		"delta-rnn": func(sd float64) models.Reader { return models.DeltaRNN{Hidden: 4, Noise: sd} },
		"stack-rnn": func(sd float64) models.Reader { c := models.RecognizerStackRNN(8); c.Noise = sd; return c },
		"stack-rnn-softmax": func(sd float64) models.Reader {
			return models.StackRNNSoftmax{Hidden: 4, Width: 2, Capacity: 8, Noise: sd}
		},
		"baby-ntm-softmax": func(sd float64) models.Reader { return models.BabyNTM{Hidden: 4, Width: 2, Cells: 8, Noise: sd} },
	} {
		t.Run(name, func(t *testing.T) {
			plain, noisy := build(t, recognizer(t, cell(0), symbols), nil), build(t, recognizer(t, cell(0.05), symbols), nil)
			params := draw(rand.New(rand.NewPCG(9, 0)), plain, 1)
			b := pack([][]int{{0, 2, 1, 1, 3, 2, 0, 0}, {1, 2, 3}}, func(s []int) []prediction {
				return []prediction{{At: 0, Target: 1}, {At: len(s) - 1, Target: 2}}
			})
			want, got := run(t, plain, b, tensor.Float32, params), run(t, noisy, b, tensor.Float32, params)
			if diff := cmp.Diff(want.Outputs, got.Outputs); diff != "" {
				t.Errorf("evaluation with noise (-plain +got):\n%s", diff)
			}
			for sd, want := range map[float64]int{0: 0, 0.05: 1} {
				g, err := recognizer(t, cell(sd), symbols).Build(stepgraph.Config{Training: true})
				if err != nil {
					t.Fatal(err)
				}
				have := 0
				for _, n := range g.Nodes() {
					if o := stepgraph.OpOf(n); o != nil && o.Kind == stepgraph.Noise {
						have++
					}
				}
				if have != want {
					t.Errorf("training with noise of %v: have %d noises, want %d", sd, have, want)
				}
			}
		})
	}
}

func TestBadRecognizers(t *testing.T) {
	s := models.DiffStk{Hidden: 4, Read: 3, Capacity: 6}
	bad := func(change func(s *models.DiffStk)) models.Reader {
		s := s
		change(&s)
		return models.DiffStkMRNN{DiffStk: s}
	}
	for _, c := range []struct {
		cell    models.Reader
		symbols int
		want    string
	}{
		{nil, 3, "models: recognizer of d=3: there is no cell, want one"},
		{bad(func(s *models.DiffStk) {}), 1, "models: recognizer diffstk-mrnn m=4 k=3 capacity=6 d=1: d (symbols with the end) is 1, want at least 2"},
		{bad(func(s *models.DiffStk) { s.Hidden = 0 }), 3, "models: recognizer diffstk-mrnn m=0 k=3 capacity=6 d=3: m (hidden units) is 0, want at least 1"},
		{bad(func(s *models.DiffStk) { s.Read = 7 }), 3, "models: recognizer diffstk-mrnn m=4 k=7 capacity=6 d=3: capacity (cells of a stack) is 6, want at least 7"},
		{bad(func(s *models.DiffStk) { s.Noise = -1 }), 3, "models: recognizer diffstk-mrnn m=4 k=3 capacity=6 noise=-1 d=3: noise is -1, want a finite number of at least 0"},
		{bad(func(s *models.DiffStk) { s.Width = 2 }), 3, "models: recognizer diffstk-mrnn m=4 k=3 width=2 capacity=6 d=3: width: have cells of 2 numbers, 1 stacks and 3 cells read, want cells of one number, or one stack and one cell read"},
		{bad(func(s *models.DiffStk) { s.Total = true }), 3, "models: recognizer diffstk-mrnn m=4 k=3 capacity=6 d=3: have Total without Carry, want both"},
		{models.F1LSTM{Hidden: 2, Noise: -0.5}, 3, "models: recognizer f1-lstm m=2 noise=-0.5 d=3: noise is -0.5, want a finite number of at least 0"},
		{models.StackRNN{Hidden: 1, Stacks: 1, Capacity: 1, Read: 1, Noise: 0.5}, 3, "models: recognizer stack-rnn h=1 s=1 k=1 capacity=1 noise=0.5 d=3: noise is 0.5 without R, want a state to add it to"},
		{models.GRU{Hidden: 2, Noise: -0.5}, 3, "models: recognizer gru m=2 noise=-0.5 d=3: noise is -0.5, want a finite number of at least 0"},
		{models.DeltaRNN{Hidden: 2, Noise: -0.5}, 3, "models: recognizer delta-rnn m=2 noise=-0.5 d=3: noise is -0.5, want a finite number of at least 0"},
		{models.BabyNTM{Hidden: 1, Width: 1, Cells: 2, Noise: -0.5}, 3, "models: recognizer baby-ntm-softmax m=1 p=1 N=2 noise=-0.5 d=3: noise is -0.5, want a finite number of at least 0"},
		{models.StackRNNSoftmax{Hidden: 1, Width: 1, Capacity: 1, Noise: -0.5}, 3, "models: recognizer stack-rnn-softmax m=1 p=1 capacity=1 noise=-0.5 d=3: noise is -0.5, want a finite number of at least 0"},
		{models.GRU{}, 3, "models: recognizer gru m=0 d=3: m (hidden units) is 0, want at least 1"},
		{models.BabyNTM{Hidden: 1, Width: 1, Cells: 1}, 3, "models: recognizer baby-ntm-softmax m=1 p=1 N=1 d=3: capacity (cells) is 1, want at least 2"},
		{models.StackRNN{Hidden: 1, Stacks: 0, Capacity: 1, Read: 1}, 3, "models: recognizer stack-rnn h=1 s=0 k=1 capacity=1 d=3: s (stacks) is 0, want at least 1"},
	} {
		if _, err := models.NewRecognizer(c.cell, c.symbols); err == nil || err.Error() != c.want {
			t.Errorf("got error  %v\nwant error %s", err, c.want)
		}
	}
}
