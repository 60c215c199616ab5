package kerneltest

import (
	"math"
	"math/rand/v2"

	"pushdown/harness/kernel"
)

// row describes an operation: its forms, its operands, and how its attributes
// are drawn.
type row struct {
	op    kernel.Op
	forms []kernel.Form
	args  []operand
	// draw sets attributes; trial counts up, so that a few can be gone through.
	draw func(in *kernel.Instr, r *rand.Rand, trial int)
	// large is an extent at which a sum needs more than one chunk or block:
	// rows (M or N) and W.
	large [2]int
	// inPlace lists the operands in whose place the result may lie.
	inPlace []int
	// absent lists the operands that trial leaves out.
	absent func(trial int) []int
	means  func(v *view) []expected
}

// size gives the extents of an operand for n active rows.
type size func(in *kernel.Instr, n int) (rows, cols int)

// use says what an operation does with an operand.
type use uint8

const (
	reads   use = iota
	writes      // every element is written
	updates     // read and written
	scratch     // written; what remains there is nobody's business
)

// content says what an operand holds.
type content uint8

const (
	numbers content = iota
	indices         // whole numbers below limit
	coordinates
	positive // numbers; not negative where they are moderate
	adamScalars
)

// operand is one argument of an operation.
type operand struct {
	name  string
	size  size
	use   use
	holds content
	limit func(in *kernel.Instr) int
	// packed: the rows are adjacent.
	packed bool
	// only picks the written elements of a result that is not written whole.
	only func(s *scenario, f *kernel.Frame, r, c int) bool
}

func whole(in *kernel.Instr, n int) (rows, cols int) {
	f := kernel.Frame{N: n}
	return in.Extents(&f)
}

func perRow(in *kernel.Instr, n int) (rows, cols int) {
	rows, _ = whole(in, n)
	return rows, 1
}

func perCol(in *kernel.Instr, n int) (rows, cols int) {
	_, cols = whole(in, n)
	return 1, cols
}

func single(*kernel.Instr, int) (rows, cols int) { return 1, 1 }

// flat is a vector of all elements.
func flat(in *kernel.Instr, n int) (rows, cols int) {
	rows, cols = whole(in, n)
	return 1, rows * cols
}

// stringRows is a row for each string of a stack-major value.
func stringRows(in *kernel.Instr, n int) (rows, cols int) { return n, in.S * in.W }

// cell is the pushed cell of a stack.
func cell(in *kernel.Instr, n int) (rows, cols int) { return in.I[0], n * in.S }

func result(s size) operand             { return operand{name: "result", size: s, use: writes} }
func packedResult(s size) operand       { return operand{name: "result", size: s, use: writes, packed: true} }
func of(name string, s size) operand    { return operand{name: name, size: s} }
func along(name string, s size) operand { return operand{name: name, size: s, packed: true} }

func named(name string, o operand) operand {
	o.name = name
	return o
}

func index(limit func(in *kernel.Instr) int) operand {
	return operand{name: "ids", size: perRow, holds: indices, limit: limit, packed: true}
}

func strided(name string, i int, u use) operand {
	return operand{name: name, use: u,
		size: func(in *kernel.Instr, n int) (int, int) {
			rows, cols := whole(in, n)
			return rows, (cols-1)*in.I[i] + 1
		},
		only: func(s *scenario, _ *kernel.Frame, _, c int) bool { return c%s.in.I[i] == 0 }}
}

var (
	everyForm = []kernel.Form{kernel.Fixed, kernel.Rows, kernel.StackMajor}
	byRow     = []kernel.Form{kernel.Fixed, kernel.Rows}
	packedRow = []kernel.Form{kernel.Rows}
	byStack   = []kernel.Form{kernel.StackMajor}
	fixedOnly = []kernel.Form{kernel.Fixed}
)

// tableRows is the vocabulary of lookups and the number of rows that scattered
// ones go to.
const tableRows = 67

func oneOf(r *rand.Rand, x ...float32) float32 { return x[r.IntN(len(x))] }

var (
	inf     = float32(math.Inf(1))
	minus0  = float32(math.Copysign(0, -1))
	nan     = float32(math.NaN())
	factors = []float32{0.5, -3, 0, minus0, 1, -1, 1e-40, 1e38, inf, 1.7}
)

func unary(op kernel.Op, means func(*view) []expected) row {
	return row{op: op, forms: everyForm, args: []operand{result(whole), of("x", whole)}, inPlace: []int{1}, means: means}
}

func binary(op kernel.Op, means func(*view) []expected) row {
	return row{op: op, forms: everyForm, args: []operand{result(whole), of("a", whole), of("b", whole)}, inPlace: []int{1, 2}, means: means}
}

