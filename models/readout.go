package models

import "pushdown/harness/stepgraph"

// OutputLogits and OutputProb name the outputs of a graph in evaluation. Both have one row per
// prediction and one column per class. A training graph does not have them, so that it need
// not keep the logits of a large vocabulary. See also LossOnly of [Readout].
const (
	OutputLogits = "logits"
	OutputProb   = "prob" // softmax of the logits
)

// Readout is an affine layer and a softmax over classes,
//
//	p_t = softmax(y_t W_o + b_o),
//
// computed for the rows that have a prediction. If the classes are brackets, these are
// the rows before a closing bracket. If the classes are a vocabulary, they are all
// rows. The loss is the cross-entropy with the target, in nats. By default W_o starts
// uniform(-1/sqrt(n), 1/sqrt(n)), where n is the width of y. b_o starts at zero.
type Readout struct {
	Classes int
	Dropout float64 // dropout rate on y in training; 0: none

	// LossOnly makes an evaluation graph have no outputs, like a training graph. The
	// outputs hold the logits and probabilities of all predictions of a batch. Without
	// outputs the losses are computed for some of the predictions at a time, so with a
	// large vocabulary an evaluation takes much less memory.
	LossOnly bool

	NoBias bool           // there is no b_o
	Init   stepgraph.Init // initial W_o; the zero value means uniform(-1/sqrt(n), 1/sqrt(n))
}

// count returns the number of parameters: (n + 1) * Classes, or n * Classes without b_o. n is
// the width of y.
func (r Readout) count(n int) int {
	if r.NoBias {
		return n * r.Classes
	}
	return (n + 1) * r.Classes
}

// predict adds the read-out of y, [B, n], to the graph.
func (r Readout) predict(b *stepgraph.Builder, y *stepgraph.Node) {
	n := y.Shape()[1]
	start := r.Init
	if start.Kind == stepgraph.Constant {
		start = uniform(n)
	}
	w := b.Param(stepgraph.Spec{Name: "W_o", Rows: n, Cols: r.Classes, Init: start})
	logits := func(y *stepgraph.Node) *stepgraph.Node { return b.MatMul(y, w) }
	if !r.NoBias {
		bias := b.Param(stepgraph.Spec{Name: "b_o", Rows: 1, Cols: r.Classes})
		logits = func(y *stepgraph.Node) *stepgraph.Node { return b.Affine(y, w, bias) }
	}
	x := logits(b.ExampleRows(b.Dropout("dropout.readout", r.Dropout, y)))
	if !b.Training() && !r.LossOnly {
		b.SetOutput(OutputLogits, x)
		b.SetOutput(OutputProb, b.Softmax(x, r.Classes))
	}
	b.SetLoss(b.CrossEntropy(x, b.Target()))
}
