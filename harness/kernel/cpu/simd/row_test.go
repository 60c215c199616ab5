package simd

import (
	"math"
	"math/rand/v2"
	"testing"

	"pushdown/harness/numeric"
)

// rowShapes returns shapes {rows, n, padding}. Short rows come in numbers around
// multiples of 8 and 16, since kernels handle them in groups of 8 or 16. There are
// three rows of each length up to 100, and long rows of several blocks.
func rowShapes() [][3]int {
	var list [][3]int
	for n := 1; n <= 8; n++ {
		for _, rows := range []int{0, 1, 2, 5, 7, 8, 9, 15, 16, 17, 31, 33, 50} {
			list = append(list, [3]int{rows, n, (rows + n) % 4})
		}
	}
	for _, n := range testLengths() {
		if n > 0 {
			list = append(list, [3]int{3, n, n % 3})
		}
	}
	for _, n := range []int{127, 128, 129, 255, 1000, 4095, 4096, 4097, 4160, 8192, 8200, 10000} {
		list = append(list, [3]int{2, n, 1})
	}
	if !testing.Short() {
		list = append(list, [3]int{1, 33278, 0})
	}
	return list
}

type rowDraw struct {
	name string
	make func(*rand.Rand) drawFunc
}

// rowDraws returns kinds of input: those of testDraws, and others that matter for rows.
// Examples are logits, rows with several equal maxima, and rows with a few infinities
// or NaN among ordinary numbers.
func rowDraws() []rowDraw {
	var list []rowDraw
	for _, d := range testDraws {
		list = append(list, rowDraw(d))
	}
	minus := func(r *rand.Rand, x float32) float32 { return float32(math.Copysign(float64(x), float64(r.IntN(9)-1))) }
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	return append(list,
		rowDraw{"logits", rowLogits},
		rowDraw{"steep", func(r *rand.Rand) drawFunc { return func() float32 { return float32(r.NormFloat64() * 60) } }},
		rowDraw{"ties", func(r *rand.Rand) drawFunc { return func() float32 { return minus(r, 0) + float32(r.IntN(2)) } }},
		rowDraw{"zeros", func(r *rand.Rand) drawFunc { return func() float32 { return minus(r, 0) } }},
		rowDraw{"spiked", func(r *rand.Rand) drawFunc {
			return func() float32 {
				if r.IntN(12) == 0 {
					return []float32{-inf, -inf, nan, inf}[r.IntN(4)]
				}
				return float32(r.NormFloat64())
			}
		}},
		rowDraw{"minus zeros", func(*rand.Rand) drawFunc { return func() float32 { return float32(math.Copysign(0, -1)) } }},
		rowDraw{"negative", func(r *rand.Rand) drawFunc { return func() float32 { return float32(-90 - 5*r.Float64()) } }},
		rowDraw{"none", func(*rand.Rand) drawFunc { return func() float32 { return -inf } }},
	)
}

func rowLogits(r *rand.Rand) drawFunc {
	return func() float32 { return float32(r.NormFloat64() * 3) }
}

func rowSum(v []float32) float32 { return sumAlongRow(len(v), func(i int) float32 { return v[i] }) }

// rowSolved holds the results of one row, computed by the definitions.
type rowSolved struct {
	softmax []float32
	at      int
	m, s    float32
	inv     float32
}

func rowSolve(x *guarded, r int) rowSolved {
	o := rowSolved{m: x.at(r, 0)}
	e := make([]float32, x.n)
	for i := range x.n {
		if v := x.at(r, i); v > o.m {
			o.m, o.at = v, i
		}
	}
	for i := range e {
		e[i] = numeric.Exp(x.at(r, i) - o.m)
	}
	o.s = rowSum(e)
	o.inv = 1 / o.s
	for i := range e {
		e[i] *= o.inv
	}
	o.softmax = e
	return o
}

func rowSolveAll(x *guarded) []rowSolved {
	list := make([]rowSolved, x.rows)
	for r := range list {
		list[r] = rowSolve(x, r)
	}
	return list
}

// rowIDs is an array of int32 between guards.
type rowIDs []int32

func newRowIDs(n int) rowIDs {
	p := make(rowIDs, n+40)
	for i := range p {
		p[i] = -77
	}
	return p
}

func (p rowIDs) ptr() *int32  { return &p[19] }
func (p rowIDs) ids() []int32 { return p[19 : len(p)-21] }

func (p rowIDs) guarded(t *testing.T, what string) {
	t.Helper()
	for i, v := range p {
		if (i < 19 || i >= len(p)-21) && v != -77 {
			t.Fatalf("%s: wrote %d outside, at %d", what, v, i-19)
		}
	}
}

func TestRowsMatchFormulas(t *testing.T) {
	eachISA(t, func(t *testing.T, isa ISA) {
		k := rowFor(isa)
		for _, shape := range rowShapes() {
			for i, d := range rowDraws() {
				if shape[1] > 1000 && d.name != "logits" && (d.name != "spiked" || shape[1] > 5000) {
					continue
				}
				rowCheck(t, k, shape, d.name, d.make(newRand(shape[0], shape[1], i)))
			}
		}
	})
}

