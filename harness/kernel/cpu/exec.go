package cpu

import (
	"unsafe"

	"pushdown/harness/kernel"
	"pushdown/harness/numeric"
)

// routine is how an operation runs and how many operands it takes.
type routine struct {
	args int
	run  run
}

// routines has a row for each operation of the contract.
var routines = [kernel.NumOps]routine{
	kernel.Copy:        {2, execCopy},
	kernel.Add:         {3, binary(func(k *kernels) vec3 { return k.vec.add })},
	kernel.Sub:         {3, binary(func(k *kernels) vec3 { return k.vec.sub })},
	kernel.Mul:         {3, binary(func(k *kernels) vec3 { return k.vec.mul })},
	kernel.SigmoidGrad: {3, binary(func(k *kernels) vec3 { return k.vec.sigmoidGrad })},
	kernel.TanhGrad:    {3, binary(func(k *kernels) vec3 { return k.vec.tanhGrad })},
	kernel.Neg:         {2, unary(func(k *kernels) vec2 { return k.vec.neg })},
	kernel.OneMinus:    {2, unary(func(k *kernels) vec2 { return k.vec.oneMinus })},
	kernel.Sigmoid:     {2, unary(func(k *kernels) vec2 { return k.vec.sigmoid })},
	kernel.Tanh:        {2, unary(func(k *kernels) vec2 { return k.vec.tanh })},
	kernel.Scale:       {2, execScale},
	kernel.MulOne:      {3, execMulOne},
	kernel.Clip:        {2, execClip},
	kernel.Threshold:   {2, execThreshold},
	kernel.Fill:        {1, execFill},
	kernel.AddRow:      {3, execAddRow},
	kernel.MulRow:      {3, execMulRow},
	kernel.MulCol:      {3, execMulCol},
	kernel.CopyStride:  {2, execCopyStride},
	kernel.AddStride:   {2, execAddStride},
	kernel.ZeroTail:    {1, execZeroTail},

	kernel.RowDot:     {3, execRowDot},
	kernel.ColSum:     {2, execColSum},
	kernel.MatMul:     {3, execMatMul},
	kernel.SumSquares: {2, execSumSquares},

	kernel.ToDepth:   {2, execToDepth},
	kernel.FromDepth: {2, execFromDepth},
	kernel.ScaleCols: {3, execScaleCols},
	kernel.DepthDot:  {3, execDepthDot},
	kernel.Stack:     {6, execStack},
	kernel.StackGrad: {11, execStackGrad},

	kernel.Softmax:        {2, groups(func(k *kernels) groupFn { return k.row.softmax })},
	kernel.SoftmaxGrad:    {3, execSoftmaxGrad},
	kernel.OneHot:         {2, groups(func(k *kernels) groupFn { return k.row.onehot })},
	kernel.Mix:            {3, execMix},
	kernel.MixGradWeights: {3, execMixGradWeights},
	kernel.MixGradBlocks:  {3, execMixGradBlocks},

	kernel.Gather:           {3, execGather},
	kernel.ScatterRows:      {3, execScatterRows},
	kernel.ScatterAdd:       {4, execScatterAdd},
	kernel.CrossEntropy:     {3, execCrossEntropy},
	kernel.CrossEntropyGrad: {4, execCrossEntropyGrad},
	kernel.CrossEntropyBoth: {5, execCrossEntropyBoth},

	kernel.Dropout: {3, execDropout},
	kernel.Noise:   {3, execNoise},

	kernel.SGD:  {3, execSGD},
	kernel.Adam: {5, execAdam},
}

// optional has a bit for each operand that may be absent.
var optional = [kernel.NumOps]uint16{
	kernel.Stack:     1 << 4,
	kernel.StackGrad: 1<<0 | 1<<1 | 1<<2 | 1<<3 | 1<<4 | 1<<9,
}

type (
	vec2 = func(dst, x *float32, n int)
	vec3 = func(dst, a, b *float32, n int)

	groupFn = func(dst, x *float32, rows, n, ldd, ldx int)
)

