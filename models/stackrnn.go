package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// StackRNN is the Stack RNN ([stack-rnn], equations 3 to 6), a recurrent network
// with s stacks of numbers, of which it reads the k topmost cells each:
//
//	h_t        = sigma(x_t + [R h_{t-1}] + sum_j P_j s^j_{t-1}[0..k-1])
//	a^j_t      = softmax(A_j h_t)
//	s^j_t[0]   = a[PUSH] sigma(D_j h_t) + a[POP] s^j_{t-1}[1]   (+ a[NOOP] s^j_{t-1}[0])
//	s^j_t[i]   = a[PUSH] s^j_{t-1}[i-1] + a[POP] s^j_{t-1}[i+1] (+ a[NOOP] s^j_{t-1}[i])
//	y_t        = h_t
//
// x_t is U times the symbol, so the embedding is U and has h numbers. There are
// no biases, unless A and D are to have them, as beside the networks of
// [diffstk]. Empty cells are -1, and POP feeds -1 in at the bottom, as in the
// authors' program, which has NO-OP act at every depth, too.
//
// P holds P_1 .. P_s below each other, A and D have the actions and values of
// the stacks side by side, the actions of a stack in the order PUSH, POP, NO-OP.
// Weights start normal(0, 0.1): the authors' program adds three numbers uniform
// in (-0.1, 0.1), which has the same spread.
type StackRNN struct {
	Hidden    int  // h
	Stacks    int  // s
	Capacity  int  // cells of a stack; a push into a full one loses the bottom cell
	Read      int  // k
	Noop      bool // with the third action
	Recurrent bool // with R
	Round     bool // in evaluation an action is 1 where it is the largest, else 0

	// Clip bounds each number of an error, the gradient by what a step computes,
	// where the authors' program does with a bound of 15: at y and at what h, a and
	// D_j h are made of, at a itself, at the stacks before and after P's part is
	// added, and at h_{t-1}. 0: nothing is bounded.
	Clip float64
	// Hold keeps what h and the pushed values are the sigmoid of within [-Hold, Hold],
	// as the authors' program does with 50. Where stacks full of pushes drive all of h
	// to 0, the numbers stay far above the subnormal ones, on which a processor spends
	// most of its time. 0: nothing is held.
	Hold float64
	// Least drops the numbers of smaller magnitude from an error of the stacks: with
	// actions near 0 and 1 it fades into subnormal numbers. The authors' program has
	// 64 bits. 0: nothing is dropped.
	Least float64

	Biased bool // A and D have biases
	Trace  bool // evaluation has OutputActions and OutputTops
	Small  bool // weights start normal(0, 0.05)

	// Noise is the standard deviation of what is added to h_{t-1} in training, as in
	// [DiffStk]; it needs R.
	Noise float64
}

// Names of the outputs of a graph that traces its stacks, of every row: the weights
// of the actions, [B, 2s] or [B, 3s], those of a stack side by side, and the top
// cells after the step, [B, s].
const (
	OutputActions = "actions"
	OutputTops    = "tops"
)

// RecognizerStackRNN is the Stack RNN beside the networks of [diffstk]: 8 units, one
// stack, two actions, R, and biases on actions and pushes, for strings of up to so
// many symbols. The paper gives the units alone.
func RecognizerStackRNN(longest int) StackRNN {
	return StackRNN{Hidden: 8, Stacks: 1, Capacity: longest + 2, Read: 2, Recurrent: true, Biased: true, Small: true}
}

// StackLanguageModel predicts each next symbol out of a vocabulary V with a
// [StackRNN], as [stack-rnn] does on its patterns: U is the embedding, and no map
// has a bias. It has 2,160 parameters for h = 40, s = 10, k = 2, V = 2 without
// NO-OP and R.
func StackLanguageModel(c StackRNN, vocabulary int) (*Model, error) {
	return patternModel(c, c.Hidden, vocabulary)
}

func (c StackRNN) check() error {
	if err := enough(size{"h (hidden units)", 1, c.Hidden}, size{"s (stacks)", 1, c.Stacks}, size{"k (cells read)", 1, c.Read},
		size{"capacity (cells of a stack)", c.Read, c.Capacity}); err != nil {
		return err
	}
	if err := notNegative("clip of the errors", c.Clip); err != nil {
		return err
	}
	if err := notNegative("bound of the arguments of sigmoids", c.Hold); err != nil {
		return err
	}
	if err := notNegative("least of the errors", c.Least); err != nil {
		return err
	}
	if c.Noise != 0 && !c.Recurrent {
		return fmt.Errorf("noise is %v without R, want a state to add it to", c.Noise)
	}
	return withNoise(c.Noise, nil)
}

// Inputs is U.
func (c StackRNN) Inputs() int { return c.Hidden }

// Output is h.
func (c StackRNN) Output() int { return c.Hidden }

