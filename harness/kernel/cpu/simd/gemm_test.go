package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// A product has the operands and the result of a matrix product, which a test computes in
// several forms. It holds op(A) and op(B) without gaps between rows, the contents of C
// before the product, and the sums that the numeric contract requires.
type product struct {
	m, n, k    int
	a, b, c    []float32
	sum        []float32
	rng        *rand.Rand
	scratch    [3][]float32
	packedOnce []float32
}

// newProduct fills the matrices and computes the sums that the numeric contract requires. It
// uses gemmSum, the inner loop of the reference implementation. TestGemmHardValues compares
// gemmSum with results computed by hand.
func newProduct(rng *rand.Rand, m, n, k int, draw func(*rand.Rand) float32) *product {
	p := &product{m: m, n: n, k: k, rng: rng}
	fill := func(size int) []float32 {
		x := make([]float32, size)
		for i := range x {
			x[i] = draw(rng)
		}
		return x
	}
	p.a, p.b, p.c = fill(m*k), fill(k*n), fill(m*n)
	p.solve()
	return p
}

// sumsGap is the number of elements between the rows of the matrix that continued returns.
const sumsGap = 3

// continued returns a matrix of sums, with NaN between its rows, and the product with these sums
// added to it.
func (p *product) continued() (sums []float32, added *product) {
	q := *p
	q.sum = make([]float32, len(p.sum))
	sums = make([]float32, p.m*(p.n+sumsGap)-sumsGap)
	for at := range sums {
		sums[at] = float32(math.NaN())
		if i, j := at/(p.n+sumsGap), at%(p.n+sumsGap); j < p.n {
			sums[at] = p.rng.Float32()
			q.sum[i*p.n+j] = sums[at] + p.sum[i*p.n+j]
		}
	}
	return sums, &q
}

func (p *product) solve() {
	p.sum = make([]float32, p.m*p.n)
	for i := range p.m {
		for j := range p.n {
			p.sum[i*p.n+j] = gemmSum(p.a, p.b, i*p.k, 1, j, p.n, p.k)
		}
	}
}

// form says how a test stores the matrices of a product, and whether the product adds to C.
type form struct {
	ta, tb, acc, packed bool
	gap                 int // elements between rows
	offset              int // elements before the matrix, so that it is not aligned
}

func (f form) String() string {
	return fmt.Sprintf("ta=%t tb=%t acc=%t packed=%t gap=%d offset=%d", f.ta, f.tb, f.acc, f.packed, f.gap, f.offset)
}

var gemmForms = []form{
	{},
	{tb: true, gap: 3, offset: 1},
	{ta: true, acc: true, gap: 1, offset: 5},
	{ta: true, tb: true, offset: 3},
	{acc: true, gap: 7, offset: 2},
	{tb: true, acc: true},
	{ta: true},
	{packed: true, gap: 2},
	{packed: true, ta: true, tb: true, acc: true},
}

const guard = 40 // elements on each side of a matrix that must not change

// check runs the product in form f. It checks that the elements of C are the expected
// sums, and that the elements between the rows of C and before and after C are
// unchanged. It compares sums with sameBits, which accepts any NaN for any NaN.
func (p *product) check(t *testing.T, c *gemmContext, run func(*GemmArgs), f form) {
	t.Helper()
	poison := float32(math.NaN()) // in gaps of the operands: any use of it shows in the results
	a, lda := p.lay(0, p.a, p.m, p.k, f.ta, f, poison)
	b, ldb := p.lay(1, p.b, p.k, p.n, f.tb, f, poison)
	const canary = 12345.678
	z, ldc := p.lay(2, p.c, p.m, p.n, false, f, canary)
	first := guard + f.offset
	args := GemmArgs{M: p.m, N: p.n, K: p.k, A: &a[first], B: &b[first], C: &z[first],
		Lda: lda, Ldb: ldb, Ldc: ldc, TA: f.ta, TB: f.tb, Acc: f.acc}
	if f.packed {
		args.Packed = p.pack(c, &args)
		args.B, args.Ldb, args.TB = nil, 0, false
	}
	run(&args)

	bad := 0
	report := func(format string, args ...any) {
		if bad++; bad <= 3 {
			t.Errorf(format, args...)
		}
	}
	for i, got := range z {
		at := i - first
		row, col := at/max(ldc, 1), at%max(ldc, 1)
		if at < 0 || row >= p.m || col >= p.n {
			if got != canary {
				report("M=%d N=%d K=%d %v: wrote %g at element %d outside C", p.m, p.n, p.k, f, got, at)
			}
			continue
		}
		want := p.sum[row*p.n+col]
		if f.acc {
			want = p.c[row*p.n+col] + want
		}
		if !sameBits(got, want) {
			report("M=%d N=%d K=%d %v: C[%d,%d] is %g (%#08x), want %g (%#08x)", p.m, p.n, p.k, f, row, col,
				got, math.Float32bits(got), want, math.Float32bits(want))
		}
	}
	if bad > 3 {
		t.Errorf("M=%d N=%d K=%d %v: %d elements differ in total", p.m, p.n, p.k, f, bad)
	}
}

