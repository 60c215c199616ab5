package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// SRCN is the structurally constrained recurrent network, also called SCRN [scrn], a
// baseline of [stack-rnn] and [diffstk] on text: a simple recurrent network with
// context units that change slowly,
//
//	c_t = (1 - a) B x_t + a c_{t-1}                 a = 0.95
//	h_t = sigma(P c_t + A x_t + R h_{t-1})
//	p_t = softmax(U h_t + V c_t)
//
// The output of the cell is y_t = [h_t; c_t], so W_o of the read-out holds U above V.
// The embedding holds A and B side by side, and x_t is the row of the symbol. a is
// fixed, and there are no biases. On the Penn Treebank [scrn] has 100 hidden and 40
// context units.
//
// The public program of [scrn] differs in one place: h_t reads c_{t-1} in place of
// c_t. Lagged selects this reading. The initial values are those of the program:
// weights are normal(0, 0.05), W_o is zero, and h_0 and c_0 are 0.1.
type SRCN struct {
	Hidden  int  // units of h
	Context int  // units of c
	Lagged  bool // h_t reads c_{t-1}
}

// contextDecay is a, which the paper fixes.
const contextDecay = 0.95

// SRCNLanguageModel returns a model with an [SRCN] that predicts the next symbol after each
// symbol. Let V be the number of symbols, h the number of hidden units and c the number of
// context units. The model has 2 V (h + c) + h (h + c) parameters.
func SRCNLanguageModel(c SRCN, vocabulary int) (*Model, error) {
	m, err := ReaderLanguageModel(c, vocabulary)
	if err != nil {
		return nil, err
	}
	m.Readout = Readout{Classes: vocabulary, NoBias: true, Init: stepgraph.Init{Kind: stepgraph.Normal}}
	return m, nil
}

func (c SRCN) check() error {
	return checkSizes(size{"h (hidden units)", 1, c.Hidden}, size{"c (context units)", 1, c.Context})
}

// String returns the name and sizes of the cell.
func (c SRCN) String() string {
	s := fmt.Sprintf("srcn h=%d c=%d", c.Hidden, c.Context)
	if c.Lagged {
		s += " lagged"
	}
	return s
}

// Inputs returns h + c, the width of A and B together.
func (c SRCN) Inputs() int { return c.Hidden + c.Context }

// Output returns h + c, the width of h and c together.
func (c SRCN) Output() int { return c.Hidden + c.Context }

// Params returns P [c, h] and R [h, h].
func (c SRCN) Params(int) []stepgraph.Spec {
	return []stepgraph.Spec{weight("P", c.Context, c.Hidden), weight("R", c.Hidden, c.Hidden)}
}

// Count returns h (c + h).
func (c SRCN) Count(int) int { return c.Hidden * (c.Context + c.Hidden) }

// State returns h and c.
func (c SRCN) State() []stepgraph.StateSpec {
	const start = 0.1
	return []stepgraph.StateSpec{{Name: "h", Width: c.Hidden, Init: start}, {Name: "c", Width: c.Context, Init: start}}
}

// Step implements the equations above.
func (c SRCN) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	p, was := stepgraph.ByName(params), stepgraph.ByName(state)
	context := b.Add(b.Scale(b.Slice(x, c.Hidden, c.Context, 1), 1-contextDecay), b.Scale(was("c"), contextDecay))
	read := context
	if c.Lagged {
		read = was("c")
	}
	sum := b.Add(b.Slice(x, 0, c.Hidden, 1), b.MatMul(was("h"), p("R")))
	h := b.Sigmoid(b.Add(sum, b.MatMul(read, p("P"))))
	return b.Concat(h, context), []*stepgraph.Node{h, context}
}
