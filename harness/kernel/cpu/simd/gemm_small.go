package simd

import "unsafe"

// SmallWork is the largest number of FMAs of a small product. It takes longer to decide how
// to divide such a product than a good division saves.
const SmallWork = 1 << 16

// small computes a product directly by tiles and returns true, or does nothing and returns
// false. It can compute a small product of one chunk whose C has several columns, if B is
// packed or is not stored transposed.
func (c *gemmContext) small(a *GemmArgs) bool {
	if a.K > GemmChunk || a.M*a.N*a.K > SmallWork || a.N == 1 || a.TB && a.Packed == nil {
		return false
	}
	lanes, vectors := c.Table.Lanes, c.Table.Vectors(a.N)
	switch {
	case a.Packed != nil:
		vectors = min(vectors, c.Table.wide)
	case vectors > 4 || vectors > 2 && a.M > c.Table.Rows[vectors] && lanes < 16:
		vectors = 2 // split into several panels
	}
	t := &c.tile
	row, step := steps(a.Lda, a.TA)
	t.K, t.First, t.Batches, t.pairs = a.K, a.K, 1, 0
	t.ARow, t.AStep, t.CRow, t.Add = 4*row, 4*step, 4*a.Ldc, 0
	if a.Acc || a.Continue {
		t.Add = 1
	}
	for j, width := 0, vectors*lanes; j < a.N; j += width {
		w := min(width, a.N-j)
		vectors = c.Table.Vectors(w)
		t.Last = w - (vectors-1)*lanes
		if a.Packed != nil {
			t.B, t.BStep, t.Mode = unsafe.Pointer(At(a.Packed, j*a.K)), 4*vectors*lanes, tilePlain
		} else {
			t.B, t.BStep, t.Mode = unsafe.Pointer(At(a.B, j)), 4*a.Ldb, tilePlain
			if t.Last < lanes {
				t.Mode = TileMasked
			}
		}
		t.A, t.C = unsafe.Pointer(a.A), unsafe.Pointer(At(a.C, j))
		most := c.Table.Rows[vectors]
		if a.M <= most {
			t.Tiles = 1
			c.Table.Tile[vectors][a.M](t)
			continue
		}
		tiles := (a.M + most - 1) / most
		height, higher := a.M/tiles, a.M%tiles
		t.Tiles = tiles - higher
		t.aNext = height*t.ARow - t.K*t.AStep
		c.Table.Tile[vectors][height](t)
		if higher > 0 {
			t.A = unsafe.Add(t.A, t.Tiles*height*t.ARow)
			t.C = unsafe.Add(t.C, t.Tiles*height*t.CRow)
			t.Tiles = higher
			t.aNext += t.ARow
			c.Table.Tile[vectors][height+1](t)
		}
	}
	t.A, t.B, t.C = nil, nil, nil // so that the garbage collector can free the matrices
	return true
}
