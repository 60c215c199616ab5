package cpu

import (
	"unsafe"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

// Small networks are trained string by string, and a stream, which is a string without an
// end, is read symbol by symbol: both in frames of one row. Finding the operands of an
// instruction then takes more time than the instruction itself. So this file prepares
// instructions for a single row when a program is compiled. They do not split work among
// threads. Operands are found without a detour, a Group is the sequence of its instructions,
// and a product uses the kernel for a row times a matrix. Other instructions run their general
// routines.

// oneRow is an instruction prepared for frames of one row.
type oneRow struct {
	run  func(s *oneRow, f *kernel.Frame)
	args [11]oneRowArg
	m, n int                                          // extents for the routine below, or of the product
	vec  func(d, x, y *float32, n int)                // of an elementwise instruction
	rows func(dst, x *float32, rows, n, ldd, ldx int) // of an instruction that has one operand
	a    *arena
	in   *kernel.Instr
	any  run // the routine for any frame

	product *oneRowProduct
	fused   *fusedOps
}

// oneRowProduct is a product that the kernel for a row times a matrix computes.
type oneRowProduct struct {
	add int // the number of the operand that is added to the product; the operand can be absent

	// The transpose of the second operand, needed only if the operand is stored transposed.
	// It is made at the start of each Run that has at least oneRowTurn frames.
	transposed []float32
	ld         int // leading dimension of transposed: whole cache lines, and rows do not crowd few sets of a cache
	ready      bool
	sum        []float32 // the sum of several chunks, before it is added to another operand
}

// oneRowArg locates an operand in any frame of one row.
type oneRowArg struct {
	first unsafe.Pointer // where the operand is if its slot starts at row 0; nil if it is absent
	row   uintptr        // bytes of a row of the slot
	ld    int
	slot  kernel.Slot
}

// at returns the address of operand i.
func (s *oneRow) at(i int, f *kernel.Frame) *float32 { return s.args[i].at(f) }

// maybe returns the address of operand i, or nil if the operand is absent.
func (s *oneRow) maybe(i int, f *kernel.Frame) *float32 {
	if s.args[i].first == nil { // compilers may take the result of at for a pointer that is not nil
		return nil
	}
	return s.at(i, f)
}

func (a *oneRowArg) at(f *kernel.Frame) *float32 {
	return (*float32)(unsafe.Add(a.first, a.row*uintptr(f.Start[a.slot])))
}

// oneRowArgOf returns the location of an operand in frames of one row. A leading dimension of
// 0 stands for arg.S times the number of strings, which is 1 in such a frame.
func (a *arena) oneRowArgOf(arg kernel.Arg) oneRowArg {
	switch arg.Slot {
	case kernel.Absent:
		return oneRowArg{}
	case kernel.Local:
		return oneRowArg{first: unsafe.Pointer(&a.dev.tiles[0][arg.Off*groupTile])}
	}
	ld := arg.LD
	if ld == 0 {
		ld = arg.S
	}
	return oneRowArg{slot: arg.Slot, row: 4 * uintptr(arg.Row), ld: ld, first: unsafe.Pointer(a.f32(arg.Off + arg.Skip*ld))}
}

const (
	oneRowWork = 1 << 15 // products with at least this many FMAs are worth splitting among threads
	oneRowTurn = 4       // least number of frames for which transposeB copies
	lineFloats = simd.CacheLine / 4
)

// prepareOneRow prepares a program for frames of one row. A product that uses the kernel
// for a row times a matrix needs no packed copy of its matrix, so prepareOneRow cancels
// this copy. The other products still read packed operands.
func (a *arena) prepareOneRow(c *code) {
	for i := range c.instrs {
		in := &c.instrs[i]
		if in.Op == kernel.Group && in.W <= groupTile {
			for j := range in.Body {
				c.oneRow = append(c.oneRow, a.newOneRow(c, &in.Body[j], nil))
			}
			continue
		}
		c.oneRow = append(c.oneRow, a.newOneRow(c, in, c.runs[i]))
	}
	for _, p := range c.packs {
		for i := range c.oneRow {
			if s := &c.oneRow[i]; s.in == p.in && s.product != nil {
				p.wanted = false
			}
		}
	}
	c.oneRow = a.fuseOps(c.oneRow)
}

// newOneRow prepares an instruction of c.
func (a *arena) newOneRow(c *code, in *kernel.Instr, r run) oneRow {
	s := oneRow{run: oneRowAny, a: a, in: in, any: r, n: in.W}
	if in.Form == kernel.Fixed || in.Op == kernel.Group || len(in.Args) > len(s.args) || a.dev.team.n > 1 && in.W*max(in.K, 1) >= oneRowWork {
		return s
	}
	for i, arg := range in.Args {
		s.args[i] = a.oneRowArgOf(arg)
	}
	k, row := a.dev.kernels, &kernel.Ops[in.Op]
	switch op := in.Op; {
	case (op == kernel.MatMul || op == kernel.Affine) && in.I[0] == 0 && !in.Reduce && 0 < in.K && 0 < in.W && (in.I[1] == 0 || c.keepsB(in)):
		s.prepareProduct()
	case row.Element != nil && in.Form == kernel.Rows:
		s.run = oneRowVec
		s.vec, _ = rowRoutine(k, in)
	case row.SameShape() && in.Nonzero == nil && s.adjacent(len(in.Args)):
		s.run, s.n = oneRowVec, in.W*in.S
		s.vec, _ = rowRoutine(k, in)
	case op == kernel.ToStackMajor && s.args[0].ld == 1, op == kernel.FromStackMajor && s.args[1].ld == 1:
		s.run = oneRowVec // one stack
		s.vec = copyRow
	case op == kernel.ToStackMajor, op == kernel.FromStackMajor:
		s.run = oneRowTurned
	case op == kernel.Softmax:
		s.run, s.rows, s.m, s.n = oneRowGroups, k.Row.Softmax, in.W/in.I[0], in.I[0]
	case op == kernel.OneHot:
		s.run, s.rows, s.m, s.n = oneRowGroups, k.Row.Onehot, in.W/in.I[0], in.I[0]
	case op == kernel.SoftmaxGrad:
		s.run, s.m, s.n = oneRowSoftmaxGrad, in.W/in.I[0], in.I[0]
	case op == kernel.RowDot:
		s.run = oneRowDot
	case op == kernel.Stack && in.Nonzero == nil:
		s.run = oneRowStack
	case op == kernel.StackGrad:
		s.run = oneRowStackGrad
	case op == kernel.ZeroTail:
		s.run = oneRowZeroTail
	}
	return s
}

// adjacent reports whether the rows of the first n operands, which are stack-major, have no
// gaps between them.
func (s *oneRow) adjacent(n int) bool {
	for _, arg := range s.args[:n] {
		if arg.ld != s.in.S {
			return false
		}
	}
	return true
}

// oneRowAny runs an instruction that has no routine for one row. It calls the general
// routine.
func oneRowAny(s *oneRow, f *kernel.Frame) { s.any(s.a, s.in, f) }

func oneRowVec(s *oneRow, f *kernel.Frame) { s.vec(s.at(0, f), s.at(1, f), s.at(2, f), s.n) }

func oneRowGroups(s *oneRow, f *kernel.Frame) { s.rows(s.at(0, f), s.at(1, f), s.m, s.n, s.n, s.n) }

func oneRowSoftmaxGrad(s *oneRow, f *kernel.Frame) {
	s.a.dev.kernels.Row.SoftmaxGrad(s.at(0, f), s.at(1, f), s.at(2, f), s.m, s.n, s.n, s.n, s.n)
}

func oneRowDot(s *oneRow, f *kernel.Frame) {
	s.a.dev.kernels.Stack.RowDot(s.at(0, f), s.at(1, f), s.at(2, f), 1, s.n, s.n, s.n)
}

// oneRowTurned runs a ToStackMajor or a FromStackMajor. The row of numbers is a matrix with a
// row for each stack.
func oneRowTurned(s *oneRow, f *kernel.Frame) {
	rows, cols, ldd, ldx := s.in.S, s.in.W, s.args[0].ld, s.in.W
	if s.in.Op == kernel.FromStackMajor {
		rows, cols, ldd, ldx = cols, rows, s.in.W, s.args[1].ld
	}
	s.a.dev.kernels.Stack.Transpose(s.at(0, f), s.at(1, f), rows, cols, ldd, ldx)
}

func oneRowStack(s *oneRow, f *kernel.Frame) {
	in := s.in
	s.a.dev.kernels.Stack.Step(s.at(0, f), s.at(1, f), s.at(2, f), s.at(3, f), s.maybe(4, f), s.at(5, f), in.W, in.I[0], in.S,
		s.args[0].ld, s.args[1].ld, s.args[5].ld, in.F[0])
}

func oneRowStackGrad(s *oneRow, f *kernel.Frame) {
	gradOfStacks(s.a, s.in, f, s.maybe(0, f), s.maybe(1, f), s.maybe(2, f), s.maybe(3, f), s.maybe(4, f), s.at(5, f), s.at(6, f), s.at(7, f), s.at(8, f), s.maybe(9, f), s.at(10, f), s.in.S,
		s.args[0].ld, s.args[4].ld, s.args[5].ld, s.args[6].ld, s.args[10].ld)
}

// oneRowZeroTail does nothing except where the string ends.
func oneRowZeroTail(s *oneRow, f *kernel.Frame) {
	if f.Tail < f.N {
		s.any(s.a, s.in, f)
	}
}

// prepareProduct prepares a MatMul or an Affine.
func (s *oneRow) prepareProduct() {
	in, p := s.in, &oneRowProduct{add: 3} // the bias of an Affine
	s.run, s.product, s.m = oneRowMatMul, p, in.K
	if in.I[2] == 1 {
		p.add = 0
	}
	if in.K > simd.GemmChunk && s.args[p.add].first != nil {
		p.sum = make([]float32, in.W)
	}
	if in.I[1] == 1 {
		p.ld = (in.W + lineFloats - 1) / lineFloats * lineFloats
		if p.ld%simd.Crowded == 0 {
			p.ld += lineFloats
		}
		p.transposed, _, _ = heap(in.K * p.ld) // aligned; freed by the garbage collector
	}
}

// transposeB transposes the second operand of a product, if the operand is stored transposed
// and there are enough frames.
func (s *oneRow) transposeB(frames []kernel.Frame) {
	p := s.product
	if p == nil || p.transposed == nil {
		return
	}
	if p.ready = len(frames) >= oneRowTurn; p.ready {
		s.a.dev.kernels.Stack.Transpose(&p.transposed[0], s.at(2, &frames[0]), s.in.W, s.in.K, p.ld, s.args[2].ld)
	}
}

func oneRowMatMul(s *oneRow, f *kernel.Frame) {
	p := s.product
	b, ld := s.at(2, f), s.args[2].ld
	if p.transposed != nil {
		if !p.ready {
			s.any(s.a, s.in, f)
			return
		}
		b, ld = &p.transposed[0], p.ld
	}
	c, x, add, vecmat := s.at(0, f), s.at(1, f), s.maybe(p.add, f), s.a.dev.kernels.Vecmat
	if s.m <= simd.GemmChunk {
		vecmat(c, x, b, s.m, s.n, ld, add)
		return
	}
	to := c
	if add != nil {
		to = &p.sum[0]
	}
	vecmat(to, x, b, simd.GemmChunk, s.n, ld, nil)
	for k := simd.GemmChunk; k < s.m; k += simd.GemmChunk {
		vecmat(to, simd.At(x, k), simd.At(b, k*ld), min(simd.GemmChunk, s.m-k), s.n, ld, to)
	}
	if add != nil {
		s.a.dev.kernels.Vec.Op[kernel.Add].Xy(c, to, add, s.n)
	}
}

// singleRows reports whether the routines for one row can run the frames: there is a frame,
// and every frame has a single row and a single string.
func singleRows(frames []kernel.Frame) bool {
	for i := range frames {
		f := &frames[i]
		if f.N != 1 {
			return false
		}
		for _, n := range f.Strings {
			if n > 1 {
				return false
			}
		}
	}
	return len(frames) > 0
}
