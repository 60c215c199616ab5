package simd

import (
	"math"
	"testing"

	"pushdown/harness/numeric"
)

// stackShapes returns depths, cell widths and numbers of columns.
func stackShapes() [][3]int {
	var list [][3]int
	for _, c := range testLengths(128, 131, 256) {
		for _, dp := range [][2]int{{1, 1}, {2, 1}, {3, 1}, {8, 1}, {2, 2}, {4, 2}, {6, 2}, {9, 3}} {
			list = append(list, [3]int{dp[0], dp[1], c})
		}
	}
	return append(list, [3]int{16, 1, 320}, [3]int{16, 2, 37}, [3]int{255, 1, 5}, [3]int{256, 1, 17}, [3]int{257, 1, 33},
		[3]int{300, 300, 9}, [3]int{500, 2, 3}, [3]int{513, 1, 10}, [3]int{520, 260, 18}, [3]int{600, 300, 35}, [3]int{768, 1, 1})
}

// stackCase is the input of one step of stacks and of its gradient.
type stackCase struct {
	D, p, C         int
	dy, s, v        *guarded
	push, pop, noop *guarded
	empty           float32
	hasNoop         bool
}

func newStackCase(shape [3]int, kind int) *stackCase {
	D, p, C := shape[0], shape[1], shape[2]
	r := newRand(D, p, C, kind)
	f := testDraws[kind].make(r)
	k := &stackCase{D: D, p: p, C: C, empty: f(), hasNoop: r.IntN(2) == 0}
	k.s, k.dy, k.v = newGuarded(D, C, C+r.IntN(9), f), newGuarded(D, C, C+r.IntN(9), f), newGuarded(p, C, C+r.IntN(9), f)
	k.push, k.pop, k.noop = newVector(C, f), newVector(C, f), newVector(C, f)
	return k
}

func (k *stackCase) noopPtr() *float32 {
	if k.hasNoop {
		return k.noop.ptr()
	}
	return nil
}

func (k *stackCase) up(r, c int) float32 {
	if r < k.p {
		return k.v.at(r, c)
	}
	return k.s.at(r-k.p, c)
}

func (k *stackCase) down(r, c int) float32 {
	if r >= k.D-k.p {
		return k.empty
	}
	return k.s.at(r+k.p, c)
}

func (k *stackCase) step(r, c int) float32 {
	t := k.pop.at(0, c) * k.down(r, c)
	t = numeric.FMA(k.push.at(0, c), k.up(r, c), t)
	if k.hasNoop {
		t = numeric.FMA(k.noop.at(0, c), k.s.at(r, c), t)
	}
	return t
}

func (k *stackCase) ds(r, c int) float32 {
	t := float32(0)
	if r >= k.p {
		t = k.pop.at(0, c) * k.dy.at(r-k.p, c)
	}
	if r+k.p < k.D {
		t = numeric.FMA(k.push.at(0, c), k.dy.at(r+k.p, c), t)
	}
	if k.hasNoop {
		t = numeric.FMA(k.noop.at(0, c), k.dy.at(r, c), t)
	}
	return t
}

// chunked returns a function that computes the inner product of column c of dy and column c
// of x, summed in chunks.
func (k *stackCase) chunked(x func(r, c int) float32) func(_, c int) float32 {
	return func(_, c int) float32 {
		var sum float32
		for r0 := 0; r0 < k.D; r0 += 256 {
			part := float32(0)
			for r := r0; r < min(r0+256, k.D); r++ {
				part = numeric.FMA(k.dy.at(r, c), x(r, c), part)
			}
			if r0 == 0 {
				sum = part
			} else {
				sum += part
			}
		}
		return sum
	}
}

func TestStackStepMatchesFormula(t *testing.T) {
	for kind := range testDraws {
		for _, shape := range stackShapes() {
			in := newStackCase(shape, kind)
			want := once(in.D, in.C, in.step)
			for _, isa := range Available() {
				dst := newGuarded(in.D, in.C, in.C+shape[2]%4, nil)
				stackFor(isa).Step(dst.ptr(), in.s.ptr(), in.push.ptr(), in.pop.ptr(), in.noopPtr(), in.v.ptr(),
					in.D, in.p, in.C, dst.ld, in.s.ld, in.v.ld, in.empty)
				dst.want(t, labelFor(isa, "step of D, p, C", in.D, in.p, in.C), want)
			}
		}
	}
}

