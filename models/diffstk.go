package models

import (
	"fmt"
	"slices"

	"pushdown/harness/stepgraph"
)

// DiffStk is the common part of the networks of [diffstk] (equations 4 to 9). This part
// consists of one or more stacks of numbers, attached to a cell, and of the update of the
// cell's state z. With one stack, the equations are
//
//	zhat_{t-1} = z_{t-1} + P s_{t-1} + eps_t
//	ztilde_t   = the cell's update of zhat_{t-1} by the symbol
//	z_t        = u_t ztilde_t + (1 - u_t) zhat_{t-1}
//	a_t        = softmax(A z_t + b_A)                          PUSH, POP, NO-OP
//	S_t[0]     = a[PUSH] sigma(D z_t + b_D) + a[POP] S_{t-1}[1] + a[NOOP] S_{t-1}[0]
//	S_t[i]     = a[PUSH] S_{t-1}[i-1] + a[POP] S_{t-1}[i+1] + a[NOOP] S_{t-1}[i]
//	y_t        = z_t
//
// s_{t-1} holds the k topmost cells. The paper's text says that the network reads the top
// cell, but P has k columns in the paper. The paper's update of the cells below the top
// lacks the term with a[NOOP]. Without this term the stack would fade at each NO-OP. Cells
// start at -1, and POP shifts in -1 at the bottom, as in the program of [stack-rnn].
//
// The noise eps_t is normal(0, Noise) in training and absent in evaluation. A
// sentence in the paper's appendix adds it to the weights, but the equation adds it
// to the state, as here.
//
// Carry-forward sets u_t = 0 at each NO-OP that follows another NO-OP, and u_t = 1
// elsewhere. The action depends on z_t, and z_t depends on u_t. To break this
// cycle, the action is taken from ztilde_t. With
//
//	n_t = 1 if NO-OP is the largest of A ztilde_t + b_A, else 0
//	c_t = n_t (c_{t-1} + 1)
//
// u_t is 0 if n_t = 1 and c_t > 1. The gradient treats u_t as a constant.
//
// The paper does not give the number of stacks. We use one or ten on grammars. On text we
// use 60 stacks, as in [stack-rnn]. Each of several stacks has its own P, A, b_A, D and
// b_D, as in a [StackRNN], and the equation of zhat_{t-1} has a term P s_{t-1} for each
// stack. The parameter P holds the parts of the stacks one below the other. The parameters
// A and b_A hold the actions side by side, three for each stack, followed by D and b_D.
// With several stacks, n_t is 1 if NO-OP is the largest action of every stack.
//
// P has three columns in the paper although it multiplies one cell. Read so, a cell is a vector of Width
// numbers, s_{t-1} is the top cell alone, and D has a row for each number of a cell. Against this reading,
// D has one row in the paper.
type DiffStk struct {
	Hidden   int     // m
	Stacks   int     // number of stacks; 0 means 1
	Read     int     // k
	Width    int     // numbers in a cell; 0 means 1
	Capacity int     // cells of the stack; a push onto a full stack drops the bottom cell
	Noise    float64 // standard deviation of eps_t
	Carry    bool    // carry-forward
	Total    bool    // c_t counts all NO-OPs of the string so far: c_t = c_{t-1} + n_t
}

// NewDiffStk returns the stack of an experiment on a grammar: 8 units, 3 cells read, no
// noise and no carry-forward. The parameter longest is the number of symbols of the
// longest string. The stack has room for every push of such a string.
func NewDiffStk(longest int) DiffStk { return DiffStk{Hidden: 8, Read: 3, Capacity: longest + 2} }

// named returns the name of a cell with its sizes added.
func (s DiffStk) named(name string) string {
	if s.stacks() > 1 {
		name = fmt.Sprintf("%s s=%d", name, s.stacks())
	}
	name = fmt.Sprintf("%s m=%d k=%d", name, s.Hidden, s.Read)
	if s.width() > 1 {
		name = fmt.Sprintf("%s width=%d", name, s.width())
	}
	name = noisy(fmt.Sprintf("%s capacity=%d", name, s.Capacity), s.Noise)
	switch {
	case s.Carry && s.Total:
		name += " carry-forward-total"
	case s.Carry:
		name += " carry-forward"
	}
	return name
}

func (s DiffStk) check() error {
	fault := checkSizes(size{"m (hidden units)", 1, s.Hidden}, size{"s (stacks)", 0, s.Stacks}, size{"k (cells read)", 1, s.Read}, size{"capacity (cells of a stack)", s.Read, s.Capacity})
	if err := withNoise(s.Noise, fault); err != nil {
		return err
	}
	if s.Total && !s.Carry {
		return fmt.Errorf("have Total without Carry, want both")
	}
	if s.Width < 0 || s.width() > 1 && (s.stacks() > 1 || s.Read > 1) {
		return fmt.Errorf("width: have cells of %d numbers, %d stacks and %d cells read, want cells of one number, or one stack and one cell read", s.Width, s.stacks(), s.Read)
	}
	return nil
}

// stacks returns the number of stacks.
func (s DiffStk) stacks() int { return max(1, s.Stacks) }

// width returns the number of numbers in a cell.
func (s DiffStk) width() int { return max(1, s.Width) }

// Output returns the width of z.
func (s DiffStk) Output() int { return s.Hidden }

