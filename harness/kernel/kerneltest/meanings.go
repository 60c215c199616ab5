package kerneltest

import (
	"math"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// The functions below whose names begin with means compute the expected results of an
// operation in float64, with bounds for the rounding errors that the contract admits.

func doDense(o *stepgraph.Op, in []*tensor.Dense) (*tensor.Dense, error) {
	values := make([]gorgonia.Value, len(in))
	for i, x := range in {
		values[i] = x
	}
	out, err := o.Do(values...)
	if err != nil {
		return nil, err
	}
	return out.(*tensor.Dense), nil
}

func kind(k stepgraph.Kind) stepgraph.Op { return stepgraph.Op{Kind: k} }

// with returns an operation of kind k with the instruction's constants F.
func (v *view) with(k stepgraph.Kind) stepgraph.Op {
	return stepgraph.Op{Kind: k, F: [2]float64{float64(v.in.F[0]), float64(v.in.F[1])}}
}

// meansElement applies the Value of an elementwise operation to each element of the
// operands.
func meansElement(v *view) []expected {
	row, want := v.row.Row, v.mat(0)
	f := [2]float64{float64(v.in.F[0]), float64(v.in.F[1])}
	x, y := want, want // for operations that read neither
	if len(row.Args) > 1 {
		x = v.mat(1)
	}
	if len(row.Args) > 2 {
		y = v.mat(2)
	}
	want = each(want, func(i int) float64 {
		of := i
		if row.Broadcasts() {
			of = map[kernel.Shape]int{kernel.PerRow: i / want.Cols, kernel.PerCol: i % want.Cols}[row.Args[2].Shape]
		}
		return row.Value(x.Data[i], y.Data[of], f)
	})
	return relative(want, row.Units)
}

// sliced returns every I1-th column of operand 1, the columns that a CopyStride or an
// AddStride reads.
func (v *view) sliced() stepgraph.Mat {
	return do(stepgraph.Op{Kind: stepgraph.SliceCols, I: [3]int{0, v.in.W, v.in.I[1]}}, v.mat(1))
}

func meansCopyStride(v *view) []expected {
	return exactly(do(stepgraph.Op{Kind: stepgraph.PadCols, I: [3]int{0, v.mat(0).Cols, v.in.I[0]}}, v.sliced()))
}

func meansAddStride(v *view) []expected {
	return relative(do(stepgraph.Op{Kind: stepgraph.AddAtCols, I: [3]int{0, 0, v.in.I[0]}}, v.mat(0), v.sliced()), 1)
}

func meansRowDot(v *view) []expected {
	return summed(v.in.W, kind(stepgraph.RowDot), v.mat(1), v.mat(2))
}
func meansColSum(v *view) []expected {
	return summed(v.mat(1).Rows, kind(stepgraph.ColSum), v.mat(1))
}

func meansMatMul(v *view) []expected {
	k := v.mat(1).Cols
	if v.in.I[0] == 1 {
		k = v.mat(1).Rows
	}
	want, bound := sum(k, stepgraph.Op{Kind: stepgraph.MatMul, I: [3]int{v.in.I[0], v.in.I[1]}}, v.mat(1), v.mat(2))
	if v.in.I[2] == 1 {
		old := v.mat(0)
		for i := range want.Data {
			want.Data[i] += old.Data[i]
			bound.Data[i] += unit * math.Abs(want.Data[i]) * 1.01
		}
	}
	return []expected{{0, want, bound}}
}

func meansAffine(v *view) []expected {
	want := meansMatMul(v)
	sum, bias := want[0], v.mat(3)
	for i := range sum.want.Data {
		sum.want.Data[i] += bias.Data[i%sum.want.Cols]
		sum.bound.Data[i] += unit * math.Abs(sum.want.Data[i]) * 1.01
	}
	return want
}

func meansSumSquares(v *view) []expected {
	return summed(v.in.M*v.in.W, kind(stepgraph.RowDot), v.mat(1), v.mat(1))
}

func meansToStackMajor(v *view) []expected {
	return exactly(do(stepgraph.Op{Kind: stepgraph.ToStackMajor, I: [3]int{v.in.W}}, v.mat(1)))
}
func meansFromStackMajor(v *view) []expected {
	return exactly(do(stepgraph.Op{Kind: stepgraph.FromStackMajor, I: [3]int{v.in.S}}, v.mat(1)))
}
func meansColDot(v *view) []expected {
	return summed(v.in.W, stepgraph.Op{Kind: stepgraph.ColDot, I: [3]int{v.in.S}}, v.mat(1), v.mat(2))
}

// stackOp returns a stack operation with the instruction's attributes.
func (v *view) stackOp(k stepgraph.Kind) stepgraph.Op {
	o := v.with(k)
	o.I = [3]int{v.in.I[0], v.in.S}
	return o
}

func meansStack(v *view) []expected {
	s, push, pop, cell := v.mat(1), v.mat(2), v.mat(3), v.mat(5)
	if v.absent(4) {
		return summed(3, v.stackOp(stepgraph.Stack), s, push, pop, cell)
	}
	return summed(3, v.stackOp(stepgraph.StackNoop), s, push, pop, v.mat(4), cell)
}

func meansStackGrad(v *view) []expected {
	dy, s, push, pop, cell := v.mat(5), v.mat(6), v.mat(7), v.mat(8), v.mat(10)
	var list []expected
	add := func(operand, n int, o stepgraph.Op, in ...stepgraph.Mat) {
		want, bound := sum(n, o, in...)
		list = append(list, expected{operand, want, bound})
	}
	if v.absent(9) {
		add(0, 3, v.stackOp(stepgraph.StackGrad), dy, push, pop)
	} else {
		add(0, 3, v.stackOp(stepgraph.StackNoopGrad), dy, push, pop, v.mat(9))
		add(3, v.in.W, stepgraph.Op{Kind: stepgraph.ColDot, I: [3]int{v.in.S}}, dy, s)
	}
	add(1, v.in.W, v.stackOp(stepgraph.StackGradPush), dy, s, cell)
	add(2, v.in.W, v.stackOp(stepgraph.StackGradPop), dy, s)
	top := do(stepgraph.Op{Kind: stepgraph.SliceRows, I: [3]int{0, v.in.I[0], 1}}, dy)
	add(4, 1, kind(stepgraph.ScaleCols), top, push)
	return list
}

// listOp returns a list operation with the instruction's attributes.
func (v *view) listOp(k stepgraph.Kind) stepgraph.Op {
	o := v.with(k)
	o.I = [3]int{v.in.I[0], v.in.I[1]}
	return o
}

// listSum returns the list operation of kind k that computes the gradient of a weight,
// which is a sum over the rows. Its attributes include the number of lists per string.
func (v *view) listSum(k stepgraph.Kind) stepgraph.Op {
	o := v.with(k)
	o.I = [3]int{v.in.I[0], v.in.S, v.in.I[1]}
	return o
}

func meansList(v *view) []expected {
	in := []stepgraph.Mat{v.mat(1), v.mat(2), v.mat(3), v.mat(4)}
	if v.absent(5) {
		return summed(4, v.listOp(stepgraph.List), append(in, v.mat(6))...)
	}
	return summed(4, v.listOp(stepgraph.ListNoop), append(in, v.mat(5), v.mat(6))...)
}

func meansListGrad(v *view) []expected {
	dy, s := v.mat(4), v.mat(5)
	var list []expected
	add := func(operand, n int, o stepgraph.Op, in ...stepgraph.Mat) {
		want, bound := sum(n, o, in...)
		list = append(list, expected{operand, want, bound})
	}
	if weights := []stepgraph.Mat{dy, v.mat(6), v.mat(7), v.mat(8)}; v.absent(9) {
		add(0, 4, v.listOp(stepgraph.ListGrad), weights...)
	} else {
		add(0, 4, v.listOp(stepgraph.ListNoopGrad), append(weights, v.mat(9))...)
	}
	add(1, v.in.W, v.listSum(stepgraph.ListGradLeft), dy, s)
	add(2, v.in.W, v.listSum(stepgraph.ListGradRight), dy, s)
	add(3, v.in.W, v.listSum(stepgraph.ListGradInsert), dy, s, v.mat(10))
	return list
}

// group returns an operation over groups of columns. The attribute I[0] of the instruction
// gives the number of columns in a group.
func (v *view) group(k stepgraph.Kind) stepgraph.Op {
	return stepgraph.Op{Kind: k, I: [3]int{v.in.I[0]}}
}

// softmaxUnits bounds the relative error of one element of a softmax over n numbers, as a
// multiple of the constant unit. The parameter d is the largest number minus the number of
// this element, and span is the largest number minus the smallest. The terms bound the
// errors of the differences, the exponentials, their sum, its reciprocal and the product.
func softmaxUnits(n int, d, span float64) float64 {
	return d + span + 2*expUnits + float64(n) + 2
}

// spans returns the largest number of each group of n numbers, and the difference
// between the largest and the smallest.
func spans(x []float64, n int) (top, span []float64) {
	for at := 0; at < len(x); at += n {
		high, low := x[at], x[at]
		for _, v := range x[at : at+n] {
			high, low = max(high, v), min(low, v)
		}
		top, span = append(top, high), append(span, high-low)
	}
	return top, span
}

func meansSoftmax(v *view) []expected {
	x := v.mat(1)
	want, n := do(v.group(stepgraph.Softmax), x), v.in.I[0]
	top, span := spans(x.Data, n)
	return within(want, 1, each(want, func(i int) float64 {
		return want.Data[i] * softmaxUnits(n, top[i/n]-x.Data[i], span[i/n])
	}))
}

func meansSoftmaxGrad(v *view) []expected {
	y, dy, n := v.mat(1), v.mat(2), v.in.I[0]
	want := do(v.group(stepgraph.SoftmaxGrad), y, dy)
	size := make([]float64, len(want.Data)/n)
	for i := range want.Data {
		size[i/n] += math.Abs(y.Data[i] * dy.Data[i])
	}
	return within(want, 1, each(want, func(i int) float64 {
		return math.Abs(y.Data[i]) * (float64(n+1)*size[i/n] + 2*(math.Abs(dy.Data[i])+size[i/n]))
	}))
}

func meansOneHot(v *view) []expected {
	return exactly(do(v.group(stepgraph.OneHot), v.mat(1)))
}
func meansWeightedSum(v *view) []expected {
	return summed(v.in.I[0], kind(stepgraph.WeightedSum), v.mat(1), v.mat(2))
}
func meansWeightedSumGradW(v *view) []expected {
	return summed(v.in.W, kind(stepgraph.WeightedSumGradW), v.mat(1), v.mat(2))
}
func meansWeightedSumGradX(v *view) []expected {
	return relative(do(kind(stepgraph.WeightedSumGradX), v.mat(1), v.mat(2)), 1)
}

func meansGather(v *view) []expected {
	return exactly(do(kind(stepgraph.Gather), v.mat(1), v.mat(2)))
}
func meansScatterRows(v *view) []expected {
	return exactly(do(stepgraph.Op{Kind: stepgraph.ScatterRows, I: [3]int{tableRows}}, v.mat(1), v.mat(2)))
}
func meansScatterAdd(v *view) []expected {
	return summed(v.frames[0].N, stepgraph.Op{Kind: stepgraph.ScatterAdd, I: [3]int{v.in.M}}, v.mat(1), v.mat(2))
}

func meansCrossEntropy(v *view) []expected { return crossEntropy(v.mat(1), v.mat(2)) }

func crossEntropy(x, target stepgraph.Mat) []expected {
	want := do(kind(stepgraph.CrossEntropy), x, target)
	top, span := spans(x.Data, x.Cols)
	return within(want, 1, each(want, func(r int) float64 {
		d := top[r] - x.At(r, int(target.Data[r]))
		logSum := want.Data[r] - d
		return math.Abs(want.Data[r]) + d + logUnits*math.Abs(logSum) + span[r] + expUnits + float64(x.Cols)
	}))
}

func meansCrossEntropyGrad(v *view) []expected {
	return crossEntropyGrad(v.mat(1), v.mat(2), v.mat(3))
}

func meansCrossEntropyWithGrad(v *view) []expected {
	x, target := v.mat(2), v.mat(3)
	loss := crossEntropy(x, target)
	loss[0].operand = 1
	return append(crossEntropyGrad(x, target, v.mat(4)), loss...)
}

func crossEntropyGrad(x, target, g stepgraph.Mat) []expected {
	want, p := do(kind(stepgraph.CrossEntropyGrad), x, target, g), do(stepgraph.Op{Kind: stepgraph.Softmax, I: [3]int{x.Cols}}, x)
	top, span := spans(x.Data, x.Cols)
	return within(want, 1, each(want, func(i int) float64 {
		r := i / x.Cols
		return math.Abs(g.Data[r])*p.Data[i]*softmaxUnits(x.Cols, top[r]-x.Data[i], span[r]) + 2*math.Abs(want.Data[i])
	}))
}

func (v *view) site(k stepgraph.Kind) stepgraph.Op {
	o := v.with(k)
	o.I, o.Name = v.in.I, "site"
	return o
}

func meansDropout(v *view) []expected {
	return relative(do(v.site(stepgraph.Dropout), v.mat(1), v.mat(2)), 2)
}

func meansNoise(v *view) []expected {
	x, mean := v.mat(1), math.Abs(float64(v.in.F[0]))
	want := do(v.site(stepgraph.Noise), x, v.mat(2))
	return within(want, 3, each(want, func(i int) float64 {
		return math.Abs(x.Data[i]) + 2*mean + math.Abs(want.Data[i]-x.Data[i])
	}))
}

func meansSGD(v *view) []expected {
	w, step := v.mat(0), do(kind(stepgraph.MulOne), v.mat(1), v.mat(2))
	want := do(kind(stepgraph.Sub), w, step)
	return within(want, 1, each(want, func(i int) float64 { return math.Abs(step.Data[i]) + math.Abs(want.Data[i]) }))
}

// meansAdam is Algorithm 1 of Kingma and Ba, with the bias corrections precomputed.
func meansAdam(v *view) []expected {
	w, m, s, g, h := v.mat(0), v.mat(1), v.mat(2), v.mat(3), v.mat(4).Data
	m2 := each(m, func(i int) float64 { return h[kernel.AdamB1]*m.Data[i] + h[kernel.AdamOneMinusB1]*g.Data[i] })
	em := errorOf(2, each(m, func(i int) float64 {
		return math.Abs(h[kernel.AdamB1]*m.Data[i]) + math.Abs(h[kernel.AdamOneMinusB1]*g.Data[i])
	}))
	s2 := each(s, func(i int) float64 {
		return h[kernel.AdamB2]*s.Data[i] + h[kernel.AdamOneMinusB2]*g.Data[i]*g.Data[i]
	})
	root := each(s, func(i int) float64 { return math.Sqrt(s2.Data[i]*h[kernel.AdamInvC2]) + h[kernel.AdamEps] })
	want := each(w, func(i int) float64 { return w.Data[i] - h[kernel.AdamLR]*m2.Data[i]/root.Data[i] })
	// The relative error of the step is at most 6 units: 4 from the divisor, 1 from the
	// product and 1 from the quotient. The divisor is a root plus eps. Under the root, the
	// second moment has an error of 3 units, and the bias correction adds 1. The root
	// halves these 4 units. Its own rounding and the addition of eps add 1 unit each.
	bound := each(w, func(i int) float64 {
		step := math.Abs(h[kernel.AdamLR] * m2.Data[i] / root.Data[i])
		return h[kernel.AdamLR]*em.Data[i]/root.Data[i] + errorOf(1, stepgraph.Mat{Rows: 1, Cols: 1, Data: []float64{6*step + math.Abs(want.Data[i])}}).Data[0]
	})
	return []expected{{0, want, bound}, {1, m2, em}, {2, s2, errorOf(3, s2)}}
}

func meansZeroTail(v *view) []expected {
	return exactly(each(v.mat(0), func(int) float64 { return 0 }))
}