func (w row) drawing(draw func(in *kernel.Instr, r *rand.Rand, trial int)) row {
	w.draw = draw
	return w
}

// table has a row for each operation, in the order of package kernel.
var table = []row{
	unary(kernel.Copy, meansCopy),
	binary(kernel.Add, meansAdd),
	binary(kernel.Sub, meansSub),
	binary(kernel.Mul, meansMul),
	unary(kernel.Neg, meansNeg),
	unary(kernel.OneMinus, meansOneMinus),
	unary(kernel.Scale, meansScale).drawing(func(in *kernel.Instr, r *rand.Rand, _ int) { in.F[0] = oneOf(r, factors...) }),
	unary(kernel.Sigmoid, meansSigmoid),
	unary(kernel.Tanh, meansTanh),
	binary(kernel.SigmoidGrad, meansSigmoidGrad),
	binary(kernel.TanhGrad, meansTanhGrad),
	unary(kernel.Clip, meansClip).drawing(func(in *kernel.Instr, r *rand.Rand, _ int) {
		in.F = [][2]float32{{-0.5, 0.75}, {0, 0}, {-1e-40, 1e-40}, {-inf, 1}, {0, inf}, {-2, -1}}[r.IntN(6)]
	}),
	unary(kernel.Threshold, meansThreshold).drawing(func(in *kernel.Instr, r *rand.Rand, _ int) {
		in.F[0] = oneOf(r, 0, minus0, 0.5, -1, inf, -inf)
	}),
	{op: kernel.Fill, forms: everyForm, args: []operand{result(whole)}, means: meansFill,
		draw: func(in *kernel.Instr, r *rand.Rand, _ int) { in.F[0] = oneOf(r, 0, minus0, 1, -0.1, inf, nan, 1e-40) }},
	{op: kernel.MulOne, forms: everyForm, args: []operand{result(whole), of("x", whole), along("w", single)}, inPlace: []int{1}, means: meansMulOne},
	{op: kernel.AddRow, forms: byRow, args: []operand{result(whole), of("x", whole), along("w", perCol)}, inPlace: []int{1}, means: meansAddRow},
	{op: kernel.MulRow, forms: byRow, args: []operand{result(whole), of("x", whole), along("w", perCol)}, inPlace: []int{1}, means: meansMulRow},
	{op: kernel.MulCol, forms: byRow, args: []operand{result(whole), of("x", whole), of("w", perRow)}, inPlace: []int{1}, means: meansMulCol},
	{op: kernel.CopyStride, forms: byRow, args: []operand{strided("result", 0, writes), strided("x", 1, reads)}, draw: drawStrides, means: meansCopyStride},
	{op: kernel.AddStride, forms: byRow, args: []operand{strided("result", 0, updates), strided("x", 1, reads)}, draw: drawStrides, means: meansAddStride},

	{op: kernel.RowDot, forms: byRow, args: []operand{packedResult(perRow), of("a", whole), of("b", whole)}, large: [2]int{2, 4096 + 70}, means: meansRowDot},
	{op: kernel.ColSum, forms: byRow, args: []operand{packedResult(perCol), of("x", whole)}, large: [2]int{520, 5}, means: meansColSum},
	{op: kernel.MatMul, forms: byRow, draw: drawProduct, large: [2]int{96, 96}, means: meansMatMul,
		args: []operand{{name: "c", size: whole, use: updates}, of("a", leftFactor), of("b", rightFactor)}},
	{op: kernel.Affine, forms: byRow, draw: drawAffine, large: [2]int{96, 600}, means: meansAffine,
		args: []operand{result(whole), of("a", leftFactor), of("b", rightFactor), along("bias", perCol)}},
	{op: kernel.SumSquares, forms: fixedOnly, args: []operand{packedResult(single), along("x", flat)}, large: [2]int{3, 4096}, means: meansSumSquares},

	{op: kernel.ToStackMajor, forms: byStack, args: []operand{result(whole), of("x", stringRows)}, means: meansToStackMajor},
	{op: kernel.FromStackMajor, forms: byStack, args: []operand{result(stringRows), of("x", whole)}, means: meansFromStackMajor},
	{op: kernel.ScaleCols, forms: byStack, args: []operand{result(whole), of("x", whole), along("w", perCol)}, inPlace: []int{1}, means: meansScaleCols},
	{op: kernel.ColDot, forms: byStack, args: []operand{packedResult(perCol), of("a", whole), of("b", whole)}, large: [2]int{3, 514}, means: meansColDot},
	{op: kernel.Stack, forms: byStack, draw: drawStack, means: meansStack,
		args: []operand{result(whole), of("s", whole), along("push", perCol), along("pop", perCol), along("noop", perCol), of("v", cell)},
		absent: func(trial int) []int {
			if trial%2 == 0 {
				return []int{4}
			}
			return nil
		}},
	{op: kernel.StackGrad, forms: byStack, draw: drawStack, large: [2]int{3, 514}, means: meansStackGrad,
		args: []operand{
			named("ds", result(whole)), named("dpush", packedResult(perCol)), named("dpop", packedResult(perCol)),
			named("dnoop", packedResult(perCol)), named("dv", result(cell)),
			of("dy", whole), of("s", whole), along("push", perCol), along("pop", perCol), along("noop", perCol), of("v", cell)},
		absent: func(trial int) []int {
			if list := [][]int{nil, {3, 9}, {0}, {1, 4}, {2, 3, 9}, {3}, {0, 1, 2}, {1, 2, 3, 4, 9}}; trial < len(list) {
				return list[trial]
			}
			return nil
		}},

	{op: kernel.Softmax, forms: byRow, draw: drawGroups, args: []operand{result(whole), of("x", whole)}, inPlace: []int{1}, large: [2]int{2, 4096 + 70}, means: meansSoftmax},
	{op: kernel.SoftmaxGrad, forms: byRow, draw: drawGroups, args: []operand{result(whole), of("y", whole), of("dy", whole)}, inPlace: []int{1, 2},
		large: [2]int{2, 4096 + 70}, means: meansSoftmaxGrad},
	{op: kernel.OneHot, forms: byRow, draw: drawGroups, args: []operand{result(whole), of("x", whole)}, means: meansOneHot},
	{op: kernel.WeightedSum, forms: byRow, draw: drawBlocks, args: []operand{result(whole), of("w", perBlock), of("x", blocks)}, means: meansWeightedSum},
	{op: kernel.WeightedSumGradW, forms: byRow, draw: drawBlocks, args: []operand{result(perBlock), of("x", blocks), of("dy", whole)}, large: [2]int{2, 4096 + 70}, means: meansWeightedSumGradW},
	{op: kernel.WeightedSumGradX, forms: byRow, draw: drawBlocks, args: []operand{result(blocks), of("w", perBlock), of("dy", whole)}, means: meansWeightedSumGradX},

	{op: kernel.Gather, forms: byRow, args: []operand{result(whole), of("table", tableOf), index(inTable)}, means: meansGather},
	{op: kernel.ScatterRows, forms: byRow, means: meansScatterRows, args: []operand{
		{name: "result", size: tableOf, use: writes, only: func(s *scenario, f *kernel.Frame, r, _ int) bool {
			rows, _ := whole(&s.in, f.N)
			for i := range rows {
				if int(s.wholeAt(2, f, i, 0)) == r {
					return true
				}
			}
			return false
		}},
		of("x", whole), index(inTable)}},
	{op: kernel.ScatterAdd, forms: packedRow, draw: func(in *kernel.Instr, r *rand.Rand, _ int) { in.M = 1 + r.IntN(20) }, large: [2]int{520, 5}, means: meansScatterAdd,
		args: []operand{result(vocabularyOf), of("dy", whole), index(func(in *kernel.Instr) int { return in.M }),
			{name: "scratch", use: scratch, packed: true, size: func(in *kernel.Instr, n int) (int, int) { return 1, n + in.M + 16 }}}},
	{op: kernel.CrossEntropy, forms: byRow, args: []operand{packedResult(perRow), of("x", whole), index(inRow)}, large: [2]int{2, 4096 + 70}, means: meansCrossEntropy},
	{op: kernel.CrossEntropyGrad, forms: byRow, args: []operand{result(whole), of("x", whole), index(inRow), along("dloss", perRow)}, inPlace: []int{1},
		large: [2]int{2, 4096 + 70}, means: meansCrossEntropyGrad},
	{op: kernel.CrossEntropyBoth, forms: byRow, args: []operand{result(whole), packedResult(perRow), of("x", whole), index(inRow), along("dloss", perRow)}, inPlace: []int{2},
		large: [2]int{2, 4096 + 70}, means: meansCrossEntropyBoth},

	{op: kernel.Dropout, forms: byRow, args: []operand{result(whole), of("x", whole), coords}, inPlace: []int{1}, means: meansDropout,
		draw: func(in *kernel.Instr, r *rand.Rand, _ int) {
			in.I = [3]int{int(r.Uint32()), int(r.Uint32())}
			in.F[0] = oneOf(r, 0.3, 0.5, 0.999, 1e-6)
		}},
	{op: kernel.Noise, forms: byRow, args: []operand{result(whole), of("x", whole), coords}, inPlace: []int{1}, means: meansNoise,
		draw: func(in *kernel.Instr, r *rand.Rand, _ int) {
			in.I = [3]int{int(r.Uint32()), int(r.Uint32())}
			in.F = [2]float32{oneOf(r, 0, 0.1, -2), oneOf(r, 0, 0.2, 1, 30)}
		}},

	{op: kernel.SGD, forms: fixedOnly, args: []operand{{name: "w", size: flat, use: updates, packed: true}, along("dw", flat), along("lr", single)}, means: meansSGD},
	{op: kernel.Adam, forms: fixedOnly, means: meansAdam, args: []operand{
		{name: "w", size: flat, use: updates, packed: true}, {name: "m", size: flat, use: updates, packed: true},
		{name: "v", size: flat, use: updates, packed: true, holds: positive}, along("dw", flat),
		{name: "scalars", size: func(*kernel.Instr, int) (int, int) { return 1, kernel.AdamScalars }, packed: true, holds: adamScalars}}},

	{op: kernel.ZeroTail, forms: []kernel.Form{kernel.Rows, kernel.StackMajor}, means: meansZeroTail, args: []operand{
		{name: "x", size: whole, use: updates, only: func(s *scenario, f *kernel.Frame, r, c int) bool {
			if s.in.Form == kernel.StackMajor {
				return c >= f.Tail*s.in.S
			}
			return r >= f.Tail
		}}}},

	{op: kernel.List, forms: byStack, draw: drawList, means: meansList,
		args: []operand{result(whole), of("s", whole), along("left", perCol), along("right", perCol), along("insert", perCol), along("noop", perCol), of("v", cell)},
		absent: func(trial int) []int {
			if trial%2 == 0 {
				return []int{5}
			}
			return nil
		}},
	{op: kernel.ListGrad, forms: byStack, draw: drawList, large: [2]int{3, 514}, means: meansListGrad,
		args: []operand{
			named("ds", result(whole)), named("dleft", packedResult(perCol)), named("dright", packedResult(perCol)), named("dinsert", packedResult(perCol)),
			of("dy", whole), of("s", whole), along("left", perCol), along("right", perCol), along("insert", perCol), along("noop", perCol), of("v", cell)},
		absent: func(trial int) []int {
			if list := [][]int{nil, {9}, {0}, {1}, {2, 3, 9}, {3}, {0, 1, 2}, {1, 2, 3, 9}}; trial < len(list) {
				return list[trial]
			}
			return nil
		}},
	unary(kernel.FlushSmall, meansFlushSmall).drawing(func(in *kernel.Instr, r *rand.Rand, _ int) {
		in.F[0] = oneOf(r, 0.5, 1e-40, 0x1p-126, 0x1p-149, 1, inf)
	}),
}

