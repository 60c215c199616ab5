package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// edgeValues are special cases of rounding, overflow, underflow and signs.
var edgeValues = []float32{
	0, float32(math.Copysign(0, -1)), 1, -1, 0.5, 3, -7,
	1 + 1.0/(1<<23), 1 - 1.0/(1<<24), -1 - 1.0/(1<<22), 1.0 / (1 << 24), -1.0 / (1 << 23), 1<<24 + 2, 1 << 23,
	math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 3 * math.SmallestNonzeroFloat32,
	0x1p-126, -0x1p-126, 0x1p-126 - 0x1p-149, 0x1.8p-75, -0x1.000002p-75, 0x1p-74, 0x1p-63,
	math.MaxFloat32, -math.MaxFloat32, 0x1p100, -0x1p64, 0x1.fffffep63,
	float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()),
}

// drawFunc returns the values of a test input one by one.
type drawFunc func() float32

func drawEdge(r *rand.Rand) drawFunc {
	return func() float32 { return edgeValues[r.IntN(len(edgeValues))] }
}

// drawAny returns a function that draws numbers with both signs and a few dozen
// exponents, so that sums round.
func drawAny(r *rand.Rand) drawFunc {
	return func() float32 {
		return float32(math.Ldexp(r.Float64()-0.5, r.IntN(24)-12))
	}
}

// drawFinite is like drawAny, with zeros of both signs and tiny values among the
// numbers.
func drawFinite(r *rand.Rand) drawFunc {
	return func() float32 {
		switch r.IntN(8) {
		case 0:
			return float32(math.Copysign(0, r.Float64()-0.5))
		case 1:
			return math.Float32frombits(r.Uint32() & 0x807fffff)
		}
		return float32(math.Ldexp(r.Float64()-0.5, r.IntN(24)-12))
	}
}

var testDraws = []struct {
	name string
	make func(*rand.Rand) drawFunc
}{{"hard", drawEdge}, {"any", drawAny}, {"finite", drawFinite}}

// guardBits fills memory that kernels must not use. It is a NaN with a payload that computed
// NaNs do not have.
const guardBits = 0x7fc0dead

// guarded is a matrix inside a larger buffer of guards.
type guarded struct {
	buf         []float32
	off         int
	rows, n, ld int
}

// guardedMemory, unless nil, allocates the memory of guarded matrices. It returns n
// numbers at the end of accessible memory, so that a read beyond them faults.
var guardedMemory func(n int) []float32

// newGuarded makes a matrix that starts at an unaligned address. If f is nil the
// matrix is full of guards, for use as an output.
func newGuarded(rows, n, ld int, f drawFunc) *guarded {
	p := &guarded{off: 3 + ld%5, rows: rows, n: n, ld: ld}
	if guardedMemory != nil {
		p.buf = guardedMemory(p.off + max(0, (rows-1)*ld+n))
	} else {
		p.buf = make([]float32, p.off+rows*ld+20)
	}
	for i := range p.buf {
		p.buf[i] = math.Float32frombits(guardBits)
	}
	if f != nil {
		for r := range rows {
			for c := range n {
				p.buf[p.off+r*ld+c] = f()
			}
		}
	}
	return p
}

func newVector(n int, f drawFunc) *guarded { return newGuarded(1, n, n, f) }

func (p *guarded) ptr() *float32 { return unsafe.SliceData(p.buf[p.off:]) }

func (p *guarded) at(r, c int) float32 { return p.buf[p.off+r*p.ld+c] }

func (p *guarded) clone() *guarded {
	q := *p
	q.buf = append([]float32(nil), p.buf...)
	return &q
}

// want checks each element of an output, and that the guards around it are unchanged.
func (p *guarded) want(t *testing.T, what string, f func(r, c int) float32) {
	t.Helper()
	for i, have := range p.buf {
		o := i - p.off
		r, c := 0, o
		if p.ld > 0 {
			r, c = o/p.ld, o%p.ld
		}
		if o < 0 || r >= p.rows || c >= p.n {
			if math.Float32bits(have) != guardBits {
				t.Fatalf("%s: element %d of a %dx%d matrix with rows %d apart was overwritten with %v", what, o, p.rows, p.n, p.ld, have)
			}
			continue
		}
		if w := f(r, c); !sameBits(have, w) {
			t.Fatalf("%s: [%d][%d] is %v (%08x), want %v (%08x)", what, r, c,
				have, math.Float32bits(have), w, math.Float32bits(w))
		}
	}
}

// The function once calls f a single time for each element, and returns a function that
// looks the results up. With it, the tests of all instruction sets share the results.
func once(rows, n int, f func(r, c int) float32) func(r, c int) float32 {
	all := make([]float32, 0, rows*n)
	for r := range rows {
		for c := range n {
			all = append(all, f(r, c))
		}
	}
	return func(r, c int) float32 { return all[r*n+c] }
}

// eachISA runs f for every available instruction set.
func eachISA(t *testing.T, f func(t *testing.T, isa ISA)) {
	t.Helper()
	for _, isa := range Available() {
		t.Run(isa.String(), func(t *testing.T) { f(t, isa) })
	}
}

// testLengths returns the lengths 0 to 100, or only every third of them with -short or
// guarded memory. It appends the lengths in the parameter long.
func testLengths(long ...int) []int {
	top, step := 100, 1
	if testing.Short() || guardedMemory != nil {
		step = 3
	}
	var list []int
	for n := 0; n <= top; n += step {
		list = append(list, n)
	}
	return append(list, long...)
}

func newRand(n ...int) *rand.Rand {
	s := uint64(1)
	for _, v := range n {
		s = s*1000003 + uint64(v)
	}
	return rand.New(rand.NewPCG(s, 2))
}

func labelOf(names string, n ...int) string { return fmt.Sprintf(names+" = %v", n) }

func labelFor(isa ISA, names string, n ...int) string {
	return isa.String() + ": " + labelOf(names, n...)
}
