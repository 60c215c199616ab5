package cpu

import (
	"unsafe"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

// A stream, which is a string without an end, is read symbol by symbol, in frames of one row.
// Finding the operands of an instruction then takes more time than the instruction itself. So
// this file prepares products and the sequences of exec_fusedops.go for a single row when a
// program is compiled. They do not split work among threads. A product uses the kernel for a
// row times a matrix. Other instructions run their general routines.

// oneRow is an instruction prepared for frames of one row.
type oneRow struct {
	run     func(s *oneRow, base unsafe.Pointer, f *kernel.Frame)
	a       *arena
	in      *kernel.Instr
	any     run  // its routine for any frame
	product bool // a product that the kernel for a row times a matrix computes
	args    [11]oneRowArg

	// The transpose of the second operand of a product, needed only if the operand is
	// stored transposed. It is made at the start of each Run that has at least oneRowTurn
	// frames.
	transposed []float32
	ld         int // leading dimension of transposed, a multiple of a cache line
	ready      bool
	sum        []float32 // the sum of several chunks, before it is added to c

	fused *fusedOps
}

// oneRowArg locates an operand in any frame of one row. The fields off and row are in bytes.
type oneRowArg struct {
	off, row uintptr
	slot     kernel.Slot
	ld       int
}

// at returns the address of operand i.
func (s *oneRow) at(i int, base unsafe.Pointer, f *kernel.Frame) *float32 {
	return s.args[i].at(base, f)
}

func (a *oneRowArg) at(base unsafe.Pointer, f *kernel.Frame) *float32 {
	return (*float32)(unsafe.Add(base, a.off+a.row*uintptr(f.Start[a.slot])))
}

// oneRowArgOf returns the location of an operand in frames of one row. A leading dimension of
// 0 stands for arg.S times the number of strings, which is 1 in such a frame.
func oneRowArgOf(arg kernel.Arg) oneRowArg {
	to := oneRowArg{slot: arg.Slot, row: 4 * uintptr(arg.Row), ld: arg.LD}
	if to.ld == 0 {
		to.ld = arg.S
	}
	to.off = 4 * uintptr(arg.Off+arg.Skip*to.ld)
	return to
}

// maybe returns the address of operand i, or nil if the operand is absent.
func (s *oneRow) maybe(i int, base unsafe.Pointer, f *kernel.Frame) *float32 {
	if s.args[i].slot == kernel.Absent {
		return nil
	}
	return s.at(i, base, f)
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
		c.oneRow[i] = a.newOneRow(&c.instrs[i], c.runs[i])
	}
	for _, p := range c.packs {
		for i := range c.oneRow {
			if s := &c.oneRow[i]; s.in == p.in && s.product {
				p.wanted = false
			}
		}
	}
	c.oneRow = a.fuseOps(c.oneRow)
}

// newOneRow prepares an instruction.
func (a *arena) newOneRow(in *kernel.Instr, r run) oneRow {
	s := oneRow{run: oneRowAny, a: a, in: in, any: r}
	if in.Form == kernel.Fixed || len(in.Args) > len(s.args) {
		return s
	}
	for i, arg := range in.Args {
		s.args[i] = oneRowArgOf(arg)
	}
	if in.Op == kernel.MatMul && in.I[0] == 0 && !in.Reduce && 0 < in.K && 0 < in.W && (in.K*in.W < oneRowWork || a.dev.team.n == 1) {
		s.run, s.product = oneRowMatMul, true
		if in.K > simd.GemmChunk && in.I[2] == 1 {
			s.sum = make([]float32, in.W)
		}
		if in.I[1] == 1 {
			s.ld = (in.W + lineFloats - 1) / lineFloats * lineFloats
			s.transposed, _, _ = heap(in.K * s.ld) // aligned; freed by the garbage collector
		}
	}
	return s
}

// oneRowAny runs an instruction that has no routine for one row. It calls the general
// routine.
func oneRowAny(s *oneRow, _ unsafe.Pointer, f *kernel.Frame) { s.any(s.a, s.in, f) }

// transposeB transposes the second operand of a product into s.transposed, if the
// operand is stored transposed and there are enough frames.
func (s *oneRow) transposeB(base unsafe.Pointer, frames []kernel.Frame) {
	if s.transposed == nil {
		return
	}
	if s.ready = len(frames) >= oneRowTurn; s.ready {
		s.a.dev.kernels.Stack.Transpose(&s.transposed[0], s.at(2, base, &frames[0]), s.in.W, s.in.K, s.ld, s.args[2].ld)
	}
}

func oneRowMatMul(s *oneRow, base unsafe.Pointer, f *kernel.Frame) {
	in := s.in
	b, ld := s.at(2, base, f), s.args[2].ld
	if s.transposed != nil {
		if !s.ready {
			s.any(s.a, in, f)
			return
		}
		b, ld = &s.transposed[0], s.ld
	}
	c, x, vecmat := s.at(0, base, f), s.at(1, base, f), s.a.dev.kernels.Vecmat
	if in.K <= simd.GemmChunk {
		vecmat(c, x, b, in.K, in.W, ld, in.I[2])
		return
	}
	to := c
	if s.sum != nil {
		to = &s.sum[0]
	}
	for k := 0; k < in.K; k += simd.GemmChunk {
		vecmat(to, simd.At(x, k), simd.At(b, k*ld), min(simd.GemmChunk, in.K-k), in.W, ld, min(k, 1))
	}
	if s.sum != nil {
		s.a.dev.kernels.Vec.Op[kernel.Add].Xy(c, c, to, in.W)
	}
}

// singleRows reports whether the routines for one row can run the frames: there is a frame,
// and every frame has a single row and a single string.
func singleRows(frames []kernel.Frame) bool {
	for i := range frames {
		f := &frames[i]
		if f.N != 1 || f.Strings[kernel.Current] > 1 || f.Strings[kernel.StateIn] > 1 || f.Strings[kernel.StateOut] > 1 {
			return false
		}
	}
	return len(frames) > 0
}
