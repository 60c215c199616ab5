package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
	"pushdown/harness/kernel/cpu/simd/asm/math"
)

// short is the state shared by the kernels for matrices with short rows. These kernels
// process a group of W rows at a time, with one lane of a vector for each row. The stack
// frame has eight vectors, called slots, one for each column. Rows have at most eight
// elements. If they have fewer, the other slots hold +0, the partial sum of no elements.
type short struct {
	math.Lane
	frame Mem
	n     reg.GPVirtual
	count reg.GPVirtual // number of rows in the group
	mask  math.Mask     // the lanes of these rows
}

// operand is a matrix and the position of the current group.
type operand struct {
	at    reg.GPVirtual // first row of the group
	row   reg.GPVirtual // bytes from row to row
	index math.Vec      // for each lane, the distance of its row from the first row, in elements
}

// lanes holds 0, 1 ... 15.
var lanes *Mem

func (s *short) operand(name, ld string) *operand {
	if lanes == nil {
		m := GLOBL("lanes", 8|16)
		lane.Words(func(i int) uint32 { return uint32(i) })
		lanes = &m
	}
	o := &operand{at: param(name), row: stride(ld), index: s.Vec()}
	p, err := Param(ld).Resolve()
	if err != nil {
		panic(err)
	}
	VPBROADCASTD(p.Addr, o.index)
	VPMULLD(*lanes, o.index, o.index)
	return o
}

// groups emits a loop over the groups of rows. For each group it runs the code that the
// function body emits, and then advances the operands. The slice vectors has the addresses
// of operands with one element per row.
func (s *short) groups(operands []*operand, vectors []reg.GPVirtual, body func()) {
	none := s.Zero()
	for j := range shortest {
		s.Store(none, s.slot(j), nil)
	}
	s.n = param("n")
	rows := param("rows")
	again, full := label("group"), label("full")
	Label(again)
	active := GP64()
	MOVQ(U32(s.W), active)
	CMPQ(rows, active)
	JGE(LabelRef(full))
	MOVQ(rows, active)
	Label(full)
	s.count, s.mask = active, s.FirstN(active)
	body()
	for _, o := range operands {
		step := copyOf(o.row)
		SHLQ(U8(log2(s.W)), step)
		ADDQ(step, o.at)
	}
	for _, v := range vectors {
		ADDQ(U32(s.Bytes()), v)
	}
	SUBQ(U32(s.W), rows)
	JG(LabelRef(again))
}

func log2(w int) int {
	if w == 16 {
		return 4
	}
	return 3
}

func (s *short) slot(j int) Mem { return s.frame.Offset(j * s.Bytes()) }

// columns emits a loop over the columns. For each column it runs the code that the function
// body emits. The argument slot is the slot of the column, and the slice at has the address
// of the first element of the column in each operand.
func (s *short) columns(operands []*operand, body func(slot Mem, at []Mem)) {
	offset, count := zero(), copyOf(s.n)
	var ptrs []reg.GPVirtual
	var at []Mem
	for _, o := range operands {
		p := copyOf(o.at)
		ptrs, at = append(ptrs, p), append(at, Mem{Base: p})
	}
	again := label("column")
	Label(again)
	body(s.frame.Idx(offset, 1), at)
	for _, p := range ptrs {
		ADDQ(U8(4), p)
	}
	ADDQ(U32(s.Bytes()), offset)
	DECQ(count)
	JNZ(LabelRef(again))
}

// gather loads a column of the operand o: one element for each row of the group. The
// parameter at is the address of the element in the first row.
func (s *short) gather(o *operand, at Mem) math.Vec { return s.Gather(at, o.index, s.mask) }

