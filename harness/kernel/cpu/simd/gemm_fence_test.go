//go:build linux

package simd

import (
	"math/rand/v2"
	"os"
	"runtime/debug"
	"syscall"
	"testing"
	"unsafe"
)

// TestGemmStaysInside checks that products read and write only their matrices. Each matrix
// is on pages of its own between inaccessible pages, first at the very end of its pages and
// then at the very start.
func TestGemmStaysInside(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	rng := rand.New(rand.NewPCG(9, 9))
	fences := [3]*fence{newFence(t), newFence(t), newFence(t)}
	for round := range 300 {
		m, n, k := 1+rng.IntN(20), 1+rng.IntN(70), 1+rng.IntN(40)
		switch round % 10 {
		case 0: // several chunks at the same time
			m, n, k = 1+rng.IntN(4), 1+rng.IntN(3), 1024+rng.IntN(300)
		case 2: // inner products of at least innerBlock chunks
			m, n, k = 1, 1, innerBlock*GemmChunk+rng.IntN(600)
		case 1: // panels are copied
			m, n, k = copyTiles*tallest, 3*BlockCols+rng.IntN(30), alongTerms+1+rng.IntN(5)
		}
		p := newProduct(rng, m, n, k, gemmDraws[0].draw)
		f := gemmForms[round%len(gemmForms)]
		f.gap, f.offset = rng.IntN(3), 0
		a, lda := p.lay(0, p.a, m, k, f.ta, f, 0)
		b, ldb := p.lay(1, p.b, k, n, f.tb, f, 0)
		c, ldc := p.lay(2, p.c, m, n, false, f, 0)
		aRow, aCol := steps(lda, f.ta)
		bRow, bCol := steps(ldb, f.tb)
		for _, atEnd := range []bool{true, false} {
			for _, isa := range Available() {
				args := GemmArgs{M: m, N: n, K: k, Lda: lda, Ldb: ldb, Ldc: ldc, TA: f.ta, TB: f.tb, Acc: f.acc,
					A: fences[0].place(extent(&a[guard], m, k, aRow, aCol), atEnd),
					B: fences[1].place(extent(&b[guard], k, n, bRow, bCol), atEnd),
					C: fences[2].place(extent(&c[guard], m, n, ldc, 1), atEnd)}
				func() {
					defer func() {
						if err := recover(); err != nil {
							t.Fatalf("isa=%v at end %t: %v: %v", isa, atEnd, &args, err)
						}
					}()
					context := newGemmContext(isa)
					if f.packed {
						args.Packed = p.pack(context, &args)
					}
					context.run(&args)
				}()
			}
		}
	}
}

// TestGemmTilesStayInside checks that each tile, with each number of columns in the last vector,
// reads and writes only its matrices. They end at the end of their pages, or start at the start.
func TestGemmTilesStayInside(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	rng := rand.New(rand.NewPCG(23, 24))
	fences := [4]*fence{newFence(t), newFence(t), newFence(t), newFence(t)}
	for _, isa := range Available() {
		table := gemmFor(isa)
		for vectors, kernels := range table.Tile {
			for rows, kernel := range kernels {
				if kernel == nil {
					continue
				}
				for last := 1; last <= table.Lanes; last++ {
					p := newProduct(rng, 2*rows, (vectors-1)*table.Lanes+last, 5, gemmDraws[0].draw)
					sums, p := p.continued()
					for i := range 8 {
						f, atEnd := form{ta: i&1 > 0, acc: i&2 > 0, gap: 2}, i&4 > 0
						run := func(a *GemmArgs) {
							row, step := steps(a.Lda, a.TA)
							z := extent(a.C, a.M, a.N, a.Ldc, 1)
							inside := fences[2].place(z, atEnd)
							tile := GemmTile{A: unsafe.Pointer(fences[0].place(extent(a.A, a.M, a.K, row, step), atEnd)),
								B: unsafe.Pointer(fences[1].place(extent(a.B, a.K, a.N, a.Ldb, 1), atEnd)), C: unsafe.Pointer(inside),
								K: a.K, Tiles: 2, AStep: 4 * step, ARow: 4 * row, aNext: 4 * (rows*row - a.K*step), BStep: 4 * a.Ldb,
								CRow: 4 * a.Ldc, Last: last, Mode: TileMasked, First: a.K, batch: a.K, Batches: 1,
								Sums: unsafe.Pointer(fences[3].place(sums, atEnd)), SumsRow: 4 * (p.n + sumsGap)}
							if a.Acc {
								tile.Add = 1
							}
							defer func() {
								if err := recover(); err != nil {
									t.Fatalf("isa=%v: %d rows of %d vectors, last %d, %v, at end %t: %v", isa, rows, vectors, last, f, atEnd, err)
								}
							}()
							kernel(&tile)
							copy(z, unsafe.Slice(inside, len(z)))
						}
						p.check(t, nil, run, f)
					}
				}
			}
		}
	}
}

// TestGemmAlongStaysInside is like TestGemmTilesStayInside, with the kernels that run along the rows of B.
func TestGemmAlongStaysInside(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	rng := rand.New(rand.NewPCG(37, 38))
	fences := [3]*fence{newFence(t), newFence(t), newFence(t)}
	eachAlong(t, func(t *testing.T, c *gemmContext) {
		for m := 1; m <= alongRows; m++ {
			for n := 1; n <= 5*c.Table.Lanes; n++ {
				p := newProduct(rng, m, n, 70, gemmDraws[0].draw)
				f, atEnd := form{ta: n&1 > 0, acc: n&2 > 0, gap: 2}, (m+n/4)&1 > 0
				p.check(t, c, func(a *GemmArgs) {
					row, step := steps(a.Lda, a.TA)
					z := extent(a.C, m, n, a.Ldc, 1)
					a.A = fences[0].place(extent(a.A, m, a.K, row, step), atEnd)
					a.B = fences[1].place(extent(a.B, a.K, n, a.Ldb, 1), atEnd)
					a.C = fences[2].place(z, atEnd)
					defer func() {
						if err := recover(); err != nil {
							t.Fatalf("at end %t: %v: %v", atEnd, a, err)
						}
					}()
					runAlong(t, c)(a)
					copy(z, extent(a.C, m, n, a.Ldc, 1))
				}, f)
			}
		}
	})
}

// fence holds accessible pages between two inaccessible ones.
type fence struct{ inside []byte }

func newFence(t *testing.T) *fence {
	const size = 1 << 20
	page := os.Getpagesize()
	all, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(all) })
	for _, outside := range [][]byte{all[:page], all[page+size:]} {
		if err := syscall.Mprotect(outside, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return &fence{all[page : page+size]}
}

// place copies x to the start or the end of the pages and returns the address of the
// copy.
func (f *fence) place(x []float32, atEnd bool) *float32 {
	at := 0
	if atEnd {
		at = len(f.inside) - 4*len(x)
	}
	p := (*float32)(unsafe.Pointer(&f.inside[at]))
	copy(unsafe.Slice(p, len(x)), x)
	return p
}