// pack packs op(B) into a buffer with NaN before and after it, and checks that these
// NaN are unchanged.
func (p *product) pack(c *gemmContext, a *GemmArgs) *float32 {
	size := c.PackedLen(a)
	buf := make([]float32, size+2*guard)
	for i := range buf {
		buf[i] = float32(math.NaN())
	}
	c.pack(&buf[guard], a)
	for i := range guard {
		if x, y := buf[i], buf[guard+size+i]; x == x || y == y {
			panic(fmt.Sprintf("pack: wrote outside its %d elements", size))
		}
	}
	return &buf[guard]
}

// lay copies the matrix x to memory in the form f, for example transposed or with gaps between
// the rows. It fills these gaps, and the guards before and after the matrix, with the value
// of the parameter outside. It returns the memory, and the leading dimension: the number of
// elements from the start of one row to the start of the next.
func (p *product) lay(slot int, x []float32, rows, cols int, transposed bool, f form, outside float32) ([]float32, int) {
	major, minor := rows, cols
	if transposed {
		major, minor = cols, rows
	}
	ld := minor + f.gap
	size := 2*guard + f.offset + major*ld
	if cap(p.scratch[slot]) < size {
		p.scratch[slot] = make([]float32, size)
	}
	buf := p.scratch[slot][:size]
	for i := range buf {
		buf[i] = outside
	}
	for i := range major {
		for j := range minor {
			from := i*cols + j
			if transposed {
				from = j*cols + i
			}
			buf[guard+f.offset+i*ld+j] = x[from]
		}
	}
	return buf, ld
}

// sameBits reports whether x and y have the same bits or are both NaN.
func sameBits(x, y float32) bool {
	return math.Float32bits(x) == math.Float32bits(y) || x != x && y != y
}

// gemmDraws are kinds of values, from moderate to extreme.
var gemmDraws = []struct {
	name string
	draw func(*rand.Rand) float32
}{
	{"normal", func(r *rand.Rand) float32 { return float32(r.NormFloat64()) }},
	{"ties", func(r *rand.Rand) float32 { // short mantissas: many halfway cases
		return float32(r.IntN(33)-16) * float32(math.Ldexp(1, r.IntN(30)-15))
	}},
	{"tiny", func(r *rand.Rand) float32 { // products around the smallest subnormal
		return float32(r.NormFloat64()) * float32(math.Ldexp(1, -60-r.IntN(16)))
	}},
	{"wide", func(r *rand.Rand) float32 { // any exponent: subnormals, overflow
		return math.Float32frombits(r.Uint32()&^(1<<30) | r.Uint32()&(1<<30)&-(r.Uint32()&1))
	}},
	{"special", func(r *rand.Rand) float32 {
		return []float32{0, float32(math.Copysign(0, -1)), 1, -1, 1e-30, -1e-30, 3e38, -3e38, 1e-45,
			float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN())}[r.IntN(12)>>(r.IntN(8)&3)]
	}},
}

// eachGemm runs f with a context for each available instruction set.
func eachGemm(t *testing.T, f func(t *testing.T, c *gemmContext)) {
	for _, isa := range Available() {
		t.Run("isa="+isa.String(), func(t *testing.T) { f(t, newGemmContext(isa)) })
	}
}