func rowCheck(t *testing.T, k rowTable, shape [3]int, name string, draw drawFunc) {
	rows, n, ld := shape[0], shape[1], shape[1]+shape[2]
	label := labelOf(name+", rows, n, padding", shape[:]...)
	x := newGuarded(rows, n, ld, draw)
	solved := rowSolveAll(x)
	want := func(r, c int) float32 { return solved[r].softmax[c] }

	y := newGuarded(rows, n, ld+1, nil)
	k.Softmax(y.ptr(), x.ptr(), rows, n, ld+1, ld)
	y.want(t, "softmax "+label, want)
	y = x.clone()
	k.Softmax(y.ptr(), y.ptr(), rows, n, ld, ld)
	y.want(t, "softmax in place "+label, want)

	// Check SoftmaxGrad for a y that is the result of a softmax, and for an arbitrary
	// y.
	for _, y := range []*guarded{y, newGuarded(rows, n, ld, draw)} {
		dy := newGuarded(rows, n, ld, draw)
		grads := make([][]float32, rows)
		for r := range grads {
			products, row := make([]float32, n), make([]float32, n)
			for i := range products {
				products[i] = y.at(r, i) * dy.at(r, i)
			}
			d := rowSum(products)
			for i := range row {
				row[i] = y.at(r, i) * (dy.at(r, i) - d)
			}
			grads[r] = row
		}
		want := func(r, c int) float32 { return grads[r][c] }
		dst := newGuarded(rows, n, ld+2, nil)
		k.SoftmaxGrad(dst.ptr(), y.ptr(), dy.ptr(), rows, n, ld+2, ld, ld)
		dst.want(t, "softmaxGrad "+label, want)
		dst = y.clone()
		k.SoftmaxGrad(dst.ptr(), dst.ptr(), dy.ptr(), rows, n, ld, ld, ld)
		dst.want(t, "softmaxGrad into y "+label, want)
		dst = dy.clone()
		k.SoftmaxGrad(dst.ptr(), y.ptr(), dst.ptr(), rows, n, ld, ld, ld)
		dst.want(t, "softmaxGrad into dy "+label, want)
	}

	target := newRowIDs(rows)
	rnd := newRand(rows, n)
	for r := range target.ids() {
		target.ids()[r] = int32(rnd.IntN(n))
		if r < 2 { // the first two rows have the first and the last class
			target.ids()[r] = int32(r * (n - 1))
		}
	}
	loss := newVector(rows, nil)
	k.Xent(loss.ptr(), x.ptr(), target.ptr(), rows, n, ld)
	lossOf := func(_, r int) float32 {
		return numeric.Log(solved[r].s) - (x.at(r, int(target.ids()[r])) - solved[r].m)
	}
	loss.want(t, "xent "+label, lossOf)

	dloss := newVector(rows, draw)
	want = func(r, c int) float32 {
		y := solved[r].softmax[c]
		if c == int(target.ids()[r]) {
			y--
		}
		return y * dloss.at(0, r)
	}
	// Check the routine that computes loss and gradient together, also in place.
	for _, inPlace := range []bool{false, true} {
		dst, from, ld2 := newGuarded(rows, n, ld+3, nil), x, ld+3
		if inPlace {
			dst = x.clone()
			from, ld2 = dst, ld
		}
		loss := newVector(rows, nil)
		k.XentBoth(dst.ptr(), loss.ptr(), from.ptr(), target.ptr(), dloss.ptr(), rows, n, ld2, ld)
		dst.want(t, "xentBoth "+label, want)
		loss.want(t, "loss of xentBoth "+label, lossOf)
	}
	target.guarded(t, "xentBoth "+label)

	// With a bias for each column.
	bias, less := newVector(n, draw), x.clone()
	sums := newGuarded(rows, n, ld, nil)
	reduceGenericTable.AddRow(sums.ptr(), x.ptr(), bias.ptr(), rows, n, ld, ld)
	biased := rowSolveAll(sums)
	for _, inPlace := range []bool{false, true} {
		dst, ld2 := newGuarded(rows, n, ld+3, nil), ld+3
		if inPlace {
			dst, ld2 = less, ld
		}
		loss := newVector(rows, nil)
		k.XentBias(dst.ptr(), loss.ptr(), less.ptr(), bias.ptr(), target.ptr(), dloss.ptr(), rows, n, ld2, ld)
		dst.want(t, "xentBias "+label, func(r, c int) float32 {
			y := biased[r].softmax[c]
			if c == int(target.ids()[r]) {
				y--
			}
			return y * dloss.at(0, r)
		})
		loss.want(t, "loss of xentBias "+label, func(_, r int) float32 {
			return numeric.Log(biased[r].s) - (sums.at(r, int(target.ids()[r])) - biased[r].m)
		})
	}

	want = func(r, c int) float32 {
		if c == solved[r].at {
			return 1
		}
		return 0
	}
	dst := newGuarded(rows, n, ld+1, nil)
	k.Onehot(dst.ptr(), x.ptr(), rows, n, ld+1, ld)
	dst.want(t, "onehot "+label, want)
	dst = x.clone()
	k.Onehot(dst.ptr(), dst.ptr(), rows, n, ld, ld)
	dst.want(t, "onehot in place "+label, want)
}

