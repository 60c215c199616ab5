package cuda

import "pushdown/harness/kernel"

// routines holds the routine of each operation that uses embedded kernels. Other
// operations have no entry. They use emitted kernels, or have no kernel yet.
var routines = [kernel.NumOps]routine{
	kernel.CopyStride: {kernels: []string{"copystride"}, run: runStride},
	kernel.AddStride:  {kernels: []string{"addstride"}, run: runStride},

	kernel.RowDot:     {kernels: []string{"rowdot", "rowdot8"}, run: runRowDot},
	kernel.ColSum:     {kernels: []string{"colsum"}, run: runColSum},
	kernel.MatMul:     {kernels: []string{"matmulsmall", "matmullarge", "matmuljoin"}, run: runMatMul},
	kernel.Affine:     {kernels: []string{"matmulsmall", "matmullarge", "matmuljoin"}, run: runMatMul},
	kernel.SumSquares: {kernels: []string{"sumsquares", "sumblocks"}, run: runSumSquares, scratch: sumScratch},

	kernel.ToStackMajor:   {kernels: []string{"todepth"}, run: runStackMajor},
	kernel.FromStackMajor: {kernels: []string{"fromdepth"}, run: runStackMajor},
	kernel.ColDot:         {kernels: []string{"depthdot"}, run: runColDot},
	kernel.Stack:          {kernels: []string{"stack"}, run: runStack},
	kernel.StackGrad:      {kernels: []string{"stackgradstate", "stackgradactions", "stackgradcell"}, run: runStackGrad},

	kernel.List:     {kernels: []string{"list"}, run: runList},
	kernel.ListGrad: {kernels: []string{"listgradstate", "listgradactions"}, run: runListGrad},

	kernel.Softmax:          {kernels: []string{"softmax", "softmax8"}, run: runSoftmax},
	kernel.SoftmaxGrad:      {kernels: []string{"softmaxgrad", "softmaxgrad8"}, run: runSoftmaxGrad},
	kernel.OneHot:           {kernels: []string{"onehot"}, run: runOneHot},
	kernel.WeightedSum:      {kernels: []string{"mix"}, run: runWeightedSum},
	kernel.WeightedSumGradW: {kernels: []string{"rowdot", "rowdot8"}, run: runWeightedSumGradW},
	kernel.WeightedSumGradX: {kernels: []string{"mixgradblocks"}, run: runWeightedSum},

	kernel.Gather:               {kernels: []string{"gather"}, run: runGather},
	kernel.ScatterRows:          {kernels: []string{"scatterrows"}, run: runGather},
	kernel.ScatterAdd:           {kernels: []string{"scatteradd", "clear", "scatterfirst"}, run: runScatterAdd},
	kernel.CrossEntropy:         {kernels: []string{"crossentropy"}, run: runCrossEntropy},
	kernel.CrossEntropyGrad:     {kernels: []string{"crossentropy"}, run: runCrossEntropy},
	kernel.CrossEntropyWithGrad: {kernels: []string{"crossentropy"}, run: runCrossEntropy},

	kernel.Dropout: {kernels: []string{"dropout", "clear"}, run: runDropout},
	kernel.Noise:   {kernels: []string{"noise"}, run: runNoise},

	kernel.SGD:  {kernels: []string{"sgd"}, run: runSGD},
	kernel.Adam: {kernels: []string{"adam"}, run: runAdam},
}