// TestGemmHardValues compares products with sums computed by hand. The values are chosen
// so that other ways of summing give other results: separate multiplication and
// addition, another order of terms, other chunk sizes, or adding each chunk to C as it
// is finished.
func TestGemmHardValues(t *testing.T) {
	inf, nan, negZero := float32(math.Inf(1)), float32(math.NaN()), float32(math.Copysign(0, -1))
	ulp := float32(math.Ldexp(1, -23))
	at := func(n int, pairs map[int]float32) []float32 {
		x := make([]float32, n)
		for i, v := range pairs {
			x[i] = v
		}
		return x
	}
	ones := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = 1
		}
		return x
	}
	halves := func(n int) []float32 { // the number 1, then n-1 times half a unit in the last place of 1
		x := make([]float32, n)
		for i := range x {
			x[i] = ulp / 2
		}
		x[0] = 1
		return x
	}
	cases := []struct {
		name         string
		a, b         []float32
		c, sum, plus float32 // C before, the sum, C + sum as with Acc
	}{
		{"no products give +0", nil, nil, negZero, 0, 0},
		{"a product of -0 becomes +0", []float32{negZero}, []float32{1}, negZero, 0, 0},
		{"a product that underflows stays -0", []float32{-1e-30}, []float32{1e-30}, negZero, negZero, negZero},
		{"a chunk that sums to nothing changes nothing", at(257, map[int]float32{0: 0}), at(257, map[int]float32{256: -1}), 0, 0, 0},
		{"subnormal product", []float32{float32(math.Ldexp(1, -70))}, []float32{float32(math.Ldexp(3, -79))}, 0,
			float32(math.Ldexp(3, -149)), float32(math.Ldexp(3, -149))},
		{"subnormal tie to even", []float32{float32(math.Ldexp(1, -75))}, []float32{float32(math.Ldexp(3, -75))}, 0,
			float32(math.Ldexp(2, -149)), float32(math.Ldexp(2, -149))},
		{"one rounding, not two", []float32{1, 1 + float32(math.Ldexp(1, -12))},
			[]float32{-1 - float32(math.Ldexp(1, -11)), 1 + float32(math.Ldexp(1, -12))}, 0,
			float32(math.Ldexp(1, -24)), float32(math.Ldexp(1, -24))},
		{"a product may pass the greatest float", []float32{-1, float32(math.Ldexp(1, 64))},
			[]float32{float32(math.Ldexp(1, 127)), float32(math.Ldexp(1, 64))}, 0,
			float32(math.Ldexp(1, 127)), float32(math.Ldexp(1, 127))},
		{"overflow", []float32{3e38, 1}, []float32{2, -3e38}, -inf, inf, nan},
		{"infinity less infinity", []float32{inf, -inf}, ones(2), 0, nan, nan},
		{"infinity times nothing", []float32{inf}, []float32{0}, 1, nan, nan},
		{"infinities in two chunks", at(512, map[int]float32{3: inf, 300: -inf}), ones(512), 0, nan, nan},
		{"infinities in one chunk and beyond", at(512, map[int]float32{3: inf, 300: inf}), ones(512), 1, inf, inf},
		{"rising k", []float32{1, ulp / 2, ulp / 2, -1}, ones(4), 0, 0, 0},
		{"rising k, the other way round", []float32{ulp / 2, ulp / 2, 1, -1}, ones(4), 0, ulp, ulp},
		{"255: one chunk", halves(255), ones(255), 0, 1, 1},
		{"256: still one chunk", halves(256), ones(256), 0, 1, 1},
		{"257: a chunk of one", halves(257), ones(257), 0, 1, 1},
		{"258: a chunk of two", halves(258), ones(258), 0, 1 + ulp, 1 + ulp},
		{"512: a chunk of 256", halves(512), ones(512), 0, 1 + 128*ulp, 1 + 128*ulp},
		{"513: the third chunk is lost", halves(513), ones(513), 0, 1 + 128*ulp, 1 + 128*ulp},
		{"514: the third chunk is not", halves(514), ones(514), 0, 1 + 129*ulp, 1 + 129*ulp},
		{"later chunks are added in rising order", at(768, map[int]float32{0: ulp / 2, 256: ulp / 2, 512: 1}), ones(768), 0, 1 + ulp, 1 + ulp},
		{"and not all to the first", at(768, map[int]float32{0: 1, 256: ulp / 2, 512: ulp / 2}), ones(768), 0, 1, 1},
		{"C takes one addition", []float32{ulp / 2, ulp / 2}, ones(2), 1, ulp, 1 + ulp},
		{"C takes one addition for all chunks", at(512, map[int]float32{0: ulp / 2, 256: ulp / 2}), ones(512), 1, ulp, 1 + ulp},
		{"and C is not the start of the sum", at(1280, map[int]float32{0: 1, 1024: -1}), ones(1280), ulp / 2, 0, ulp / 2},
	}
	eachGemm(t, func(t *testing.T, c *gemmContext) {
		rng := rand.New(rand.NewPCG(1, 2))
		for _, tc := range cases {
			for _, size := range [][2]int{{1, 1}, {2, 1}, {1, 3}, {4, 2}, {7, 9}, {15, 33}} {
				m, n, k := size[0], size[1], len(tc.a)
				p := &product{m: m, n: n, k: k, rng: rng, a: make([]float32, m*k), b: make([]float32, k*n),
					c: make([]float32, m*n), sum: make([]float32, m*n)}
				for i := range p.c {
					p.c[i], p.sum[i] = tc.c, tc.sum
				}
				for i := range m {
					copy(p.a[i*k:], tc.a)
				}
				for i := range p.b {
					p.b[i] = tc.b[i/n]
				}
				if got := tc.c + tc.sum; !sameBits(got, tc.plus) {
					t.Fatalf("%s: the table says %g + %g = %g", tc.name, tc.c, tc.sum, tc.plus)
				}
				for _, f := range gemmForms {
					p.check(t, c, c.run, f)
				}
				if t.Failed() {
					t.Fatalf("case %q", tc.name)
				}
			}
		}
	})
}

