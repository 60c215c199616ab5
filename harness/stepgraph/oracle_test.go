package stepgraph

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gorgonia.org/tensor"
)

const vocabulary, classes, nominalWidth = 5, 3, 4

// oracleCells holds steps that together use most operations. "lstm" has gates, dropout
// and noise. "stacks" has stacks with one number per cell, "cells" has a stack with two.
// "lists" has lists. "blocks" has a weighted sum of blocks and a counter.
var oracleCells = []struct {
	name string
	step func(b *Builder, x *node) *node
}{
	{"lstm", func(b *Builder, x *node) *node {
		const h = 3
		hid, c := b.State(StateSpec{Name: "h", Width: h}), b.State(StateSpec{Name: "c", Width: h, Init: 0.25})
		gate := b.Split(b.AddRow(b.Add(b.MatMul(x, weight(b, "W", 4, 4*h)), b.MatMul(hid, weight(b, "U", h, 4*h))), weight(b, "b", 1, 4*h)), 4)
		next := b.Add(b.Mul(b.Sigmoid(gate[1]), c), b.Mul(b.Sigmoid(gate[0]), b.Tanh(gate[2])))
		out := b.Mul(b.Sigmoid(gate[3]), b.Tanh(next))
		b.SetNext(hid, b.Dropout("d", 0.3, out))
		b.SetNext(c, b.Noise("n", 0.1, 0.2, next))
		return out
	}},
	{"stacks", func(b *Builder, x *node) *node {
		s := b.State(StateSpec{Name: "s", Width: 5, Stacks: 2, Init: -1})
		a := b.Softmax(b.MatMul(b.Concat(x, b.Top(s, 2)), weight(b, "A", 8, 6)), 3)
		v := b.ToStackMajor(b.Sigmoid(b.MatMul(x, weight(b, "D", 4, 2))), 1)
		b.SetNext(s, b.PushNoop(s, b.Slice(a, 0, 2, 3), b.Slice(a, 1, 2, 3), b.Slice(a, 2, 2, 3), v, 1, -1))
		return b.Tanh(b.MatMul(b.Concat(x, b.Top(s, 3)), weight(b, "W", 10, 3)))
	}},
	{"lists", func(b *Builder, x *node) *node {
		tape := ListShape{Cell: 1, Head: 3, Empty: -1}
		s := b.State(StateSpec{Name: "s", Width: 6, Stacks: 2, Init: -1})
		a := b.Softmax(b.MatMul(b.Concat(x, b.Cells(s, 2, 2)), weight(b, "A", 8, 8)), 4)
		v := b.ToStackMajor(b.Sigmoid(b.MatMul(x, weight(b, "D", 4, 2))), 1)
		move := func(i int) *node { return b.Slice(a, i, 2, 4) }
		b.SetNext(s, b.MoveList(tape, s, move(0), move(1), move(2), move(3), v))
		return b.Tanh(b.MatMul(b.Concat(x, b.Top(s, 5)), weight(b, "W", 14, 3)))
	}},
	{"cells", func(b *Builder, x *node) *node {
		s := b.State(StateSpec{Name: "s", Width: 6, Stacks: 1})
		g := b.Sigmoid(b.MatMul(x, weight(b, "G", 4, 1)))
		v := b.ToStackMajor(b.MatMul(x, weight(b, "V", 4, 2)), 2)
		next := b.AddTop(b.Push(s, g, b.OneMinus(g), v, 2, 0.5), v)
		b.SetNext(s, next)
		return b.Top(next, 4)
	}},
	{"blocks", func(b *Builder, x *node) *node {
		const h = 3
		hid := b.State(StateSpec{Name: "h", Width: h})
		n := b.State(StateSpec{Name: "n", Width: 1, NoGrad: true})
		w := b.Softmax(b.MatMul(b.Concat(x, hid), weight(b, "K", 4+h, 2)), 2)
		next := b.Tanh(b.MulOne(b.WeightedSum(w, b.MatMul(hid, weight(b, "B", h, 2*h))), b.Scalar("t")))
		next = b.Add(next, b.MulRow(b.Slice(x, 0, h, 1), weight(b, "S", 1, h)))
		b.SetNext(hid, next)
		b.SetNext(n, b.Add(n, b.Threshold(b.RowDot(next, next), 0.1)))
		return b.MulCol(next, b.Sigmoid(b.StopGrad(n)))
	}},
}

