package models_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pushdown/harness/stepgraph"
	"pushdown/models"
)

type (
	builder = stepgraph.Builder
	node    = stepgraph.Node
)

// unit is a plain recurrent cell of 8 units, h_t = tanh(W x_t + R h_{t-1} + b), whose parts
// a test can replace by mistaken ones.
type unit struct {
	output int
	count  func(in int) int
	params func(list []stepgraph.Spec) []stepgraph.Spec
	state  []stepgraph.StateSpec
	step   func(b *builder, x, h, w, r, bias *node) (y *node, next []*node)
}

// newUnit returns a unit without a mistake, changed by change.
func newUnit(change func(u *unit)) unit {
	u := unit{
		output: 8,
		count:  func(in int) int { return 8 * (in + 8 + 1) },
		params: func(list []stepgraph.Spec) []stepgraph.Spec { return list },
		state:  []stepgraph.StateSpec{{Name: "h", Width: 8}},
		step: func(b *builder, x, h, w, r, bias *node) (*node, []*node) {
			y := b.Tanh(b.Add(b.Affine(x, w, bias), b.MatMul(h, r)))
			return y, []*node{y}
		},
	}
	change(&u)
	return u
}

func (u unit) String() string               { return "unit" }
func (u unit) Output() int                  { return u.output }
func (u unit) Count(in int) int             { return u.count(in) }
func (u unit) State() []stepgraph.StateSpec { return u.state }
func (u unit) Params(in int) []stepgraph.Spec {
	start := stepgraph.Init{Kind: stepgraph.Uniform, A: -0.5, B: 0.5}
	return u.params([]stepgraph.Spec{
		{Name: "W", Rows: in, Cols: 8, Init: start}, {Name: "R", Rows: 8, Cols: 8, Init: start}, {Name: "b", Rows: 1, Cols: 8},
	})
}
func (u unit) Step(b *builder, x *node, state, p []*node) (*node, []*node) {
	return u.step(b, x, state[0], p[0], p[1], p[2])
}

// step returns a change of the step of a unit.
func step(f func(b *builder, x, h, w, r, bias *node) (*node, []*node)) func(u *unit) {
	return func(u *unit) { u.step = f }
}

// value returns a change of the step of a unit: y and the next h are the result of f.
func value(f func(b *builder, x, h, w, r, bias *node) *node) func(u *unit) {
	return step(func(b *builder, x, h, w, r, bias *node) (*node, []*node) {
		y := f(b, x, h, w, r, bias)
		return y, []*node{y}
	})
}

// spec returns a change of the parameter with the given index.
func spec(i int, change func(s *stepgraph.Spec)) func(u *unit) {
	return func(u *unit) {
		u.params = func(list []stepgraph.Spec) []stepgraph.Spec {
			change(&list[i])
			return list
		}
	}
}

// kept is a value that a mistaken cell keeps from one graph to the next.
var kept *node