// TestGemmEdges tests every M and N up to a few tiles.
func TestGemmEdges(t *testing.T) {
	most := 40
	if testing.Short() {
		most = 17
	}
	contexts := map[ISA]*gemmContext{}
	for _, isa := range Available() {
		contexts[isa] = newGemmContext(isa)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for m := range most + 1 {
		for n := range most + 1 {
			i := m*(most+1) + n
			p := newProduct(rng, m, n, i%7, gemmDraws[i%len(gemmDraws)].draw)
			for _, isa := range Available() {
				for s := range 3 {
					p.check(t, contexts[isa], contexts[isa].run, gemmForms[(i+s*4)%len(gemmForms)])
				}
				if t.Failed() {
					t.Fatalf("isa=%v", isa)
				}
			}
		}
	}
}

// TestGemmTiles tests every tile with every number of columns in the last vector, in every
// mode, with both ways of storing A, with and without sums of earlier chunks. Each call computes two
// tiles. K is 5, so that a loop over four values of k runs once and leaves one.
func TestGemmTiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for _, isa := range Available() {
		table := gemmFor(isa)
		panel := make([]float32, 5*table.panel())
		for vectors, kernels := range table.Tile {
			for rows, kernel := range kernels {
				if kernel == nil {
					continue
				}
				for last := 1; last <= table.Lanes; last++ {
					p := newProduct(rng, 2*rows, (vectors-1)*table.Lanes+last, 5, gemmDraws[last%2].draw)
					sums, continued := p.continued()
					modes := []int{TileMasked}
					if last == table.Lanes {
						modes = append(modes, tilePlain)
						if 2 <= vectors && vectors <= table.wide && rows >= table.lowest {
							modes = append(modes, tileCopy)
						}
					}
					for _, mode := range modes {
						run := func(a *GemmArgs, from *float32, ldFrom, add int) {
							row, step := steps(a.Lda, a.TA)
							tile := GemmTile{A: unsafe.Pointer(a.A), B: unsafe.Pointer(a.B), C: unsafe.Pointer(a.C), K: a.K, Tiles: 2,
								AStep: 4 * step, ARow: 4 * row, aNext: 4 * (rows*row - a.K*step), BStep: 4 * a.Ldb, CRow: 4 * a.Ldc, Last: last,
								panel: unsafe.Pointer(&panel[0]), Mode: mode, First: a.K, batch: a.K, Batches: 1,
								Sums: unsafe.Pointer(from), SumsRow: 4 * ldFrom, Add: add}
							kernel(&tile)
							if mode == tileCopy && (tile.Mode != tilePlain || *At(&panel[0], p.n*p.k-1) != *At(a.B, (p.k-1)*a.Ldb+p.n-1)) {
								t.Errorf("the first tile has not copied B")
							}
							clear(panel)
						}
						for i := range 4 {
							f := form{ta: i&1 > 0, acc: i&2 > 0, gap: 2, offset: 1}
							p.check(t, nil, func(a *GemmArgs) { run(a, nil, 0, i/2) }, f)
							continued.check(t, nil, func(a *GemmArgs) { run(a, &sums[0], p.n+sumsGap, i/2) }, f)
							if f.acc { // the sums are those in C
								p.check(t, nil, func(a *GemmArgs) { run(a, a.C, a.Ldc, 0) }, f)
							}
						}
						if t.Failed() {
							t.Fatalf("isa=%v: %d rows of %d vectors, last %d, mode %d", isa, rows, vectors, last, mode)
						}
					}
				}
			}
		}
	}
}