// unary runs an elementwise routine of one operand, whole where rows are
// adjacent.
func unary(pick func(*kernels) vec2) run {
	return func(a *arena, in *kernel.Instr, f *kernel.Frame) {
		fn := pick(a.dev.kernels)
		rows, cols := in.Extents(f)
		d, ldd := a.arg(in, f, 0)
		x, ldx := a.arg(in, f, 1)
		if rows == 1 || ldd == cols && ldx == cols {
			fn(d, x, rows*cols)
			return
		}
		for r := range rows {
			fn(at(d, r*ldd), at(x, r*ldx), cols)
		}
	}
}

// binary is unary of two operands.
func binary(pick func(*kernels) vec3) run {
	return func(a *arena, in *kernel.Instr, f *kernel.Frame) {
		fn := pick(a.dev.kernels)
		rows, cols := in.Extents(f)
		d, ldd := a.arg(in, f, 0)
		x, ldx := a.arg(in, f, 1)
		y, ldy := a.arg(in, f, 2)
		if rows == 1 || ldd == cols && ldx == cols && ldy == cols {
			fn(d, x, y, rows*cols)
			return
		}
		for r := range rows {
			fn(at(d, r*ldd), at(x, r*ldx), at(y, r*ldy), cols)
		}
	}
}

// each2 runs fn on every row of a result and an operand.
func (a *arena) each2(in *kernel.Instr, f *kernel.Frame, fn func(dst, x *float32, n int)) {
	rows, cols := in.Extents(f)
	d, ldd := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	for r := range rows {
		fn(at(d, r*ldd), at(x, r*ldx), cols)
	}
}

func execCopy(a *arena, in *kernel.Instr, f *kernel.Frame) {
	rows, cols := in.Extents(f)
	d, ldd := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	if ldd == cols && ldx == cols {
		rows, cols = 1, rows*cols
	}
	a.dev.kernels.reduce.copyRows(d, x, rows, cols, ldd, ldx)
}

func execScale(a *arena, in *kernel.Instr, f *kernel.Frame) {
	a.each2(in, f, func(d, x *float32, n int) { a.dev.kernels.vec.scale(d, x, in.F[0], n) })
}

func execMulOne(a *arena, in *kernel.Instr, f *kernel.Frame) {
	w, _ := a.arg(in, f, 2)
	a.each2(in, f, func(d, x *float32, n int) { a.dev.kernels.vec.scale(d, x, *w, n) })
}

func execClip(a *arena, in *kernel.Instr, f *kernel.Frame) {
	a.each2(in, f, func(d, x *float32, n int) { a.dev.kernels.vec.clip(d, x, in.F[0], in.F[1], n) })
}

func execThreshold(a *arena, in *kernel.Instr, f *kernel.Frame) {
	a.each2(in, f, func(d, x *float32, n int) {
		dst, src := unsafe.Slice(d, n), unsafe.Slice(x, n)
		for i, v := range src {
			if v > in.F[0] {
				dst[i] = 1
			} else {
				dst[i] = 0
			}
		}
	})
}

func execFill(a *arena, in *kernel.Instr, f *kernel.Frame) {
	rows, cols := in.Extents(f)
	d, ldd := a.arg(in, f, 0)
	if ldd == cols {
		rows, cols = 1, rows*cols
	}
	for r := range rows {
		a.dev.kernels.vec.fill(at(d, r*ldd), in.F[0], cols)
	}
}

func execAddRow(a *arena, in *kernel.Instr, f *kernel.Frame) {
	rows, cols := in.Extents(f)
	d, ldd := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	w, _ := a.arg(in, f, 2)
	a.dev.kernels.reduce.addRow(d, x, w, rows, cols, ldd, ldx)
}

func execMulRow(a *arena, in *kernel.Instr, f *kernel.Frame) {
	rows, cols := in.Extents(f)
	d, ldd := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	w, _ := a.arg(in, f, 2)
	a.dev.kernels.reduce.mulRow(d, x, w, rows, cols, ldd, ldx)
}

