package cpu

import "unsafe"

// smallWork is the number of FMAs below which deciding how to cut a product
// costs more than it gains.
const smallWork = 1 << 16

// small computes a product of one chunk where B can be read where it lies,
// straight by tiles, and reports whether it did.
func (c *gemmContext) small(a *gemmArgs) bool {
	if a.K > gemmChunk || a.M*a.N*a.K > smallWork || a.N == 1 || a.TB && a.Packed == nil {
		return false
	}
	lanes, vectors := c.table.lanes, c.table.vectors(a.N)
	if vectors > 2 && (a.Packed != nil || vectors > 4 || a.M > c.table.rows[vectors] && lanes < 16) {
		vectors = 2 // several panels
	}
	t := &c.tile
	row, step := steps(a.Lda, a.TA)
	t.k, t.first, t.batches, t.pairs = a.K, a.K, 1, 0
	t.aRow, t.aStep, t.cRow, t.add = 4*row, 4*step, 4*a.Ldc, 0
	if a.Acc || a.Again {
		t.add = 1
	}
	for j, width := 0, vectors*lanes; j < a.N; j += width {
		w := min(width, a.N-j)
		vectors = c.table.vectors(w)
		t.last = w - (vectors-1)*lanes
		if a.Packed != nil {
			t.b, t.bStep, t.mode = unsafe.Pointer(at(a.Packed, j*a.K)), 4*vectors*lanes, tilePlain
		} else {
			t.b, t.bStep, t.mode = unsafe.Pointer(at(a.B, j)), 4*a.Ldb, tilePlain
			if t.last < lanes {
				t.mode = tileMasked
			}
		}
		t.a, t.c = unsafe.Pointer(a.A), unsafe.Pointer(at(a.C, j))
		most := c.table.rows[vectors]
		if a.M <= most {
			t.tiles = 1
			c.table.tile[vectors][a.M](t)
			continue
		}
		tiles := (a.M + most - 1) / most
		height, higher := a.M/tiles, a.M%tiles
		t.tiles = tiles - higher
		t.aNext = height*t.aRow - t.k*t.aStep
		c.table.tile[vectors][height](t)
		if higher > 0 {
			t.a = unsafe.Add(t.a, t.tiles*height*t.aRow)
			t.c = unsafe.Add(t.c, t.tiles*height*t.cRow)
			t.tiles = higher
			t.aNext += t.aRow
			c.table.tile[vectors][height+1](t)
		}
	}
	t.a, t.b, t.c = nil, nil, nil // they must not keep matrices alive
	return true
}
