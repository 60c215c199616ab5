package cpu

import (
	"pushdown/harness/kernel"
	"pushdown/harness/numeric"
)

// routine is how an operation runs and how many operands it takes.
type routine struct {
	args int
	run  run
}

// addRowCost is what an element of AddRow takes, in picoseconds, and so one of
// the bias of an Affine.
const addRowCost = 60

// routines has a row for each operation of the contract.
var routines = [kernel.NumOps]routine{
	kernel.Copy:        {2, split(anywhere, 60, execCopy)},
	kernel.Add:         {3, binary(80, func(k *kernels) vec3 { return k.vec.add })},
	kernel.Sub:         {3, binary(80, func(k *kernels) vec3 { return k.vec.sub })},
	kernel.Mul:         {3, binary(80, func(k *kernels) vec3 { return k.vec.mul })},
	kernel.SigmoidGrad: {3, binary(80, func(k *kernels) vec3 { return k.vec.sigmoidGrad })},
	kernel.TanhGrad:    {3, binary(80, func(k *kernels) vec3 { return k.vec.tanhGrad })},
	kernel.Neg:         {2, unary(60, func(k *kernels) vec2 { return k.vec.neg })},
	kernel.OneMinus:    {2, unary(60, func(k *kernels) vec2 { return k.vec.oneMinus })},
	kernel.Sigmoid:     {2, unary(250, func(k *kernels) vec2 { return k.vec.sigmoid })},
	kernel.Tanh:        {2, unary(250, func(k *kernels) vec2 { return k.vec.tanh })},
	kernel.Scale:       {2, split(anywhere, 60, execScale)},
	kernel.MulOne:      {3, split(anywhere, 60, execMulOne)},
	kernel.Clip:        {2, split(anywhere, 60, execClip)},
	kernel.Threshold:   {2, split(anywhere, 60, execThreshold)},
	kernel.FlushSmall:  {2, split(anywhere, 60, execFlushSmall)},
	kernel.Fill:        {1, split(anywhere, 40, execFill)},
	kernel.AddRow:      {3, split(anywhere, addRowCost, execAddRow)},
	kernel.MulRow:      {3, split(anywhere, 60, execMulRow)},
	kernel.MulCol:      {3, split(anywhere, 60, execMulCol)},
	kernel.CopyStride:  {2, split(alongRows, 1000, execCopyStride)},
	kernel.AddStride:   {2, split(alongRows, 1000, execAddStride)},
	kernel.ZeroTail:    {1, execZeroTail},

	kernel.RowDot:     {3, split(alongRows, 80, execRowDot)},
	kernel.ColSum:     {2, split(alongCols, 60, execColSum)},
	kernel.MatMul:     {3, execMatMul},
	kernel.Affine:     {4, execAffine},
	kernel.SumSquares: {2, execSumSquares},

	kernel.ToStackMajor:   {2, execToStackMajor},
	kernel.FromStackMajor: {2, execFromStackMajor},
	kernel.ScaleCols:      {3, execScaleCols},
	kernel.ColDot:         {3, execColDot},
	kernel.Stack:          {6, execStack},
	kernel.StackGrad:      {11, execStackGrad},
	kernel.List:           {7, execList},
	kernel.ListGrad:       {11, execListGrad},

	kernel.Softmax:          {2, groups(400, func(k *kernels) groupFn { return k.row.softmax })},
	kernel.SoftmaxGrad:      {3, split(alongRows, 150, execSoftmaxGrad)},
	kernel.OneHot:           {2, groups(150, func(k *kernels) groupFn { return k.row.onehot })},
	kernel.WeightedSum:      {3, split(alongRows, 200, execWeightedSum)},
	kernel.WeightedSumGradW: {3, split(alongRows, 200, execWeightedSumGradW)},
	kernel.WeightedSumGradX: {3, split(alongRows, 200, execWeightedSumGradX)},

	kernel.Gather:           {3, split(alongRows, 100, execGather)},
	kernel.ScatterRows:      {3, split(alongRows, 100, execScatterRows)},
	kernel.ScatterAdd:       {4, execScatterAdd},
	kernel.CrossEntropy:     {3, split(alongRows, 300, execCrossEntropy)},
	kernel.CrossEntropyGrad: {4, split(alongRows, 400, execCrossEntropyGrad)},
	kernel.CrossEntropyBoth: {5, split(alongRows, 400, execCrossEntropyBoth)},

	kernel.Dropout: {3, split(alongRows, 500, execDropout)},
	kernel.Noise:   {3, split(alongRows, 10000, execNoise)},

	kernel.SGD:  {3, update(200, execSGD)},
	kernel.Adam: {5, update(600, execAdam)},
}

func fma(x, y, z float32) float32 { return numeric.FMA(x, y, z) }