// execMulCol takes a column of weights at any distance.
func execMulCol(a *arena, in *kernel.Instr, f *kernel.Frame) {
	rows, cols := in.Extents(f)
	d, ldd := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	w, ldw := a.arg(in, f, 2)
	if ldw == 1 {
		a.dev.kernels.stack.rowsBy(d, x, w, rows, cols, ldd, ldx)
		return
	}
	for r := range rows {
		a.dev.kernels.vec.scale(at(d, r*ldd), at(x, r*ldx), *at(w, r*ldw), cols)
	}
}

func execCopyStride(a *arena, in *kernel.Instr, f *kernel.Frame) {
	a.each2(in, f, func(d, x *float32, n int) {
		for i := range n {
			*at(d, i*in.I[0]) = *at(x, i*in.I[1])
		}
	})
}

func execAddStride(a *arena, in *kernel.Instr, f *kernel.Frame) {
	a.each2(in, f, func(d, x *float32, n int) {
		for i := range n {
			*at(d, i*in.I[0]) += *at(x, i*in.I[1])
		}
	})
}

func execZeroTail(a *arena, in *kernel.Instr, f *kernel.Frame) {
	if f.Tail >= f.N {
		return
	}
	d, ldd := a.arg(in, f, 0)
	if in.Form == kernel.Depth {
		for r := range in.W {
			a.dev.kernels.vec.fill(at(d, r*ldd+f.Tail*in.S), 0, (f.N-f.Tail)*in.S)
		}
		return
	}
	rows, cols := f.N-f.Tail, in.W
	d = at(d, f.Tail*ldd)
	if ldd == cols {
		rows, cols = 1, rows*cols
	}
	for r := range rows {
		a.dev.kernels.vec.fill(at(d, r*ldd), 0, cols)
	}
}

func execRowDot(a *arena, in *kernel.Instr, f *kernel.Frame) {
	rows, cols := in.Extents(f)
	d, _ := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	y, ldy := a.arg(in, f, 2)
	a.dev.kernels.stack.rowDot(d, x, y, rows, cols, ldx, ldy)
}

func execColSum(a *arena, in *kernel.Instr, f *kernel.Frame) {
	rows, cols := in.Extents(f)
	d, _ := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	a.dev.kernels.reduce.colSum(d, x, rows, cols, ldx)
}

func execMatMul(a *arena, in *kernel.Instr, f *kernel.Frame) {
	rows, cols := in.Extents(f)
	g := gemmArgs{M: rows, N: cols, K: in.Inner(f), TA: in.I[0] == 1, TB: in.I[1] == 1, Acc: in.I[2] == 1}
	g.C, g.Ldc = a.arg(in, f, 0)
	g.A, g.Lda = a.arg(in, f, 1)
	g.B, g.Ldb = a.arg(in, f, 2)
	a.dev.product.run(&g)
}

func execSumSquares(a *arena, in *kernel.Instr, f *kernel.Frame) {
	d, _ := a.arg(in, f, 0)
	x, _ := a.arg(in, f, 1)
	*d = a.dev.kernels.reduce.sumSquares(x, in.M*in.W)
}

// groups runs a routine of one operand over groups of I0 columns, whole where
// they are adjacent.
func groups(pick func(*kernels) groupFn) run {
	return func(a *arena, in *kernel.Instr, f *kernel.Frame) {
		fn := pick(a.dev.kernels)
		d, ldd := a.arg(in, f, 0)
		x, ldx := a.arg(in, f, 1)
		rows, cols := in.Extents(f)
		n := in.I[0]
		switch {
		case n == cols:
			fn(d, x, rows, n, ldd, ldx)
		case ldd == cols && ldx == cols:
			fn(d, x, rows*(cols/n), n, n, n)
		default:
			for r := range rows {
				fn(at(d, r*ldd), at(x, r*ldx), cols/n, n, n, n)
			}
		}
	}
}

