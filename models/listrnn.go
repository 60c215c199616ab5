package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// ListRNN is the List RNN ([stack-rnn], end of section 4.2): a [StackRNN] with s
// doubly linked lists in place of stacks. A list is a tape L that moves under a head
// at the fixed cell H:
//
//	L_t[i] = a[RIGHT] L_{t-1}[i+1] + a[LEFT] L_{t-1}[i-1] + a[INSERT] v[i] (+ a[NOOP] L_{t-1}[i])
//	v[i]   = L_{t-1}[i+1]  left of the head, i < H
//	         sigma(D h_t)  at the head, i = H
//	         L_{t-1}[i]    right of the head, i > H
//
// RIGHT moves the right neighbour of the cell under the head to the head, and LEFT moves
// the left neighbour to the head. INSERT puts a new cell under the head and shifts the old
// cell and all cells on its left one place to the left. A cell that enters at either end
// is -1. The paper does not say which cells P reads. Here it reads the cell under the head
// and the k-1 cells on its left, in the order of the tape. As long as all actions are
// insertions, these are the top cells of a stack. There is no public code.
//
// The actions are in the order LEFT, RIGHT, INSERT, NO-OP. Weights, rounding and
// clipping are those of a [StackRNN] without R.
type ListRNN struct {
	Hidden     int     // h
	Lists      int     // s
	Side       int     // cells on either side of the head; the tape has 2*Side+1 cells
	Read       int     // k
	Noop       bool    // there is an action NO-OP
	Round      bool    // in evaluation the largest action becomes 1 and the others 0
	Clip       float64 // bound on the elements of gradients, as in StackRNN; 0: none
	ClampArgs  float64 // bound on the arguments of the sigmoids of h and of the inserted values, as in StackRNN; 0: none
	FlushBelow float64 // gradients of the lists below this magnitude become 0, as in StackRNN; 0: none
}

// ListLanguageModel returns a model with a [ListRNN] that predicts the next symbol after
// each symbol. The number of symbols is in the parameter vocabulary.
func ListLanguageModel(c ListRNN, vocabulary int) (*Model, error) {
	return patternModel(c, c.Hidden, vocabulary)
}

func (c ListRNN) check() error {
	if err := checkSizes(size{"h (hidden units)", 1, c.Hidden}, size{"s (lists)", 1, c.Lists}, size{"k (cells read)", 1, c.Read},
		size{"side (cells on a side of the head)", max(1, c.Read-1), c.Side}); err != nil {
		return err
	}
	if err := notNegative("clip of the errors", c.Clip); err != nil {
		return err
	}
	if err := notNegative("bound of the arguments of sigmoids", c.ClampArgs); err != nil {
		return err
	}
	return notNegative("least of the errors", c.FlushBelow)
}

// String returns the name and size of the cell.
func (c ListRNN) String() string {
	s := fmt.Sprintf("list-rnn h=%d s=%d k=%d side=%d", c.Hidden, c.Lists, c.Read, c.Side)
	for _, o := range []struct {
		on   bool
		name string
	}{{c.Noop, " no-op"}, {c.Round, " rounded"}, {c.Clip != 0, fmt.Sprintf(" clip=%v", c.Clip)}, {c.ClampArgs != 0, fmt.Sprintf(" hold=%v", c.ClampArgs)}, {c.FlushBelow != 0, fmt.Sprintf(" least=%v", c.FlushBelow)}} {
		if o.on {
			s += o.name
		}
	}
	return s
}

func (c ListRNN) actions() int {
	if c.Noop {
		return 4
	}
	return 3
}

// Params returns P [s*k, h], A [h, 3s] or [h, 4s] and D [h, s].
func (c ListRNN) Params(int) []stepgraph.Spec {
	return []stepgraph.Spec{
		{Name: "P", Rows: c.Lists * c.Read, Cols: c.Hidden, Init: tenth},
		{Name: "A", Rows: c.Hidden, Cols: c.actions() * c.Lists, Init: tenth},
		{Name: "D", Rows: c.Hidden, Cols: c.Lists, Init: tenth},
	}
}

// Count returns s h (k + A + 1), where A is the number of actions, 3 or 4.
func (c ListRNN) Count(int) int { return c.Lists * c.Hidden * (c.Read + c.actions() + 1) }

// Output returns the width of h.
func (c ListRNN) Output() int { return c.Hidden }

// State returns the tapes.
func (c ListRNN) State() []stepgraph.StateSpec {
	return []stepgraph.StateSpec{{Name: "list", Width: 2*c.Side + 1, Stacks: c.Lists, Init: emptyCell}}
}

// Step implements the equations above.
func (c ListRNN) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	clip := func(x *stepgraph.Node) *stepgraph.Node { return clipped(b, x, c.Clip) }
	n, p, s := c.actions(), stepgraph.ByName(params), clip(state[0])
	h := b.Sigmoid(clamped(b, clip(b.Add(x, b.MatMul(b.Cells(s, c.Side-c.Read+1, c.Read), p("P")))), c.ClampArgs))
	a := clip(b.Softmax(clip(b.MatMul(h, p("A"))), n))
	if c.Round && !b.Training() {
		a = b.OneHot(a, n)
	}
	act := make([]*stepgraph.Node, 4) // the last is nil without NO-OP
	for i := range n {
		act[i] = b.Slice(a, i, c.Lists, n)
	}
	v := b.ToStackMajor(b.Sigmoid(clamped(b, clip(b.MatMul(h, p("D"))), c.ClampArgs)), 1)
	tape := stepgraph.ListShape{Cell: 1, Head: c.Side, Empty: emptyCell}
	y := clip(h)
	if s = clip(s); c.FlushBelow > 0 { // after the cells are read, see StackRNN
		s = b.FlushGrad(s, c.FlushBelow)
	}
	return y, []*stepgraph.Node{b.MoveList(tape, s, act[0], act[1], act[2], act[3], v)}
}
