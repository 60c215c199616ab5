package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// StackRNN is the Stack RNN ([stack-rnn], equations 3 to 6), a recurrent network with
// s stacks of numbers that reads the k topmost cells of each:
//
//	h_t        = sigma(x_t + [R h_{t-1}] + sum_j P_j s^j_{t-1}[0..k-1])
//	a^j_t      = softmax(A_j h_t)
//	s^j_t[0]   = a[PUSH] sigma(D_j h_t) + a[POP] s^j_{t-1}[1]   (+ a[NOOP] s^j_{t-1}[0])
//	s^j_t[i]   = a[PUSH] s^j_{t-1}[i-1] + a[POP] s^j_{t-1}[i+1] (+ a[NOOP] s^j_{t-1}[i])
//	y_t        = h_t
//
// x_t is U times the symbol, so the embedding is U and has width h. There are no
// biases, except that A and D have them if Biased is set, as in the baseline of
// [diffstk]. Empty cells are -1, and POP shifts in -1 at the bottom, as in the
// authors' program. NO-OP acts at every depth, also as in that program.
//
// P holds P_1 .. P_s one below the other. A and D hold the actions and values of the
// stacks side by side; the actions of a stack are in the order PUSH, POP, NO-OP.
// Weights start normal(0, 0.1). In the authors' program a weight starts as the sum of
// three numbers uniform in (-0.1, 0.1), which has the same standard deviation.
type StackRNN struct {
	Hidden    int  // h
	Stacks    int  // s
	Capacity  int  // cells of a stack; a push onto a full stack drops the bottom cell
	Read      int  // k
	Noop      bool // there is an action NO-OP
	Recurrent bool // h_t reads h_{t-1} through R
	Round     bool // in evaluation the largest action becomes 1 and the others 0

	// Clip bounds the absolute values of the elements of gradients; 0 means no bound. The
	// gradients of the following are clipped, as in the authors' program, whose bound is
	// 15:
	//
	//   - y, a and h_{t-1}
	//   - the arguments of h, of a and of the pushed values
	//   - the stacks, twice: before and after the part that comes through P is added
	Clip float64
	// ClampArgs clamps the arguments of the sigmoids of h and of the pushed values to
	// [-ClampArgs, ClampArgs], as the authors' program does with 50. Without a clamp,
	// full stacks can drive all of h so close to 0 that its values are subnormal, which
	// makes a processor very slow. 0 means no clamp.
	ClampArgs float64
	// FlushBelow sets to 0 those elements of the gradient of the stacks whose absolute
	// value is smaller than FlushBelow. Otherwise actions with weights near 0 and 1 let
	// the gradient fade into subnormal numbers, which make a processor slow. The authors'
	// program computes with 64 bits and does not need this. If FlushBelow is 0, no element
	// is changed.
	FlushBelow float64

	Biased bool // A and D have biases
	Trace  bool // the evaluation graph has the outputs OutputActions and OutputTops
	Small  bool // weights start normal(0, 0.05)

	// Noise is the standard deviation of the noise added to h_{t-1} in training, as in
	// [DiffStk]. It requires Recurrent.
	Noise float64
}

// OutputActions and OutputTops name the outputs of a graph that traces its stacks, with
// StackRNN.Trace or with [Traced]. OutputActions holds the weights of the actions, [B,
// 2s], or [B, 3s] with NO-OP; the weights of one stack are next to each other.
// OutputTops holds the top cells after the step, [B, s]. B is the number of strings.
// With [Traced], the outputs have one row for each prediction instead of one for each
// string.
const (
	OutputActions = "actions"
	OutputTops    = "tops"
)

// RecognizerStackRNN returns the Stack RNN baseline of [diffstk]: 8 units, one stack, two
// actions, R, and biases on actions and pushes. The parameter longest is the number of
// symbols of the longest string, and the stack has room for every push of such a string.
// The paper gives only the number of units.
func RecognizerStackRNN(longest int) StackRNN {
	return StackRNN{Hidden: 8, Stacks: 1, Capacity: longest + 2, Read: 2, Recurrent: true, Biased: true, Small: true}
}

