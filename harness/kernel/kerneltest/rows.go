package kerneltest

import (
	"math"
	"math/rand/v2"

	"pushdown/harness/kernel"
)

// row describes the tests of an operation: its row of [kernel.Ops], and how to draw
// its attributes.
type row struct {
	*kernel.Row
	// draw sets the attributes of an instruction, mostly at random. If an attribute has only a
	// few values, the number of the trial can select one of them instead.
	draw func(in *kernel.Instr, r *rand.Rand, trial int)
	// large holds the rows (M or N) and the width W of an instruction whose sums need
	// more than one chunk or block.
	large [2]int
	// absent returns the operands left out in a trial.
	absent func(trial int) []int
	means  func(v *view) []expected
}

// inPlace lists the operands that the result may coincide with.
func (w *row) inPlace() (list []int) {
	for i := range w.Args {
		if w.Args[i].InPlace {
			list = append(list, i)
		}
	}
	return list
}

// size returns the extents of operand i for n active rows.
func (w *row) size(i int, in *kernel.Instr, n int) (rows, cols int) {
	rows, cols = w.Args[i].Shape.Size(in, n)
	if w.Args[i].Shape == kernel.Table {
		rows = tableRows
	}
	return rows, cols
}

// limit returns the number below which the indices of an instruction must lie.
func limit(in *kernel.Instr) int {
	switch in.Op {
	case kernel.Gather, kernel.ScatterRows:
		return tableRows
	case kernel.ScatterAdd:
		return in.M
	}
	return in.W
}

// writes reports whether the operation writes element (r, c) of operand i, which is
// one of its results.
func (s *scenario) writes(i int, f *kernel.Frame, r, c int) bool {
	switch s.row.Args[i].Shape {
	case kernel.Strided0:
		return c%s.in.I[0] == 0
	case kernel.Table:
		rows, _ := s.in.Extents(f)
		for j := range rows {
			if int(s.wholeAt(2, f, j, 0)) == r {
				return true
			}
		}
		return false
	}
	if s.in.Op != kernel.ZeroTail {
		return true
	}
	if s.in.Form == kernel.StackMajor {
		return c >= f.Tail*s.in.S
	}
	return r >= f.Tail
}

// tableRows is the number of rows of the tables that Gather reads and ScatterRows
// writes.
const tableRows = 67

func oneOf(r *rand.Rand, x ...float32) float32 { return x[r.IntN(len(x))] }

var (
	inf    = float32(math.Inf(1))
	minus0 = float32(math.Copysign(0, -1))
	nan    = float32(math.NaN())
)

// table has a row for each operation, in the order of package kernel.
var table = func() (list []row) {
	for op := range kernel.NumOps {
		w := rows[op]
		w.Row = &kernel.Ops[op]
		if w.Element != nil {
			w.means = meansElement
			if tries := w.TestConstants; tries != nil {
				w.draw = func(in *kernel.Instr, r *rand.Rand, _ int) { in.F = tries[r.IntN(len(tries))] }
			}
		}
		if w.means != nil {
			list = append(list, w)
		}
	}
	return list
}()