// TestMistakesOfCells checks the errors for mistakes that a person who writes a cell can
// make. Each is an error of Build or Differentiate, which names what is wrong as the cell
// does, and the line if a call is wrong. None shows the nominal size of a batch.
func TestMistakesOfCells(t *testing.T) {
	for _, c := range []struct {
		change func(u *unit)
		want   string // the end of the error; # stands for the line of a call
	}{
		{func(u *unit) {}, ""},
		// Sizes.
		{func(u *unit) { u.output = 9 }, "unit: Output returns 9, want 8, the width of the output of Step"},
		{func(u *unit) { u.count = func(in int) int { return 8 * (in + 8) } }, "unit: Count(2) returns 80, want 88, the number of elements of W [2x8], R [8x8] and b [1x8]"},
		{spec(1, func(s *stepgraph.Spec) { s.Frozen = true }), "unit: Count(2) returns 88, want 24, the number of elements of W [2x8] and b [1x8]"},
		// Parameters and states.
		{spec(1, func(s *stepgraph.Spec) { s.Cols = 9 }), "add of addrow [Bx8] (of matmul [Bx8] and b [1x8]) and matmul [Bx9] (of h [Bx8] and R [8x9]): want equal shapes #"},
		{spec(1, func(s *stepgraph.Spec) { s.Rows = 9 }), "matmul of h [Bx8] and R [9x8]: inner sizes 8 and 9 differ #"},
		{spec(2, func(s *stepgraph.Spec) { s.Cols = 1 }), "addrow of matmul [Bx8] (of x [Bx2] and W [2x8]) and b [1x1]: want a row of 8 as second input #"},
		{spec(1, func(s *stepgraph.Spec) { s.Rows = 0 }), "parameter R is 0x8, want at least 1x1"},
		{spec(1, func(s *stepgraph.Spec) { s.Name = "W" }), "two parameters, states or inputs are named W, want different names"},
		{spec(1, func(s *stepgraph.Spec) { s.Name = "E" }), "two parameters, states or inputs are named E, want different names"},
		{spec(1, func(s *stepgraph.Spec) { s.Name = "" }), "a parameter, state or input has no name, want one"},
		{spec(1, func(s *stepgraph.Spec) { s.Init = stepgraph.Init{Kind: stepgraph.Uniform, A: 0.5} }), "parameter R: uniform from A = 0.5 to B = 0, want A <= B"},
		{spec(1, func(s *stepgraph.Spec) { s.Init = stepgraph.Init{Kind: stepgraph.Normal, B: -1} }), "parameter R: normal with mean A = 0 and standard deviation B = -1, want B >= 0"},
		{spec(1, func(s *stepgraph.Spec) { s.Init = stepgraph.Init{A: math.NaN()} }), "parameter R: constant NaN, want a number"},
		{spec(1, func(s *stepgraph.Spec) { s.Init.Kind = 9 }), "parameter R: have the unknown kind 9 of initial values, want Constant, Uniform, Normal or FromValues"},
		{spec(1, func(s *stepgraph.Spec) {
			s.Init = stepgraph.Init{Kind: stepgraph.FromValues, Values: make([]float32, 8)}
		}), "parameter R [8x8] has 8 initial values, want 64, and the kind FromValues only with values"},
		{spec(1, func(s *stepgraph.Spec) { s.Init = stepgraph.Init{Values: make([]float32, 64)} }), "parameter R [8x8] has 64 initial values, want 0, and the kind FromValues only with values"},
		{func(u *unit) { u.state = append(u.state, u.state[0]) }, "two parameters, states or inputs are named h, want different names"},
		{func(u *unit) { u.state[0].Name = "token" }, "two parameters, states or inputs are named token, want different names"},
		{func(u *unit) { u.state[0].Width = 0 }, "state h has width 0 and 0 stacks, want a width of at least 1 and no negative number of stacks"},
		{func(u *unit) { u.state[0].Width = 7 }, "matmul of h [Bx7] and R [8x8]: inner sizes 7 and 8 differ #"},
		{func(u *unit) { u.state = nil }, "unit: panic: runtime error: index out of range [0] with length 0 #"},
		{func(u *unit) { u.state = append(u.state, stepgraph.StateSpec{Name: "c", Width: 8}) }, "unit: Step returns 1 next values, want 2, one for each state: h [Bx8] and c [Bx8]"},
		{func(u *unit) { u.state[0].Stacks = -1 }, "state h has width 8 and -1 stacks, want a width of at least 1 and no negative number of stacks"},
		{func(u *unit) { u.params = func(list []stepgraph.Spec) []stepgraph.Spec { return list[:2] } }, "unit: panic: runtime error: index out of range [2] with length 2 #"},
		{func(u *unit) { u.params = func(list []stepgraph.Spec) []stepgraph.Spec { panic("no sizes") } }, "unit: panic: no sizes #"},
		{func(u *unit) { u.count = func(in int) int { panic("no sizes") } }, "unit: panic: no sizes #"},
		{func(u *unit) {
			u.params = func(list []stepgraph.Spec) []stepgraph.Spec {
				return append(list, stepgraph.Spec{Name: "R_g", Rows: 8, Cols: 8})
			}
			u.count = func(in int) int { return 8 * (in + 17) }
		}, "parameter R_g [8x8] has no influence on the loss"},
		// Results of Step.
		{value(func(b *builder, x, h, w, r, bias *node) *node { return nil }), "unit: output of Step: have nil, want a value"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return r }), "unit: output of Step: have R [8x8], want a row for each string"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.ExampleRows(h) }), "unit: output of Step: have gatherrows [Ex8] (of h [Bx8] and pick [Ex1]), want a row for each string"},
		{step(func(b *builder, x, h, w, r, bias *node) (*node, []*node) { return h, nil }), "unit: Step returns 0 next values, want 1, one for each state: h [Bx8]"},
		{step(func(b *builder, x, h, w, r, bias *node) (*node, []*node) { return h, []*node{nil} }), "next value of state h: have nil, want a value"},
		{step(func(b *builder, x, h, w, r, bias *node) (*node, []*node) { return h, []*node{x} }), "next value of state h: have x [Bx2], want [Bx8]"},
		{step(func(b *builder, x, h, w, r, bias *node) (*node, []*node) { return h, []*node{bias} }), "next value of state h: have b [1x8], want [Bx8]"},
		{step(func(b *builder, x, h, w, r, bias *node) (*node, []*node) { b.SetNext(h, h); return h, []*node{h} }), "state h has two next values, want one"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { panic("todo") }), "unit: panic: todo #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return stepgraph.ByName([]*node{w, r, bias})("R_h") }), "have no parameter or state R_h here, want one of: W, R, b #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node {
			return b.Add(b.MatMul(x, w), b.OneHot(b.Affine(h, r, bias), 8))
		}), "parameter R [8x8] has no influence on the loss"},
		// Operations.
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Add(h, nil) }), "add: value 2: have nil, want a value #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Add(h, kept) }), "add: value 2: have R of another graph, want a value of this one: a cell keeps no values from one call of Step to the next #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Split(nil, 2)[0] }), "split: value: have nil, want a value #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Top(nil, 2) }), "top: value: have nil, want a value #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Cells(nil, 0, 2) }), "cells: value: have nil, want a value #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Dropout("d", 0.5, nil) }), "dropout: value 1: have nil, want a value #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { b.SetOutput("h", nil); return h }), "output h: have nil, want a value #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { b.SetLoss(nil); return h }), "the loss: have nil, want a value #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { b.SetOutput("h", x); b.SetOutput("h", h); return h }), "two outputs are named h, want different names #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { b.SetNext(x, h); return h }), "a state whose next value is set: have x [Bx2], want a state #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.MatMul(x, r) }), "matmul of x [Bx2] and R [8x8]: inner sizes 2 and 8 differ #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.MatMul(r, h) }), "matmul of R [8x8] and h [Bx8]: inner sizes 8 and B differ #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Add(x, h) }), "add of x [Bx2] and h [Bx8]: want equal shapes #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Sub(h, bias) }), "sub of h [Bx8] and b [1x8]: want equal shapes #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Mul(h, b.Scalar("beta")) }), "mul of h [Bx8] and beta [1x1]: want equal shapes #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.MulOne(h, bias) }), "mulone of h [Bx8] and b [1x8]: want 1x1 as second input #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.MulRow(h, h) }), "mulrow of h [Bx8] and h [Bx8]: want a row of 8 as second input #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.MulCol(h, bias) }), "mulcol of h [Bx8] and b [1x8]: want a column of B as second input #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.RowDot(h, x) }), "rowdot of h [Bx8] and x [Bx2]: want equal shapes #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Concat(h, bias) }), "concatcols{2} of h [Bx8] and b [1x8]: want equal numbers of rows #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Concat() }), "concatcols of no values, want at least 1 #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Slice(h, 4, 8, 1) }), "slicecols{4,8,1} of h [Bx8]: slice reaches outside 0..7 #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Slice(h, 0, x.Shape()[0], 1) }), "slicecols{0,B,1} of h [Bx8]: slice reaches outside 0..7 #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Split(h, 3)[0] }), "split of h [Bx8]: want a width that is a multiple of 3 #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Split(h, 0)[0] }), "split of h [Bx8]: want a width that is a multiple of 0 #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Softmax(h, 3) }), "softmax{3} of h [Bx8]: 8 columns are no multiple of 3 #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.OneHot(h, 0) }), "onehot{0} of h [Bx8]: 8 columns are no multiple of 0 #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.WeightedSum(b.Slice(h, 0, 3, 1), h) }), "weightedsum of slicecols [Bx3] (of h [Bx8]) and h [Bx8]: want x of A blocks for w of A columns #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.WeightedSum(bias, h) }), "weightedsum of b [1x8] and h [Bx8]: want x of A blocks for w of A columns #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Gather(r, x) }), "gather of R [8x8] and x [Bx2]: want one index per row #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Gather(r, b.Slice(x, 0, 1, 1)) }), "gather of R [8x8] and slicecols [Bx1] (of x [Bx2]): have slicecols [Bx1] as indices, want a whole-number input #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.CrossEntropy(h, b.Target()) }), "crossentropy of h [Bx8] and target [Ex1]: want one target per row #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Add(b.Token(), b.Token()) }), "add of token [Bx1] and token [Bx1]: token is a whole-number input, want numbers #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Add(b.ExampleRows(h), b.ExampleRows(h)) }), "unit: output of Step: have add [Ex8] (of gatherrows [Ex8] and gatherrows [Ex8]), want a row for each string"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.ExampleRows(b.ExampleRows(h)) }), "gatherrows of gatherrows [Ex8] (of h [Bx8] and pick [Ex1]) and pick [Ex1]: have rows of an example value, want rows of steps #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.ToStackMajor(h, 3) }), "tostackmajor{3} of h [Bx8]: width 8 is no multiple of 3 #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.ToStackMajor(r, 2) }), "tostackmajor{2} of R [8x8]: have a static value, want rows of a step value #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Top(h, 2) }), "slicerows{0,2,1} of h [Bx8]: have a row for each string, want a static or stack-major value #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Top(b.ToStackMajor(h, 2), 3) }), "slicerows{0,3,1} of tostackmajor [2xBx4] (of h [Bx8]): slice reaches outside 0..1 #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Sigmoid(b.ToStackMajor(h, 2)) }), "unit: output of Step: have sigmoid [2xBx4] (of tostackmajor [2xBx4]), want a row for each string"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Add(h, b.ToStackMajor(h, 2)) }), "add of h [Bx8] and tostackmajor [2xBx4] (of h [Bx8]): want equal shapes #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.AddTop(b.ToStackMajor(h, 2), h) }), "addatrows{0,0,1} of tostackmajor [2xBx4] (of h [Bx8]) and h [Bx8]: want equal numbers of columns #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node {
			v := b.ToStackMajor(h, 2)
			return b.Push(v, b.Slice(h, 0, 3, 1), b.Slice(h, 3, 3, 1), v, 2, 0)
		}), "stack{2,0} of tostackmajor [2xBx4] (of h [Bx8]), slicecols [Bx3] (of h [Bx8]), slicecols [Bx3] (of h [Bx8]) and tostackmajor [2xBx4] (of h [Bx8]): weights of Bx3 for Bx4 columns #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node {
			s, a := b.ToStackMajor(h, 2), b.Slice(h, 0, 4, 1)
			return b.Push(s, a, a, h, 2, 0)
		}), "stack{2,0} of tostackmajor [2xBx4] (of h [Bx8]), slicecols [Bx4] (of h [Bx8]), slicecols [Bx4] (of h [Bx8]) and h [Bx8]: want cells of 2 rows and a pushed value of 2xBx4 #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node {
			s, a := b.ToStackMajor(h, 2), b.Slice(h, 0, 4, 1)
			return b.MoveList(stepgraph.ListShape{Cell: 2, Head: 1}, s, a, a, a, nil, s)
		}), "list{2,1,0} of tostackmajor [2xBx4] (of h [Bx8]), slicecols [Bx4] (of h [Bx8]), slicecols [Bx4] (of h [Bx8]), slicecols [Bx4] (of h [Bx8]) and tostackmajor [2xBx4] (of h [Bx8]): head at cell 1 of 1, want one on either side #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Dropout("d", 1.5, h) }), "dropout d: rate 1.5, want 0 <= rate < 1 #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Noise("n", 0, -1, h) }), "noise n: standard deviation -1, want >= 0 #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Input("depth", stepgraph.Step, 0, false) }), "input depth has width 0, want at least 1 #"},
		{value(func(b *builder, x, h, w, r, bias *node) *node { return b.Cell(nil, h) }), "the cell is nil, want one"},
	} {
		message := func(cell models.Cell) string {
			m, err := models.LanguageModel(cell, 5, 2)
			if err != nil {
				return err.Error()
			}
			g, err := m.Build(stepgraph.Config{Training: true})
			if err == nil {
				err = g.Differentiate()
			}
			return fmt.Sprint(err)
		}
		message(newUnit(value(func(b *builder, x, h, w, r, bias *node) *node { kept = r; return h })))
		want, call := strings.CutSuffix(c.want, " #")
		check := func(cell models.Cell) {
			t.Helper()
			have := strings.NewReplacer("rnn h=2 + unit", "unit", "layer2.", "").Replace(message(cell))
			at := strings.LastIndex(have, " (mistake_test.go:")
			if at < 0 {
				at = len(have)
			}
			if c.want == "" && have != "<nil>" || !strings.HasSuffix(have[:at], want) || call != (at < len(have)) {
				t.Errorf("have %s\nwant ... %s", have, c.want)
			}
		}
		check(newUnit(c.change))
		if !strings.Contains(c.want, "named E") && !strings.Contains(c.want, "named token") { // Layers puts a prefix before the names
			check(models.Layers{Cells: []models.Cell{models.RNN{Hidden: 2}, newUnit(c.change)}})
		}
	}
}
