// Package math generates the float32 element functions of harness/numeric for AVX2
// and AVX-512. The generators of the CPU kernels use it.
//
// A Lane is one of the two instruction sets. Its methods hide the few differences
// between them: the width, masks, and constants, which AVX-512 keeps in registers and
// AVX2 reads from memory. A method such as Sigmoid emits the constants when it is
// called, before a loop. It returns a function that emits the instructions, for use in
// the loop.
package math

import (
	"fmt"
	stdmath "math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
)

// Vec is a register of float32 or int32.
type Vec = reg.VecVirtual

// Lane is one of the two instruction sets. Its vectors have W elements.
type Lane struct {
	Name string // suffix of function names
	W    int

	hoist bool // constants live in registers
}

// The two instruction sets.
var (
	AVX2   = Lane{Name: "AVX2", W: 8}
	AVX512 = Lane{Name: "AVX512", W: 16, hoist: true}
)

// Sparing returns the Lane with its constants in memory, for use when registers are
// scarce.
func (l Lane) Sparing() Lane {
	l.hoist = false
	return l
}

// Wide reports whether vectors have 512 bits, with mask registers.
func (l Lane) Wide() bool { return l.W == 16 }

// Bytes returns the size of a vector.
func (l Lane) Bytes() int { return 4 * l.W }

// Vec returns a new register.
func (l Lane) Vec() Vec {
	if l.Wide() {
		return ZMM()
	}
	return YMM()
}

var pool = map[uint32]Mem{}

// Data returns a vector in memory that holds a constant in every lane.
func Data(v float32) Mem { return DataBits(stdmath.Float32bits(v)) }

// DataBits is like Data, but its constant is a bit pattern.
func DataBits(bits uint32) Mem {
	m, ok := pool[bits]
	if !ok {
		m = GLOBL(fmt.Sprintf("const%08x", bits), 8|16) // RODATA, NOPTR
		lane.Words(func(int) uint32 { return bits })
		pool[bits] = m
	}
	return m
}

// Reg returns a register that holds a constant in every lane.
func (l Lane) Reg(v float32) Vec { return l.RegBits(stdmath.Float32bits(v)) }

// RegBits is like Reg, but its constant is a bit pattern.
func (l Lane) RegBits(bits uint32) Vec {
	v := l.Vec()
	if l.Wide() {
		VBROADCASTSS(DataBits(bits), v)
	} else {
		VMOVUPS(DataBits(bits), v)
	}
	return v
}

// Const returns a constant as an operand, in a register or in memory.
func (l Lane) Const(v float32) Op { return l.ConstBits(stdmath.Float32bits(v)) }

// ConstBits is like Const, but its constant is a bit pattern.
func (l Lane) ConstBits(bits uint32) Op {
	if l.hoist {
		return l.RegBits(bits)
	}
	return DataBits(bits)
}

// Zero returns a register of zeros.
func (l Lane) Zero() Vec {
	v := l.Vec()
	VXORPS(v, v, v)
	return v
}

// Copy returns a new register that holds src.
func (l Lane) Copy(src Op) Vec {
	v := l.Vec()
	VMOVUPS(src, v)
	return v
}

// Keep zeroes the lanes of v that mask does not select.
func (l Lane) Keep(mask *Mask, v Vec) {
	switch {
	case mask == nil:
	case l.Wide():
		VMOVAPS_Z(v, mask.k, v)
	default:
		VANDPS(mask.v, v, v)
	}
}

// SubKept sets d = x - y in selected lanes and +0 elsewhere. AVX-512 only.
func (l Lane) SubKept(y, x Vec, mask *Mask, d Vec) { VSUBPS_Z(y, x, mask.k, d) }

// Broadcast returns a register that holds the first element of the XMM register x in every lane.
func (l Lane) Broadcast(x reg.Register) Vec {
	v := l.Vec()
	VBROADCASTSS(x, v)
	return v
}

// BySign returns a vector with the lanes of neg where the sign bit of s is set and the
// lanes of pos elsewhere.
func (l Lane) BySign(s Vec, neg Op, pos Vec) Vec {
	v := l.Vec()
	if l.Wide() {
		k := K()
		VPMOVD2M(s, k)
		VBLENDMPS(neg, pos, k, v)
	} else {
		VBLENDVPS(s, neg, pos, v)
	}
	return v
}

// Mask selects lanes of a vector.
type Mask struct {
	k reg.Register // AVX-512
	v Vec          // AVX2: ones in the selected lanes
}

// FirstN returns the mask of the first n lanes, 0 <= n <= W. It clobbers CX.
func (l Lane) FirstN(n reg.Register) Mask {
	if l.Wide() {
		MOVQ(n, reg.RCX)
		ones := GP32()
		MOVL(I32(-1), ones)
		SHLL(reg.CL, ones)
		NOTL(ones)
		k := K()
		KMOVW(ones, k)
		return Mask{k: k}
	}
	at, table := GP64(), GP64()
	LEAQ(firstN(), table)
	MOVQ(n, at)
	NEGQ(at)
	v := YMM()
	VMOVUPS(Mem{Base: table, Index: at, Scale: 4, Disp: 32}, v)
	return Mask{v: v}
}