func oracleGraph(t *testing.T, i int) *Graph {
	t.Helper()
	g, err := Build(Config{Training: true, Seed: 4}, func(b *Builder) {
		x := b.Gather(weight(b, "E", vocabulary, nominalWidth), b.Token())
		classify(b, oracleCells[i].step(b, x), classes)
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// oracleValues returns random parameters and inputs for a batch with a prediction from
// each row, and the number of predictions.
func oracleValues(g *Graph, active []int) (Values, int) {
	r := rand.New(rand.NewPCG(2, 3))
	v := Values{Params: map[string]Mat{}, Inputs: map[string]Mat{"t": {1, 1, []float64{0.75}}}}
	for _, p := range g.Params {
		m := NewMat(p.Rows, p.Cols)
		for i := range m.Data {
			m.Data[i] = float64(float32(0.7 * r.NormFloat64()))
		}
		v.Params[p.Name] = m
	}
	var token, coord, pick, target, seed []float64
	for t, n := range active {
		for b := range n {
			token, coord = append(token, float64(r.IntN(vocabulary))), append(coord, float64(b), float64(t), 1)
			pick, target = append(pick, float64(len(pick))), append(target, float64(r.IntN(classes)))
			seed = append(seed, float64(float32(r.NormFloat64())))
		}
	}
	n := len(pick)
	for name, x := range map[string][]float64{InputToken: token, InputExampleRows: pick, InputTarget: target, InputSeed: seed} { // each input sets its own entry
		v.Inputs[name] = Mat{n, 1, x}
	}
	v.Inputs[InputCoord] = Mat{n, 3, coord}
	return v, n
}

func unrolled(t *testing.T, g *Graph, active []int, examples int, dt tensor.Dtype) *Oracle {
	t.Helper()
	o, err := Unroll(g, active, examples, dt)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Differentiate(); err != nil {
		t.Fatal(err)
	}
	return o
}

var raggedSteps = []int{4, 4, 3, 3, 1}

// TestTapeMachineMatchesEval checks that the TapeMachine gives the same bits as Eval,
// which keeps every value, also of an oracle in the other type. This shows that the machine
// overwrites no register whose value is still needed.
func TestTapeMachineMatchesEval(t *testing.T) {
	for i, c := range oracleCells {
		for _, dt := range []tensor.Dtype{tensor.Float32, tensor.Float64} {
			t.Run(fmt.Sprintf("%s/%v", c.name, dt), func(t *testing.T) {
				g := oracleGraph(t, i)
				v, n := oracleValues(g, raggedSteps)
				o := unrolled(t, g, raggedSteps, n, dt)
				res, err := o.Run(v)
				if err != nil {
					t.Fatal(err)
				}
				for _, other := range []tensor.Dtype{tensor.Float32, tensor.Float64} {
					plain, err := unrolled(t, g, raggedSteps, n, other).Eval(v, dt)
					if err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(plain, res); diff != "" {
						t.Errorf("values of an oracle in %v (-plain +machine):\n%s", other, diff)
					}
				}
				for _, p := range g.Params {
					if _, ok := res.Grads[p.Name]; !ok {
						t.Errorf("parameter %s has no gradient", p.Name)
					}
				}
				again, err := o.Run(v)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(res, again); diff != "" {
					t.Errorf("a second run (-first +second):\n%s", diff)
				}
			})
		}
	}
}

// TestFloat32FollowsFloat64 checks that the float32 oracle differs from the float64
// oracle by rounding only. About a hundred operations lead to a result, and each adds
// an error of up to 2^-24 of a value of order 1. The test allows 128 such errors.
func TestFloat32FollowsFloat64(t *testing.T) {
	for i, c := range oracleCells {
		g := oracleGraph(t, i)
		v, n := oracleValues(g, raggedSteps)
		var res [2]*Result
		for j, dt := range []tensor.Dtype{tensor.Float32, tensor.Float64} {
			var err error
			if res[j], err = unrolled(t, g, raggedSteps, n, dt).Run(v); err != nil {
				t.Fatal(err)
			}
		}
		near := func(what string, got, want Mat) {
			t.Helper()
			largest := 0.0
			for _, w := range want.Data {
				largest = max(largest, math.Abs(w))
			}
			differ := false
			for k, w := range want.Data {
				if d := math.Abs(got.Data[k] - w); !(d <= 128*0x1p-24*largest) {
					t.Errorf("%s: %s[%d] is %v in float32, %v in float64", c.name, what, k, got.Data[k], w)
				} else if d > 0 {
					differ = true
				}
			}
			if !differ {
				t.Errorf("%s: %s is the same in float32 and float64, want a difference by rounding", c.name, what)
			}
		}
		near("loss", res[0].Loss, res[1].Loss)
		for _, p := range g.Params {
			near("gradient of "+p.Name, res[0].Grads[p.Name], res[1].Grads[p.Name])
		}
	}
}

// TestOracleStringsAreIndependent checks that a string has the same losses alone and in
// a batch of strings of unequal length. It also checks that the gradient of a batch is
// the sum of the gradients of its strings.
func TestOracleStringsAreIndependent(t *testing.T) {
	for i, c := range oracleCells {
		g := oracleGraph(t, i)
		v, n := oracleValues(g, raggedSteps)
		batch, err := unrolled(t, g, raggedSteps, n, tensor.Float64).Run(v)
		if err != nil {
			t.Fatal(err)
		}
		sums := map[string][]float64{}
		for b := range raggedSteps[0] {
			var steps []int
			one := Values{Params: v.Params, Inputs: map[string]Mat{"t": v.Inputs["t"]}}
			var at []int
			row := 0
			for _, n := range raggedSteps {
				if b < n {
					steps, at = append(steps, 1), append(at, row+b)
				}
				row += n
			}
			for _, name := range []string{InputToken, InputTarget, InputSeed, InputCoord} {
				m := v.Inputs[name]
				cut := NewMat(len(at), m.Cols)
				for j, r := range at {
					copy(cut.Data[j*m.Cols:(j+1)*m.Cols], m.Data[r*m.Cols:])
				}
				one.Inputs[name] = cut
			}
			one.Inputs[InputExampleRows] = Mat{len(at), 1, v.Inputs[InputExampleRows].Data[:len(at)]}
			res, err := unrolled(t, g, steps, len(at), tensor.Float64).Run(one)
			if err != nil {
				t.Fatal(err)
			}
			for j, r := range at {
				if got, want := res.Loss.Data[j], batch.Loss.Data[r]; math.Abs(got-want) > 1e-14 {
					t.Errorf("%s: string %d, step %d: loss %v alone, %v in the batch", c.name, b, j, got, want)
				}
			}
			for name, d := range res.Grads { // each name has its own sum
				if sums[name] == nil {
					sums[name] = make([]float64, len(d.Data))
				}
				for k, x := range d.Data {
					sums[name][k] += x
				}
			}
		}
		for _, p := range g.Params {
			for k, want := range batch.Grads[p.Name].Data {
				if got := sums[p.Name][k]; math.Abs(got-want) > 1e-13*(1+math.Abs(want)) {
					t.Errorf("%s: gradient of %s[%d]: sum over the strings %v, batch %v", c.name, p.Name, k, got, want)
				}
			}
		}
	}
}

// TestOracleRefuses checks that Run rejects values of the wrong shape with an error
// that names them, and that Unroll rejects bad numbers of strings and examples.
func TestOracleRefuses(t *testing.T) {
	g := oracleGraph(t, 0)
	v, n := oracleValues(g, raggedSteps)
	o := unrolled(t, g, raggedSteps, n, tensor.Float64)
	for _, c := range []struct {
		says    string
		corrupt func(v Values)
	}{
		{"value of W is 0x0, want (4, 12)", func(v Values) { delete(v.Params, "W") }},
		{"value of h is 3x3, want (4, 3)", func(v Values) { v.Initial["h"] = NewMat(3, 3) }},
		{"input token has 14 rows, want at least 15", func(v Values) { v.Inputs[InputToken] = NewMat(14, 1) }},
		{"value of seed is 2x1, want (15, 1)", func(v Values) { v.Inputs[InputSeed] = NewMat(2, 1) }},
		{"index 9 in row 0 is outside 0..4", func(v Values) {
			m := NewMat(n, 1)
			m.Data[0] = 9
			v.Inputs[InputToken] = m
		}},
	} {
		w := Values{Params: map[string]Mat{}, Initial: map[string]Mat{}, Inputs: map[string]Mat{}}
		for name, m := range v.Params { // the case must not change v
			w.Params[name] = m
		}
		for name, m := range v.Inputs {
			w.Inputs[name] = m
		}
		c.corrupt(w)
		if _, err := o.Run(w); err == nil || !strings.HasPrefix(err.Error(), "stepgraph: ") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want an error that says %q", err, c.says)
		}
	}
	for _, c := range []struct {
		active   []int
		examples int
		says     string
	}{
		{nil, 1, "unrolling 0 steps with 1 examples"},
		{[]int{1}, 0, "unrolling 1 steps with 0 examples"},
		{[]int{1, 2}, 1, "2 strings active at step 1"},
		{[]int{1, 0}, 1, "0 strings active at step 1"},
	} {
		if _, err := Unroll(g, c.active, c.examples, tensor.Float64); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v with %d examples: %v, want an error that says %q", c.active, c.examples, err, c.says)
		}
	}
	plain, err := Build(Config{}, func(b *Builder) { b.SetOutput("y", b.Tanh(rows(b, "x", 1))) })
	if err != nil {
		t.Fatal(err)
	}
	if o, err := Unroll(plain, []int{1}, 1, tensor.Float64); err != nil || o.Differentiate() == nil {
		t.Errorf("a graph without loss: Unroll returned %v, want no error, and an error of Differentiate", err)
	}
}
