// Command vec generates vec_amd64.s, the elementwise kernels:
//
//	cd _asm && go run ./vec -out ../vec_amd64.s
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
	"pushdown/harness/kernel/cpu/simd/asm/math"
)

func main() {
	ConstraintExpr("amd64,!purego")
	fetch()
	for _, l := range []math.Lane{math.AVX2, math.AVX512} {
		// Add computes dst[i] = a[i] + b[i]. Sub and Mul are alike.
		two(l, "Add", func(a, b math.Vec) { VADDPS(b, a, a) })
		two(l, "Sub", func(a, b math.Vec) { VSUBPS(b, a, a) })
		two(l, "Mul", func(a, b math.Vec) { VMULPS(b, a, a) })

		scale(l)
		fill(l)
		clip(l)
		threshold(l)
		flushSmall(l)

		one(l, "Neg", 4, func() func(math.Vec) math.Vec {
			sign := l.ConstBits(1 << 31)
			return func(x math.Vec) math.Vec { VXORPS(sign, x, x); return x }
		})
		one(l, "OneMinus", 4, func() func(math.Vec) math.Vec {
			c := l.Reg(1)
			return func(x math.Vec) math.Vec { VSUBPS(x, c, x); return x }
		})
		one(l, "Sigmoid", 1, l.Sigmoid)
		one(l, "Tanh", 1, l.Tanh)

		sigmoidGrad(l)
		tanhGrad(l)
	}
	lane.Finish()
}

// fetch generates a routine that prefetches the cache lines of n > 0 elements.
func fetch() {
	const line = 64
	TEXT("vecFetch", NOSPLIT, "func(p *float32, n int)")
	p, end := param("p"), param("n")
	LEAQ(Mem{Base: p, Index: end, Scale: 4}, end)
	ANDQ(I8(-line), p)
	Label("line")
	PREFETCHT0(Mem{Base: p})
	ADDQ(U32(line), p)
	CMPQ(p, end)
	JB(LabelRef("line"))
	RET()
}

// begin starts a kernel.
func begin(l math.Lane, name, params string) {
	TEXT("vec"+name+l.Name, NOSPLIT, "func("+params+", n int)")
}

func param(name string) reg.Register { return Load(Param(name), GP64()) }

// loop emits loops that run the code of the function body for several vectors at a time (the
// parameter unroll), then for single vectors, and then for the masked rest. It passes to
// body a function at, which takes the register with the start of an array and returns the
// address of the array's current element. loop also emits the return from the kernel.
func loop(l math.Lane, unroll int, body func(at func(base reg.Register) Mem, mask *math.Mask)) {
	n := param("n")
	i := GP64()
	XORQ(i, i)
	element := func(u int) func(reg.Register) Mem {
		return func(base reg.Register) Mem {
			return Mem{Base: base, Index: i, Scale: 4, Disp: u * l.Bytes()}
		}
	}
	for u := unroll; ; u = 1 {
		step := u * l.W
		again, done := label("loop"), label("done")
		SUBQ(U32(step), n)
		JL(LabelRef(done))
		Label(again)
		for k := range u {
			body(element(k), nil)
		}
		ADDQ(U32(step), i)
		SUBQ(U32(step), n)
		JGE(LabelRef(again))
		Label(done)
		ADDQ(U32(step), n)
		if u == 1 {
			break
		}
	}
	JE(LabelRef("end"))
	mask := l.FirstN(n)
	body(element(0), &mask)
	Label("end")
	VZEROUPPER()
	RET()
	labels = 0
}

var labels int

func label(name string) string {
	labels++
	return name + string(rune('0'+labels))
}

// one generates dst[i] = f(x[i]).
func one(l math.Lane, name string, unroll int, f func() func(math.Vec) math.Vec) {
	begin(l, name, "dst, x *float32")
	dst, x := param("dst"), param("x")
	op := f()
	loop(l, unroll, func(at func(reg.Register) Mem, mask *math.Mask) {
		l.Store(op(l.Load(at(x), mask)), at(dst), mask)
	})
}

// two generates dst[i] = a[i] op b[i].
func two(l math.Lane, name string, op func(a, b math.Vec)) {
	begin(l, name, "dst, a, b *float32")
	dst, a, b := param("dst"), param("a"), param("b")
	loop(l, 4, func(at func(reg.Register) Mem, mask *math.Mask) {
		v, w := l.Load(at(a), mask), l.Load(at(b), mask)
		op(v, w)
		l.Store(v, at(dst), mask)
	})
}