func TestStackGradMatchesFormula(t *testing.T) {
	for kind := range testDraws {
		for i, shape := range stackShapes() {
			in := newStackCase(shape, kind)
			wants := []func(r, c int) float32{
				once(in.D, in.C, in.ds), once(1, in.C, in.chunked(in.up)), once(1, in.C, in.chunked(in.down)), once(1, in.C, in.chunked(in.s.at)),
				func(r, c int) float32 { return in.push.at(0, c) * in.dy.at(r, c) },
			}
			for _, isa := range Available() {
				// Compute all outputs, then a subset that differs from case to case.
				for _, ask := range []int{31, (i + kind) % 31} {
					checkStackGrad(t, isa, in, ask, wants)
				}
			}
		}
	}
}

// checkStackGrad computes some outputs, which the bits of the parameter ask select, and
// compares them with the expected ones in the parameter wants.
func checkStackGrad(t *testing.T, isa ISA, in *stackCase, ask int, wants []func(r, c int) float32) {
	t.Helper()
	if !in.hasNoop {
		ask &^= 8
	}
	ds, dv := newGuarded(in.D, in.C, in.C+in.D%3, nil), newGuarded(in.p, in.C, in.C+1, nil)
	outs := []*guarded{ds, newVector(in.C, nil), newVector(in.C, nil), newVector(in.C, nil), dv}
	ptr := make([]*float32, len(outs))
	for i, o := range outs {
		if ask>>i&1 == 1 {
			ptr[i] = o.ptr()
		}
	}
	stackFor(isa).Grad(ptr[0], ptr[1], ptr[2], ptr[3], ptr[4],
		in.dy.ptr(), in.s.ptr(), in.push.ptr(), in.pop.ptr(), in.noopPtr(), in.v.ptr(),
		in.D, in.D, in.p, in.C, ds.ld, dv.ld, in.dy.ld, in.s.ld, in.v.ld, in.empty)
	for i, name := range []string{"ds", "dpush", "dpop", "dnoop", "dv"} {
		if ptr[i] == nil {
			outs[i].rows = 0 // nothing may be written
		}
		outs[i].want(t, labelFor(isa, name+" of D, p, C, asked", in.D, in.p, in.C, ask), wants[i])
	}
}

func TestTransposeTurnsRowsIntoColumns(t *testing.T) {
	eachISA(t, func(t *testing.T, isa ISA) {
		k := stackFor(isa)
		for _, rows := range testLengths(128, 257) {
			for _, cols := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 70} {
				r := newRand(rows, cols)
				x := newGuarded(rows, cols, cols+r.IntN(2)*r.IntN(9), drawEdge(r))
				dst := newGuarded(cols, rows, rows+r.IntN(2)*r.IntN(9), nil)
				k.Transpose(dst.ptr(), x.ptr(), rows, cols, dst.ld, x.ld)
				dst.want(t, labelFor(isa, "transpose of", rows, cols), func(i, j int) float32 { return x.at(j, i) })
			}
		}
	})
}

func TestRowsByAndRowDot(t *testing.T) {
	eachISA(t, func(t *testing.T, isa ISA) {
		k := stackFor(isa)
		for kind := range testDraws {
			for _, n := range testLengths(128, 300, 5000) {
				rows := n * 7 % 11
				if n == 1 {
					rows = 37
				}
				r := newRand(n, kind)
				f := testDraws[kind].make(r)
				x, y := newGuarded(rows, n, n+r.IntN(2)*r.IntN(5), f), newGuarded(rows, n, n+r.IntN(5), f)
				w := newVector(rows, f)
				dst := newGuarded(rows, n, n+r.IntN(2)*r.IntN(5), nil)
				byRow := func(i, j int) float32 { return x.at(i, j) * w.at(0, i) }
				k.RowsBy(dst.ptr(), x.ptr(), w.ptr(), rows, n, dst.ld, x.ld)
				dst.want(t, labelFor(isa, "rowsBy of", rows, n), byRow)

				dot := newVector(rows, nil)
				k.RowDot(dot.ptr(), x.ptr(), y.ptr(), rows, n, x.ld, y.ld)
				dot.want(t, labelFor(isa, "rowDot of", rows, n), func(_, i int) float32 {
					return sumAlongRow(n, func(j int) float32 { return x.at(i, j) * y.at(i, j) })
				})

				in := x.clone()
				in.want(t, "input", x.at)
				k.RowsBy(in.ptr(), in.ptr(), w.ptr(), rows, n, in.ld, in.ld)
				in.want(t, labelFor(isa, "rowsBy in place of", rows, n), byRow)
			}
		}
	})
}