// String names the cell and its size.
func (c StackRNN) String() string {
	s := fmt.Sprintf("stack-rnn h=%d s=%d k=%d capacity=%d", c.Hidden, c.Stacks, c.Read, c.Capacity)
	for _, o := range []struct {
		on   bool
		name string
	}{{c.Noop, " no-op"}, {c.Recurrent, " R"}, {c.Round, " rounded"}, {c.Biased, " biased"}, {c.Small, " small"}} {
		if o.on {
			s += o.name
		}
	}
	if c.Clip > 0 {
		s += fmt.Sprintf(" clip=%v", c.Clip)
	}
	if c.Hold > 0 {
		s += fmt.Sprintf(" hold=%v", c.Hold)
	}
	if c.Least > 0 {
		s += fmt.Sprintf(" least=%v", c.Least)
	}
	return noisy(s, c.Noise)
}

func (c StackRNN) actions() int {
	if c.Noop {
		return 3
	}
	return 2
}

// Params is P [s*k, h], A [h, 2s] or [h, 3s], D [h, s] and, if it is recurrent, R
// [h, h]; if it is biased, b_A and b_D at the end.
func (c StackRNN) Params(int) []stepgraph.Spec {
	start := tenth
	if c.Small {
		start = small()
	}
	list := []stepgraph.Spec{
		{Name: "P", Rows: c.Stacks * c.Read, Cols: c.Hidden, Init: start},
		{Name: "A", Rows: c.Hidden, Cols: c.actions() * c.Stacks, Init: start},
		{Name: "D", Rows: c.Hidden, Cols: c.Stacks, Init: start},
	}
	if c.Recurrent {
		list = append(list, stepgraph.Spec{Name: "R", Rows: c.Hidden, Cols: c.Hidden, Init: start})
	}
	if c.Biased {
		list = append(list, bias("b_A", c.actions()*c.Stacks), bias("b_D", c.Stacks))
	}
	return list
}

// Count is s h (k + A + 1), A the number of actions, 2 or 3, with h^2 of R and
// s (A + 1) of the biases.
func (c StackRNN) Count(int) int {
	s, h, each := c.Stacks, c.Hidden, c.actions()+1
	n := s * h * (c.Read + each)
	if c.Recurrent {
		n += h * h
	}
	if c.Biased {
		n += s * each
	}
	return n
}

// head is h W of the map A or D, with its bias.
func (c StackRNN) head(b *stepgraph.Builder, h *stepgraph.Node, p lookup, name string) *stepgraph.Node {
	if !c.Biased {
		return b.MatMul(h, p(name))
	}
	return b.Affine(h, p(name), p("b_"+name))
}

// State is the stacks and, if it is recurrent, h.
func (c StackRNN) State() []stepgraph.StateSpec {
	list := []stepgraph.StateSpec{{Name: "stack", Width: c.Capacity, Stacks: c.Stacks, Init: emptyCell}}
	if c.Recurrent {
		list = append(list, stepgraph.StateSpec{Name: "h", Width: c.Hidden})
	}
	return list
}

// Step is the equations above.
func (c StackRNN) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	clip := func(x *stepgraph.Node) *stepgraph.Node { return clipped(b, x, c.Clip) }
	p, was := byName(params), byName(state)
	if c.Recurrent {
		x = b.Add(x, b.MatMul(noise(b, clip(was("h")), c.Noise), p("R")))
	}
	s := clip(was("stack"))
	h := b.Sigmoid(held(b, clip(b.Add(x, b.MatMul(b.Top(s, c.Read), p("P")))), c.Hold))
	n := c.actions()
	a := clip(b.Softmax(clip(c.head(b, h, p, "A")), n))
	if c.Round && !b.Training() {
		a = b.OneHot(a, n)
	}
	var act []*stepgraph.Node
	for i := range n {
		act = append(act, b.Slice(a, i, c.Stacks, n))
	}
	v := b.ToStackMajor(b.Sigmoid(held(b, clip(c.head(b, h, p, "D")), c.Hold)), 1)
	// What is pushed into comes after what was read of it: so the gradient of the
	// read top is added to that of the stacks, in place.
	if s = clip(s); c.Least > 0 {
		s = b.FlushGrad(s, c.Least)
	}
	next := make([]*stepgraph.Node, 1, 2)
	if c.Noop {
		next[0] = b.PushNoop(s, act[0], act[1], act[2], v, 1, emptyCell)
	} else {
		next[0] = b.Push(s, act[0], act[1], v, 1, emptyCell)
	}
	if c.Trace && !b.Training() {
		b.SetOutput(OutputActions, a)
		b.SetOutput(OutputTops, b.Top(next[0], 1))
	}
	if c.Recurrent {
		next = append(next, h)
	}
	return clip(h), next
}
