package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/math"
)

// argmax returns the first position of the maximum. If x[0] is NaN it returns 0: the
// maximum starts as x[0], so it stays NaN and equals no element.
func (g *long) argmax(x reg.GPVirtual) reg.GPVirtual {
	m := g.max([]reg.GPVirtual{x}, float(g.Lane, Mem{Base: x}))
	p, bits := copyOf(x), GP32()
	found, end := label("found"), label("end")
	g.sweep(copyOf(g.n), []reg.GPVirtual{p}, func(at []Mem, mask *math.Mask) {
		is := g.Compare(math.EQ, g.Load(at[0], mask), m)
		if mask != nil {
			is = g.And(is, *mask)
		}
		MOVL(g.Bits(is), bits)
		TESTL(bits, bits)
		JNZ(LabelRef(found))
	})
	at := zero()
	JMP(LabelRef(end))
	Label(found)
	// The position of the element is that of its vector plus that within the vector.
	MOVQ(p, at)
	SUBQ(x, at)
	SHRQ(U8(2), at)
	BSFL(bits, bits)
	ADDQ(bits.As64(), at)
	Label(end)
	return at
}

func longOnehot(l math.Lane, frame Mem) {
	g := &long{Lane: l, frame: frame}
	g.rows(map[string]string{"dst": "ldd", "x": "ldx"}, []string{"dst", "x"}, nil, func(at map[string]reg.GPVirtual) {
		hot := g.argmax(at["x"])
		z := l.Zero()
		g.sweep(copyOf(g.n), []reg.GPVirtual{copyOf(at["dst"])}, func(at []Mem, mask *math.Mask) {
			l.Store(z, at[0], mask)
		})
		one := GP32()
		MOVL(math.DataBits(0x3f800000), one)
		MOVL(one, Mem{Base: at["dst"], Index: hot, Scale: 4})
	})
}
