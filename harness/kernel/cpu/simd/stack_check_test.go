package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// plateValues is those that rounding, overflow, underflow and signs turn on.
var plateValues = []float32{
	0, float32(math.Copysign(0, -1)), 1, -1, 0.5, 3, -7,
	1 + 1.0/(1<<23), 1 - 1.0/(1<<24), -1 - 1.0/(1<<22), 1.0 / (1 << 24), -1.0 / (1 << 23), 1<<24 + 2, 1 << 23,
	math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 3 * math.SmallestNonzeroFloat32,
	0x1p-126, -0x1p-126, 0x1p-126 - 0x1p-149, 0x1.8p-75, -0x1.000002p-75, 0x1p-74, 0x1p-63,
	math.MaxFloat32, -math.MaxFloat32, 0x1p100, -0x1p64, 0x1.fffffep63,
	float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()),
}

// plateDraw gives values one by one; the three kinds of test input.
type plateDraw func() float32

func plateHard(r *rand.Rand) plateDraw {
	return func() float32 { return plateValues[r.IntN(len(plateValues))] }
}

// plateAny spreads over signs and a few dozen exponents, so that sums round.
func plateAny(r *rand.Rand) plateDraw {
	return func() float32 {
		return float32(math.Ldexp(r.Float64()-0.5, r.IntN(24)-12))
	}
}

// plateFinite is plateAny with zeros of both signs and tiny values among it.
func plateFinite(r *rand.Rand) plateDraw {
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

var plateDraws = []struct {
	name string
	make func(*rand.Rand) plateDraw
}{{"hard", plateHard}, {"any", plateAny}, {"finite", plateFinite}}

// plateGuard fills what no kernel may touch: a NaN of its own payload.
const plateGuard = 0x7fc0dead

// plate is a matrix inside a larger buffer of guards.
type plate struct {
	buf         []float32
	off         int
	rows, n, ld int
}

// plateMake, unless nil, gives the memory of matrices: exactly what they need,
// since it ends where nothing may be read.
var plateMake func(n int) []float32

// newPlate makes a matrix that starts at an odd place; f nil leaves guards in
// it, as an output has them.
func newPlate(rows, n, ld int, f plateDraw) *plate {
	p := &plate{off: 3 + ld%5, rows: rows, n: n, ld: ld}
	if plateMake != nil {
		p.buf = plateMake(p.off + max(0, (rows-1)*ld+n))
	} else {
		p.buf = make([]float32, p.off+rows*ld+20)
	}
	for i := range p.buf {
		p.buf[i] = math.Float32frombits(plateGuard)
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

func plateVector(n int, f plateDraw) *plate { return newPlate(1, n, n, f) }

func (p *plate) ptr() *float32 { return unsafe.SliceData(p.buf[p.off:]) }

func (p *plate) at(r, c int) float32 { return p.buf[p.off+r*p.ld+c] }

func (p *plate) clone() *plate {
	q := *p
	q.buf = append([]float32(nil), p.buf...)
	return &q
}

// plateSame is equality of bits, any NaN being equal to any other.
func plateSame(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

// want checks each element of an output and that the guards around it stand.
func (p *plate) want(t *testing.T, what string, f func(r, c int) float32) {
	t.Helper()
	for i, have := range p.buf {
		o := i - p.off
		r, c := 0, o
		if p.ld > 0 {
			r, c = o/p.ld, o%p.ld
		}
		if o < 0 || r >= p.rows || c >= p.n {
			if math.Float32bits(have) != plateGuard {
				t.Fatalf("%s: element %d of a %dx%d matrix with rows %d apart was overwritten with %v", what, o, p.rows, p.n, p.ld, have)
			}
			continue
		}
		if w := f(r, c); !plateSame(have, w) {
			t.Fatalf("%s: [%d][%d] is %v (%08x), want %v (%08x)", what, r, c,
				have, math.Float32bits(have), w, math.Float32bits(w))
		}
	}
}

// once computes an answer for all the instruction sets that are asked for it.
func once(rows, n int, f func(r, c int) float32) func(r, c int) float32 {
	all := make([]float32, 0, rows*n)
	for r := range rows {
		for c := range n {
			all = append(all, f(r, c))
		}
	}
	return func(r, c int) float32 { return all[r*n+c] }
}

// plateISAs runs f under every instruction set of the machine.
func plateISAs(t *testing.T, f func(t *testing.T, isa ISA)) {
	t.Helper()
	for _, isa := range Available() {
		t.Run(isa.String(), func(t *testing.T) { f(t, isa) })
	}
}

// plateLengths is 0 to 100 and a few long ones; fewer when short.
func plateLengths(long ...int) []int {
	top, step := 100, 1
	if testing.Short() || plateMake != nil {
		step = 3
	}
	var list []int
	for n := 0; n <= top; n += step {
		list = append(list, n)
	}
	return append(list, long...)
}

func plateRand(n ...int) *rand.Rand {
	s := uint64(1)
	for _, v := range n {
		s = s*1000003 + uint64(v)
	}
	return rand.New(rand.NewPCG(s, 2))
}

func plateLabel(names string, n ...int) string { return fmt.Sprintf(names+" = %v", n) }

func plateLabelFor(isa ISA, names string, n ...int) string {
	return isa.String() + ": " + plateLabel(names, n...)
}