// TestRowSumsOfManyBlocks sums a row of so many blocks that several blocks add to the same
// partial sum. The sums of blocks 0, 32 and 64 add up to 1 only if those of blocks 0 and
// 64 are added first.
func TestRowSumsOfManyBlocks(t *testing.T) {
	const n = 65*4096 + 3
	y, dy, dst := make([]float32, n), make([]float32, n), make([]float32, n)
	for i := range y {
		y[i] = 1
	}
	dy[0], dy[32*4096+77], dy[64*4096+5] = 0x1p24, 1, -0x1p24
	dy[n-1] = 5 // the only element of block 65, which adds to partial 1
	eachISA(t, func(t *testing.T, isa ISA) {
		rowFor(isa).SoftmaxGrad(&dst[0], &y[0], &dy[0], 1, n, n, n, n)
		for i := range dst {
			if want := dy[i] - 6; dst[i] != want {
				t.Fatalf("element %d is %v, want %v", i, dst[i], want)
			}
		}
	})
}

// TestOnehotFindsEveryPlace checks that Onehot finds the first maximum wherever it is. The
// maximum is at another place in every row, and equal values follow it.
func TestOnehotFindsEveryPlace(t *testing.T) {
	eachISA(t, func(t *testing.T, isa ISA) {
		k := rowFor(isa)
		for n := 1; n <= 150; n += 1 + n/20 {
			x := newGuarded(n, n, n, func() float32 { return -1 })
			for r := range n {
				for c := r; c < n; c += 3 {
					x.buf[x.off+r*n+c] = 2
				}
			}
			check := func(what string, place func(r int) int) {
				y, places := newGuarded(n, n, n, nil), make([]int, n)
				for r := range places {
					places[r] = place(r)
				}
				k.Onehot(y.ptr(), x.ptr(), n, n, n, n)
				y.want(t, labelOf(what+", n", n), func(r, c int) float32 {
					if c == places[r] {
						return 1
					}
					return 0
				})
			}
			check("onehot", func(r int) int { return r })
			// If the first element is NaN, it is chosen; a later NaN is ignored.
			for r := range n {
				x.buf[x.off+r*n+n-1-r] = float32(math.NaN())
			}
			check("onehot with a NaN", func(r int) int { return rowSolve(x, r).at })
		}
	})
}

// TestSoftmaxSumsToOne tests the meaning of softmax, independent of the order of
// operations.
func TestSoftmaxSumsToOne(t *testing.T) {
	eachISA(t, func(t *testing.T, isa ISA) {
		k := rowFor(isa)
		for _, n := range []int{2, 5, 50, 5000} {
			x := newGuarded(20, n, n, rowLogits(newRand(n)))
			y := newGuarded(20, n, n, nil)
			k.Softmax(y.ptr(), x.ptr(), 20, n, n, n)
			for r := range 20 {
				var s, z float64
				for i := range n {
					s += float64(y.at(r, i))
					z += math.Exp(float64(x.at(r, i)))
				}
				// The errors of the partial sums, of their sum and of the quotient add
				// up to a few ulps.
				if math.Abs(s-1) > 1e-5 {
					t.Errorf("n = %d: probabilities sum to %v", n, s)
				}
				for i := range n {
					want := math.Exp(float64(x.at(r, i))) / z
					if have := float64(y.at(r, i)); math.Abs(have-want) > 1e-5*want {
						t.Errorf("n = %d: softmax is %v, want %v", n, have, want)
					}
				}
			}
		}
	})
}

func TestRowsAllocateNothing(t *testing.T) {
	eachISA(t, func(t *testing.T, isa ISA) {
		k := rowFor(isa)
		for _, n := range []int{3, 30, 5000} {
			x := make([]float32, 2*n)
			target, loss := make([]int32, 2), make([]float32, 2)
			if a := testing.AllocsPerRun(5, func() {
				k.Softmax(&x[0], &x[0], 2, n, n, n)
				k.SoftmaxGrad(&x[0], &x[0], &x[0], 2, n, n, n, n)
				k.Xent(&loss[0], &x[0], &target[0], 2, n, n)
				k.XentBoth(&x[0], &loss[0], &x[0], &target[0], &loss[0], 2, n, n, n)
				k.Onehot(&x[0], &x[0], 2, n, n, n)
			}); a != 0 {
				t.Errorf("n = %d: the kernels allocate %v times", n, a)
			}
		}
	})
}
