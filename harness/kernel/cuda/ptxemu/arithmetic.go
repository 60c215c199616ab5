package ptxemu

import (
	"math"
	"math/bits"

	"pushdown/harness/numeric"
)

// The canonical NaNs of the hardware.
const (
	canonicalNaN32 = 0x7fffffff
	canonicalNaN64 = 0x7fffffffffffffff
)

func float(w uint64) float32 { return math.Float32frombits(uint32(w)) }

func word(f float32) uint64 {
	if f != f {
		return canonicalNaN32
	}
	return uint64(math.Float32bits(f))
}

func double(w uint64) float64 { return math.Float64frombits(w) }

func quad(f float64) uint64 {
	if f != f {
		return canonicalNaN64
	}
	return math.Float64bits(f)
}

// The functions one, two, three and low turn a function for one thread into a function
// for all threads of a warp. The most frequent opcodes do not use them, but have their
// own loops.

// one wraps a function of one operand.
func one(f func(a uint64) uint64) func(d, a, b, c *lanes) {
	return func(d, a, _, _ *lanes) {
		for i := range d {
			d[i] = f(a[i])
		}
	}
}

// two wraps a function of two operands.
func two(f func(a, b uint64) uint64) func(d, a, b, c *lanes) {
	return func(d, a, b, _ *lanes) {
		for i := range d {
			d[i] = f(a[i], b[i])
		}
	}
}

// three wraps a function of three operands.
func three(f func(a, b, c uint64) uint64) func(d, a, b, c *lanes) {
	return func(d, a, b, c *lanes) {
		for i := range d {
			d[i] = f(a[i], b[i], c[i])
		}
	}
}

// low wraps a function of two operands as the function named two does, and truncates its
// result to 32 bits.
func low(f func(a, b uint64) uint64) func(d, a, b, c *lanes) {
	return func(d, a, b, _ *lanes) {
		for i := range d {
			d[i] = uint64(uint32(f(a[i], b[i])))
		}
	}
}

// extend sign-extends the lower 32 bits of w.
func extend(w uint64) uint64 { return uint64(int64(int32(uint32(w)))) }

var arithmetic = map[string]opcode{}

// define adds opcodes of one kind that share the function fn. A key of the map is the name
// of an opcode. Its value lists the type of the result, then the types of the operands.
func define(k kind, fn func(d, a, b, c *lanes), names map[string][]typ) {
	for name, types := range names { // the order does not matter
		arithmetic[name] = opcode{kind: k, types: types, fn: fn}
	}
}

func same(t typ, n int) []typ {
	var list []typ
	for range n {
		list = append(list, t)
	}
	return list
}

func init() {
	defineFloat()
	defineDouble()
	defineWhole()
	defineWide()
}

func defineFloat() {
	define(compute, func(d, a, b, _ *lanes) {
		for i := range d {
			d[i] = word(float(a[i]) + float(b[i]))
		}
	}, map[string][]typ{"add.rn.f32": same(f32, 3)})
	define(compute, func(d, a, b, _ *lanes) {
		for i := range d {
			d[i] = word(float(a[i]) - float(b[i]))
		}
	}, map[string][]typ{"sub.rn.f32": same(f32, 3)})
	define(compute, func(d, a, b, _ *lanes) {
		for i := range d {
			d[i] = word(float(a[i]) * float(b[i]))
		}
	}, map[string][]typ{"mul.rn.f32": same(f32, 3)})
	define(compute, func(d, a, b, c *lanes) {
		for i := range d {
			// The product is exact in float64. The sum is rounded to float64 and then to
			// float32. This can differ from rounding once only if the low bits of the
			// float64 sum are zero; see numeric.FMA. For such sums and for NaN the
			// slower numeric.FMA is called.
			s := float64(float64(float(a[i]))*float64(float(b[i]))) + float64(float(c[i]))
			if math.Float64bits(s)<<36 == 0 || s != s {
				d[i] = word(numeric.FMA(float(a[i]), float(b[i]), float(c[i])))
				continue
			}
			d[i] = uint64(math.Float32bits(float32(s)))
		}
	}, map[string][]typ{"fma.rn.f32": same(f32, 4)})
	define(compute, two(func(a, b uint64) uint64 { return word(float(a) / float(b)) }), map[string][]typ{"div.rn.f32": same(f32, 3)})
	define(compute, one(func(a uint64) uint64 { return word(1 / float(a)) }), map[string][]typ{"rcp.rn.f32": same(f32, 2)})
	define(compute, one(func(a uint64) uint64 { return word(float32(math.Sqrt(float64(float(a))))) }), map[string][]typ{"sqrt.rn.f32": same(f32, 2)})
	define(compute, one(func(a uint64) uint64 { return word(-float(a)) }), map[string][]typ{"neg.f32": same(f32, 2)})
	define(compute, one(func(a uint64) uint64 { return word(math.Float32frombits(uint32(a) &^ (1 << 31))) }), map[string][]typ{"abs.f32": same(f32, 2)})
	define(compute, one(func(a uint64) uint64 { return word(float32(int32(a))) }), map[string][]typ{"cvt.rn.f32.s32": {f32, s32}})
	define(compute, one(func(a uint64) uint64 { return word(float32(uint32(a))) }), map[string][]typ{"cvt.rn.f32.u32": {f32, u32}})
	define(compute, one(func(a uint64) uint64 { return word(float32(double(a))) }), map[string][]typ{"cvt.rn.f32.f64": {f32, f64}})
}