// params returns the given parameters of a cell, followed by P [s*k, m], A [m, 4s] and
// b_A, for s stacks. The last s columns of A and b_A are D and b_D, so one product
// computes everything that z sends to the stacks. With cells of w numbers, P is [w, m], and
// A is [m, 3+w].
func (s DiffStk) params(own ...stepgraph.Spec) []stepgraph.Spec {
	n, values := s.stacks(), s.stacks()*s.width()
	return append(own, weight("P", values*s.Read, s.Hidden), weight("A", s.Hidden, 3*n+values), bias("b_A", 3*n+values))
}

// count returns the given count of a cell plus s (w k m + (3+w) (m+1)) for s stacks.
func (s DiffStk) count(own int) int {
	return own + s.stacks()*(s.width()*s.Read*s.Hidden+(3+s.width())*(s.Hidden+1))
}

// state lists the stacks, z, the given other states of a cell and, if Carry is set, the
// counter c_t.
func (s DiffStk) state(own ...stepgraph.StateSpec) []stepgraph.StateSpec {
	list := []stepgraph.StateSpec{{Name: "stack", Width: s.Capacity, Stacks: s.stacks() * s.width(), Init: emptyCell}, {Name: "z", Width: s.Hidden}}
	list = append(list, own...)
	if s.Carry {
		list = append(list, stepgraph.StateSpec{Name: "noops", Width: 1, NoGrad: true})
	}
	return list
}

// update is the update of a cell. It maps zhat_{t-1} to ztilde_t and to the next
// value of the cell's own state c, which is nil if the cell has no such state.
type update func(zhat *stepgraph.Node) (z, c *stepgraph.Node)

// step implements the equations above.
func (s DiffStk) step(b *stepgraph.Builder, state, params []*stepgraph.Node, cell update) (*stepgraph.Node, []*stepgraph.Node) {
	p, was, n := stepgraph.ByName(params), stepgraph.ByName(state), s.stacks()
	stack := was("stack")
	said := func(z *stepgraph.Node) *stepgraph.Node { return b.Affine(z, p("A"), p("b_A")) }
	zhat := noise(b, b.Add(was("z"), b.MatMul(b.Top(stack, s.Read), p("P"))), s.Noise)
	z, after := cell(zhat)
	var counted *stepgraph.Node
	if s.Carry {
		var keep *stepgraph.Node
		keep, counted = s.carry(b, b.Slice(said(z), 0, 3*n, 1), was("noops"))
		z = choose(b, keep, zhat, z)
		if after != nil {
			after = choose(b, keep, was("c"), after)
		}
	}
	last := said(z)
	a := s.actions(b, b.Softmax(b.Slice(last, 0, 3*n, 1), 3))
	v := b.ToStackMajor(b.Sigmoid(b.Slice(last, 3*n, n*s.width(), 1)), 1)
	next := []*stepgraph.Node{b.PushNoop(stack, a[0], a[1], a[2], v, 1, emptyCell), z}
	if after != nil {
		next = append(next, after)
	}
	if s.Carry {
		next = append(next, counted)
	}
	return z, next
}

// actions returns the columns of PUSH, POP and NO-OP of a value that holds the three
// actions of each stack side by side. The numbers of a cell have the same actions.
func (s DiffStk) actions(b *stepgraph.Builder, x *stepgraph.Node) []*stepgraph.Node {
	n := s.stacks()
	if n == 1 {
		list := b.Split(x, 3)
		for i, a := range list {
			if s.width() > 1 {
				list[i] = b.Concat(slices.Repeat([]*stepgraph.Node{a}, s.width())...)
			}
		}
		return list
	}
	return []*stepgraph.Node{b.Slice(x, 0, n, 3), b.Slice(x, 1, n, 3), b.Slice(x, 2, n, 3)}
}

// carry returns 1 - u_t and the next value of the counter c_t. scores holds the actions
// of ztilde_t before the softmax, and counted is c_{t-1}.
func (s DiffStk) carry(b *stepgraph.Builder, scores, counted *stepgraph.Node) (keep, next *stepgraph.Node) {
	noop := s.allNoop(b, b.OneHot(scores, 3))
	if s.Total {
		next = b.Add(counted, noop)
	} else {
		next = b.Add(b.Mul(noop, counted), noop)
	}
	return b.Mul(noop, b.Threshold(next, 1.5)), next
}

// allNoop returns 1 where NO-OP is the action of every stack, and 0 elsewhere. x has 1
// at the largest action of each stack and 0 at the others.
func (s DiffStk) allNoop(b *stepgraph.Builder, x *stepgraph.Node) *stepgraph.Node {
	n := s.stacks()
	if n == 1 {
		return b.Slice(x, 2, 1, 1)
	}
	each := b.Slice(x, 2, n, 3)
	return b.Threshold(b.RowDot(each, each), float64(n)-0.5) // the dot product is the number of NO-OPs
}

// choose returns a value whose rows come from two others. The parameter keep has a number
// for each row: if it is 1, the row is that of the parameter before; if it is 0, that of the
// parameter after.
func choose(b *stepgraph.Builder, keep, before, after *stepgraph.Node) *stepgraph.Node {
	return b.Add(b.MulCol(after, b.OneMinus(keep)), b.MulCol(before, keep))
}
