package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// DiffStk is what the networks of [diffstk] have in common (equations 4 to 9), a
// stack of numbers beside a cell with a state z, and what is done to that state:
//
//	zhat_{t-1} = z_{t-1} + P s_{t-1} + eps_t
//	ztilde_t   = the cell's update of zhat_{t-1} by the symbol
//	z_t        = u_t ztilde_t + (1 - u_t) zhat_{t-1}
//	a_t        = softmax(A z_t + b_A)                          PUSH, POP, NO-OP
//	S_t[0]     = a[PUSH] sigma(D z_t + b_D) + a[POP] S_{t-1}[1] + a[NOOP] S_{t-1}[0]
//	S_t[i]     = a[PUSH] S_{t-1}[i-1] + a[POP] S_{t-1}[i+1] + a[NOOP] S_{t-1}[i]
//	y_t        = z_t
//
// s is the k topmost cells: the paper speaks of the top, but gives P k columns. Its
// update of the cells below the top lacks the last term, without which the stack
// would fade at each NO-OP. Cells start at -1, and POP feeds -1 in at the bottom,
// as in the program of [stack-rnn].
//
// Noise eps_t is normal(0, s) in training and absent in evaluation. A sentence of
// the paper's appendix adds it to the weights, its equation to the state.
//
// Carry-forward sets u_t = 0 where a symbol leads to more than one NO-OP, and
// u_t = 1 elsewhere. As the action follows from z_t, and z_t from u_t, the action
// that decides here is that of ztilde_t: with
//
//	n_t = 1 if NO-OP is the largest of A ztilde_t + b_A, else 0
//	c_t = n_t (c_{t-1} + 1)
//
// u_t is 0 where n_t = 1 and c_t > 1. It is a constant for the gradient.
type DiffStk struct {
	Hidden   int     // m
	Read     int     // k
	Capacity int     // cells of the stack; a push into a full one loses the bottom cell
	Noise    float64 // s
	Carry    bool    // carry-forward
	Total    bool    // c_t counts the NO-OPs of the whole string: c_t = c_{t-1} + n_t
}

// NewDiffStk returns the stack of an experiment on a grammar: 8 units, 3 cells
// read, without noise and carry-forward, for strings of up to so many symbols.
func NewDiffStk(longest int) DiffStk { return DiffStk{Hidden: 8, Read: 3, Capacity: longest + 2} }

// named adds the sizes to the name of a cell.
func (s DiffStk) named(name string) string {
	name = noisy(fmt.Sprintf("%s m=%d k=%d capacity=%d", name, s.Hidden, s.Read, s.Capacity), s.Noise)
	switch {
	case s.Carry && s.Total:
		name += " carry-forward-total"
	case s.Carry:
		name += " carry-forward"
	}
	return name
}

func (s DiffStk) check() error {
	fault := enough(size{"m (hidden units)", 1, s.Hidden}, size{"k (cells read)", 1, s.Read}, size{"capacity (cells of a stack)", s.Read, s.Capacity})
	if err := withNoise(s.Noise, fault); err != nil {
		return err
	}
	if s.Total && !s.Carry {
		return fmt.Errorf("NO-OPs of the whole string are to be counted without carry-forward, want both")
	}
	return nil
}

// Output is the width of z.
func (s DiffStk) Output() int { return s.Hidden }

// params lists those of a cell, and P [k, m], A [m, 4] and b_A, whose last column
// is D and b_D: one product for all that z says to the stack.
func (s DiffStk) params(own ...stepgraph.Spec) []stepgraph.Spec {
	return append(own, weight("P", s.Read, s.Hidden), weight("A", s.Hidden, 4), bias("b_A", 4))
}

// count is k m + 4m + 4 beside the parameters of a cell of its own.
func (s DiffStk) count(own int) int { return own + s.Read*s.Hidden + 4*s.Hidden + 4 }

// state lists the stack, z, c of a cell that has it, and the counter of
// carry-forward.
func (s DiffStk) state(own ...stepgraph.StateSpec) []stepgraph.StateSpec {
	list := []stepgraph.StateSpec{{Name: "stack", Width: s.Capacity, Stacks: 1, Init: emptyCell}, {Name: "z", Width: s.Hidden}}
	list = append(list, own...)
	if s.Carry {
		list = append(list, stepgraph.StateSpec{Name: "noops", Width: 1, NoGrad: true})
	}
	return list
}

// update is a cell's: of zhat_{t-1} it gives ztilde_t and the next value of its own
// state c, nil if it has none.
type update func(zhat *stepgraph.Node) (z, c *stepgraph.Node)

// step is the equations above.
func (s DiffStk) step(b *stepgraph.Builder, state, params []*stepgraph.Node, cell update) (*stepgraph.Node, []*stepgraph.Node) {
	p, was := byName(params), byName(state)
	stack := was("stack")
	said := func(z *stepgraph.Node) *stepgraph.Node { return b.Affine(z, p("A"), p("b_A")) }
	zhat := noise(b, b.Add(was("z"), b.MatMul(b.Top(stack, s.Read), p("P"))), s.Noise)
	z, after := cell(zhat)
	var counted *stepgraph.Node
	if s.Carry {
		var keep *stepgraph.Node
		keep, counted = s.carry(b, b.Slice(said(z), 0, 3, 1), was("noops"))
		z = chosen(b, keep, zhat, z)
		if after != nil {
			after = chosen(b, keep, was("c"), after)
		}
	}
	last := said(z)
	a := b.Split(b.Softmax(b.Slice(last, 0, 3, 1), 3), 3)
	v := b.ToStackMajor(b.Sigmoid(b.Slice(last, 3, 1, 1)), 1)
	next := []*stepgraph.Node{b.PushNoop(stack, a[0], a[1], a[2], v, 1, emptyCell), z}
	if after != nil {
		next = append(next, after)
	}
	if s.Carry {
		next = append(next, counted)
	}
	return z, next
}

// carry gives 1 - u_t and the counter.
func (s DiffStk) carry(b *stepgraph.Builder, actions, counted *stepgraph.Node) (keep, next *stepgraph.Node) {
	noop := b.Slice(b.OneHot(actions, 3), 2, 1, 1)
	if s.Total {
		next = b.Add(counted, noop)
	} else {
		next = b.Add(b.Mul(noop, counted), noop)
	}
	return b.Mul(noop, b.Threshold(next, 1.5)), next
}

// chosen is before where keep is 1, and after where it is 0.
func chosen(b *stepgraph.Builder, keep, before, after *stepgraph.Node) *stepgraph.Node {
	return b.Add(b.MulCol(after, b.OneMinus(keep)), b.MulCol(before, keep))
}