func execSoftmaxGrad(a *arena, in *kernel.Instr, f *kernel.Frame) {
	fn := a.dev.kernels.row.softmaxGrad
	d, ldd := a.arg(in, f, 0)
	y, ldy := a.arg(in, f, 1)
	dy, lddy := a.arg(in, f, 2)
	rows, cols := in.Extents(f)
	n := in.I[0]
	switch {
	case n == cols:
		fn(d, y, dy, rows, n, ldd, ldy, lddy)
	case ldd == cols && ldy == cols && lddy == cols:
		fn(d, y, dy, rows*(cols/n), n, n, n, n)
	default:
		for r := range rows {
			fn(at(d, r*ldd), at(y, r*ldy), at(dy, r*lddy), cols/n, n, n, n, n)
		}
	}
}

func execGather(a *arena, in *kernel.Instr, f *kernel.Frame) {
	rows, cols := in.Extents(f)
	d, ldd := a.arg(in, f, 0)
	table, ldt := a.arg(in, f, 1)
	ids, _ := a.arg(in, f, 2)
	a.dev.kernels.reduce.gather(d, table, i32(ids), rows, cols, ldd, ldt)
}

func execScatterRows(a *arena, in *kernel.Instr, f *kernel.Frame) {
	rows, cols := in.Extents(f)
	d, ldd := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	ids, _ := a.arg(in, f, 2)
	for r, id := range unsafe.Slice(i32(ids), rows) {
		copy(unsafe.Slice(at(d, int(id)*ldd), cols), unsafe.Slice(at(x, r*ldx), cols))
	}
}

func execScatterAdd(a *arena, in *kernel.Instr, f *kernel.Frame) {
	d, ldd := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	ids, _ := a.arg(in, f, 2)
	scratch, _ := a.arg(in, f, 3)
	a.dev.kernels.reduce.scatterAdd(d, x, i32(ids), f.N, in.W, in.M, ldd, ldx, i32(scratch))
}

func execCrossEntropy(a *arena, in *kernel.Instr, f *kernel.Frame) {
	rows, cols := in.Extents(f)
	loss, _ := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	target, _ := a.arg(in, f, 2)
	a.dev.kernels.row.xent(loss, x, i32(target), rows, cols, ldx)
}

func execCrossEntropyGrad(a *arena, in *kernel.Instr, f *kernel.Frame) {
	rows, cols := in.Extents(f)
	d, ldd := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	target, _ := a.arg(in, f, 2)
	dloss, _ := a.arg(in, f, 3)
	a.dev.kernels.row.xentGrad(d, x, i32(target), dloss, rows, cols, ldd, ldx)
}

// execCrossEntropyBoth computes the loss first: the gradient may lie where the
// logits lie.
func execCrossEntropyBoth(a *arena, in *kernel.Instr, f *kernel.Frame) {
	rows, cols := in.Extents(f)
	d, ldd := a.arg(in, f, 0)
	loss, _ := a.arg(in, f, 1)
	x, ldx := a.arg(in, f, 2)
	target, _ := a.arg(in, f, 3)
	dloss, _ := a.arg(in, f, 4)
	a.dev.kernels.row.xent(loss, x, i32(target), rows, cols, ldx)
	a.dev.kernels.row.xentGrad(d, x, i32(target), dloss, rows, cols, ldd, ldx)
}

func execSGD(a *arena, in *kernel.Instr, f *kernel.Frame) {
	w, _ := a.arg(in, f, 0)
	dw, _ := a.arg(in, f, 1)
	lr, _ := a.arg(in, f, 2)
	a.dev.kernels.optim.sgd(w, dw, *lr, in.M*in.W)
}

func execAdam(a *arena, in *kernel.Instr, f *kernel.Frame) {
	w, _ := a.arg(in, f, 0)
	m, _ := a.arg(in, f, 1)
	v, _ := a.arg(in, f, 2)
	dw, _ := a.arg(in, f, 3)
	s, _ := a.arg(in, f, 4)
	h := (*adamScalars)(unsafe.Pointer(s)) // the words lie in the order of its fields
	a.dev.kernels.optim.adam(w, m, v, dw, in.M*in.W, h)
}

func fma(x, y, z float32) float32 { return numeric.FMA(x, y, z) }
