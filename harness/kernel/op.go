package kernel

import (
	"math"

	"pushdown/harness/numeric"
)

// Op is the operation of an instruction. Its row of [Ops] describes it. The comment
// of each constant names the operands in order, the result first.
type Op uint8

// Form says which extents of an instruction depend on the number of active rows of the
// frame.
type Form uint8

// The forms. N is the frame's number of rows.
const (
	Fixed      Form = iota // [M, W]
	Rows                   // [N, W]
	StackMajor             // [W, N*S]
)

// The operations.
//
// An operand with one extent in brackets is packed: its elements are adjacent and its
// LD is ignored. The exception is w of MulCol, whose LD is used. All other operands
// are matrices whose LD is at least their width. Targets, ids and coordinates are
// integers.
//
// Operands that are only read may overlap. A result overlaps no other operand, except
// that it may be stored in the place of an operand marked with an apostrophe, with the
// same first word and LD. An operand that is updated in place (c of an accumulating
// MatMul, y of AddStride, w of SGD; w, m and v of Adam) is listed once.
const (
	// Elementwise operations over the extents that the form gives. The operations
	// before AddRow may have any form; AddRow and the operations after it are Fixed or
	// Rows.
	Copy        Op = iota // y, x'
	Add                   // y, a', b'
	Sub                   // y, a', b'
	Mul                   // y, a', b'
	Neg                   // y, x'
	OneMinus              // y, x'
	Scale                 // y, x': x*F0
	Sigmoid               // y, x'
	Tanh                  // y, x'
	SigmoidGrad           // dx, y', dy'
	TanhGrad              // dx, y', dy'
	Clip                  // y, x': x clamped to [F0, F1], F0 <= F1
	Threshold             // y, x': x > F0 ? 1 : 0
	Fill                  // y: F0
	MulOne                // y, x', w[1]
	AddRow                // y, x', w[W]
	MulRow                // y, x', w[W]
	MulCol                // y, x', w[rows]
	CopyStride            // y, x: copies every I1-th column of x to every I0-th column of y
	AddStride             // y, x: likewise, added to y

	// Sums and products. SumSquares is Fixed; the others are Fixed or Rows.
	RowDot     // y[N], a, b
	ColSum     // y[W], x: sum over the rows
	MatMul     // c, a, b: I0 = 1 transposes a, I1 = 1 transposes b, I2 = 1 accumulates; c is [M or N, W], the inner extent is K, or N with Reduce
	Affine     // c, a, b, bias[W]: MatMul with I0 and I1, then bias added to every row
	SumSquares // y[1], x[M*W]

	// Stacks, Form StackMajor.
	ToStackMajor   // y [W, N*S], x [N, S*W]
	FromStackMajor // y [N, S*W], x [W, N*S]
	ScaleCols      // y, x', w[N*S]
	ColDot         // y[N*S], a, b
	Stack          // y, s, push[N*S], pop[N*S], noop[N*S], v [I0, N*S]: I0 is the width of a cell, F0 the empty value; noop may be absent
	StackGrad      // ds, dpush[N*S], dpop[N*S], dnoop[N*S], dv [I0, N*S], dy, s, push, pop, noop, v: likewise; any result may be absent, and dnoop must be absent if noop is

	// Operations along rows, Fixed or Rows. In Softmax, SoftmaxGrad and OneHot, each group
	// of I0 columns counts as a row. A row has 1 to 2^24 elements, and an LD is below 2^27.
	// These limits also hold for CrossEntropy and its gradient, below.
	Softmax          // y, x': over groups of I0 columns
	SoftmaxGrad      // dx, y', dy'
	OneHot           // y, x
	WeightedSum      // y [N, W], w [N, I0], x [N, I0*W]
	WeightedSumGradW // dw [N, I0], x [N, I0*W], dy [N, W]
	WeightedSumGradX // dx [N, I0*W], w [N, I0], dy [N, W]

	// Operations by index. ScatterAdd is Rows; the others are Fixed or Rows. The host
	// has checked that the indices are in range. In ScatterRows no index may occur
	// twice.
	Gather               // y, table, ids[N]; the table has K rows, or an unspecified number if K is 0
	ScatterRows          // y, x, ids[N]: sets row ids[i] of y to x[i]; other rows are unchanged
	ScatterAdd           // dtable [M, W], dy, ids[N], scratch[N+M+16], whose contents do not matter before or after; a row of dtable whose number is not in ids becomes +0
	CrossEntropy         // loss[N], x, target[N]
	CrossEntropyGrad     // dx, x', target[N], dloss[N]
	CrossEntropyWithGrad // dx, loss[N], x', target[N], dloss[N]: the two above combined

	// Random operations, Fixed or Rows. I0 and I1 are the key of the random stream.
	// coord [N, 3] has the string, the time step and the update of each row.
	Dropout // y, x', coord: rate F0
	Noise   // y, x', coord: mean F0, standard deviation F1

	// Updates of M*W packed elements, Form Fixed.
	SGD  // w[M*W], dw[M*W], lr[1]
	Adam // w[M*W], m[M*W], v[M*W], dw[M*W], scalars[7]: lr', c, b1, 1-b1, b2, 1-b2, eps

	// Group runs the instructions of its Body as if each ran for all elements before the
	// next one starts. The Form is Rows. The instructions of the Body have the Form and the
	// extents of the group, and their operations are Grouped in [Ops]. An instruction can
	// read the result of an earlier one only at the same element. I0 is the number of Local
	// values.
	Group

	ZeroTail // x: zeroes rows Tail to N-1, where Tail is that of the frame; in Form StackMajor it zeroes the columns of these strings; Rows or StackMajor

	// Lists, Form StackMajor. A list is a tape that moves under a head. The head has at
	// least one cell on each side. W is I0 times the number of cells, and 0 < I1 <
	// cells - 1.
	List     // y, s, left[N*S], right[N*S], insert[N*S], noop[N*S], v [I0, N*S]: I0 is the width of a cell, I1 the cell of the head, F0 the empty value; noop may be absent
	ListGrad // ds, dleft[N*S], dright[N*S], dinsert[N*S], dy, s, left, right, insert, noop, v: likewise; any result may be absent

	FlushSmall // y, x': |x| < F0 ? +0 : x, elementwise over the extents of any form

	NumOps
)

