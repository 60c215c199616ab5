package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Offsets in GemmTile of package simd.
const (
	offA = 8 * iota
	offB
	offC
	offK
	offTiles
	offAStep
	offARow
	offANext
	offBStep
	offCRow
	offLast
	offAdd
	offSums
	offSumsRow
	offSumsAt
	offPanel
	offMode
	offFirst
	offBatch
	offBatches
	offPairs
	offFetch                                // rows fetched first
	offFetchNext = offFetch + 8*fetchFields // rows fetched next
	offFetchC    = offFetchNext + 8*fetchFields
	offLeft      = offFetchC + 8
)

// Offsets in gemmFetch, and the number of its fields.
const (
	fetchAt = 8 * iota
	fetchStep
	fetchLeft
	fetchRows
	fetchSkip
	fetchTimes
	fetchFields = iota
)

// Modes of reading B.
const (
	modePlain  = iota // B has whole vectors
	modeMasked        // the last vector is incomplete
	modeCopy          // like modePlain, but the first tile copies B to a panel, from which the others read it
)

const line = 64 // bytes

func mem(base GPPhysical, disp int) Mem { return Mem{Base: base, Disp: disp} }

// tile writes a kernel that computes t.Tiles tiles, one below the other, each of some
// rows and vectors. A tile has one accumulator for every vector of C:
//
//	for range t.Tiles {
//		for i, v := range rows x vectors { acc[i][v] = +0 }
//		for k := range t.K {
//			for i, v := range rows x vectors {
//				acc[i][v] = FMA(A[i,k], B[k,v], acc[i][v])
//			}
//		}
//		for i, v := range rows x vectors {
//			sum := acc[i][v]                // if t.Sums is not nil: Sums[i,v] + acc[i][v]
//			C[i,v] = sum                    // if t.Add is 1: C[i,v] + sum
//		}
//		A, C, Sums = A[rows:], C[rows:], Sums[rows:]
//	}
//
// The last vector of a row has t.Last columns. If it is the only one, it is masked unless it is
// whole. Otherwise it starts earlier and overlaps the vector before it: some columns are
// computed and stored twice, with the same bits. They are added twice as well, but all
// elements of Sums and C, which can be the same matrix, are read before any of them is stored.
//
// The loop over k runs in t.Batches batches,
// the first of t.First values and the others of t.batch values. After each batch the kernel
// prefetches a row of C, which it needs soon, and t.pairs pairs of cache lines, which later
// kernels need.
func tile(s *isa, name string, rows, vectors int) {
	TEXT(name, NOSPLIT|NOFRAME, "func(t *byte)")
	Pragma("noescape")
	w := &writer{isa: s, rows: rows, vectors: vectors, t: Load(Param("t"), RDI).(GPPhysical)}
	n := rows * vectors
	w.b = s.regs[n : n+vectors]
	w.spare = s.regs[n+vectors : min(n+vectors+4, len(s.regs))]
	MOVQ(mem(w.t, offA), regA)
	MOVQ(mem(w.t, offC), regC)
	MOVQ(mem(w.t, offAStep), aStep)
	MOVQ(mem(w.t, offARow), aRow)
	MOVQ(mem(w.t, offBStep), bStep)
	MOVQ(mem(w.t, offTiles), tiles)
	if vectors == 1 {
		s.mask(mem(w.t, offLast))
	} else {
		MOVQ(mem(w.t, offLast), last)
	}
	MOVQ(mem(w.t, offSums), regB)
	MOVQ(regB, mem(w.t, offSumsAt))

	Label("tile")
	MOVQ(regC, mem(w.t, offFetchC))
	for _, r := range s.regs[:n] {
		s.zero(r)
	}
	w.rowsOfA()
	MOVQ(mem(w.t, offB), regB)
	MOVQ(mem(w.t, offBatches), left)
	MOVQ(left, mem(w.t, offLeft))
	MOVQ(mem(w.t, offFirst), regK)
	if w.copies() {
		CMPQ(mem(w.t, offMode), Imm(modeCopy))
		JNE(LabelRef("plain"))
		MOVQ(mem(w.t, offPanel), panel)
		JMP(LabelRef("copy"))
	}
	w.choose()
	w.loop("plain", false, false)
	if vectors == 1 {
		w.loop("masked", true, false)
	}
	if w.copies() {
		w.loop("copy", false, true)
	}
	Label("fetch")
	w.fetch()
	MOVQ(mem(w.t, offBatch), regK)
	DECQ(mem(w.t, offLeft))
	JZ(LabelRef("finish"))
	w.choose()

	Label("finish")
	if w.copies() {
		MOVQ(mem(w.t, offLast), last)
	}
	w.finish()
	if w.copies() {
		CMPQ(mem(w.t, offMode), Imm(modeCopy))
		JNE(LabelRef("go"))
		MOVQ(mem(w.t, offPanel), regB)
		MOVQ(regB, mem(w.t, offB))
		MOVQ(U32(vectors*s.bytes()), bStep)
		MOVQ(bStep, mem(w.t, offBStep))
		MOVQ(U32(modePlain), mem(w.t, offMode))
		Label("go")
	}
	ADDQ(mem(w.t, offANext), regA)
	DECQ(tiles)
	JNZ(LabelRef("tile"))
	VZEROUPPER()
	RET()
}