var coords = operand{name: "coord", size: func(in *kernel.Instr, n int) (int, int) {
	rows, _ := whole(in, n)
	return rows, 3
}, holds: coordinates}

func inTable(*kernel.Instr) int                             { return tableRows }
func inRow(in *kernel.Instr) int                            { return in.W }
func tableOf(in *kernel.Instr, _ int) (rows, cols int)      { return tableRows, in.W }
func vocabularyOf(in *kernel.Instr, _ int) (rows, cols int) { return in.M, in.W }

func perBlock(in *kernel.Instr, n int) (rows, cols int) {
	rows, _ = whole(in, n)
	return rows, in.I[0]
}

func blocks(in *kernel.Instr, n int) (rows, cols int) {
	rows, cols = whole(in, n)
	return rows, cols * in.I[0]
}

func drawBlocks(in *kernel.Instr, r *rand.Rand, trial int) { in.I[0] = 1 + trial%5 }

func drawStrides(in *kernel.Instr, r *rand.Rand, trial int) {
	in.I = [3]int{1 + trial%3, 1 + trial/3%3}
}

func drawStack(in *kernel.Instr, r *rand.Rand, trial int) {
	in.I[0] = 1 + trial%3 // numbers of a cell
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
	if trial%2 == 1 && in.W < 300 { // groups of a divisor's size
		n := 1 + r.IntN(8)
		in.I[0], in.W = n, n*(1+r.IntN(6))
	}
}

// drawProduct goes through the transpositions, adding into c, and sums over
// the rows of a frame.
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

func inner(in *kernel.Instr, n int) int { return in.Inner(&kernel.Frame{N: n}) }

func leftFactor(in *kernel.Instr, n int) (rows, cols int) {
	m, _ := whole(in, n)
	if in.I[0] == 1 {
		return inner(in, n), m
	}
	return m, inner(in, n)
}

func rightFactor(in *kernel.Instr, n int) (rows, cols int) {
	if in.I[1] == 1 {
		return in.W, inner(in, n)
	}
	return inner(in, n), in.W
}
