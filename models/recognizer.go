package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// OutputValid names the output yhat, [E, 1], of a Recognizer in evaluation.
const OutputValid = "valid"

// Recognizer is a network that recognises a language [diffstk]. After each symbol it
// predicts the next one and whether the string is in the language,
//
//	xhat_t = softmax(V z_t + b_V)
//	yhat_t = sigma(Q z_t + b_Q)
//
// where z_t is the output of the cell. Let y be 1 if the string is in the language and 0
// if not. y is the same at each step. The loss of a step is
//
//	w_t CE(xhat_t, x_{t+1}) + 1/2 (yhat_t - y)^2
//
// The inputs "target" (x_{t+1}), "weight" (w_t) and "label" (y) hold one value for each
// row with a prediction. w_t is 1 in a string of the language, except at the end symbol,
// where w_t is 0 because no symbol follows. In strings that are not in the language w_t is
// 0, except in rows of package suites/recognition that follow equation 1 of the paper, where it is 1; that package
// says what this changes.
//
// The loss of a batch is the mean over its strings of the sums over their steps.
type Recognizer struct {
	Name          string // for messages; no digest depends on it
	Symbols       int    // d, including the end symbol
	Cell          Reader
	LabelWeighted bool // the second term of the loss of a step is multiplied by the input stepgraph.InputLabelWeight
}

// NewRecognizer returns the network of a cell, named after the cell. It returns an
// error if a size is invalid.
func NewRecognizer(cell Reader, symbols int) (*Recognizer, error) {
	if cell == nil {
		return nil, fmt.Errorf("models: recognizer of d=%d: there is no cell, want one", symbols)
	}
	r := &Recognizer{Name: fmt.Sprintf("recognizer %v d=%d", cell, symbols), Symbols: symbols, Cell: cell}
	return checkRecognizer(r)
}

// checkRecognizer returns r, or an error if its parts are invalid.
func checkRecognizer(r *Recognizer) (*Recognizer, error) {
	if r.Cell == nil {
		return nil, fmt.Errorf("models: %s: there is no cell, want one", r.Name)
	}
	if err := checkSizes(size{"d (symbols with the end)", 2, r.Symbols}); err != nil {
		return nil, fmt.Errorf("models: %s: %w", r.Name, err)
	}
	if c, ok := r.Cell.(checked); ok {
		if err := c.check(); err != nil {
			return nil, fmt.Errorf("models: %s: %w", r.Name, err)
		}
	}
	if err := checkSizes(size{"width that the cell reads", 1, r.Cell.Inputs()}); err != nil {
		return nil, fmt.Errorf("models: %s: %w", r.Name, err)
	}
	return r, nil
}

// Build returns the step graph, without gradients. The parameters are in the order U,
// those of the cell, V, b_V. The last column of V is Q, and the last element of b_V is
// b_Q.
func (r *Recognizer) Build(cfg stepgraph.Config) (*stepgraph.Graph, error) {
	if _, err := checkRecognizer(r); err != nil {
		return nil, err
	}
	g, err := stepgraph.Build(cfg, func(b *stepgraph.Builder) {
		table := b.Param(weight("U", r.Symbols, r.Cell.Inputs()))
		r.predict(b, b.Cell(r.Cell, b.Gather(table, b.Token())))
	})
	if err != nil {
		return nil, fmt.Errorf("models: %s: %w", r.Name, err)
	}
	return g, nil
}

// Count returns the number of trained parameters by the formulas of the parts: d times
// the Inputs of the cell, the Count of the cell, and (m + 1)(d + 1) for the heads.
func (r *Recognizer) Count() int {
	return r.Symbols*r.Cell.Inputs() + r.Cell.Count(r.Cell.Inputs()) + (r.Cell.Output()+1)*(r.Symbols+1)
}

// predict adds two heads and their loss to the graph, one for the next symbol and one
// for whether the string is in the language. Both heads read z, [B, m].
func (r *Recognizer) predict(b *stepgraph.Builder, z *stepgraph.Node) {
	p := b.Params([]stepgraph.Spec{
		weight("V", z.Shape()[1], r.Symbols+1), bias("b_V", r.Symbols+1),
	})
	both := b.Affine(b.ExampleRows(z), p[0], p[1])
	x, y := b.Slice(both, 0, r.Symbols, 1), b.Sigmoid(b.Slice(both, r.Symbols, 1, 1))
	if !b.Training() {
		b.SetOutput(OutputLogits, x)
		b.SetOutput(OutputValid, y)
	}
	off := b.Sub(y, b.Label())
	wrong := b.Scale(b.Mul(off, off), 0.5)
	if r.LabelWeighted {
		wrong = b.Mul(wrong, b.LabelWeight())
	}
	b.SetLoss(b.Add(b.Mul(b.CrossEntropy(x, b.Target()), b.Weight()), wrong))
}