func defineDouble() {
	define(compute, two(func(a, b uint64) uint64 { return quad(double(a) + double(b)) }), map[string][]typ{"add.rn.f64": same(f64, 3)})
	define(compute, two(func(a, b uint64) uint64 { return quad(double(a) - double(b)) }), map[string][]typ{"sub.rn.f64": same(f64, 3)})
	define(compute, two(func(a, b uint64) uint64 { return quad(double(a) * double(b)) }), map[string][]typ{"mul.rn.f64": same(f64, 3)})
	define(compute, two(func(a, b uint64) uint64 { return quad(double(a) / double(b)) }), map[string][]typ{"div.rn.f64": same(f64, 3)})
	define(compute, three(func(a, b, c uint64) uint64 { return quad(math.FMA(double(a), double(b), double(c))) }), map[string][]typ{"fma.rn.f64": same(f64, 4)})
	define(compute, one(func(a uint64) uint64 { return quad(math.Sqrt(double(a))) }), map[string][]typ{"sqrt.rn.f64": same(f64, 2)})
	define(compute, one(func(a uint64) uint64 { return quad(-double(a)) }), map[string][]typ{"neg.f64": same(f64, 2)})
	define(compute, one(func(a uint64) uint64 { return quad(math.Abs(double(a))) }), map[string][]typ{"abs.f64": same(f64, 2)})
	define(compute, one(func(a uint64) uint64 { return quad(float64(float(a))) }), map[string][]typ{"cvt.f64.f32": {f64, f32}}) // exact
	define(compute, one(func(a uint64) uint64 { return quad(float64(int32(a))) }), map[string][]typ{"cvt.rn.f64.s32": {f64, s32}})
	define(compute, one(func(a uint64) uint64 { return quad(float64(uint32(a))) }), map[string][]typ{"cvt.rn.f64.u32": {f64, u32}})
	define(compute, one(func(a uint64) uint64 { return quad(float64(int64(a))) }), map[string][]typ{"cvt.rn.f64.s64": {f64, s64}})
}

func defineWhole() {
	define(compute, func(d, a, b, _ *lanes) {
		for i := range d {
			d[i] = uint64(uint32(a[i]) + uint32(b[i]))
		}
	}, map[string][]typ{"add.s32": same(s32, 3), "add.u32": same(u32, 3)})
	define(compute, func(d, a, b, _ *lanes) {
		for i := range d {
			d[i] = a[i] + b[i]
		}
	}, map[string][]typ{"add.s64": same(s64, 3), "add.u64": same(u64, 3)})
	define(compute, low(func(a, b uint64) uint64 { return a - b }), map[string][]typ{"sub.s32": same(s32, 3), "sub.u32": same(u32, 3)})
	define(compute, two(func(a, b uint64) uint64 { return a - b }), map[string][]typ{"sub.s64": same(s64, 3), "sub.u64": same(u64, 3)})
	define(compute, low(func(a, b uint64) uint64 { return a * b }), map[string][]typ{"mul.lo.s32": same(s32, 3), "mul.lo.u32": same(u32, 3)})
	define(compute, two(func(a, b uint64) uint64 { return a * b }), map[string][]typ{"mul.lo.s64": same(s64, 3), "mul.lo.u64": same(u64, 3)})
	define(compute, three(func(a, b, c uint64) uint64 { return uint64(uint32(a*b + c)) }), map[string][]typ{"mad.lo.s32": same(s32, 4), "mad.lo.u32": same(u32, 4)})
	define(compute, three(func(a, b, c uint64) uint64 { return a*b + c }), map[string][]typ{"mad.lo.s64": same(s64, 4), "mad.lo.u64": same(u64, 4)})
	define(compute, two(func(a, b uint64) uint64 { return uint64(uint32(a)) * uint64(uint32(b)) >> 32 }), map[string][]typ{"mul.hi.u32": same(u32, 3)})
	define(compute, one(func(a uint64) uint64 { return uint64(-uint32(a)) }), map[string][]typ{"neg.s32": same(s32, 2)})
	define(compute, one(func(a uint64) uint64 { return -a }), map[string][]typ{"neg.s64": same(s64, 2)})
	define(compute, two(func(a, b uint64) uint64 { return a & b }), map[string][]typ{"and.b32": same(b32, 3), "and.b64": same(b64, 3)})
	define(compute, two(func(a, b uint64) uint64 { return a | b }), map[string][]typ{"or.b32": same(b32, 3), "or.b64": same(b64, 3)})
	define(compute, two(func(a, b uint64) uint64 { return a ^ b }), map[string][]typ{"xor.b32": same(b32, 3), "xor.b64": same(b64, 3)})
	define(compute, one(func(a uint64) uint64 { return uint64(^uint32(a)) }), map[string][]typ{"not.b32": same(b32, 2)})
	define(compute, one(func(a uint64) uint64 { return ^a }), map[string][]typ{"not.b64": same(b64, 2)})
	define(compute, low(func(a, b uint64) uint64 { return a << b }), map[string][]typ{"shl.b32": {b32, b32, b32}})
	define(compute, two(func(a, b uint64) uint64 { return a << b }), map[string][]typ{"shl.b64": {b64, b64, b32}})
	define(compute, two(func(a, b uint64) uint64 { return a >> b }), map[string][]typ{
		"shr.u32": {u32, u32, b32}, "shr.b32": {b32, b32, b32}, "shr.u64": {u64, u64, b32}, "shr.b64": {b64, b64, b32}})
	define(compute, two(func(a, b uint64) uint64 { return uint64(uint32(int32(uint32(a)) >> b)) }), map[string][]typ{"shr.s32": {s32, s32, b32}})
	define(compute, two(func(a, b uint64) uint64 { return uint64(int64(a) >> b) }), map[string][]typ{"shr.s64": {s64, s64, b32}})
	define(compute, three(func(a, b, c uint64) uint64 { return a >> (b & 255) & (1<<(c&255) - 1) }), map[string][]typ{"bfe.u32": {u32, u32, b32, b32}})
	define(compute, three(func(a, b, c uint64) uint64 {
		return uint64(uint32((b<<32 | a) << (c & 31) >> 32))
	}), map[string][]typ{"shf.l.wrap.b32": same(b32, 4)})
	define(compute, three(func(a, b, c uint64) uint64 { return uint64(uint32((b<<32 | a) >> (c & 31))) }), map[string][]typ{"shf.r.wrap.b32": same(b32, 4)})
	define(compute, one(func(a uint64) uint64 { return uint64(bits.LeadingZeros32(uint32(a))) }), map[string][]typ{"clz.b32": same(b32, 2)})
	for _, t := range []typ{s32, u32, s64, u64} {
		less := lessThan(t)
		define(compute, two(func(a, b uint64) uint64 {
			if less(a, b) {
				return a
			}
			return b
		}), map[string][]typ{"min." + t.String(): same(t, 3)})
		define(compute, two(func(a, b uint64) uint64 {
			if less(a, b) {
				return b
			}
			return a
		}), map[string][]typ{"max." + t.String(): same(t, 3)})
	}
}