// put emits code that stores a result in dst, column by column. The function value emits
// the computation of one column and returns its vector. AVX-512 code scatters this vector
// to the rows of dst, except in full groups of rows with at least four columns: it stores
// their columns in the slots and transposes them. AVX2 cannot scatter, so its code stores
// the columns in the slots, and then copies them to dst row by row.
func (s *short) put(dst *operand, operands []*operand, value func(slot Mem, at []Mem) math.Vec) {
	lay := func() {
		s.columns(operands, func(slot Mem, at []Mem) { s.Store(value(slot, at), slot, nil) })
		// The slots of missing columns are still +0, since they are never stored to.
	}
	if s.Wide() {
		s.whole(func() { lay(); s.spill(dst) }, func() {
			s.columns(append([]*operand{dst}, operands...), func(slot Mem, at []Mem) {
				s.Scatter(value(slot, at[1:]), at[0], dst.index, s.mask)
			})
		})
		return
	}
	lay()
	row, at, bits := zero(), copyOf(dst.at), s.Bits(s.mask)
	nextRow, next := label("row"), label("element")
	Label(nextRow)
	offset, i := copyOf(row), zero()
	Label(next)
	x := GP32()
	MOVL(s.frame.Idx(offset, 1), x)
	MOVL(x, Mem{Base: at, Index: i, Scale: 4})
	ADDQ(U32(s.Bytes()), offset)
	INCQ(i)
	CMPQ(i, s.n)
	JL(LabelRef(next))
	ADDQ(U8(4), row)
	ADDQ(dst.row, at)
	SHRL(U8(1), bits)
	JNZ(LabelRef(nextRow))
}

// whole emits a branch with two sides: the code of the function yes for groups of W rows
// with at least four columns, and the code of the function no for all other groups. With
// fewer columns, gathering the columns is faster than transposing the rows.
func (s *short) whole(yes, no func()) {
	part, end := label("part"), label("end")
	CMPQ(s.count, U32(s.W))
	JNE(LabelRef(part))
	CMPQ(s.n, Imm(4))
	JLT(LabelRef(part))
	yes()
	JMP(LabelRef(end))
	Label(part)
	no()
	Label(end)
}

// sum returns the sum of the slots. It adds their upper half to the lower half until one is
// left. The slots hold 8 of the 64 partial sums of the contract; the others are +0. Each
// partial sum starts from +0, so a product of -0 gives a partial sum of +0. If the terms are
// products, the method therefore adds +0 to each slot first.
func (s *short) sum(products bool) math.Vec {
	var p [4]math.Vec
	for i := range p {
		p[i] = s.Load(s.slot(i), nil)
		if products {
			zero := s.Zero()
			VADDPS(zero, p[i], p[i])
			q := s.Load(s.slot(i+4), nil)
			VADDPS(zero, q, q)
			VADDPS(q, p[i], p[i])
			continue
		}
		VADDPS(s.slot(i+4), p[i], p[i])
	}
	VADDPS(p[2], p[0], p[0])
	VADDPS(p[3], p[1], p[1])
	VADDPS(p[1], p[0], p[0])
	return p[0]
}

// exps emits m = max(x) and e = exp(x - m), which it stores in the slots. It returns m and
// the sum of e. The maximum starts at -Inf. This differs from a start at x[0] only if x[0]
// is NaN, and then all results are NaN. If the parameter turn is set, the rows of full
// groups are loaded and transposed instead of gathered by columns. That is faster if the
// kernel also stores to these rows, since gathers would wait for the stores.
func (s *short) exps(x *operand, turn bool, exp func(math.Vec) math.Vec) (m, sum math.Vec) {
	m = s.Copy(math.DataBits(minusInf))
	gather := func() {
		s.columns([]*operand{x}, func(slot Mem, at []Mem) {
			v := s.gather(x, at[0])
			s.Store(v, slot, nil)
			VMAXPS(m, v, m)
		})
	}
	if s.Wide() && turn {
		s.whole(func() {
			s.fetch(x)
			s.columns(nil, func(slot Mem, _ []Mem) { VMAXPS(m, s.Load(slot, nil), m) })
		}, gather)
	} else {
		gather()
	}
	s.columns(nil, func(slot Mem, _ []Mem) {
		v := s.Load(slot, nil)
		VSUBPS(m, v, v)
		s.Store(exp(v), slot, nil)
	})
	return m, s.sum(false)
}

const minusInf = 0xff800000

func shortSoftmax(l math.Lane, frame Mem) {
	s := &short{Lane: l, frame: frame}
	x, dst := s.operand("x", "ldx"), s.operand("dst", "ldd")
	exp := l.ExpNeg()
	s.groups([]*operand{x, dst}, nil, func() {
		_, sum := s.exps(x, true, exp)
		inv := inverse(l, sum)
		s.put(dst, nil, func(slot Mem, _ []Mem) math.Vec {
			v := l.Vec()
			VMULPS(slot, inv, v)
			return v
		})
	})
}

