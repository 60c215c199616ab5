package simd

import "unsafe"

// A matrix that many products share, such as the weights of a recurrent cell
// over time, is worth packing once: into panels of as many columns as a tile
// has, each panel all of K long. The last panel is as wide as it needs, in
// whole vectors. The columns from j on, where a panel starts, begin at element
// j*K.

// PackedLen is the number of elements that pack writes for the B of a.
func (c *gemmContext) PackedLen(a *GemmArgs) int {
	if c.Table.Lanes == 0 {
		return a.N * a.K
	}
	return c.Table.Vectors(a.N) * c.Table.Lanes * a.K
}

// packedPanel is the number of columns at whose multiples a packed B may be
// cut.
func (c *gemmContext) packedPanel() int { return max(1, c.Table.panel()) }

// pack lays out op(B) of a at dst for GemmArgs.Packed. The layout depends on
// the instruction set alone, so contexts of all threads can share it.
func (c *gemmContext) pack(dst *float32, a *GemmArgs) {
	if a.N == 0 || a.K == 0 {
		return
	}
	if c.Table.Lanes == 0 {
		row, col := steps(a.Ldb, a.TB)
		from, to := extent(a.B, a.K, a.N, row, col), unsafe.Slice(dst, a.N*a.K)
		for j := range a.N {
			for k := range a.K {
				to[j*a.K+k] = from[k*row+j*col]
			}
		}
		return
	}
	c.packPart(dst, a, 0, a.N)
}

// packPart packs the columns j0 to j1, whole panels. A few rows of all panels
// at a time are read, since memory gives what is adjacent.
func (c *gemmContext) packPart(dst *float32, a *GemmArgs, j0, j1 int) {
	width, deep := c.Table.panel(), 16
	if a.TB {
		deep = a.K
	}
	for k0 := 0; k0 < a.K; k0 += deep {
		k1 := min(k0+deep, a.K)
		for j := j0; j < j1; j += width {
			w := min(width, j1-j)
			c.packPanel(At(dst, j*a.K+k0*c.Table.Vectors(w)*c.Table.Lanes), a, j, w, k0, k1)
		}
	}
	c.side = GemmTile{}
}

// packPanel packs rows k0 to k1 of the w columns from j of op(B).
func (c *gemmContext) packPanel(dst *float32, a *GemmArgs, j, w, k0, k1 int) {
	lanes := c.Table.Lanes
	vectors := c.Table.Vectors(w)
	t := &c.side
	t.K, t.ARow, t.CRow = k1-k0, 4*a.Ldb, 4*vectors*lanes
	if !a.TB {
		t.A, t.C = unsafe.Pointer(At(a.B, k0*a.Ldb+j)), unsafe.Pointer(dst)
		t.Last = w - (vectors-1)*lanes
		c.Table.copy[vectors](t)
		return
	}
	for v := 0; v < w; v += lanes {
		t.A, t.C = unsafe.Pointer(At(a.B, (j+v)*a.Ldb+k0)), unsafe.Pointer(At(dst, v))
		t.Tiles = min(lanes, w-v)
		c.Table.transpose(t)
	}
}

// packRows packs rows i0 to i1 of op(A), over one chunk: tile after tile, the
// rows of a tile side by side.
func (b *gemmBlocks) packRows(i0, i1, k0, k1 int) {
	size := (i1 - i0) * GemmChunk
	if b.N > BlockCols { // other columns will read it too
		size = (i1 - i0) * b.K
	}
	b.rows = Grow(&b.rowPanels, size+b.Table.Lanes) // kernels store whole vectors
	t := &b.side
	t.K = k1 - k0
	tiles, height, higher := b.heights(i1-i0, 2)
	to := At(b.rows, b.packedRow(i0, i1, k0))
	for i := range tiles {
		h := height
		if i >= tiles-higher {
			h++
		}
		t.C, t.CRow, t.ARow = unsafe.Pointer(to), 4*h, 4*b.Lda
		if b.TA {
			t.A, t.Last = unsafe.Pointer(At(b.A, k0*b.Lda+i0)), h
			b.Table.copy[1](t)
		} else {
			t.A, t.Tiles = unsafe.Pointer(At(b.A, i0*b.Lda+k0)), h
			b.Table.transpose(t)
		}
		i0, to = i0+h, At(to, h*t.K)
	}
}

// packedRow is where a chunk of rows i0 to i1 lies.
func (b *gemmBlocks) packedRow(i0, i1, k0 int) int {
	if b.N <= BlockCols {
		return 0
	}
	return k0 * (i1 - i0)
}

// CacheLine is the bytes of a cache line.
const CacheLine = 64

// Grow returns n elements on a cache line, from a buffer that it renews when
// it is too small. What they held is lost.
func Grow(buf *[]float32, n int) *float32 {
	if len(*buf) < n {
		raw := make([]float32, n+CacheLine/4)
		skip := 0
		for uintptr(unsafe.Pointer(&raw[skip]))%CacheLine != 0 {
			skip++
		}
		*buf = raw[skip : skip+n]
	}
	return unsafe.SliceData(*buf)
}
