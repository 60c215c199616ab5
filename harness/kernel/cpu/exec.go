package cpu

import (
	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

// addRowCost is the time per element of AddRow, and of the bias of an Affine, in
// picoseconds.
const addRowCost = 60

// routines maps operations to their implementations. init adds the elementwise
// operations that have no entry here. Each of these operations runs one routine of
// simd.Kernels.
var routines = [kernel.NumOps]run{
	kernel.Copy:       split(anywhere, 60, execCopy),
	kernel.MulOne:     split(anywhere, 60, execMulOne),
	kernel.Fill:       split(anywhere, 40, execFill),
	kernel.AddRow:     split(anywhere, addRowCost, execAddRow),
	kernel.MulRow:     split(anywhere, 60, execMulRow),
	kernel.MulCol:     split(anywhere, 60, execMulCol),
	kernel.CopyStride: split(alongRows, 1000, execCopyStride),
	kernel.AddStride:  split(alongRows, 1000, execAddStride),
	kernel.ZeroTail:   execZeroTail,

	kernel.RowDot:     split(alongRows, 80, execRowDot),
	kernel.ColSum:     split(alongCols, 60, execColSum),
	kernel.MatMul:     execMatMul,
	kernel.Affine:     execAffine,
	kernel.SumSquares: execSumSquares,

	kernel.ToStackMajor:   execToStackMajor,
	kernel.FromStackMajor: execFromStackMajor,
	kernel.ScaleCols:      execScaleCols,
	kernel.ColDot:         execColDot,
	kernel.Stack:          execStack,
	kernel.StackGrad:      execStackGrad,
	kernel.List:           execList,
	kernel.ListGrad:       execListGrad,

	kernel.Softmax:          groups(400, func(k *simd.Kernels) groupFn { return k.Row.Softmax }),
	kernel.SoftmaxGrad:      split(alongRows, 150, execSoftmaxGrad),
	kernel.OneHot:           groups(150, func(k *simd.Kernels) groupFn { return k.Row.Onehot }),
	kernel.WeightedSum:      split(alongRows, 200, execWeightedSum),
	kernel.WeightedSumGradW: split(alongRows, 200, execWeightedSumGradW),
	kernel.WeightedSumGradX: split(alongRows, 200, execWeightedSumGradX),

	kernel.Gather:               split(alongRows, 100, execGather),
	kernel.ScatterRows:          split(alongRows, 100, execScatterRows),
	kernel.ScatterAdd:           execScatterAdd,
	kernel.CrossEntropy:         split(alongRows, 300, execCrossEntropy),
	kernel.CrossEntropyGrad:     split(alongRows, 400, execCrossEntropyGrad),
	kernel.CrossEntropyWithGrad: split(alongRows, 400, execCrossEntropyWithGrad),

	kernel.Dropout: split(alongRows, 500, execDropout),
	kernel.Noise:   split(alongRows, 10000, execNoise),

	kernel.SGD:  update(200, execSGD),
	kernel.Adam: update(600, execAdam),
}

func init() {
	for op := range kernel.NumOps {
		if routines[op] == nil && kernel.Ops[op].SameShape() {
			routines[op] = elementwise(op)
		}
	}
}
