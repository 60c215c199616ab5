package stepgraph

import (
	"fmt"

	"gorgonia.org/gorgonia"

	"pushdown/harness/kernel"
)

// Kind identifies an operation. The variable table has a row for each Kind, which defines
// the operation.
type Kind uint8

// The operations, in the order of the table.
const (
	Copy Kind = iota
	Add
	Sub
	Mul
	Neg
	OneMinus
	Scale
	Sigmoid
	Tanh
	SigmoidGrad
	TanhGrad
	StopGrad
	ClipGrad
	Clip
	Threshold
	FlushGrad
	FlushSmall

	MulOne
	AddRow
	MulRow
	MulCol
	RowDot
	ColSum

	MatMul

	ConcatCols
	ConcatRows
	SliceCols
	PadCols
	AddAtCols
	SliceRows
	PadRows
	AddAtRows

	ToStackMajor
	FromStackMajor
	ScaleCols
	ColDot
	Stack
	StackGrad
	StackGradPush
	StackGradPop
	StackNoop
	StackNoopGrad
	List
	ListNoop
	ListGrad
	ListNoopGrad
	ListGradLeft
	ListGradRight
	ListGradInsert

	Softmax
	SoftmaxGrad
	OneHot
	WeightedSum
	WeightedSumGradW
	WeightedSumGradX

	Gather
	ScatterAdd
	GatherRows
	ScatterRows
	CrossEntropy
	CrossEntropyGrad

	Dropout
	Noise

	numKinds
)

// rule is one row of the table.
type rule struct {
	row    *kernel.Row // the device operation that computes it, or nil
	name   string
	doc    string // the meaning; the letters are those of the package comment
	arity  int    // number of inputs; -1: any number, which is stored in I[0]
	ints   int    // number of attributes used in I
	reals  int    // number of attributes used in F
	typeOf int    // index of the input whose element type the result has
	noGrad uint32 // bit mask of the inputs that never get a gradient
	shape  func(o *Op, in []Shape) (Shape, error)
	grad   func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes // nil: not differentiable
	do     func(o *Op, in []Mat, out Mat)
}

// Doc returns the meaning of the operation, from the table.
func (k Kind) Doc() string { return table[k].doc }

// String returns the name of the operation.
func (k Kind) String() string { return table[k].name }

// Row returns the row of [kernel.Ops] that devices use to compute the operation. It
// returns nil if the row depends on the memory layout of the operands.
func (k Kind) Row() *kernel.Row { return table[k].row }

// Kinds returns all operations in table order.
func Kinds() []Kind {
	list := make([]Kind, numKinds)
	for i := range list {
		list[i] = Kind(i)
	}
	return list
}

// table holds the row of each operation. Several files each define the rows of one
// group of operations, and init combines them.
var table [numKinds]rule

func init() {
	for _, group := range []map[Kind]rule{elementwise, broadcast, product, shaping, stacks, lists, weights, lookup, random} {
		for k, r := range group { // each kind sets its own row, so the order does not matter
			if table[k].name != "" {
				panic("stepgraph: operation " + r.name + " is in the table twice")
			}
			r.ofRow()
			table[k] = r
		}
	}
	for k := range table {
		if r := &table[k]; r.name == "" || r.doc == "" || r.shape == nil || r.do == nil {
			panic(fmt.Sprintf("stepgraph: operation %d (%s): have an incomplete row, want a name, doc, shape and do", k, r.name))
		}
	}
}
