package ptxemu

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"
)

// Operands of the tests: edge values of floats and integers, in both sizes.
var edges32 = []uint64{
	0, 1, 2, 3, 31, 32, 33, 0x7f, 0x80000000, 0x7fffffff, 0xffffffff, 0xfffffffe, 0x3f800000, 0xbf800000, 0x3f800001, 0x00800000, 0x80800000,
	0x007fffff, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffa00001, 0x33800000, 0x4b800001, 0x12345678,
}
var edges64 = []uint64{
	0, 1, 3, 63, 64, 0x80000000, 0xffffffff, 0x100000000, 1 << 63, 1<<63 - 1, math.MaxUint64, 0x3ff0000000000000, 0xbff0000000000001,
	0x0010000000000000, 0x000fffffffffffff, 0x7fefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x123456789abcdef0,
	0x47efffffefffffff, 0x47effffff0000000, 0x36a0000000000000, 0x3690000000000000, 0x3690000000000001,
}

// value returns the big number that the word w stands for as type t, or nil for NaN and
// infinities.
func value(t typ, w uint64) *big.Float {
	x := new(big.Float).SetPrec(2400)
	f := 0.0
	switch t {
	case f32:
		f = float64(float(w))
	case f64:
		f = double(w)
	case s32:
		return x.SetInt64(int64(int32(w)))
	case s64:
		return x.SetInt64(int64(w))
	case u32, b32:
		return x.SetUint64(w & math.MaxUint32)
	default:
		return x.SetUint64(w)
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return x.SetFloat64(f)
}

// rounded returns a big number as a word of type t: rounded to a float, or reduced
// modulo 2^n to an integer of n bits.
func rounded(t typ, x *big.Float) uint64 {
	switch t {
	case f32:
		f, _ := x.Float32()
		return uint64(math.Float32bits(f))
	case f64:
		f, _ := x.Float64()
		return math.Float64bits(f)
	}
	i, _ := x.Int(nil)
	i.Mod(i, new(big.Int).Lsh(big.NewInt(1), uint(8*t.size())))
	return i.Uint64()
}

// exact computes the operation of an opcode exactly and rounds the result once. The second
// result is false in cases that big numbers cannot decide: operands that are NaN or
// infinite, undefined results, and a floating-point result of zero, the sign of which may
// be wrong.
func exact(name string, types []typ, w []uint64) (uint64, bool) {
	parts := strings.Split(name, ".")
	var x []*big.Float
	for i, t := range types[1:] {
		if x = append(x, value(t, w[i])); x[i] == nil {
			return 0, false
		}
	}
	y := new(big.Float).SetPrec(2400)
	to := types[0]
	whole := func(i int) uint64 { return rounded(types[i+1], x[i]) }
	shift := func(i int) uint { return uint(min(whole(i), 64)) }
	size := uint(8 * to.size())
	switch parts[0] {
	case "add":
		y.Add(x[0], x[1])
	case "sub":
		y.Sub(x[0], x[1])
	case "mul":
		y.Mul(x[0], x[1])
		if parts[1] == "hi" {
			i, _ := y.Int(nil)
			return new(big.Int).Rsh(i, size).Uint64(), true
		}
	case "fma", "mad":
		y.Add(y.Mul(x[0], x[1]), x[2])
	case "div", "rcp", "rem":
		if parts[0] == "rcp" {
			x = []*big.Float{big.NewFloat(1), x[0]}
		}
		if x[1].Sign() == 0 {
			return 0, false
		}
		if y.Quo(x[0], x[1]); !to.real() { // round towards zero
			i, _ := y.Int(nil)
			q := new(big.Float).SetPrec(2400).SetInt(i)
			if y = q; parts[0] == "rem" {
				y = new(big.Float).SetPrec(2400).Sub(x[0], q.Mul(q, x[1]))
			}
		}
	case "sqrt":
		if x[0].Sign() < 0 {
			return 0, false
		}
		y.Sqrt(x[0])
	case "neg":
		y.Neg(x[0])
	case "abs":
		y.Abs(x[0])
	case "mov", "cvt", "cvta":
		y.Set(x[0])
	case "min":
		if y.Set(x[0]); x[1].Cmp(y) < 0 {
			y.Set(x[1])
		}
	case "max":
		if y.Set(x[0]); x[1].Cmp(y) > 0 {
			y.Set(x[1])
		}
	case "and":
		return whole(0) & whole(1), true
	case "or":
		return whole(0) | whole(1), true
	case "xor":
		return whole(0) ^ whole(1), true
	case "not":
		return rounded(to, new(big.Float).SetPrec(2400).SetUint64(^whole(0))), true
	case "shl":
		y.SetMantExp(x[0], int(shift(1)))
	case "shr":
		i, _ := x[0].Int(nil)
		y.SetInt(i.Rsh(i, shift(1))) // round towards minus infinity
	case "bfe":
		i, _ := x[0].Int(nil)
		i.Rsh(i, uint(whole(1)&255))
		return new(big.Int).And(i, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(whole(2)&255)), big.NewInt(1))).Uint64(), true
	case "shf":
		both, n := whole(1)<<32|whole(0), whole(2)%32
		if parts[1] == "l" {
			return both << n >> 32, true
		}
		return both >> n & math.MaxUint32, true
	case "clz":
		n := uint64(32)
		for v := whole(0); v != 0; v /= 2 {
			n--
		}
		return n, true
	default:
		return 0, false
	}
	if to.real() && y.Sign() == 0 {
		return 0, false
	}
	return rounded(to, y), true
}

