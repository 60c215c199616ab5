package cuda

import "pushdown/harness/kernel"

// routines has a row for each operation that is not elementwise; one without a row
// has no kernel yet.
var routines = [kernel.NumOps]routine{
	kernel.CopyStride: {args: 2, kernels: []string{"copystride"}, run: runStride},
	kernel.AddStride:  {args: 2, kernels: []string{"addstride"}, run: runStride},

	kernel.RowDot:     {args: 3, kernels: []string{"rowdot", "rowdot8"}, run: runRowDot},
	kernel.ColSum:     {args: 2, kernels: []string{"colsum"}, run: runColSum},
	kernel.MatMul:     {args: 3, kernels: []string{"matmulsmall", "matmullarge", "matmuljoin"}, run: runMatMul},
	kernel.Affine:     {args: 4, kernels: []string{"matmulsmall", "matmullarge", "matmuljoin"}, run: runMatMul},
	kernel.SumSquares: {args: 2, kernels: []string{"sumsquares", "sumblocks"}, run: runSumSquares, scratch: sumScratch},

	kernel.ToStackMajor:   {args: 2, kernels: []string{"todepth"}, run: runStackMajor},
	kernel.FromStackMajor: {args: 2, kernels: []string{"fromdepth"}, run: runStackMajor},
	kernel.ColDot:         {args: 3, kernels: []string{"depthdot"}, run: runColDot},
	kernel.Stack:          {args: 6, kernels: []string{"stack"}, run: runStack},
	kernel.StackGrad:      {args: 11, kernels: []string{"stackgradstate", "stackgradactions", "stackgradcell"}, run: runStackGrad},

	kernel.List:     {args: 7, kernels: []string{"list"}, run: runList},
	kernel.ListGrad: {args: 11, kernels: []string{"listgradstate", "listgradactions"}, run: runListGrad},

	kernel.Softmax:          {args: 2, kernels: []string{"softmax", "softmax8"}, run: runSoftmax},
	kernel.SoftmaxGrad:      {args: 3, kernels: []string{"softmaxgrad", "softmaxgrad8"}, run: runSoftmaxGrad},
	kernel.OneHot:           {args: 2, kernels: []string{"onehot"}, run: runOneHot},
	kernel.WeightedSum:      {args: 3, kernels: []string{"mix"}, run: runWeightedSum},
	kernel.WeightedSumGradW: {args: 3, kernels: []string{"rowdot", "rowdot8"}, run: runWeightedSumGradW},
	kernel.WeightedSumGradX: {args: 3, kernels: []string{"mixgradblocks"}, run: runWeightedSum},

	kernel.Gather:           {args: 3, kernels: []string{"gather"}, run: runGather},
	kernel.ScatterRows:      {args: 3, kernels: []string{"scatterrows"}, run: runGather},
	kernel.ScatterAdd:       {args: 4, kernels: []string{"scatteradd", "clear", "scatterfirst"}, run: runScatterAdd},
	kernel.CrossEntropy:     {args: 3, kernels: []string{"crossentropy"}, run: runCrossEntropy},
	kernel.CrossEntropyGrad: {args: 4, kernels: []string{"crossentropy"}, run: runCrossEntropy},
	kernel.CrossEntropyBoth: {args: 5, kernels: []string{"crossentropy"}, run: runCrossEntropy},

	kernel.Dropout: {args: 3, kernels: []string{"dropout", "clear"}, run: runDropout},
	kernel.Noise:   {args: 3, kernels: []string{"noise"}, run: runNoise},

	kernel.SGD:  {args: 3, kernels: []string{"sgd"}, run: runSGD},
	kernel.Adam: {args: 5, kernels: []string{"adam"}, run: runAdam},
}
