package scan

import (
	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// lowerShaping writes the instructions for slices, paddings, additions into a part and
// concatenations. They copy, clear and add.
func (p *plan) lowerShaping(v *value) {
	op, args := v.op, p.args(v)
	byRows := op.Kind == stepgraph.SliceRows || op.Kind == stepgraph.PadRows || op.Kind == stepgraph.AddAtRows || op.Kind == stepgraph.ConcatRows
	if (op.Kind == stepgraph.SliceRows || op.Kind == stepgraph.SliceCols) && v.within == v.in[0] {
		return
	}
	switch {
	case op.Kind == stepgraph.SliceCols && v.planar != nil:
		p.lowerSplitColumns(v)
		return
	case op.Kind == stepgraph.ConcatCols && v.planar != nil && v.planar.list[0] == v.in[0]:
		p.lowerJoinColumns(v)
		return
	}
	// move writes an instruction that copies x to dst if k is Copy, or adds x to dst if k is
	// Add. The value in the parameter from gives the number of rows and columns. Neighbouring
	// columns are dstStep words apart in dst, and xStep words apart in x.
	move := func(k kernel.Op, from *value, dst, x kernel.Arg, dstStep, xStep int) {
		in := from.shape(k)
		in.Note = v.label()
		in.Args = []kernel.Arg{dst, x}
		if dstStep != 1 || xStep != 1 {
			in.Op = kernel.CopyStride
			if k == kernel.Add {
				in.Op = kernel.AddStride
			}
			in.I = [3]int{dstStep, xStep}
		} else if k == kernel.Add {
			in.Args = []kernel.Arg{dst, dst, x}
		}
		p.emit(v.phase, in)
	}
	shift := func(a kernel.Arg, by int) kernel.Arg {
		if byRows {
			a.Skip += by
		} else {
			a.Off += by
		}
		return a
	}
	switch op.Kind {
	case stepgraph.SliceRows, stepgraph.SliceCols:
		move(kernel.Copy, v, args[0], shift(args[1], op.I[0]), 1, op.I[2])
	case stepgraph.PadRows, stepgraph.PadCols:
		zero := v.shape(kernel.Fill)
		zero.Args = args[:1]
		p.emit(v.phase, zero)
		move(kernel.Copy, v.in[0], shift(args[0], op.I[0]), args[1], op.I[2], 1)
	case stepgraph.AddAtRows, stepgraph.AddAtCols:
		if v.within != v.in[0] {
			move(kernel.Copy, v, args[0], args[1], 1, 1)
		}
		move(kernel.Add, v.in[1], shift(args[0], op.I[0]), args[2], op.I[2], 1)
	case stepgraph.ConcatCols, stepgraph.ConcatRows:
		at := 0
		for i, x := range v.in {
			if x.within != v {
				move(kernel.Copy, x, shift(args[0], at), args[1+i], 1, 1)
			}
			if byRows {
				at += x.rows
			} else {
				at += x.cols
			}
		}
	}
}