// special holds cases with NaN, infinities and zeros.
var special = []struct {
	name    string
	a, b, c uint64
	want    uint64
}{
	{"add.rn.f32", 0x80000000, 0x80000000, 0, 0x80000000},
	{"add.rn.f32", 0x80000000, 0, 0, 0},
	{"add.rn.f32", 0x3f800000, 0xbf800000, 0, 0},
	{"add.rn.f32", 0x7f800000, 0xff800000, 0, canonicalNaN32},
	{"add.rn.f32", 0xffa00001, 0x3f800000, 0, canonicalNaN32},
	{"sub.rn.f32", 0x80000000, 0, 0, 0x80000000},
	{"sub.rn.f32", 0, 0, 0, 0},
	{"mul.rn.f32", 0x80000000, 0x3f800000, 0, 0x80000000},
	{"mul.rn.f32", 0, 0x7f800000, 0, canonicalNaN32},
	{"mul.rn.f32", 0x80000001, 0x3f000000, 0, 0x80000000},
	{"fma.rn.f32", 0x80000001, 0x00000001, 0x80000000, 0x80000000},
	{"fma.rn.f32", 0x80000001, 0x00000001, 0, 0x80000000},
	{"fma.rn.f32", 0x80000000, 0x00000001, 0, 0},
	{"fma.rn.f32", 0x7f7fffff, 0x7f7fffff, 0xff800000, 0xff800000},
	{"fma.rn.f32", 0x7f800000, 0x3f800000, 0xff800000, canonicalNaN32},
	{"div.rn.f32", 0x3f800000, 0x80000000, 0, 0xff800000},
	{"div.rn.f32", 0, 0, 0, canonicalNaN32},
	{"div.rn.f32", 0x3f800000, 0xff800000, 0, 0x80000000},
	{"rcp.rn.f32", 0x80000000, 0, 0, 0xff800000},
	{"rcp.rn.f32", 0x7f800000, 0, 0, 0},
	{"sqrt.rn.f32", 0x80000000, 0, 0, 0x80000000},
	{"sqrt.rn.f32", 0xbf800000, 0, 0, canonicalNaN32},
	{"sqrt.rn.f32", 0x7f800000, 0, 0, 0x7f800000},
	{"neg.f32", 0, 0, 0, 0x80000000},
	{"neg.f32", 0xff800000, 0, 0, 0x7f800000},
	{"neg.f32", 0xffc00000, 0, 0, canonicalNaN32},
	{"abs.f32", 0x80000000, 0, 0, 0},
	{"mov.f32", 0xffa00001, 0, 0, 0xffa00001},
	{"cvt.rn.f32.s32", 0, 0, 0, 0},
	{"cvt.rn.f32.u32", 0, 0, 0, 0},
	{"cvt.rn.f32.f64", 1 << 63, 0, 0, 0x80000000},
	{"cvt.rn.f32.f64", 0xfff0000000000000, 0, 0, 0xff800000},
	{"cvt.f64.f32", 0x80000000, 0, 0, 1 << 63},
	{"cvt.f64.f32", 0x7fc00000, 0, 0, canonicalNaN64},
	{"cvt.rn.f64.s32", 0, 0, 0, 0},
	{"cvt.rn.f64.u32", 0, 0, 0, 0},
	{"cvt.rn.f64.s64", 0, 0, 0, 0},
	{"add.rn.f64", 1 << 63, 0, 0, 0},
	{"sub.rn.f64", 1 << 63, 0, 0, 1 << 63},
	{"mul.rn.f64", 1 << 63, 0x3ff0000000000000, 0, 1 << 63},
	{"div.rn.f64", 0x3ff0000000000000, 1 << 63, 0, 0xfff0000000000000},
	{"fma.rn.f64", 1, 1<<63 | 1, 1 << 63, 1 << 63},
	{"sqrt.rn.f64", 1 << 63, 0, 0, 1 << 63},
	{"neg.f64", 0, 0, 0, 1 << 63},
	{"abs.f64", 1 << 63, 0, 0, 0},
	{"mov.f64", 1 << 63, 0, 0, 1 << 63},
}

