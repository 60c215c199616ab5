package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// BabyNTM is the Baby-NTM+Softmax [marnns], a baseline of [diffstk]: a recurrent
// network with a memory of N vectors of width p that rotates and shifts under a
// fixed head. h_t and n_t are computed as in a [StackRNNSoftmax], and
//
//	a_t     = softmax(W_a h_t + b_a)     UP, DOWN, NONE, SHIFT-DOWN, SHIFT-UP
//	M_t[i]  = a[UP] M_{t-1}[i+1] + a[DOWN] M_{t-1}[i-1] + a[NONE] M_{t-1}[i]
//	          + a[SHIFT-DOWN] M_{t-1}[i-1] + a[SHIFT-UP] M_{t-1}[i+1]
//	M_t[0] += n_t
//	y_t     = h_t
//
// UP and DOWN rotate the memory: a vector that leaves at one end enters at the other. The
// shifts fill the free end with zeros. Cells start at zero. This implementation adds the
// weights of UP and SHIFT-UP, and those of DOWN and SHIFT-DOWN, so the memory is moved
// only once in each direction.
type BabyNTM struct {
	Hidden int // m
	Width  int // p
	Cells  int // N, at least 2

	// Noise is the standard deviation of the noise added to h_{t-1} in training, as in
	// [DiffStk].
	Noise float64
}

// NewBabyNTM returns a BabyNTM with the sizes of the public program and 8 units.
func NewBabyNTM() BabyNTM { return BabyNTM{Hidden: 8, Width: 5, Cells: 104} }

// String returns the name and sizes of the cell.
func (c BabyNTM) String() string {
	return noisy(fmt.Sprintf("baby-ntm-softmax m=%d p=%d N=%d", c.Hidden, c.Width, c.Cells), c.Noise)
}

func (c BabyNTM) check() error {
	return withNoise(c.Noise, checkSizes(size{"m (hidden units)", 1, c.Hidden}, size{"p (numbers of a cell)", 1, c.Width}, size{"capacity (cells)", 2, c.Cells}))
}

// Inputs returns the width of W.
func (c BabyNTM) Inputs() int { return c.Hidden }

// Output returns the width of h.
func (c BabyNTM) Output() int { return c.Hidden }

// Params returns R [m, m], b_1, b_2, W_sh [p, m], b_sh, W_a [m, 5+p] and b_a. The last
// p columns of W_a and b_a are W_n and b_n.
func (c BabyNTM) Params(int) []stepgraph.Spec { return controller(c.Hidden, c.Width, 5) }

// Count returns m^2 + 2m + m (p + 1) + (5 + p)(m + 1).
func (c BabyNTM) Count(int) int { return countController(c.Hidden, c.Width, 5) }

// State returns the memory and h.
func (c BabyNTM) State() []stepgraph.StateSpec {
	return []stepgraph.StateSpec{{Name: "memory", Width: c.Cells * c.Width, Stacks: 1}, {Name: "h", Width: c.Hidden}}
}

// Step implements the equations above. PushNoop treats every movement of the memory as a
// shift, which puts zeros at the free end. A rotation puts the cell from the other end
// there. Step adds that cell, times the weight of the rotation. It also adds n_t to cell
// 0.
func (c BabyNTM) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	s := stepgraph.ByName(state)
	memory, p, last := s("memory"), c.Width, (c.Cells-1)*c.Width
	h, a, n := control(b, x, noise(b, s("h"), c.Noise), b.Top(memory, p), stepgraph.ByName(params))
	cell := func(at int) *stepgraph.Node {
		return b.Apply(stepgraph.Op{Kind: stepgraph.SliceRows, I: [3]int{at, p, 1}}, memory)
	}
	scaled := func(x, by *stepgraph.Node) *stepgraph.Node {
		return b.Apply(stepgraph.Op{Kind: stepgraph.ScaleCols}, x, by)
	}
	bottom, top := cell(last), cell(0) // made before PushNoop, so that the gradient of PushNoop is added first
	zeros := b.ToStackMajor(b.StopGrad(b.Scale(n, 0)), p)
	next := b.PushNoop(memory, b.Add(a[1], a[3]), b.Add(a[0], a[4]), a[2], zeros, p, 0)
	next = b.AddTop(next, b.Add(scaled(bottom, a[1]), b.ToStackMajor(n, p)))
	next = b.Apply(stepgraph.Op{Kind: stepgraph.AddAtRows, I: [3]int{last, 0, 1}}, next, scaled(top, a[0]))
	return h, []*stepgraph.Node{next, h}
}