// Next returns the mask of vector i in a row of n <= 64 elements. The vector has
// elements i*W to i*W+W-1, and the mask selects those whose index is below n. Next does
// not modify n. AVX-512 only.
func (l Lane) Next(n reg.Register, i int) Mask {
	ones, k := GP64(), K()
	MOVQ(I32(-1), ones)
	BZHIQ(n, ones, ones)
	if i > 0 {
		SHRQ(U8(l.W*i), ones)
	}
	KMOVW(ones.As32(), k)
	return Mask{k: k}
}

var firstNTable *Mem

// firstN returns eight words of ones followed by eight of zeros.
func firstN() Mem {
	if firstNTable == nil {
		m := GLOBL("firstN", 8|16)
		lane.Words(func(i int) uint32 {
			if i < 8 {
				return 0xffffffff
			}
			return 0
		})
		firstNTable = &m
	}
	return *firstNTable
}

// Load returns a vector with the selected lanes from memory, and zero in the others. It reads
// only the words of the selected lanes. A nil mask selects all lanes.
func (l Lane) Load(m Mem, mask *Mask) Vec {
	v := l.Vec()
	switch {
	case mask == nil:
		VMOVUPS(m, v)
	case l.Wide():
		VMOVUPS_Z(m, mask.k, v)
	default:
		VMASKMOVPS(m, mask.v, v)
	}
	return v
}

// LoadElse is like Load, but the lanes that are not selected come from the operand
// other. AVX-512 only.
func (l Lane) LoadElse(m Mem, mask *Mask, other Op) Vec {
	if mask == nil {
		return l.Load(m, nil)
	}
	v := l.Copy(other)
	VMOVUPS(m, mask.k, v)
	return v
}

// Store writes only the selected lanes.
func (l Lane) Store(v Vec, m Mem, mask *Mask) {
	switch {
	case mask == nil:
		VMOVUPS(v, m)
	case l.Wide():
		VMOVUPS(v, mask.k, m)
	default:
		VMASKMOVPS(v, mask.v, m)
	}
}

// Choose returns a vector whose lanes come from v where mask selects them and from the
// vector other elsewhere.
func (l Lane) Choose(mask *Mask, v, other Vec) Vec {
	if mask == nil {
		return v
	}
	d := l.Vec()
	if l.Wide() {
		VXORPS(d, d, d) // avo treats the destination of a masked instruction as an input
		VBLENDMPS(v, other, mask.k, d)
	} else {
		VBLENDVPS(mask.v, v, other, d)
	}
	return d
}

// Gather returns a vector that has the elements at base + 4*index in the selected lanes, and
// zero in the others.
func (l Lane) Gather(base Mem, index Vec, mask Mask) Vec {
	v := l.Zero()
	base.Index, base.Scale = index, 4
	if l.Wide() {
		k := K()
		KMOVW(mask.k, k)
		VGATHERDPS(base, k, v)
	} else {
		m := l.Copy(mask.v)
		VGATHERDPS(m, base, v)
	}
	return v
}

// Scatter writes the selected lanes of v to base + 4*index. AVX-512 only.
func (l Lane) Scatter(v Vec, base Mem, index Vec, mask Mask) {
	k := K()
	KMOVW(mask.k, k)
	base.Index, base.Scale = index, 4
	VSCATTERDPS(v, k, base)
}

// Compare returns the mask of the lanes in which pred, a predicate of VCMPPS, holds for
// a and b.
func (l Lane) Compare(pred uint8, a Vec, b Op) Mask {
	if l.Wide() {
		k := K()
		VCMPPS(U8(pred), b, a, k)
		return Mask{k: k}
	}
	v := YMM()
	VCMPPS(U8(pred), b, a, v)
	return Mask{v: v}
}

// CompareInt returns the mask of the lanes in which the integers a and b are equal.
func (l Lane) CompareInt(a, b Vec) Mask {
	if l.Wide() {
		k := K()
		VPCMPEQD(b, a, k)
		return Mask{k: k}
	}
	v := YMM()
	VPCMPEQD(b, a, v)
	return Mask{v: v}
}

// And returns the mask of the lanes that both masks select.
func (l Lane) And(a, b Mask) Mask {
	if l.Wide() {
		k := K()
		KANDW(a.k, b.k, k)
		return Mask{k: k}
	}
	v := YMM()
	VANDPS(a.v, b.v, v)
	return Mask{v: v}
}

// Bits copies a mask to a general register, one bit per lane.
func (l Lane) Bits(m Mask) reg.GPVirtual {
	r := GP32()
	if l.Wide() {
		KMOVW(m.k, r)
	} else {
		VMOVMSKPS(m.v, r)
	}
	return r
}

// Predicates of Compare, all quiet.
const (
	EQ  = 0x00
	NLT = 0x15 // not less, or NaN
	LT  = 0x11
	NGE = 0x19 // less, or NaN
	GT  = 0x1e
)
