// Package lane lets one generator write a kernel for both vector widths: the 256-bit
// registers of AVX2 with FMA and the 512-bit registers of AVX-512. A kernel works
// through its columns in blocks of full vectors and ends with a masked vector, so
// that it accesses nothing outside its operands.
package lane

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Set is one of the two vector widths.
type Set struct {
	Name  string // suffix of the kernels
	N     int    // float32 in a vector
	masks Mem    // AVX2: 64 words of ones, then 64 of zeros
}

// Both returns the sets and declares their masks. It must be called once per file,
// before any TEXT.
func Both() []Set {
	masks := GLOBL("laneMasks", RODATA|NOPTR)
	for i := range 32 {
		DATA(8*i, U64(0xffffffffffffffff))
	}
	DATA(504, U64(0)) // the words in between are 0 too
	return []Set{{Name: "AVX2", N: 8, masks: masks}, {Name: "AVX512", N: 16}}
}

// Words emits the 16 words of the variable that GLOBL has just declared.
func Words(word func(i int) uint32) {
	for i := 0; i < 16; i += 2 {
		DATA(4*i, U64(uint64(word(i))|uint64(word(i+1))<<32))
	}
}

// Bytes returns the size of a vector.
func (s Set) Bytes() int { return 4 * s.N }

// Wide reports whether the set is AVX-512.
func (s Set) Wide() bool { return s.N == 16 }

// Vec returns a new vector register.
func (s Set) Vec() reg.VecVirtual {
	if s.Wide() {
		return ZMM()
	}
	return YMM()
}

// Vecs returns n new vector registers.
func (s Set) Vecs(n int) []reg.VecVirtual {
	list := make([]reg.VecVirtual, n)
	for i := range list {
		list[i] = s.Vec()
	}
	return list
}

// Zeros returns n new vector registers that hold +0.
func (s Set) Zeros(n int) []reg.VecVirtual {
	list := s.Vecs(n)
	for _, v := range list {
		VXORPS(v, v, v)
	}
	return list
}

// Mask selects the first lanes of a vector; nil selects all.
type Mask struct{ r reg.Register }

// Register returns the register that holds the mask: a mask register with AVX-512, else a
// vector.
func (m *Mask) Register() reg.Register { return m.r }

// First returns a mask that selects the first lanes of a vector. The register count holds
// the number of lanes to select, which must not be negative. If the number is greater than
// N, the mask selects all N lanes. First does not modify the register.
func (s Set) First(count reg.Register) *Mask {
	n, most := GP64(), GP64()
	MOVQ(count, n)
	MOVQ(U32(s.N), most)
	CMPQ(n, most)
	CMOVQGT(most, n)
	return s.Next(n, 0)
}

// Next returns the mask of vector i in a row of count <= 64 elements. The vector has
// elements i*N to i*N+N-1, and the mask selects those whose index is below count. Next
// does not modify the register count. With AVX-512 it uses BMI2, which every processor
// with AVX-512 has.
func (s Set) Next(count reg.Register, i int) *Mask {
	t := GP64()
	if s.Wide() {
		k := K()
		MOVQ(I32(-1), t)
		BZHIQ(count, t, t)
		if i > 0 {
			SHRQ(U8(16*i), t)
		}
		KMOVW(t.(reg.GPVirtual).As32(), k)
		return &Mask{k}
	}
	v, table := YMM(), GP64()
	LEAQ(s.masks.Offset(256+4*s.N*i), table)
	MOVQ(count, t)
	NEGQ(t)
	VMOVUPS(Mem{Base: table, Index: t, Scale: 4}, v)
	return &Mask{v}
}

// Load reads a vector; lanes outside the mask become +0 and are not read.
func (s Set) Load(from Mem, to reg.VecVirtual, m *Mask) {
	switch {
	case m == nil:
		VMOVUPS(from, to)
	case s.Wide():
		VMOVUPS_Z(from, m.r, to)
	default:
		VMASKMOVPS(from, m.r, to)
	}
}

// Store writes the lanes that the mask selects.
func (s Set) Store(from reg.VecVirtual, to Mem, m *Mask) {
	switch {
	case m == nil:
		VMOVUPS(from, to)
	case s.Wide():
		VMOVUPS(from, m.r, to)
	default:
		VMASKMOVPS(from, m.r, to)
	}
}

