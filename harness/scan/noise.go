package scan

import (
	"math"
	"slices"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// hoistNoise moves noise out of the loop over the steps. It replaces x with noise by the sum of
// x and the noise alone. The noise depends on no state, so phase pre draws it for all rows at
// once.
func (p *plan) hoistNoise() {
	if p.noSharing {
		return
	}
	var out []*value
	next := len(p.values)
	for _, v := range p.values {
		if v.live && v.is(stepgraph.Noise) && v.phase == Loop {
			x, coord := v.in[0], v.in[1]
			z := &value{id: next, node: v.node, op: v.op, in: []*value{coord}, uses: []*value{v}, layout: v.layout,
				rows: v.rows, cols: v.cols, live: true, phase: Pre}
			coord.uses[slices.Index(coord.uses, v)] = z
			v.op, v.in = &stepgraph.Op{Kind: stepgraph.Add}, []*value{x, z}
			out, next = append(out, z), next+1
		}
		out = append(out, v)
	}
	p.values = out
}

// lowerNoise writes the instructions that compute noise alone. They add it to -0, which gives
// the bits of the noise.
func (p *plan) lowerNoise(v *value) {
	fill := v.shape(kernel.Fill)
	fill.F[0], fill.Args = float32(math.Copysign(0, -1)), []kernel.Arg{v.at}
	p.emit(v.phase, fill)
	in := v.shape(kernel.Noise)
	in.I, in.F = v.op.I, [2]float32{float32(v.op.F[0]), float32(v.op.F[1])}
	in.Args = []kernel.Arg{v.at, v.at, p.argOf(v.in[0], v)}
	p.emit(v.phase, in)
}