func shortSoftmaxGrad(l math.Lane, frame Mem) {
	s := &short{Lane: l, frame: frame}
	y, dy, dst := s.operand("y", "ldy"), s.operand("dy", "lddy"), s.operand("dst", "ldd")
	in := []*operand{y, dy}
	s.groups([]*operand{y, dy, dst}, nil, func() {
		s.columns(in, func(slot Mem, at []Mem) {
			v, w := s.gather(y, at[0]), s.gather(dy, at[1])
			VMULPS(v, w, w)
			s.Store(w, slot, nil)
		})
		d := s.sum(true)
		s.put(dst, in, func(_ Mem, at []Mem) math.Vec {
			v, w := s.gather(y, at[0]), s.gather(dy, at[1])
			VSUBPS(d, w, w)
			VMULPS(v, w, w)
			return w
		})
	})
}

// The method short emits a kernel that performs the task on short rows.
func (t task) short(l math.Lane, frame Mem) {
	s := &short{Lane: l, frame: frame}
	x, target := s.operand("x", "ldx"), param("target")
	operands, vectors := []*operand{x}, []reg.GPVirtual{target}
	var dst *operand
	var loss, dloss reg.GPVirtual
	if t.loss {
		loss = param("loss")
		vectors = append(vectors, loss)
	}
	if t.grad {
		dst, dloss = s.operand("dst", "ldd"), param("dloss")
		operands, vectors = append(operands, dst), append(vectors, dloss)
	}
	exp, log := l.Sparing().ExpNeg(), func(v math.Vec) math.Vec { return l.Sparing().Log()(v) }
	s.groups(operands, vectors, func() {
		m, sum := s.exps(x, t.grad, exp)
		if t.loss {
			// x[target] - m
			index := l.Load(Mem{Base: target}, &s.mask)
			VPADDD(x.index, index, index)
			v := s.Gather(Mem{Base: x.at}, index, s.mask)
			VSUBPS(m, v, v)
			w := log(sum)
			VSUBPS(v, w, w)
			l.Store(w, Mem{Base: loss}, &s.mask)
		}
		if t.grad {
			s.xentGrad(dst, target, dloss, inverse(l, sum))
		}
	})
}

// xentGrad emits the gradient from the exponentials.
func (s *short) xentGrad(dst *operand, target, dloss reg.GPVirtual, inv math.Vec) {
	t, dl := s.Load(Mem{Base: target}, &s.mask), s.Load(Mem{Base: dloss}, &s.mask)
	j, one := s.Zero(), s.RegBits(1)
	s.put(dst, nil, func(slot Mem, _ []Mem) math.Vec {
		v, hit := s.Vec(), s.Reg(1)
		VMULPS(slot, inv, v)
		is := s.CompareInt(j, t)
		s.Keep(&is, hit)
		VSUBPS(hit, v, v) // subtracts 1 at the target, +0 elsewhere
		VMULPS(dl, v, v)
		VPADDD(one, j, j)
		return v
	})
}

// argmax returns the column of the maximum of each row.
func (s *short) argmax(x *operand) math.Vec {
	best, at := s.Gather(Mem{Base: x.at}, x.index, s.mask), s.Zero()
	j, one := s.Zero(), s.RegBits(1)
	s.columns([]*operand{x}, func(_ Mem, col []Mem) {
		v := s.gather(x, col[0])
		more := s.Compare(math.GT, v, best)
		VMOVUPS(s.Choose(&more, v, best), best)
		VMOVUPS(s.Choose(&more, j, at), at)
		VPADDD(one, j, j)
	})
	return at
}

func shortOnehot(l math.Lane, frame Mem) {
	s := &short{Lane: l, frame: frame}
	x, dst := s.operand("x", "ldx"), s.operand("dst", "ldd")
	s.groups([]*operand{x, dst}, nil, func() {
		at := s.argmax(x)
		j, one := l.Zero(), l.RegBits(1)
		s.put(dst, nil, func(Mem, []Mem) math.Vec {
			v := l.Reg(1)
			is := l.CompareInt(j, at)
			l.Keep(&is, v)
			VPADDD(one, j, j)
			return v
		})
	})
}