// rows has the test parameters that are not in [kernel.Ops]. The rows of elementwise
// operations are empty.
var rows = [kernel.NumOps]row{
	kernel.CopyStride:     {draw: drawStrides, means: meansCopyStride},
	kernel.AddStride:      {draw: drawStrides, means: meansAddStride},
	kernel.RowDot:         {large: [2]int{2, 4096 + 70}, means: meansRowDot},
	kernel.ColSum:         {large: [2]int{520, 5}, means: meansColSum},
	kernel.MatMul:         {draw: drawProduct, large: [2]int{96, 96}, means: meansMatMul},
	kernel.Affine:         {draw: drawAffine, large: [2]int{96, 600}, means: meansAffine},
	kernel.SumSquares:     {large: [2]int{3, 4096}, means: meansSumSquares},
	kernel.ToStackMajor:   {means: meansToStackMajor},
	kernel.FromStackMajor: {means: meansFromStackMajor},
	kernel.ColDot:         {large: [2]int{3, 514}, means: meansColDot},
	kernel.Stack: {draw: drawStack, absent: func(trial int) []int {
		if trial%2 == 0 {
			return []int{4}
		}
		return nil
	}, means: meansStack},
	kernel.StackGrad: {draw: drawStack, large: [2]int{3, 514}, absent: func(trial int) []int {
		if list := [][]int{nil, {3, 9}, {0}, {1, 4}, {2, 3, 9}, {3}, {0, 1, 2}, {1, 2, 3, 4, 9}}; trial < len(list) {
			return list[trial]
		}
		return nil
	}, means: meansStackGrad},
	kernel.Softmax:              {draw: drawGroups, large: [2]int{2, 4096 + 70}, means: meansSoftmax},
	kernel.SoftmaxGrad:          {draw: drawGroups, large: [2]int{2, 4096 + 70}, means: meansSoftmaxGrad},
	kernel.OneHot:               {draw: drawGroups, means: meansOneHot},
	kernel.WeightedSum:          {draw: drawBlocks, means: meansWeightedSum},
	kernel.WeightedSumGradW:     {draw: drawBlocks, large: [2]int{2, 4096 + 70}, means: meansWeightedSumGradW},
	kernel.WeightedSumGradX:     {draw: drawBlocks, means: meansWeightedSumGradX},
	kernel.Gather:               {means: meansGather},
	kernel.ScatterRows:          {means: meansScatterRows},
	kernel.ScatterAdd:           {draw: func(in *kernel.Instr, r *rand.Rand, _ int) { in.M = 1 + r.IntN(20) }, large: [2]int{520, 5}, means: meansScatterAdd},
	kernel.CrossEntropy:         {large: [2]int{2, 4096 + 70}, means: meansCrossEntropy},
	kernel.CrossEntropyGrad:     {large: [2]int{2, 4096 + 70}, means: meansCrossEntropyGrad},
	kernel.CrossEntropyWithGrad: {large: [2]int{2, 4096 + 70}, means: meansCrossEntropyWithGrad},
	kernel.Dropout: {draw: func(in *kernel.Instr, r *rand.Rand, _ int) {
		in.I = [3]int{int(r.Uint32()), int(r.Uint32())}
		in.F[0] = oneOf(r, 0.3, 0.5, 0.999, 1e-6)
	}, means: meansDropout},
	kernel.Noise: {draw: func(in *kernel.Instr, r *rand.Rand, _ int) {
		in.I = [3]int{int(r.Uint32()), int(r.Uint32())}
		in.F = [2]float32{oneOf(r, 0, 0.1, -2), oneOf(r, 0, 0.2, 1, 30)}
	}, means: meansNoise},
	kernel.SGD:      {means: meansSGD},
	kernel.Adam:     {means: meansAdam},
	kernel.ZeroTail: {means: meansZeroTail},
	kernel.List: {draw: drawList, absent: func(trial int) []int {
		if trial%2 == 0 {
			return []int{5}
		}
		return nil
	}, means: meansList},
	kernel.ListGrad: {draw: drawList, large: [2]int{3, 514}, absent: func(trial int) []int {
		if list := [][]int{nil, {9}, {0}, {1}, {2, 3, 9}, {3}, {0, 1, 2}, {1, 2, 3, 9}}; trial < len(list) {
			return list[trial]
		}
		return nil
	}, means: meansListGrad},
}

func drawBlocks(in *kernel.Instr, r *rand.Rand, trial int) { in.I[0] = 1 + trial%5 }

func drawStrides(in *kernel.Instr, r *rand.Rand, trial int) {
	in.I = [3]int{1 + trial%3, 1 + trial/3%3}
}

func drawStack(in *kernel.Instr, r *rand.Rand, trial int) {
	in.I[0] = 1 + trial%3 // words per cell
	in.W = max(1, in.W/in.I[0]) * in.I[0]
	in.F[0] = []float32{-1, 0, 0.5, inf, minus0}[trial%5]
}

func drawList(in *kernel.Instr, r *rand.Rand, trial int) {
	p := 1 + trial%3
	cells := max(3, in.W/p)
	in.I = [3]int{p, 1 + r.IntN(cells-2)}
	in.W = cells * p
	in.F[0] = []float32{-1, 0, 0.5, inf, minus0}[trial%5]
}

func drawGroups(in *kernel.Instr, r *rand.Rand, trial int) {
	in.I[0] = in.W
	if trial%2 == 1 && in.W < 300 { // several groups per row
		n := 1 + r.IntN(8)
		in.I[0], in.W = n, n*(1+r.IntN(6))
	}
}

// drawProduct decides by the number of the trial which operands are transposed and whether
// the product accumulates, so that every combination occurs. If the product has the form
// Fixed, trials 4 to 7 sum over the rows of the frame.
func drawProduct(in *kernel.Instr, r *rand.Rand, trial int) {
	in.I = [3]int{trial & 1, trial >> 1 & 1, trial >> 2 & 1}
	in.K = 1 + r.IntN(40)
	if in.M > 90 || trial == 9 {
		in.K = 64 + 256*(trial&1)
	}
	if in.Form == kernel.Fixed && trial >= 4 && trial < 8 {
		in.K, in.Reduce = 0, true
	}
}

func drawAffine(in *kernel.Instr, r *rand.Rand, trial int) {
	drawProduct(in, r, trial&3)
}