// String returns the operation's name in printed programs.
func (o Op) String() string { return Ops[o].Name }

// Row describes an operation.
type Row struct {
	Op    Op // its index in Ops
	Name  string
	Forms []Form
	Args  []Operand // the operands of an instruction, in order
	Parts bool      // W consists of parts of width I0
	*Element
}

// Element describes an elementwise operation. Its operands are a result, then up to two
// matrices of the same extents. In place of the second matrix there may be a number, a
// row or a column, which is broadcast over these extents.
type Element struct {
	Doc     string // the meaning, where x and y are the operands
	Grouped bool   // a [Group] may hold it
	Costly  bool   // about as slow as an exponential
	F       int    // number of constants in F that it reads

	// Loop is the reference implementation of every device's routine. It rounds each
	// arithmetic operation once. The result d may coincide with x or y. y is nil if
	// the operation reads only x. For an operation that broadcasts y, Loop computes
	// one row, and y is as long as x.
	Loop func(d, x, y []float32, f [2]float32)
	// Value computes the operation for one element in float64. The result of Loop
	// differs from that of Value by at most Units relative rounding errors.
	Value func(x, y float64, f [2]float64) float64
	Units float64
	// TestConstants are values of F worth testing. The gradient tests of package
	// stepgraph use the first.
	TestConstants [][2]float32
}

var (
	everyForm = []Form{Fixed, Rows, StackMajor}
	byRow     = []Form{Fixed, Rows}
	byStack   = []Form{StackMajor}
	fixedOnly = []Form{Fixed}
)