// StackLanguageModel returns a model with a [StackRNN] that predicts the next
// symbol after each symbol, as [stack-rnn] does on its patterns: U is the embedding,
// and there are no biases. The vocabulary has V symbols. For example, the model has
// 2,160 parameters for h = 40, s = 10, k = 2, V = 2 without NO-OP and R.
func StackLanguageModel(c StackRNN, vocabulary int) (*Model, error) {
	return patternModel(c, c.Hidden, vocabulary)
}

func (c StackRNN) check() error {
	if err := checkSizes(size{"h (hidden units)", 1, c.Hidden}, size{"s (stacks)", 1, c.Stacks}, size{"k (cells read)", 1, c.Read},
		size{"capacity (cells of a stack)", c.Read, c.Capacity}); err != nil {
		return err
	}
	if err := notNegative("clip of the errors", c.Clip); err != nil {
		return err
	}
	if err := notNegative("bound of the arguments of sigmoids", c.ClampArgs); err != nil {
		return err
	}
	if err := notNegative("least of the errors", c.FlushBelow); err != nil {
		return err
	}
	if c.Noise != 0 && !c.Recurrent {
		return fmt.Errorf("noise is %v without R, want a state to add it to", c.Noise)
	}
	return withNoise(c.Noise, nil)
}

// Inputs returns the width of U.
func (c StackRNN) Inputs() int { return c.Hidden }

// Output returns the width of h.
func (c StackRNN) Output() int { return c.Hidden }

// String returns the name and size of the cell.
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
	if c.ClampArgs > 0 {
		s += fmt.Sprintf(" hold=%v", c.ClampArgs)
	}
	if c.FlushBelow > 0 {
		s += fmt.Sprintf(" least=%v", c.FlushBelow)
	}
	return noisy(s, c.Noise)
}

func (c StackRNN) actions() int {
	if c.Noop {
		return 3
	}
	return 2
}

// Params returns P [s*k, h], A [h, 2s] or [h, 3s], D [h, s], then R [h, h] if
// Recurrent is set, and b_A and b_D if Biased is set.
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

// Count returns s h (k + A + 1), where A is the number of actions, 2 or 3, plus h^2
// for R and s (A + 1) for the biases.
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

// head returns the product of h and the parameter with the given name, A or D. If
// Biased is set, it adds the bias b_A or b_D.
func (c StackRNN) head(b *stepgraph.Builder, h *stepgraph.Node, p lookup, name string) *stepgraph.Node {
	if !c.Biased {
		return b.MatMul(h, p(name))
	}
	return b.Affine(h, p(name), p("b_"+name))
}

// State returns the stacks and, if Recurrent is set, h.
func (c StackRNN) State() []stepgraph.StateSpec {
	list := []stepgraph.StateSpec{{Name: "stack", Width: c.Capacity, Stacks: c.Stacks, Init: emptyCell}}
	if c.Recurrent {
		list = append(list, stepgraph.StateSpec{Name: "h", Width: c.Hidden})
	}
	return list
}

// Step implements the equations above.
func (c StackRNN) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	clip := func(x *stepgraph.Node) *stepgraph.Node { return clipped(b, x, c.Clip) }
	p, was := stepgraph.ByName(params), stepgraph.ByName(state)
	if c.Recurrent {
		x = b.Add(x, b.MatMul(noise(b, clip(was("h")), c.Noise), p("R")))
	}
	s := clip(was("stack"))
	h := b.Sigmoid(clamped(b, clip(b.Add(x, b.MatMul(b.Top(s, c.Read), p("P")))), c.ClampArgs))
	n := c.actions()
	a := clip(b.Softmax(clip(c.head(b, h, p, "A")), n))
	if c.Round && !b.Training() {
		a = b.OneHot(a, n)
	}
	var act []*stepgraph.Node
	for i := range n {
		act = append(act, b.Slice(a, i, c.Stacks, n))
	}
	v := b.ToStackMajor(b.Sigmoid(clamped(b, clip(c.head(b, h, p, "D")), c.ClampArgs)), 1)
	// The second clip and the flush come after the node that reads the top. In this
	// order the backward pass can add the gradient of the top to that of the stacks in
	// place.
	if s = clip(s); c.FlushBelow > 0 {
		s = b.FlushGrad(s, c.FlushBelow)
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
