package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
)

// The coefficients of numeric.NormalQuantile in the centre, constant terms first.
var (
	centreNum = [8]float64{
		3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
		45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727,
	}
	centreDen = [8]float64{
		1, 42.313330701600911252, 687.18700749205790830, 5394.1960214247511077,
		21213.794301586595867, 39307.895800092710610, 28729.085735721942674, 5226.4952788528545610,
	}
)

// doubles is a table with four copies of each float64 constant, one vector of AVX2.
type doubles struct {
	table Mem
	bits  []uint64
}

func newDoubles() *doubles {
	d := &doubles{table: GLOBL("normalCentre", RODATA|NOPTR)}
	add := func(bits uint64) {
		for i := range 4 {
			DATA(32*len(d.bits)+8*i, U64(bits))
		}
		d.bits = append(d.bits, bits)
	}
	add(1<<63 - 1)
	for _, c := range []float64{0x1p52, 0x1p31 - 0.5, 0x1p-32, 0.180625, 0.425} {
		add(math.Float64bits(c))
	}
	for i := range centreNum {
		add(math.Float64bits(centreNum[i]))
		add(math.Float64bits(centreDen[i]))
	}
	return d
}

// at returns the place of a constant, which may be given as a float64.
func (d *doubles) at(c float64) Mem {
	for i, bits := range d.bits {
		if bits == math.Float64bits(c) {
			return d.table.Offset(32 * i)
		}
	}
	panic("a constant that is not in the table")
}

// vec returns a register with copies of a constant.
func (d *doubles) vec(s lane.Set, c float64) reg.VecVirtual {
	v := s.Vec()
	VBROADCASTSD(d.at(c), v)
	return v
}

// noise generates the kernel that adds noise where the standard normal z is in the centre of
// the distribution:
//
//	q := (word+0.5)*2^-32 - 0.5 // exact
//	if |q| <= 0.425 {
//		r := 0.180625 - q*q
//		z := q * num(r) / den(r) // polynomials by Horner's rule, with FMA
//		dst = x + (mean + sd*float32(z))
//	}
//
// It does not write the other elements. Each byte of tails has a bit for each of eight
// elements, which is set if the element is not in the centre. The kernel computes eight
// elements at a time: one vector of float64 with AVX-512, two with AVX2.
func noise(s lane.Set, d *doubles) {
	TEXT("noise"+s.Name, NOSPLIT, "func(dst, x *float32, words *uint32, n int, mean, sd float32, tails *uint8)")
	arg := func(name string) reg.Register { return Load(Param(name), GP64()) }
	dst, x, words, n, tails := arg("dst"), arg("x"), arg("words"), arg("n"), arg("tails")
	number := func(name string) reg.VecVirtual {
		a, _ := Param(name).Resolve()
		v := YMM()
		VBROADCASTSS(a.Addr, v)
		return v
	}
	mean, sd := number("mean"), number("sd")
	more := lane.Fresh("more")
	Label(more)
	lanes := s.First(n)
	z, v, bits := YMM(), YMM(), GP32()
	if s.Wide() {
		q := ZMM()
		VPMOVZXDQ(Mem{Base: words}, q)
		wide, central := quantile(s, d, q)
		VCVTPD2PS(wide, z)
		inside, outside := K(), K()
		KANDW(lanes.Register(), central, inside)
		KANDNW(lanes.Register(), central, outside)
		KMOVW(outside, bits)
		sum(z, sd, mean)
		VMOVUPS_Z(Mem{Base: x}, lanes.Register(), v)
		VADDPS(v, z, z)
		VMOVUPS(z, inside, Mem{Base: dst})
	} else {
		var halves, centres [2]reg.VecVirtual
		for i := range halves {
			q := YMM()
			VPMOVZXDQ(Mem{Base: words, Disp: 16 * i}, q)
			wide, central := quantile(s, d, q)
			halves[i], centres[i] = XMM(), XMM()
			VCVTPD2PSY(wide, halves[i])
			high := XMM()
			VEXTRACTF128(U8(1), central, high)
			VSHUFPS(U8(0x88), high, central.(reg.VecVirtual).AsX(), centres[i])
		}
		central, outside := YMM(), YMM()
		VINSERTF128(U8(1), halves[1], halves[0].AsY(), z)
		VINSERTF128(U8(1), centres[1], centres[0].AsY(), central)
		VANDNPS(lanes.Register(), central, outside)
		VMOVMSKPS(outside, bits)
		VANDPS(lanes.Register(), central, central)
		sum(z, sd, mean)
		VMASKMOVPS(Mem{Base: x}, lanes.Register(), v)
		VADDPS(v, z, z)
		VMASKMOVPS(z, central, Mem{Base: dst})
	}
	MOVB(bits.As8(), Mem{Base: tails})
	ADDQ(U8(32), dst)
	ADDQ(U8(32), x)
	ADDQ(U8(32), words)
	INCQ(tails)
	SUBQ(U8(8), n)
	JG(LabelRef(more))
	VZEROUPPER()
	RET()
}

// sum emits z = mean + sd*z.
func sum(z, sd, mean reg.VecVirtual) {
	VMULPS(sd, z, z)
	VADDPS(mean, z, z)
}

// quantile emits the float64 part of noise for the random words in the 64-bit lanes of q. It
// returns z and a mask of the lanes in the centre.
func quantile(s lane.Set, d *doubles, q reg.VecVirtual) (z reg.VecVirtual, central reg.Register) {
	two52 := d.vec(s, 0x1p52)
	if s.Wide() {
		VPORQ(two52, q, q) // 2^52 + word
	} else {
		VPOR(two52, q, q)
	}
	VSUBPD(two52, q, q)
	VSUBPD(d.vec(s, 0x1p31-0.5), q, q)
	VMULPD(d.vec(s, 0x1p-32), q, q)
	r, size := s.Vec(), s.Vec()
	VMULPD(q, q, r)
	VSUBPD(r, d.vec(s, 0.180625), r)
	VANDPD(d.vec(s, math.Float64frombits(1<<63-1)), q, size)
	limit := d.vec(s, 0.425)
	const lessOrEqual = 18
	if s.Wide() {
		central = K()
	} else {
		central = YMM()
	}
	VCMPPD(U8(lessOrEqual), limit, size, central)
	num, den := d.vec(s, centreNum[7]), d.vec(s, centreDen[7])
	for k := 6; k >= 0; k-- {
		if s.Wide() {
			VFMADD213PD_BCST(d.at(centreNum[k]), r, num)
			VFMADD213PD_BCST(d.at(centreDen[k]), r, den)
			continue
		}
		VFMADD213PD(d.at(centreNum[k]), r, num)
		VFMADD213PD(d.at(centreDen[k]), r, den)
	}
	VMULPD(q, num, num)
	VDIVPD(den, num, num)
	return num, central
}
