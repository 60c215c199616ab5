package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestFlatStacks tests stacks of few columns. It tries every distance between rows that is
// short enough for a vector to hold several rows.
func TestFlatStacks(t *testing.T) {
	for kind := range testDraws {
		for i, dp := range [][2]int{{2, 1}, {3, 1}, {4, 2}, {6, 2}, {15, 5}, {17, 1}, {33, 1}, {40, 8}, {256, 1}, {259, 1}, {305, 5}, {520, 5}, {27, 9}} {
			for ld := 1; ld <= FlatColumns+1; ld++ {
				for C := 1; C <= ld; C++ {
					in := newStackCase([3]int{dp[0], dp[1], C}, kind)
					r := newRand(dp[0], ld, C, kind)
					f := testDraws[kind].make(r)
					in.s, in.dy, in.v = newGuarded(in.D, C, ld, f), newGuarded(in.D, C, ld, f), newGuarded(in.p, C, C+r.IntN(ld-C+2), f)
					checkFlat(t, in, i+kind)
				}
			}
		}
	}
}

// TestFlatStacksOfSmallNumbers tests stacks of numbers from 2^-150 to 2^-90. Their
// products may be subnormal, and subnormal sums round at a fixed position. In some
// rounds, some numbers are negative, large or infinite.
func TestFlatStacksOfSmallNumbers(t *testing.T) {
	for round := range 400 {
		r := rand.New(rand.NewPCG(uint64(round), 11))
		f := func() float32 {
			switch r.IntN(8) {
			case 0:
				return 0
			case 1:
				return math.Float32frombits(r.Uint32N(1 << 24))
			case 2:
				return math.Float32frombits(1<<23 - 2 + r.Uint32N(4))
			case 3:
				if round%8 == 7 {
					return []float32{-1, float32(math.Inf(1)), -0x1p-140, 0x1p100, float32(math.Copysign(0, -1))}[r.IntN(5)]
				}
			}
			return float32(math.Ldexp(1+r.Float64(), -150+r.IntN(60)))
		}
		w := func() float32 {
			if r.IntN(6) == 0 {
				return []float32{0, 1, 0.5, 2, 0x1p-120, 0x1p-30}[r.IntN(6)]
			}
			return r.Float32()
		}
		p := 1 + r.IntN(5)
		ld := 1 + r.IntN(40)
		C := 1 + r.IntN(ld)
		in := newStackCase([3]int{p * (2 + r.IntN(12)), p, C}, 0)
		in.s, in.dy, in.v, in.empty = newGuarded(in.D, C, ld, f), newGuarded(in.D, C, ld, f), newGuarded(p, C, C+r.IntN(2)*(ld-C), f), f()
		in.push, in.pop, in.noop = newVector(C, w), newVector(C, w), newVector(C, w)
		checkFlat(t, in, round)
	}
}

func checkFlat(t *testing.T, in *stackCase, ask int) {
	t.Helper()
	wants := []func(r, c int) float32{
		once(in.D, in.C, in.ds), once(1, in.C, in.chunked(in.up)), once(1, in.C, in.chunked(in.down)), once(1, in.C, in.chunked(in.s.at)),
		func(r, c int) float32 { return in.push.at(0, c) * in.dy.at(r, c) },
	}
	step := once(in.D, in.C, in.step)
	for _, isa := range Available() {
		dst := newGuarded(in.D, in.C, in.s.ld, nil)
		stackFor(isa).Step(dst.ptr(), in.s.ptr(), in.push.ptr(), in.pop.ptr(), in.noopPtr(), in.v.ptr(),
			in.D, in.p, in.C, dst.ld, in.s.ld, in.v.ld, in.empty)
		dst.want(t, labelFor(isa, "step of D, p, C, ld", in.D, in.p, in.C, in.s.ld), step)
		checkStackGrad(t, isa, in, 31, wants)
		checkStackGrad(t, isa, in, ask%31, wants)
	}
}

func TestFlatZeroClearsItsColumns(t *testing.T) {
	for _, isa := range Available() {
		k := stackFor(isa)
		if k.Zero == nil {
			continue
		}
		for ld := 1; ld <= FlatColumns; ld++ {
			for C := 1; C <= ld; C++ {
				for _, rows := range []int{1, 2, 3, 7, 16, 33, 520} {
					x := newGuarded(rows, C, ld, func() float32 { return 1 })
					k.Zero(x.ptr(), rows, C, ld)
					x.want(t, labelFor(isa, "zeros of rows, columns, ld", rows, C, ld), func(int, int) float32 { return 0 })
				}
			}
		}
	}
}

// TestSparseGradientSkipsZeros compares the sums that the routine Sparse computes with
// those of Grad, which skips no rows. They must have the same bits, except where the sum of
// Sparse is -0: its caller computes such a sum again.
func TestSparseGradientSkipsZeros(t *testing.T) {
	for _, isa := range Available() {
		k := stackFor(isa)
		if k.Sparse == nil {
			continue
		}
		for round := range 300 {
			r := rand.New(rand.NewPCG(uint64(round), 7))
			p := 1 + r.IntN(5)
			D, ld := p*(2+r.IntN(100)), 1+r.IntN(8)
			C := 1 + r.IntN(ld)
			size := []float64{1, 0x1p-75}[round%2]
			f := func() float32 { return float32((r.Float64() - 0.3) * size) }
			s, v, dy := newGuarded(D, C, C, f), newGuarded(p, C, C, f), newGuarded(D, C, ld, func() float32 { return 0 })
			for range r.IntN(4) {
				from := r.IntN(D)
				for row := from; row < min(D, from+r.IntN(60)); row++ {
					for c := range C {
						dy.buf[dy.off+row*dy.ld+c] = f()
					}
				}
			}
			w := func() float32 { return r.Float32() }
			push, pop, noop := newVector(C, w), newVector(C, w), newVector(C, w)
			var sums [2][3]*guarded
			for i, grad := range []stackGrad{k.Grad, k.Sparse} {
				ds := newGuarded(D, C, ld, nil)
				sums[i] = [3]*guarded{newVector(C, nil), newVector(C, nil), newVector(C, nil)}
				grad(ds.ptr(), sums[i][0].ptr(), sums[i][1].ptr(), sums[i][2].ptr(), nil, dy.ptr(), s.ptr(), push.ptr(), pop.ptr(), noop.ptr(), v.ptr(),
					D, D, p, C, ld, 0, ld, C, C, 0)
			}
			for i := range 3 {
				for c := range C {
					whole, near := sums[0][i].at(0, c), sums[1][i].at(0, c)
					if math.Float32bits(near) != math.Float32bits(whole) && math.Float32bits(near) != 1<<31 {
						t.Fatalf("%v, D=%d p=%d C=%d ld=%d: sum %d of column %d: have %v, want %v, the sum of all rows", isa, D, p, C, ld, i, c, near, whole)
					}
				}
			}
		}
	}
}