// Registers of a tile. Between batches regK holds other counts and addresses.
var (
	regA, regB, regC, regK, free = RSI, RDX, RCX, R8, R12
	aStep, aRow, bStep           = R9, R10, R11
	panel, tiles                 = R13, R14
	last                         = R13           // t.Last; in modeCopy only while the tile is stored
	a3, a5, a8                   = RAX, RBX, R15 // rows 3, 5 and 8 of A
	left                         = R12
)

// writer emits the parts of a tile.
type writer struct {
	*isa
	rows, vectors int
	t             GPPhysical
	b, spare      []VecPhysical
}

func (w *writer) acc(i int) []VecPhysical { return w.regs[i*w.vectors : (i+1)*w.vectors] }

// copies reports whether the kernel implements modeCopy.
func (w *writer) copies() bool { return 2 <= w.vectors && w.vectors <= w.panel && w.rows >= w.lowest }

// place returns the address of a vector in the row at base. If a tile has several vectors, the
// last one ends with column t.Last of the last full width.
func (w *writer) place(base GPPhysical, v int) Mem {
	if v > 0 && v == w.vectors-1 {
		return Mem{Base: base, Index: last, Scale: 4, Disp: (v - 1) * w.bytes()}
	}
	return mem(base, v*w.bytes())
}

// choose emits a jump to the loop for the mode in t.Mode.
func (w *writer) choose() {
	switch {
	case w.copies():
		CMPQ(mem(w.t, offMode), Imm(modeCopy))
		JE(LabelRef("copy"))
	case w.vectors == 1:
		CMPQ(mem(w.t, offMode), Imm(modePlain))
		JNE(LabelRef("masked"))
	}
	JMP(LabelRef("plain"))
}

// rowOfA holds the addresses of the rows of A: each is a base, or a base and a scaled index.
var rowOfA = [14]Mem{
	0: {Base: regA}, 1: {Base: regA, Index: aRow, Scale: 1}, 2: {Base: regA, Index: aRow, Scale: 2},
	3: {Base: a3}, 4: {Base: regA, Index: aRow, Scale: 4}, 5: {Base: a5},
	6: {Base: a5, Index: aRow, Scale: 1}, 7: {Base: a5, Index: aRow, Scale: 2}, 8: {Base: a8},
	9: {Base: a5, Index: aRow, Scale: 4}, 10: {Base: a8, Index: aRow, Scale: 2},
	11: {Base: a3, Index: aRow, Scale: 8}, 12: {Base: a8, Index: aRow, Scale: 4},
	13: {Base: a5, Index: aRow, Scale: 8},
}

// rowsOfA emits code that sets the bases of the rows after regA.
func (w *writer) rowsOfA() {
	if w.rows > 3 {
		LEAQ(Mem{Base: regA, Index: aRow, Scale: 2}, a3)
		ADDQ(aRow, a3)
	}
	if w.rows > 5 {
		LEAQ(Mem{Base: a3, Index: aRow, Scale: 2}, a5)
	}
	if w.rows > 8 {
		LEAQ(Mem{Base: regA, Index: aRow, Scale: 8}, a8)
	}
}

// nextOfA emits code that moves the bases on to the next k.
func (w *writer) nextOfA() {
	ADDQ(aStep, regA)
	if w.rows > 3 {
		ADDQ(aStep, a3)
	}
	if w.rows > 5 {
		ADDQ(aStep, a5)
	}
	if w.rows > 8 {
		ADDQ(aStep, a8)
	}
}

// pcalign aligns the instruction that follows it to a cache line.
var pcalign = ir.Instruction{Opcode: "PCALIGN", Operands: []Op{Imm(line)}}