// LoadShort is like Load, for a vector of four elements. AVX2 only.
func (s Set) LoadShort(from Mem, to reg.VecVirtual, m *Mask) {
	VMASKMOVPS(from, m.r.(reg.VecVirtual).AsX(), to.AsX())
}

// StoreShort is like Store, for a vector of four elements. AVX2 only.
func (s Set) StoreShort(from reg.VecVirtual, to Mem, m *Mask) {
	VMASKMOVPS(from.AsX(), m.r.(reg.VecVirtual).AsX(), to)
}

// Gather reads a number from a table for each lane that the mask selects, and stores it in
// that lane of its second parameter. The other lanes are unchanged. The first parameter is
// an address whose index register is a vector of indices.
func (s Set) Gather(from Mem, to reg.VecVirtual, m *Mask) {
	if s.Wide() {
		k := K() // overwritten
		if m == nil {
			KXNORW(k, k, k)
		} else {
			KMOVW(m.r, k)
		}
		VGATHERDPS(from, k, to)
		return
	}
	v := YMM() // overwritten
	if m == nil {
		VPCMPEQD(v, v, v)
	} else {
		VMOVAPS(m.r, v)
	}
	VGATHERDPS(v, from, to)
}

// Source returns an operand with the selected lanes of a vector in memory. If all lanes
// are selected, this is the memory itself. Otherwise it is a register into which Source
// loads the lanes.
func (s Set) Source(from Mem, m *Mask) Op {
	if m == nil {
		return from
	}
	v := s.Vec()
	s.Load(from, v, m)
	return v
}

// Fold adds up partial sums and returns the total in lane 0. The parameter part lists the
// vectors that hold the partial sums, in order. Fold adds the upper half of the sums to the
// lower half until one sum is left.
func (s Set) Fold(part []reg.VecVirtual) reg.VecVirtual {
	for h := len(part) / 2; h > 0; h /= 2 {
		for i := range h {
			VADDPS(part[i+h], part[i], part[i])
		}
	}
	y, x := part[0].AsY(), XMM()
	if s.Wide() {
		high := YMM()
		VEXTRACTF64X4(Imm(1), part[0], high)
		VADDPS(high, y, y)
	}
	VEXTRACTF128(Imm(1), y, x)
	VADDPS(x, part[0].AsX(), x)
	high := XMM()
	VMOVHLPS(x, x, high)
	VADDPS(high, x, x)
	VMOVSHDUP(x, high)
	VADDSS(high, x, x)
	return x
}

// Fresh returns a new label that starts with stem.
func Fresh(stem string) string {
	labels++
	return fmt.Sprintf("%s%d", stem, labels)
}

var labels int

// Loop emits a loop that runs the code of the function body n times, n >= 1, and counts the
// register n down to 0. After each iteration it advances every pointer by its stride.
func Loop(n reg.Register, body func(), moves ...Move) {
	top := Fresh("row")
	Label(top)
	body()
	for _, m := range moves {
		ADDQ(m.By, m.Pointer)
	}
	DECQ(n)
	JNZ(LabelRef(top))
}

// Move is a pointer and its stride in bytes.
type Move struct{ Pointer, By reg.Register }

// Blocks emits loops that run the code of the function body for the first rem columns, in
// blocks of vectors. A block has sizes[0] vectors while that many full vectors are left,
// then sizes[1] vectors, and so on. The columns that remain are handled in single masked
// vectors. The register off holds the offset of the block in bytes, which starts at 0. The
// register rem is overwritten.
func (s Set) Blocks(rem, off reg.Register, sizes []int, body func(u int, m *Mask)) {
	tail, done := Fresh("tail"), Fresh("done")
	XORQ(off, off)
	for _, u := range sizes {
		full, rest := Fresh("full"), Fresh("rest")
		Label(full)
		CMPQ(rem, U32(u*s.N))
		JLT(LabelRef(rest))
		body(u, nil)
		ADDQ(U32(u*s.Bytes()), off)
		SUBQ(U32(u*s.N), rem)
		JMP(LabelRef(full))
		Label(rest)
	}
	TESTQ(rem, rem)
	JLE(LabelRef(done))
	Label(tail)
	body(1, s.First(rem))
	ADDQ(U32(s.Bytes()), off)
	SUBQ(U32(s.N), rem)
	JG(LabelRef(tail))
	Label(done)
}