// scalar returns a register with copies of a parameter of the kernel. It uses a VEX
// instruction, since a legacy SSE instruction among 256-bit instructions costs a
// hundred cycles.
func scalar(l math.Lane, name string) math.Vec {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	v := l.Vec()
	VBROADCASTSS(p.Addr, v)
	return v
}

// scale generates dst[i] = a[i] * s.
func scale(l math.Lane) {
	begin(l, "Scale", "dst, a *float32, s float32")
	dst, a := param("dst"), param("a")
	s := scalar(l, "s")
	loop(l, 4, func(at func(reg.Register) Mem, mask *math.Mask) {
		v := l.Load(at(a), mask)
		VMULPS(s, v, v)
		l.Store(v, at(dst), mask)
	})
}

// fill generates dst[i] = s.
func fill(l math.Lane) {
	begin(l, "Fill", "dst *float32, s float32")
	dst := param("dst")
	s := scalar(l, "s")
	loop(l, 4, func(at func(reg.Register) Mem, mask *math.Mask) {
		l.Store(s, at(dst), mask)
	})
}

// clip generates dst[i] = min(max(x[i], lo), hi). If x[i] is NaN or equals a bound, the
// result is x[i] itself: both instructions then return the operand that holds it.
func clip(l math.Lane) {
	begin(l, "Clip", "dst, x *float32, lo, hi float32")
	dst, x := param("dst"), param("x")
	lo, hi := scalar(l, "lo"), scalar(l, "hi")
	loop(l, 4, func(at func(reg.Register) Mem, mask *math.Mask) {
		v := l.Load(at(x), mask)
		VMAXPS(v, lo, v)
		VMINPS(v, hi, v)
		l.Store(v, at(dst), mask)
	})
}

// flushSmall generates dst[i] = |x[i]| < least ? +0 : x[i].
func flushSmall(l math.Lane) {
	begin(l, "FlushSmall", "dst, x *float32, least float32")
	dst, x := param("dst"), param("x")
	least, size := scalar(l, "least"), l.ConstBits(1<<31-1)
	loop(l, 4, func(at func(reg.Register) Mem, mask *math.Mask) {
		v, magnitude := l.Load(at(x), mask), l.Vec()
		VANDPS(size, v, magnitude)
		stays := l.Compare(math.NLT, magnitude, least)
		l.Keep(&stays, v)
		l.Store(v, at(dst), mask)
	})
}

// threshold generates dst[i] = x[i] > bound ? 1 : 0.
func threshold(l math.Lane) {
	begin(l, "Threshold", "dst, x *float32, bound float32")
	dst, x := param("dst"), param("x")
	bound, one := scalar(l, "bound"), l.Reg(1)
	loop(l, 4, func(at func(reg.Register) Mem, mask *math.Mask) {
		above := l.Compare(math.GT, l.Load(at(x), mask), bound)
		v := l.Copy(one)
		l.Keep(&above, v)
		l.Store(v, at(dst), mask)
	})
}

// sigmoidGrad generates dst[i] = dy[i] * (y[i] * (1 - y[i])).
func sigmoidGrad(l math.Lane) {
	begin(l, "SigmoidGrad", "dst, y, dy *float32")
	dst, y, dy := param("dst"), param("y"), param("dy")
	c := l.Reg(1)
	loop(l, 4, func(at func(reg.Register) Mem, mask *math.Mask) {
		v, w := l.Load(at(y), mask), l.Vec()
		VSUBPS(v, c, w)
		VMULPS(v, w, w)
		g := l.Load(at(dy), mask)
		VMULPS(g, w, w)
		l.Store(w, at(dst), mask)
	})
}

// tanhGrad generates dst[i] = dy[i] * fma(-y[i], y[i], 1).
func tanhGrad(l math.Lane) {
	begin(l, "TanhGrad", "dst, y, dy *float32")
	dst, y, dy := param("dst"), param("y"), param("dy")
	c := l.Const(1)
	loop(l, 4, func(at func(reg.Register) Mem, mask *math.Mask) {
		v := l.Load(at(y), mask)
		w := l.Copy(c)
		VFNMADD231PS(v, v, w)
		g := l.Load(at(dy), mask)
		VMULPS(g, w, w)
		l.Store(w, at(dst), mask)
	})
}