// TestGemmChunks tests values of K around the ends of chunks and of vectors.
func TestGemmChunks(t *testing.T) {
	lengths := []int{15, 16, 17, 31, 33, 255, 256, 257, 511, 512, 513, 769, 1024, 1279, 2048, 2311, 4352}
	sizes := [][2]int{{1, 1}, {1, 70}, {3, 2}, {4, 33}, {6, 16}, {15, 1}, {17, 5}}
	if testing.Short() {
		lengths, sizes = lengths[:13], sizes[:4]
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for i, k := range lengths {
		for s, size := range sizes {
			p := newProduct(rng, size[0], size[1], k, gemmDraws[(i+s)%len(gemmDraws)].draw)
			eachGemm(t, func(t *testing.T, c *gemmContext) {
				for _, f := range gemmForms {
					p.check(t, c, c.run, f)
				}
			})
		}
	}
}

// tallest is the number of rows of the highest tile of any instruction set.
const tallest = 14

// TestGemmBlocks tests numbers of columns around the ends of panels and of blocks, with
// enough rows for A and B to be packed.
func TestGemmBlocks(t *testing.T) {
	widths := []int{66, 80, 100, 125, 128, 241, 248, 249, 256, 257, 500, 520} // with a gap of 7, rows of 249 are crowded
	if testing.Short() {
		widths = append(widths[5:8:8], 520)
	}
	rng := rand.New(rand.NewPCG(15, 16))
	for i, n := range widths {
		sizes := [][2]int{{packRows, GemmChunk + 8}, {packRows + 5, GemmChunk + 8}, {copyTiles*tallest + i, GemmChunk + 8}, {packRows + 3, wayFloats}}
		if n == 125 || n == 249 {
			sizes = append(sizes, [2]int{2*oneBlock + 60, 2*GemmChunk + 80})
		}
		for _, size := range sizes {
			m, k := size[0], size[1]
			p := newProduct(rng, m, n, k, gemmDraws[i%len(gemmDraws)].draw)
			for _, isa := range Available() {
				if isa == Generic {
					continue
				}
				c := newGemmContext(isa)
				for _, f := range gemmForms {
					p.check(t, c, c.run, f)
				}
				if t.Failed() {
					t.Fatalf("isa=%v: %d x %d x %d", isa, m, k, n)
				}
			}
		}
	}
}

// TestGemmBuffers checks the lengths of the buffers for a panel of B and for packed rows of A, that B is copied if it has many
// rows or if they are crowded, that a transposed A is packed if C has many columns, and that the first tile of each panel can
// copy B.
func TestGemmBuffers(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	for _, isa := range Available() {
		if isa == Generic {
			continue
		}
		for _, size := range []struct {
			m, n   int
			copied bool
		}{{copyTiles * tallest, 520, true}, {packRows, 3 * Crowded, true}, {packRows, 520, false}, {packRows, 40, false}} {
			c := newGemmContext(isa)
			p := newProduct(rng, size.m, size.n, GemmChunk, gemmDraws[0].draw)
			p.check(t, c, c.run, form{ta: true})
			if have, want := len(c.panel), GemmChunk*c.Table.panel(); (have >= want) != size.copied {
				t.Errorf("isa=%v: %d rows of %d columns: have a panel of %d elements, want %d: %t", isa, size.m, size.n, have, want, size.copied)
			}
			have, want := len(c.rowPanels), size.m*GemmChunk+c.Table.Lanes
			if size.n > 40 && have < want {
				t.Errorf("isa=%v: %d rows of %d columns: have %d elements of packed rows, want %d", isa, size.m, size.n, have, want)
			}
		}
		last := map[ISA]int{AVX2: 192, AVX512: 512, NEON: 64}[isa] // the largest number of columns with which A is not packed
		for n := last; n <= last+1; n++ {
			c := newGemmContext(isa)
			p := newProduct(rng, packRows, n, GemmChunk, gemmDraws[0].draw)
			p.check(t, c, c.run, form{ta: true})
			if have, want := len(c.rowPanels) > 0, n > last; have != want {
				t.Errorf("isa=%v: %d columns: A is packed: have %t, want %t", isa, n, have, want)
			}
		}
		c := newGemmContext(isa)
		for rows := packRows; rows < 1000; rows++ {
			for vectors := 2; vectors <= c.Table.wide; vectors++ {
				for _, packed := range []bool{false, true} {
					b := gemmBlocks{gemmContext: c, vectors: c.Table.wide, packA: packed}
					_, height, higher := b.heights(rows, vectors)
					if height+min(higher, 1) < c.Table.lowest {
						t.Fatalf("isa=%v: the first of the tiles of %d rows has %d, want %d or more", isa, rows, height+min(higher, 1), c.Table.lowest)
					}
				}
			}
		}
	}
}

// TestGemmRandom draws shapes, forms and values at random.
func TestGemmRandom(t *testing.T) {
	rounds := 150
	if testing.Short() {
		rounds = 20
	}
	contexts := map[ISA]*gemmContext{}
	for _, isa := range Available() {
		contexts[isa] = newGemmContext(isa)
	}
	for round := range rounds {
		rng := rand.New(rand.NewPCG(7, uint64(round)))
		size := func(most int) int { return 1 + rng.IntN(1+rng.IntN(most)) }
		p := newProduct(rng, size(130), size(180), size(700), gemmDraws[rng.IntN(len(gemmDraws))].draw)
		for _, isa := range Available() {
			f := form{ta: rng.IntN(2) == 0, tb: rng.IntN(2) == 0, acc: rng.IntN(2) == 0, packed: rng.IntN(3) == 0,
				gap: rng.IntN(2) * rng.IntN(20), offset: rng.IntN(17)}
			p.check(t, contexts[isa], contexts[isa].run, f)
			if t.Failed() {
				t.Fatalf("round %d isa=%v", round, isa)
			}
		}
	}
}

// TestGemmAllocatesNothing checks that products do not allocate once the buffers have
// grown.
func TestGemmAllocatesNothing(t *testing.T) {
	eachGemm(t, func(t *testing.T, c *gemmContext) {
		x, y := make([]float32, 300*300), make([]float32, 300*300)
		for _, size := range [][3]int{{1, 1, 1}, {90, 40, 20}, {60, 1, 10}, {2, 2, 300}} {
			for _, f := range gemmForms {
				n := testing.AllocsPerRun(2, func() {
					c.run(&GemmArgs{M: size[0], N: size[1], K: size[2], A: &x[0], B: &x[0], C: &y[0],
						Lda: 300, Ldb: 300, Ldc: 300, TA: f.ta, TB: f.tb, Acc: f.acc})
				})
				if n != 0 {
					t.Errorf("%v %v: %v allocations, want 0", size, f, n)
				}
			}
		}
	})
}