// defineWide defines the opcodes that mix 32 and 64 bits, and the divisions.
func defineWide() {
	define(compute, func(d, a, b, _ *lanes) {
		for i := range d {
			d[i] = extend(a[i]) * extend(b[i])
		}
	}, map[string][]typ{"mul.wide.s32": {s64, s32, s32}})
	define(compute, two(func(a, b uint64) uint64 { return a * b }), map[string][]typ{"mul.wide.u32": {u64, u32, u32}})
	define(compute, three(func(a, b, c uint64) uint64 { return extend(a)*extend(b) + c }), map[string][]typ{"mad.wide.s32": {s64, s32, s32, s64}})
	define(compute, three(func(a, b, c uint64) uint64 { return a*b + c }), map[string][]typ{"mad.wide.u32": {u64, u32, u32, u64}})
	define(compute, one(func(a uint64) uint64 { return a }), map[string][]typ{"cvt.u64.u32": {u64, u32}, "cvta.to.global.u64": same(u64, 2)})
	define(compute, one(extend), map[string][]typ{"cvt.s64.s32": {s64, s32}})
	define(compute, one(func(a uint64) uint64 { return uint64(uint32(a)) }), map[string][]typ{"cvt.u32.u64": {u32, u64}})
	define(divide, two(func(a, b uint64) uint64 { return a / max(b, 1) }), map[string][]typ{"div.u32": same(u32, 3), "div.u64": same(u64, 3)})
	define(divide, two(func(a, b uint64) uint64 { return a % max(b, 1) }), map[string][]typ{"rem.u32": same(u32, 3), "rem.u64": same(u64, 3)})
	signed := func(f func(a, b int64) int64) func(a, b uint64) uint64 {
		return func(a, b uint64) uint64 {
			if b == 0 {
				return 0
			}
			return uint64(f(int64(a), int64(b)))
		}
	}
	quotient := signed(func(a, b int64) int64 { return a / b })
	rest := signed(func(a, b int64) int64 { return a % b })
	define(divide, two(quotient), map[string][]typ{"div.s64": same(s64, 3)})
	define(divide, two(rest), map[string][]typ{"rem.s64": same(s64, 3)})
	define(divide, low(func(a, b uint64) uint64 { return quotient(extend(a), extend(b)) }), map[string][]typ{"div.s32": same(s32, 3)})
	define(divide, low(func(a, b uint64) uint64 { return rest(extend(a), extend(b)) }), map[string][]typ{"rem.s32": same(s32, 3)})
}