// loop emits the loop over the values of k in a batch.
func (w *writer) loop(name string, masked, copied bool) {
	Instruction(&pcalign)
	Label(name)
	for v, r := range w.b {
		if copied {
			VMOVUPS(mem(regB, v*w.bytes()), r)
			VMOVUPS(r, mem(panel, v*w.bytes()))
		} else {
			w.load(w.place(regB, v), r, masked)
		}
	}
	for i := range w.rows {
		w.multiply(rowOfA[i], w.b, w.acc(i), w.spare[i%len(w.spare)])
	}
	w.nextOfA()
	ADDQ(bStep, regB)
	if copied {
		ADDQ(U32(w.vectors*w.bytes()), panel)
	}
	DECQ(regK)
	JNZ(LabelRef(name))
	JMP(LabelRef("fetch"))
}

// fetch emits code that prefetches a row of C, and calls gemmFetchNext unless t.pairs is 0.
func (w *writer) fetch() {
	MOVQ(mem(w.t, offFetchC), regK)
	for b := 0; b < w.vectors*w.bytes(); b += line {
		PREFETCHT0(mem(regK, b))
	}
	PREFETCHT0(mem(regK, w.vectors*w.bytes()-4))
	ADDQ(mem(w.t, offCRow), regK)
	MOVQ(regK, mem(w.t, offFetchC))
	CMPQ(mem(w.t, offPairs), Imm(0))
	JE(LabelRef("fetched"))
	CALL(LabelRef("·gemmFetchNext(SB)"))
	Label("fetched")
}

// fetchNext writes a routine that prefetches t.pairs > 0 pairs of cache lines from the memory
// that t.fetch describes. When all of that memory has been prefetched, t.fetchNext takes the
// place of t.fetch. With f = t.fetch, the code is
//
//	for range t.pairs {
//		fetch(f.at, 2 lines)
//		f.at += f.step
//	}
//	if f.left -= t.pairs; f.left <= 0 {
//		f.at, f.left = f.at+f.skip, f.left+f.rows
//		if f.times--; f.times == 0 {
//			if f, t.fetchNext.times = t.fetchNext, 0; f.times == 0 { t.pairs = 0 }
//		}
//	}
//
// The tiles call it, with t in RDI. It overwrites only regK and free.
func fetchNext() {
	TEXT("gemmFetchNext", NOSPLIT|NOFRAME, "func()")
	t := RDI
	f := func(field int) Mem { return mem(t, offFetch+field) }
	MOVQ(mem(t, offPairs), regK)
	MOVQ(f(fetchAt), free)
	Label("pair")
	PREFETCHT1(mem(free, 0))
	PREFETCHT1(mem(free, line))
	ADDQ(f(fetchStep), free)
	DECQ(regK)
	JNZ(LabelRef("pair"))
	MOVQ(free, f(fetchAt))
	MOVQ(mem(t, offPairs), regK)
	SUBQ(regK, f(fetchLeft))
	JG(LabelRef("fetched"))
	ADDQ(f(fetchSkip), free)
	MOVQ(free, f(fetchAt))
	MOVQ(f(fetchRows), free)
	ADDQ(free, f(fetchLeft))
	DECQ(f(fetchTimes))
	JNZ(LabelRef("fetched"))
	for i := range fetchFields {
		MOVQ(mem(t, offFetchNext+8*i), free)
		MOVQ(free, f(8*i))
	}
	MOVQ(U32(0), mem(t, offFetchNext+fetchTimes))
	CMPQ(f(fetchTimes), Imm(0))
	JNE(LabelRef("fetched"))
	MOVQ(U32(0), mem(t, offPairs))
	Label("fetched")
	RET()
}

// finish emits code that adds the sums of earlier chunks, if there are any, to the tile, and stores
// it in C or adds it to C.
func (w *writer) finish() {
	row := regK
	MOVQ(mem(w.t, offSumsAt), regB)
	TESTQ(regB, regB)
	JZ(LabelRef("summed"))
	MOVQ(mem(w.t, offSumsRow), row)
	w.addRows(regB, row)
	MOVQ(regB, mem(w.t, offSumsAt))
	Label("summed")
	MOVQ(mem(w.t, offCRow), row)
	CMPQ(mem(w.t, offAdd), Imm(0))
	JE(LabelRef("store"))
	MOVQ(regC, regB)
	w.addRows(regB, row)
	Label("store")
	for i := range w.rows {
		for v, r := range w.acc(i) {
			w.store(r, w.place(regC, v), w.vectors == 1)
		}
		ADDQ(row, regC)
	}
}

// addRows emits code that adds the rows of a matrix to the tile, and leaves the register at behind them.
func (w *writer) addRows(at, row GPPhysical) {
	for i := range w.rows {
		for v, r := range w.acc(i) {
			w.add(w.place(at, v), r, w.vectors == 1, w.b[v])
		}
		ADDQ(row, at)
	}
}