func result(name string, s Shape) Operand { return Operand{Name: name, Shape: s, Use: Writes} }
func packedResult(name string, s Shape) Operand {
	return Operand{Name: name, Shape: s, Use: Writes, Packed: true}
}
func updated(name string, s Shape) Operand {
	return Operand{Name: name, Shape: s, Use: Updates, Packed: s == Flat}
}
func matrix(name string, s Shape) Operand { return Operand{Name: name, Shape: s} }
func packed(name string, s Shape) Operand { return Operand{Name: name, Shape: s, Packed: true} }

func (o Operand) inPlace() Operand           { o.InPlace = true; return o }
func (o Operand) optional() Operand          { o.Optional = true; return o }
func (o Operand) holding(c Contents) Operand { o.Holds = c; return o }
func indices(name string) Operand            { return packed(name, PerRow).holding(Indices) }

var (
	one  = []Operand{result("y", Whole), matrix("x", Whole).inPlace()}
	two  = []Operand{result("d", Whole), matrix("x", Whole).inPlace(), matrix("y", Whole).inPlace()}
	byW  = []Operand{result("d", Whole), matrix("x", Whole).inPlace(), packed("w", One)}
	rowW = []Operand{result("d", Whole), matrix("x", Whole).inPlace(), packed("w", PerCol)}
	colW = []Operand{result("d", Whole), matrix("x", Whole).inPlace(), matrix("w", PerRow)}
)

var inf, minus0 = float32(math.Inf(1)), float32(math.Copysign(0, -1))

// Elements that several operations share.
var (
	sum = Element{Doc: "x + y", Grouped: true, Units: 1,
		Value: func(x, y float64, _ [2]float64) float64 { return x + y },
		Loop: func(d, x, y []float32, _ [2]float32) {
			x, y = x[:len(d)], y[:len(d)]
			for i := range d {
				d[i] = x[i] + y[i]
			}
		}}
	product = Element{Doc: "x * y", Grouped: true, Units: 1,
		Value: func(x, y float64, _ [2]float64) float64 { return x * y },
		Loop: func(d, x, y []float32, _ [2]float32) {
			x, y = x[:len(d)], y[:len(d)]
			for i := range d {
				d[i] = x[i] * y[i]
			}
		}}
	ofStacks = Element{Doc: product.Doc, Units: product.Units, Value: product.Value, Loop: product.Loop}
)