// TestArithmeticIsExact compares every arithmetic opcode with exact results rounded
// once, on all pairs of edge values.
func TestArithmeticIsExact(t *testing.T) {
	for name, op := range opcodes { // the order does not matter
		if op.kind != compute && op.kind != divide {
			continue
		}
		t.Run(name, func(t *testing.T) {
			of := func(i int) []uint64 {
				switch {
				case i+1 >= len(op.types):
					return []uint64{0}
				case op.types[i+1].size() == 8:
					return edges64
				}
				return edges32
			}
			var in [4]lanes
			held := 0
			check := func(w []uint64, want uint64) {
				for i, v := range w {
					in[i+1][held%warpSize] = v
				}
				op.fn(&in[0], &in[1], &in[2], &in[3])
				if got := in[0][held%warpSize]; got != want {
					t.Errorf("%s of %#x is %#x, want %#x", name, w, got, want)
				}
				held++
			}
			for i, a := range of(0) {
				for _, b := range of(1) {
					third := of(2)
					if len(third) > 1 { // some of the triples
						third = []uint64{third[i%len(third)], third[(i+7)%len(third)], third[(i+16)%len(third)]}
					}
					for _, c := range third {
						w := []uint64{a, b, c}
						if want, ok := exact(name, op.types, w[:len(op.types)-1]); ok && !t.Failed() {
							check(w, want)
						}
					}
				}
			}
			if held < 12 {
				t.Errorf("%d cases, want some", held)
			}
			before := held
			for _, s := range special {
				if s.name == name {
					check([]uint64{s.a, s.b, s.c}, s.want)
				}
			}
			if op.types[0].real() && held == before {
				t.Error("no case with zeros, infinities or NaN")
			}
		})
	}
}

// TestComparisons checks setp on all pairs of edge values, NaN included, against the order
// of the exact numbers.
func TestComparisons(t *testing.T) {
	for name, op := range opcodes { // the order does not matter
		if op.kind != compare {
			continue
		}
		test, typ := strings.Split(name, ".")[1], op.types[1]
		edges := edges32
		if typ.size() == 8 {
			edges = edges64
		}
		order := func(w uint64) float64 {
			switch typ {
			case f32:
				return float64(float(w))
			case f64:
				return double(w)
			}
			return 0
		}
		for _, a := range edges {
			for _, b := range edges {
				nan, cmp := false, 0
				if typ.real() {
					x, y := order(a), order(b)
					nan = x != x || y != y
					if x < y {
						cmp = -1
					} else if x > y {
						cmp = 1
					}
				} else {
					cmp = value(typ, a).Cmp(value(typ, b))
				}
				want := map[string]bool{
					"eq": !nan && cmp == 0, "ne": !nan && cmp != 0, "lt": !nan && cmp < 0, "le": !nan && cmp <= 0, "gt": !nan && cmp > 0, "ge": !nan && cmp >= 0,
					"lo": cmp < 0, "ls": cmp <= 0, "hi": cmp > 0, "hs": cmp >= 0,
					"equ": nan || cmp == 0, "neu": nan || cmp != 0, "ltu": nan || cmp < 0, "leu": nan || cmp <= 0, "gtu": nan || cmp > 0, "geu": nan || cmp >= 0,
					"num": !nan, "nan": nan,
				}[test]
				if got := op.test(&lanes{9: a}, &lanes{9: b})>>9&1 == 1; got != want {
					t.Errorf("%s of %#x and %#x is %v", name, a, b, got)
				}
			}
		}
	}
}

// TestPredicates runs the operations on predicates and the selections by a predicate.
func TestPredicates(t *testing.T) {
	x, err := try(t, `
	and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 1;
	and.b32 %r5, %r1, 2; setp.eq.u32 %p2, %r5, 2;
	and.pred %p3, %p1, %p2; or.pred %p4, %p1, %p2; xor.pred %p5, %p1, %p2; not.pred %p6, %p1; mov.pred %p7, %p2;
	selp.b32 %r6, 1, 0, %p3;
	selp.u32 %r7, 2, 0, %p4; or.b32 %r6, %r6, %r7;
	selp.s32 %r7, 4, 0, %p5; or.b32 %r6, %r6, %r7;
	selp.b32 %r7, 8, 0, %p6; or.b32 %r6, %r6, %r7;
	selp.b32 %r7, 16, 0, %p7; or.b32 %r6, %r6, %r7;
	mov.f32 %f1, 0f00000020; mov.f32 %f2, 0f00000000; selp.f32 %f3, %f1, %f2, %p1; mov.b32 %r7, %f3; or.b32 %r6, %r6, %r7;
	selp.b64 %rd6, 64, 0, %p1; cvt.u32.u64 %r7, %rd6; or.b32 %r6, %r6, %r7;
	@!%p7 add.s32 %r6, %r6, 1000;
	st.global.u32 [%rd4], %r6;`, 1, 4)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(x[:4]), fmt.Sprint([]uint32{1008, 1102, 30, 115}); got != want {
		t.Errorf("results are %v, want %v", got, want)
	}
}
