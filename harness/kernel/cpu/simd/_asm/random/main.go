// Command random writes random_amd64.s: dropout and normal noise by Philox4x32-10.
//
//	cd _asm && go run ./random -out ../random_amd64.s
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
)

func main() {
	ConstraintExpr("amd64,!purego")
	// units holds the counter words Unit with which the kernel begins, one for each 64-bit
	// lane. They are in an order such that the unpack instructions put the random words in
	// sequence.
	units := []Mem{unitTable("unitsAVX2", 0, 2, 1, 3), unitTable("unitsAVX512", 0, 4, 1, 5, 2, 6, 3, 7)}
	normal := newDoubles()
	for i, s := range lane.Both() {
		dropout(s, units[i])
		words(s, units[i])
		noise(s, normal)
	}
	lane.Finish()
}

func unitTable(name string, order ...uint64) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i, u := range order {
		DATA(8*i, U64(u))
	}
	return m
}

const (
	mul0, mul1 = 0xD2511F53, 0xCD9E8D57
	rounds     = 10

	// Offsets of the fields of a Site.
	keys, row, time, update, least, keep = 0, 8 * rounds, 8*rounds + 4, 8*rounds + 8, 8*rounds + 12, 8*rounds + 16
)

// philox returns a function that emits the code for 2*N random words in sequence, which are N/2
// blocks. VPMULUDQ multiplies the low halves of 64-bit lanes, so each counter word is in the low half
// of a lane. A product fills a 64-bit lane, and the low half of the product is already where
// the next round needs it. The code does not clear the high halves, because no round reads
// them as counter words.
//
//	p0, p1 = mul0*c0, mul1*c2                                  // VPMULUDQ
//	c0, c1, c2, c3 = p1>>32 ^ c1 ^ k0, p1, p0>>32 ^ c3 ^ k1, p0 // VPSRLQ, VPTERNLOGD or VPXOR
func philox(s lane.Set, site, unit reg.Register) func() [2]reg.VecVirtual {
	m0, m1 := constant(s, mul0), constant(s, mul1)
	return func() [2]reg.VecVirtual {
		c := [4]reg.VecVirtual{s.Vec(), number(s, site, row), number(s, site, time), number(s, site, update)}
		VMOVUPS(unit, c[0])
		for i := range rounds {
			p0, p1 := s.Vec(), s.Vec()
			VPMULUDQ(c[0], m0, p0)
			VPMULUDQ(c[2], m1, p1)
			c0, c2 := s.Vec(), s.Vec()
			VPSRLQ(U8(32), p1, c0)
			VPSRLQ(U8(32), p0, c2)
			mix(s, c0, c[1], Mem{Base: site, Disp: keys + 8*i})
			mix(s, c2, c[3], Mem{Base: site, Disp: keys + 8*i + 4})
			c = [4]reg.VecVirtual{c0, p1, c2, p0}
		}
		pair(s, c[1], c[0])
		pair(s, c[3], c[2])
		low, high := s.Vec(), s.Vec()
		VPUNPCKLQDQ(c[2], c[0], low)
		VPUNPCKHQDQ(c[2], c[0], high)
		return [2]reg.VecVirtual{low, high}
	}
}

// number returns a vector of copies of a word of the site.
func number(s lane.Set, site reg.Register, at int) reg.VecVirtual {
	v := s.Vec()
	VPBROADCASTD(Mem{Base: site, Disp: at}, v)
	return v
}

// dropout generates the kernel of Dropout.
func dropout(s lane.Set, units Mem) {
	TEXT("dropout"+s.Name, NOSPLIT, "func(dst, x *float32, n int, site *byte)")
	arg := func(name string) reg.Register { return Load(Param(name), GP64()) }
	dst, x, n, site := arg("dst"), arg("x"), arg("n"), arg("site")
	step := constant(s, uint32(s.N/2))
	bound, scale := number(s, site, least), s.Vec()
	VBROADCASTSS(Mem{Base: site, Disp: keep}, scale)
	unit := s.Vec()
	VMOVUPS(units, unit)
	random := philox(s, site, unit)
	group := func(masks [2]*lane.Mask) {
		for i, words := range random() {
			at := func(p reg.Register) Mem { return Mem{Base: p, Disp: i * s.Bytes()} }
			v := s.Vec()
			s.Load(at(x), v, masks[i])
			if s.Wide() {
				kept := K()
				VPCMPUD(U8(5), bound, words, kept) // words not less than bound
				VMULPS_Z(scale, v, kept, v)
			} else {
				most := s.Vec()
				VPMAXUD(bound, words, most)
				VPCMPEQD(most, words, most)
				VMULPS(scale, v, v)
				VANDPS(most, v, v)
			}
			s.Store(v, at(dst), masks[i])
		}
	}
	more, tail, done := lane.Fresh("more"), lane.Fresh("tail"), lane.Fresh("done")
	Label(more)
	CMPQ(n, U32(2*s.N))
	JLT(LabelRef(tail))
	group([2]*lane.Mask{})
	VPADDD(step, unit, unit)
	ADDQ(U32(2*s.Bytes()), x)
	ADDQ(U32(2*s.Bytes()), dst)
	SUBQ(U32(2*s.N), n)
	JMP(LabelRef(more))
	Label(tail)
	TESTQ(n, n)
	JLE(LabelRef(done))
	group([2]*lane.Mask{s.Next(n, 0), s.Next(n, 1)})
	Label(done)
	VZEROUPPER()
	RET()
}

// words generates the kernel that stores the random words of columns 4*first to 4*first+n-1. It
// stores whole groups of 2*N words.
func words(s lane.Set, units Mem) {
	TEXT("words"+s.Name, NOSPLIT, "func(dst *uint32, n, first int, site *byte)")
	dst, n, site := Load(Param("dst"), GP64()), Load(Param("n"), GP64()), Load(Param("site"), GP64())
	first, _ := Param("first").Resolve()
	unit, step := s.Vec(), constant(s, uint32(s.N/2))
	VPBROADCASTD(first.Addr, unit)
	VPADDD(units, unit, unit)
	random := philox(s, site, unit)
	more := lane.Fresh("more")
	Label(more)
	for i, v := range random() {
		VMOVUPS(v, Mem{Base: dst, Disp: i * s.Bytes()})
	}
	VPADDD(step, unit, unit)
	ADDQ(U32(2*s.Bytes()), dst)
	SUBQ(U32(2*s.N), n)
	JG(LabelRef(more))
	VZEROUPPER()
	RET()
}

// mix emits v ^= c ^ key.
func mix(s lane.Set, v, c reg.VecVirtual, key Mem) {
	if s.Wide() {
		VPTERNLOGD_BCST(U8(0x96), key, c, v)
		return
	}
	k := s.Vec()
	VPBROADCASTD(key, k)
	VPXOR(c, v, v)
	VPXOR(k, v, v)
}

// pair copies the low half of each 64-bit lane of the vector high to the high half of the
// same lane of the vector low.
func pair(s lane.Set, high, low reg.VecVirtual) {
	if s.Wide() {
		odd := K()
		t := GP32()
		MOVL(U32(0xaaaa), t)
		KMOVW(t, odd)
		VMOVSLDUP(high, odd, low)
		return
	}
	t := s.Vec()
	VMOVSLDUP(high, t)
	VBLENDPS(U8(0xaa), t, low, low)
}

// constant returns a vector of copies of a number.
func constant(s lane.Set, c uint32) reg.VecVirtual {
	v, t := s.Vec(), GP32()
	MOVL(U32(c), t)
	VMOVD(t, v.AsX())
	VPBROADCASTD(v.AsX(), v)
	return v
}
