package kernel

// Op is what an instruction computes. The comment of each names its operands
// in order, the result first.
type Op uint8

// Form says which of an instruction's extents is the number of active rows.
type Form uint8

// The forms. N is the frame's number of rows.
const (
	Fixed      Form = iota // [M, W]
	Rows                   // [N, W]
	StackMajor             // [W, N*S]
)

// The operations.
//
// An operand of one extent in brackets is packed: its elements are adjacent and
// its LD is not looked at. Only w of MulCol may have an LD of its own. All other
// operands are matrices of any LD of at least their width. Targets, ids and
// coordinates are whole numbers.
//
// Operands that are only read may overlap. A result overlaps nothing else, but
// may lie exactly where an operand marked with a ' lies: same first word, same
// LD. What is updated (c of an accumulating MatMul, y of AddStride, w of SGD, w,
// m and v of Adam) is one operand, not two.
const (
	// Elementwise over the extents of the form: any form, but from AddRow on
	// Fixed or Rows.
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
	Clip                  // y, x': within F0, F1, F0 <= F1
	Threshold             // y, x': x > F0 ? 1 : 0
	Fill                  // y: F0
	MulOne                // y, x', w[1]
	AddRow                // y, x', w[W]
	MulRow                // y, x', w[W]
	MulCol                // y, x', w[rows]
	CopyStride            // y, x: every I0-th column of y from every I1-th of x
	AddStride             // y, x: the same, added to y

	// Sums and products, Fixed or Rows; SumSquares is Fixed.
	RowDot     // y[N], a, b
	ColSum     // y[W], x: over the rows
	MatMul     // c, a, b: I0, I1 transposed, I2 accumulate; c [M or N, W], K inner, or N inner with Reduce
	Affine     // c, a, b, bias[W]: MatMul with I0, I1, then bias added to every row
	SumSquares // y[1], x[M*W]

	// Stacks, Form StackMajor.
	ToStackMajor   // y [W, N*S], x [N, S*W]
	FromStackMajor // y [N, S*W], x [W, N*S]
	ScaleCols      // y, x', w[N*S]
	ColDot         // y[N*S], a, b
	Stack          // y, s, push[N*S], pop[N*S], noop[N*S], v [I0, N*S]: I0 width of a cell, F0 empty; noop may be absent
	StackGrad      // ds, dpush[N*S], dpop[N*S], dnoop[N*S], dv [I0, N*S], dy, s, push, pop, noop, v: likewise; any result may be absent, dnoop must be where noop is

	// Rows of weights, Fixed or Rows. A row (of I0 columns in the first three)
	// has 1 to 2^24 elements, and an LD is below 2^27; the same holds of
	// CrossEntropy and its gradient.
	Softmax          // y, x': over groups of I0 columns
	SoftmaxGrad      // dx, y', dy'
	OneHot           // y, x
	WeightedSum      // y [N, W], w [N, I0], x [N, I0*W]
	WeightedSumGradW // dw [N, I0], x [N, I0*W], dy [N, W]
	WeightedSumGradX // dx [N, I0*W], w [N, I0], dy [N, W]

	// By index, Fixed or Rows; ScatterAdd is Rows. The host has checked the
	// indices. ScatterRows needs each index once.
	Gather           // y, table, ids[N]; K rows of the table, 0: as many as it takes
	ScatterRows      // y, x, ids[N]: row ids[i] of y is x[i], the others stay
	ScatterAdd       // dtable [M, W], dy, ids[N], scratch[N+M+16], which holds nothing before or after; a row that no id names is +0
	CrossEntropy     // loss[N], x, target[N]
	CrossEntropyGrad // dx, x', target[N], dloss[N]
	CrossEntropyBoth // dx, loss[N], x', target[N], dloss[N]: the two above at once

	// Chance, Fixed or Rows: key I0, I1; coordinates [N, 3].
	Dropout // y, x', coord: rate F0
	Noise   // y, x', coord: mean F0, standard deviation F1

	// Updates of M*W packed elements, Form Fixed.
	SGD  // w[M*W], dw[M*W], lr[1]
	Adam // w[M*W], m[M*W], v[M*W], dw[M*W], scalars[7]: lr', c, b1, 1-b1, b2, 1-b2, eps

	// Group runs its Body, of instructions from Copy to MulCol but no Fill of any
	// other form or extent than its own: each element as if they ran one after
	// the other. What one of them writes another may read at the same element
	// only. Form Rows; I0 is the number of its Local values.
	Group

	ZeroTail // x: the rows (of Form StackMajor: columns) from the frame's Tail to N; Rows or StackMajor

	// Lists, Form StackMajor: tapes that move under a head, which has a cell on either
	// side. W = I0 times the cells, 0 < I1 < cells - 1.
	List     // y, s, left[N*S], right[N*S], insert[N*S], noop[N*S], v [I0, N*S]: I0 width of a cell, I1 the head, F0 empty; noop may be absent
	ListGrad // ds, dleft[N*S], dright[N*S], dinsert[N*S], dy, s, left, right, insert, noop, v: likewise; any result may be absent

	FlushSmall // y, x': |x| < F0 ? +0 : x, elementwise over the extents of any form

	NumOps
)

var opNames = [NumOps]string{
	"copy", "add", "sub", "mul", "neg", "oneminus", "scale", "sigmoid", "tanh", "sigmoidgrad", "tanhgrad",
	"clip", "threshold", "fill", "mulone", "addrow", "mulrow", "mulcol", "copystride", "addstride",
	"rowdot", "colsum", "matmul", "affine", "sumsquares",
	"tostackmajor", "fromstackmajor", "scalecols", "coldot", "stack", "stackgrad",
	"softmax", "softmaxgrad", "onehot", "weightedsum", "weightedsumgradw", "weightedsumgradx",
	"gather", "scatterrows", "scatteradd", "crossentropy", "crossentropygrad", "crossentropyboth",
	"dropout", "noise", "sgd", "adam", "group", "zerotail",
	"list", "listgrad", "flushsmall",
}

// String returns the name that printed programs use.
func (o Op) String() string { return opNames[o] }
