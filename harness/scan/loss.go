package scan

import (
	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// lossPartner returns the value that one instruction can compute together with v: the
// gradient if v is a loss, or the loss if v is the gradient of a loss. It returns nil if
// there is no such value. The factor by which the instruction multiplies the gradient must be
// an input of the graph.
func (p *plan) lossPartner(v *value) *value {
	if !v.is(stepgraph.CrossEntropy) && !v.is(stepgraph.CrossEntropyGrad) {
		return nil
	}
	other := stepgraph.CrossEntropyGrad
	if v.is(other) {
		other = stepgraph.CrossEntropy
	}
	for _, u := range v.in[0].uses {
		if u.is(other) && u.in[1] == v.in[1] && u.phase == v.phase && !p.noSharing && u.in[len(u.in)-1].leaf && v.in[len(v.in)-1].leaf {
			return u
		}
	}
	return nil
}

// lowerCrossEntropy writes the instruction for a loss, its gradient, or both.
func (p *plan) lowerCrossEntropy(v *value) {
	x := v.in[0]
	if u := p.lossPartner(v); u != nil {
		loss, grad := v, u
		if v.is(stepgraph.CrossEntropyGrad) {
			loss, grad = u, v
		}
		in := x.shape(kernel.CrossEntropyWithGrad)
		in.Args = []kernel.Arg{grad.at, loss.at, p.argOf(x, v), p.argOf(v.in[1], v), p.argOf(grad.in[2], v)}
		in.Note = loss.label() + "; " + grad.label()
		u.done = true
		p.emit(v.phase, in)
		return
	}
	in := x.shape(kernel.CrossEntropy)
	if v.is(stepgraph.CrossEntropyGrad) {
		in.Op = kernel.CrossEntropyGrad
	}
	in.Args, in.Note = p.args(v), v.label()
	p.emit(v.phase, in)
}
