package simd

import (
	"flag"
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"

	"pushdown/harness/argument"
	"pushdown/harness/kernel"
)

var exhaustive = flag.Bool("exhaustive", false, "hold the element functions against harness/numeric on all 2^32 arguments")

func TestMain(m *testing.M) { argument.Main(m) }

// vecCase is a routine and a function that gives the expected value of one element.
type vecCase struct {
	name   string
	inputs int
	run    func(v *vecTable, dst, a, b *float32, n int)
	want   func(a, b float32) float32
}

func vecOf(isa ISA) *vecTable {
	v := vecFor(isa)
	return &v
}

// referenceOf returns a function that computes one element with the reference
// implementation of an operation, the function Loop. f holds the constants of the
// operation.
func referenceOf(op kernel.Op, f [2]float32) func(a, b float32) float32 {
	return func(a, b float32) float32 {
		var d [1]float32
		kernel.Ops[op].Loop(d[:], []float32{a}, []float32{b}, f)
		return d[0]
	}
}

// vecCases returns a case for each routine. A routine with constants has a case for
// each value of them that is worth testing.
func vecCases() (list []vecCase) {
	for op := range kernel.NumOps {
		row := &kernel.Ops[op]
		if !row.SameShape() {
			continue
		}
		tries := row.TestConstants
		switch row.F {
		case 0:
			tries = make([][2]float32, 1)
		case 1:
			tries = append(slices.Clone(tries), [2]float32{0x1p-140}, [2]float32{0x1p127}, [2]float32{float32(math.NaN())})
		}
		for _, f := range tries {
			list = append(list, vecCase{row.Name, len(row.Args) - 1, func(v *vecTable, dst, a, b *float32, n int) { v.Op[op].Run(dst, a, b, &f, n) }, referenceOf(op, f)})
		}
	}
	for _, f := range kernel.Ops[kernel.Fill].TestConstants {
		list = append(list, vecCase{"fill", 0, func(v *vecTable, dst, _, _ *float32, n int) { v.Fill(dst, f[0], n) }, referenceOf(kernel.Fill, f)})
	}
	return list
}

func (c vecCase) check(t *testing.T, v *vecTable, n int, draw drawFunc) {
	t.Helper()
	a, b := newVector(n, draw), newVector(n, draw)
	want := func(_, i int) float32 { return c.want(a.at(0, i), b.at(0, i)) }
	dst := newVector(n, nil)
	c.run(v, dst.ptr(), a.ptr(), b.ptr(), n)
	dst.want(t, labelOf(c.name+", n", n), want)
	if c.inputs > 0 {
		dst = a.clone()
		c.run(v, dst.ptr(), dst.ptr(), b.ptr(), n)
		dst.want(t, labelOf(c.name+" in place, n", n), want)
	}
	if c.inputs > 1 {
		dst = b.clone()
		c.run(v, dst.ptr(), a.ptr(), dst.ptr(), n)
		dst.want(t, labelOf(c.name+" into its second input, n", n), want)
		dst = a.clone()
		c.run(v, dst.ptr(), dst.ptr(), dst.ptr(), n)
		dst.want(t, labelOf(c.name+" of one vector in place, n", n), func(_, i int) float32 { return c.want(a.at(0, i), a.at(0, i)) })
	}
}

func TestVecMatchesFormula(t *testing.T) {
	eachISA(t, func(t *testing.T, isa ISA) {
		v := vecOf(isa)
		for _, c := range vecCases() {
			for _, n := range testLengths(127, 128, 1000, 4097) {
				for i, draw := range testDraws {
					c.check(t, v, n, draw.make(newRand(n, i)))
				}
			}
		}
	})
}

// TestVecEveryPair runs each operation on every pair of edge values.
func TestVecEveryPair(t *testing.T) {
	eachISA(t, func(t *testing.T, isa ISA) {
		v := vecOf(isa)
		k := len(edgeValues)
		for _, c := range vecCases() {
			i := 0
			draw := func() float32 { // the first k*k values are those of a, the rest those of b
				j := i % k
				if i >= k*k {
					j = i / k % k
				}
				i++
				return edgeValues[j]
			}
			c.check(t, v, k*k, draw)
		}
	})
}

// TestVecFunctionsAtBreakpoints tests the hundred float32 values on each side of every
// point at which a function changes its exponent, its formula or its kind of result.
func TestVecFunctionsAtBreakpoints(t *testing.T) {
	breakpoints := []float32{0x1p-149, 0x1p-126, 0.34657359, 1.0397207, 8.491, 9.0109, 17.3, 88.02969, 88.72284, 87.33655, 103.27893, 103.97208, 104, 89, math.MaxFloat32}
	for e := -148; e < 128; e += 7 {
		breakpoints = append(breakpoints, float32(math.Ldexp(2./3, e)), float32(math.Ldexp(1, e)))
	}
	var list []float32
	for _, s := range breakpoints {
		for i := -100; i <= 100; i++ {
			x := math.Float32frombits(math.Float32bits(s) + uint32(i))
			list = append(list, x, -x)
		}
	}
	eachISA(t, func(t *testing.T, isa ISA) {
		for _, c := range vecCases() {
			if c.inputs == 1 {
				i := 0
				c.check(t, vecOf(isa), len(list), func() float32 { i++; return list[(i-1)%len(list)] })
			}
		}
	})
}

// TestVecFunctionsAreNumeric compares sigmoid and tanh with the functions of
// harness/numeric. The arguments are spread over all bit patterns of a float32. If
// exhaustive is set, they are all bit patterns.
func TestVecFunctionsAreNumeric(t *testing.T) {
	step := uint64(4093)
	if testing.Short() {
		step = 65521
	}
	if *exhaustive {
		step = 1
	}
	const block = 1 << 12
	sweep := func(t *testing.T, c vecCase, w, workers uint64) {
		x, y, want := make([]float32, block), make([]float32, block), make([]float32, block)
		for lo := w * block * step; lo < 1<<32; lo += workers * block * step {
			for i := range x {
				x[i] = math.Float32frombits(uint32(lo + uint64(i)*step))
				want[i] = c.want(x[i], 0)
			}
			for _, isa := range Available() {
				if isa == Generic && *exhaustive {
					continue // generic code calls harness/numeric itself
				}
				c.run(vecOf(isa), &y[0], &x[0], nil, block)
				for i := range x {
					if !sameBits(y[i], want[i]) {
						t.Errorf("%v: %s(%x) = %x, want %x", isa, c.name, x[i], y[i], want[i])
						return
					}
				}
			}
		}
	}
	for _, c := range vecCases() {
		switch c.name {
		case "sigmoid", "tanh":
		default:
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			var wg sync.WaitGroup
			workers := uint64(runtime.GOMAXPROCS(0))
			for w := range workers {
				wg.Go(func() { sweep(t, c, w, workers) })
			}
			wg.Wait()
		})
	}
}

func TestVecAllocatesNothing(t *testing.T) {
	eachISA(t, func(t *testing.T, isa ISA) {
		v := vecOf(isa)
		x := make([]float32, 100)
		for _, c := range vecCases() {
			if k := testing.AllocsPerRun(5, func() { c.run(v, &x[0], &x[0], &x[0], len(x)) }); k != 0 {
				t.Errorf("%s allocates %v times", c.name, k)
			}
		}
	})
}