// TestStackGradOfSmallNumbers tests stacks of numbers whose gradient is subnormal or nearly so:
// first each pair of edge values in adjacent rows, then random ones. Numbers have both signs, so
// sums can cancel.
func TestStackGradOfSmallNumbers(t *testing.T) {
	edges := []float32{
		0, 0x1p-149, 0x1p-148, 0x1p-127, 0x1p-126 - 0x1p-149, 0x1p-126, 0x1p-126 + 0x1p-149, 0x1p-125, 0x1p-103, 0x1p-102, 0x1p-101, 0x1p-100, 0x1p-99,
		1, 2, 2 + 0x1p-22, 3, 0x1p60, 0x1p61, math.MaxFloat32, float32(math.Inf(1)),
	}
	for _, x := range edges {
		edges = append(edges, -x)
	}
	edges[len(edges)/2] = float32(math.Copysign(0, -1))
	const D = 12
	C := 10
	check := func(n int, dy, s, w func() float32) {
		t.Helper()
		in := newStackCase([3]int{D, 1, C}, 0)
		in.hasNoop = n%3 != 0
		in.dy, in.s, in.v, in.empty = newGuarded(D, C, C, dy), newGuarded(D, C, C, s), newGuarded(1, C, C, s), s()
		in.push, in.pop, in.noop = newVector(C, w), newVector(C, w), newVector(C, w)
		checkFlat(t, in, n)
	}
	for n, x := range edges {
		for i := 0; i < len(edges); i += 6 {
			j := 0
			dy := func() float32 { // a row of x after a row of others
				j++
				if (j/C)%2 == 0 {
					return x
				}
				return edges[(i+j)%len(edges)]
			}
			k := 0
			s := func() float32 { k++; return edges[(k*7+i)%len(edges)] }
			m := 0
			w := func() float32 {
				m++
				return []float32{0, 1, 0.5, 0x1p-30, -1, 2, 0.3, 0x1p-127, 1 - 0x1p-24, 0.75}[(m+n+i)%10]
			}
			check(n+i, dy, s, w)
		}
	}
	for round := range 2000 {
		r := newRand(round, 5)
		C = 3 + r.IntN(16)
		signed := func(x float32) float32 {
			if r.IntN(2) == 0 {
				return -x
			}
			return x
		}
		low, span := -150+r.IntN(100), 1+r.IntN(60)
		small := func() float32 {
			switch r.IntN(12) {
			case 0:
				return edges[r.IntN(17)]
			case 1, 2:
				return signed(math.Float32frombits(r.Uint32N(1 << 24)))
			case 3:
				return signed(float32(math.Ldexp(1, low+r.IntN(span))))
			}
			return signed(float32(math.Ldexp(1+r.Float64(), low+r.IntN(span))))
		}
		number := func() float32 {
			if r.IntN(10) == 0 {
				return signed(float32(math.Ldexp(1, r.IntN(60)))) // a subnormal number times this can matter in a sum
			}
			return signed(float32(math.Ldexp(r.Float64(), 2-r.IntN(1+round%30))))
		}
		check(round, small, number, func() float32 {
			if r.IntN(4) == 0 {
				return []float32{0, 1, 0.5, 2, 0x1p-120, 0x1p-30, -1, -0.5}[r.IntN(8)]
			}
			return r.Float32()
		})
	}
}