// Ops has a row for each operation. Devices, their tests, step graphs and the scan read
// it. A new elementwise operation needs a row here, a kind and a gradient in package
// stepgraph, and the routines of the devices.
var Ops = [NumOps]Row{
	Copy: {Name: "copy", Forms: everyForm, Args: one, Element: &Element{Doc: "x", Grouped: true,
		Value: func(x, _ float64, _ [2]float64) float64 { return x },
		Loop:  func(d, x, _ []float32, _ [2]float32) { copy(d, x) }}},
	Add: {Name: "add", Forms: everyForm, Args: two, Element: &sum},
	Sub: {Name: "sub", Forms: everyForm, Args: two, Element: &Element{Doc: "x - y", Grouped: true, Units: 1,
		Value: func(x, y float64, _ [2]float64) float64 { return x - y },
		Loop: func(d, x, y []float32, _ [2]float32) {
			x, y = x[:len(d)], y[:len(d)]
			for i := range d {
				d[i] = x[i] - y[i]
			}
		}}},
	Mul: {Name: "mul", Forms: everyForm, Args: two, Element: &product},
	Neg: {Name: "neg", Forms: everyForm, Args: one, Element: &Element{Doc: "-x", Grouped: true,
		Value: func(x, _ float64, _ [2]float64) float64 { return -x },
		Loop: func(d, x, _ []float32, _ [2]float32) {
			x = x[:len(d)]
			for i := range d {
				d[i] = -x[i]
			}
		}}},
	OneMinus: {Name: "oneminus", Forms: everyForm, Args: one, Element: &Element{Doc: "1 - x", Grouped: true, Units: 1,
		Value: func(x, _ float64, _ [2]float64) float64 { return 1 - x },
		Loop: func(d, x, _ []float32, _ [2]float32) {
			x = x[:len(d)]
			for i := range d {
				d[i] = 1 - x[i]
			}
		}}},
	Scale: {Name: "scale", Forms: everyForm, Args: one, Element: &Element{Doc: "x times the constant F0", Grouped: true, F: 1, Units: 1,
		TestConstants: [][2]float32{{0.5}, {-3}, {0}, {minus0}, {1}, {-1}, {1e-40}, {1e38}, {inf}, {1.7}},
		Value:         func(x, _ float64, f [2]float64) float64 { return x * f[0] },
		Loop: func(d, x, _ []float32, f [2]float32) {
			x = x[:len(d)]
			for i := range d {
				d[i] = x[i] * f[0]
			}
		}}},
	Sigmoid: {Name: "sigmoid", Forms: everyForm, Args: one, Element: &Element{Doc: "1 / (1 + exp(-x))", Grouped: true, Costly: true, Units: 2 * 2.41,
		Value: func(x, _ float64, _ [2]float64) float64 { return realSigmoid(x) },
		Loop: func(d, x, _ []float32, _ [2]float32) {
			x = x[:len(d)]
			for i := range d {
				d[i] = numeric.Sigmoid(x[i])
			}
		}}},
	Tanh: {Name: "tanh", Forms: everyForm, Args: one, Element: &Element{Doc: "tanh x", Grouped: true, Costly: true, Units: 2 * 2.5,
		Value: func(x, _ float64, _ [2]float64) float64 { return realTanh(x) },
		Loop: func(d, x, _ []float32, _ [2]float32) {
			x = x[:len(d)]
			for i := range d {
				d[i] = numeric.Tanh(x[i])
			}
		}}},
	SigmoidGrad: {Name: "sigmoidgrad", Forms: everyForm, Args: two, Element: &Element{Doc: "y * (x * (1 - x)) of x = sigmoid, y its gradient", Grouped: true, Units: 3,
		Value: func(x, y float64, _ [2]float64) float64 { return y * (x * (1 - x)) },
		Loop: func(d, x, y []float32, _ [2]float32) {
			x, y = x[:len(d)], y[:len(d)]
			for i := range d {
				d[i] = y[i] * (x[i] * (1 - x[i]))
			}
		}}},
	TanhGrad: {Name: "tanhgrad", Forms: everyForm, Args: two, Element: &Element{Doc: "y * (1 - x*x) of x = tanh, y its gradient", Grouped: true, Units: 2,
		Value: func(x, y float64, _ [2]float64) float64 { return y * (1 - float64(x*x)) },
		Loop: func(d, x, y []float32, _ [2]float32) {
			x, y = x[:len(d)], y[:len(d)]
			for i := range d {
				d[i] = y[i] * numeric.FMA(-x[i], x[i], 1)
			}
		}}},
	Clip: {Name: "clip", Forms: everyForm, Args: one, Element: &Element{Doc: "x held within [F0, F1], F0 <= F1", Grouped: true, F: 2,
		TestConstants: [][2]float32{{-0.5, 0.75}, {0, 0}, {-1e-40, 1e-40}, {-inf, 1}, {0, inf}, {-2, -1}},
		Value:         func(x, _ float64, f [2]float64) float64 { return min(max(x, f[0]), f[1]) },
		Loop: func(d, x, _ []float32, f [2]float32) {
			x = x[:len(d)]
			for i := range d {
				v := x[i]
				if v < f[0] {
					v = f[0]
				} else if v > f[1] {
					v = f[1]
				}
				d[i] = v
			}
		}}},
	Threshold: {Name: "threshold", Forms: everyForm, Args: one, Element: &Element{Doc: "1 where x > F0, else 0", Grouped: true, F: 1,
		TestConstants: [][2]float32{{0}, {minus0}, {0.5}, {-1}, {inf}, {-inf}},
		Value: func(x, _ float64, f [2]float64) float64 {
			if x > f[0] {
				return 1
			}
			return 0
		},
		Loop: func(d, x, _ []float32, f [2]float32) {
			x = x[:len(d)]
			for i := range d {
				if x[i] > f[0] {
					d[i] = 1
				} else {
					d[i] = 0
				}
			}
		}}},
	Fill: {Name: "fill", Forms: everyForm, Args: one[:1], Element: &Element{Doc: "F0", F: 1,
		TestConstants: [][2]float32{{0}, {minus0}, {1}, {-0.1}, {inf}, {float32(math.NaN())}, {1e-40}},
		Value:         func(_, _ float64, f [2]float64) float64 { return f[0] },
		Loop: func(d, _, _ []float32, f [2]float32) {
			for i := range d {
				d[i] = f[0]
			}
		}}},
	MulOne:     {Name: "mulone", Forms: everyForm, Args: byW, Element: &product},
	AddRow:     {Name: "addrow", Forms: byRow, Args: rowW, Element: &sum},
	MulRow:     {Name: "mulrow", Forms: byRow, Args: rowW, Element: &product},
	MulCol:     {Name: "mulcol", Forms: byRow, Args: colW, Element: &product},
	CopyStride: {Name: "copystride", Forms: byRow, Args: []Operand{result("y", Strided0), matrix("x", Strided1)}},
	AddStride:  {Name: "addstride", Forms: byRow, Args: []Operand{updated("y", Strided0), matrix("x", Strided1)}},

	RowDot:     {Name: "rowdot", Forms: byRow, Args: []Operand{packedResult("y", PerRow), matrix("a", Whole), matrix("b", Whole)}},
	ColSum:     {Name: "colsum", Forms: byRow, Args: []Operand{packedResult("y", PerCol), matrix("x", Whole)}},
	MatMul:     {Name: "matmul", Forms: byRow, Args: []Operand{updated("c", Whole), matrix("a", Left), matrix("b", Right)}},
	Affine:     {Name: "affine", Forms: byRow, Args: []Operand{result("c", Whole), matrix("a", Left), matrix("b", Right), packed("bias", PerCol)}},
	SumSquares: {Name: "sumsquares", Forms: fixedOnly, Args: []Operand{packedResult("y", One), packed("x", Flat)}},

	ToStackMajor:   {Name: "tostackmajor", Forms: byStack, Args: []Operand{result("y", Whole), matrix("x", StringRows)}},
	FromStackMajor: {Name: "fromstackmajor", Forms: byStack, Args: []Operand{result("y", StringRows), matrix("x", Whole)}},
	ScaleCols:      {Name: "scalecols", Forms: byStack, Args: rowW, Element: &ofStacks},
	ColDot:         {Name: "coldot", Forms: byStack, Args: []Operand{packedResult("y", PerCol), matrix("a", Whole), matrix("b", Whole)}},
	Stack: {Name: "stack", Forms: byStack, Parts: true, Args: []Operand{result("y", Whole), matrix("s", Whole),
		packed("push", PerCol), packed("pop", PerCol), packed("noop", PerCol).optional(), matrix("v", Cell)}},
	StackGrad: {Name: "stackgrad", Forms: byStack, Parts: true, Args: []Operand{
		result("ds", Whole).optional(), packedResult("dpush", PerCol).optional(), packedResult("dpop", PerCol).optional(),
		packedResult("dnoop", PerCol).optional(), result("dv", Cell).optional(),
		matrix("dy", Whole), matrix("s", Whole), packed("push", PerCol), packed("pop", PerCol), packed("noop", PerCol).optional(), matrix("v", Cell)}},

	Softmax:          {Name: "softmax", Forms: byRow, Parts: true, Args: one},
	SoftmaxGrad:      {Name: "softmaxgrad", Forms: byRow, Parts: true, Args: two},
	OneHot:           {Name: "onehot", Forms: byRow, Parts: true, Args: []Operand{result("y", Whole), matrix("x", Whole)}},
	WeightedSum:      {Name: "weightedsum", Forms: byRow, Args: []Operand{result("y", Whole), matrix("w", PerBlock), matrix("x", Blocks)}},
	WeightedSumGradW: {Name: "weightedsumgradw", Forms: byRow, Args: []Operand{result("dw", PerBlock), matrix("x", Blocks), matrix("dy", Whole)}},
	WeightedSumGradX: {Name: "weightedsumgradx", Forms: byRow, Args: []Operand{result("dx", Blocks), matrix("w", PerBlock), matrix("dy", Whole)}},

	Gather:      {Name: "gather", Forms: byRow, Args: []Operand{result("y", Whole), matrix("table", Table), indices("ids")}},
	ScatterRows: {Name: "scatterrows", Forms: byRow, Args: []Operand{result("y", Table), matrix("x", Whole), indices("ids")}},
	ScatterAdd: {Name: "scatteradd", Forms: []Form{Rows}, Args: []Operand{result("dtable", Vocabulary), matrix("dy", Whole), indices("ids"),
		{Name: "scratch", Shape: SortScratch, Use: Scratch, Packed: true}}},
	CrossEntropy: {Name: "crossentropy", Forms: byRow, Args: []Operand{packedResult("loss", PerRow), matrix("x", Whole), indices("target")}},
	CrossEntropyGrad: {Name: "crossentropygrad", Forms: byRow,
		Args: []Operand{result("dx", Whole), matrix("x", Whole).inPlace(), indices("target"), packed("dloss", PerRow)}},
	CrossEntropyWithGrad: {Name: "crossentropyboth", Forms: byRow,
		Args: []Operand{result("dx", Whole), packedResult("loss", PerRow), matrix("x", Whole).inPlace(), indices("target"), packed("dloss", PerRow)}},

	Dropout: {Name: "dropout", Forms: byRow, Args: append(one[:2:2], matrix("coord", Triples).holding(Coordinates))},
	Noise:   {Name: "noise", Forms: byRow, Args: append(one[:2:2], matrix("coord", Triples).holding(Coordinates))},

	SGD: {Name: "sgd", Forms: fixedOnly, Args: []Operand{updated("w", Flat), packed("dw", Flat), packed("lr", One)}},
	Adam: {Name: "adam", Forms: fixedOnly, Args: []Operand{updated("w", Flat), updated("m", Flat), updated("v", Flat).holding(NotNegative),
		packed("dw", Flat), packed("scalars", Scalars).holding(AdamNumbers)}},

	Group:    {Name: "group", Forms: []Form{Rows}},
	ZeroTail: {Name: "zerotail", Forms: []Form{Rows, StackMajor}, Args: []Operand{updated("x", Whole)}},

	List: {Name: "list", Forms: byStack, Parts: true, Args: []Operand{result("y", Whole), matrix("s", Whole),
		packed("left", PerCol), packed("right", PerCol), packed("insert", PerCol), packed("noop", PerCol).optional(), matrix("v", Cell)}},
	ListGrad: {Name: "listgrad", Forms: byStack, Parts: true, Args: []Operand{
		result("ds", Whole).optional(), packedResult("dleft", PerCol).optional(), packedResult("dright", PerCol).optional(), packedResult("dinsert", PerCol).optional(),
		matrix("dy", Whole), matrix("s", Whole), packed("left", PerCol), packed("right", PerCol), packed("insert", PerCol), packed("noop", PerCol).optional(), matrix("v", Cell)}},

	FlushSmall: {Name: "flushsmall", Forms: everyForm, Args: one, Element: &Element{Doc: "0 where |x| < F0, else x", F: 1,
		TestConstants: [][2]float32{{0.5}, {1e-40}, {0x1p-126}, {0x1p-149}, {1}, {inf}},
		Value: func(x, _ float64, f [2]float64) float64 {
			if math.Abs(x) < f[0] {
				return 0
			}
			return x
		},
		Loop: func(d, x, _ []float32, f [2]float32) {
			for i, v := range x[:len(d)] {
				if -f[0] < v && v < f[0] {
					v = 0
				}
				d[i] = v
			}
		}}},
}

func init() {
	for op := range Ops {
		Ops[op].Op = Op(op)
	}
}
