package cpu

import "unsafe"

// A matrix that many products share, such as the weights of a recurrent cell
// over time, is worth packing once: into panels of as many columns as a tile
// has, each panel all of K long. The last panel is as wide as it needs, in
// whole vectors. Column j0, at the start of a panel, begins at element j0*K.

// packedLen is the number of elements that pack writes for the B of a.
func (c *gemmContext) packedLen(a *gemmArgs) int {
	lanes := max(1, c.table.lanes)
	return (a.N + lanes - 1) / lanes * lanes * a.K
}

// pack lays out op(B) of a at dst for gemmArgs.Packed. The layout depends on
// the instruction set alone, so contexts of all threads can share it.
func (c *gemmContext) pack(dst *float32, a *gemmArgs) {
	if a.N == 0 || a.K == 0 {
		return
	}
	row, col := steps(a.Ldb, a.TB)
	from := extent(a.B, a.K, a.N, row, col)
	to := unsafe.Slice(dst, c.packedLen(a))
	width := max(1, c.table.panel())
	for j0 := 0; j0 < a.N; j0 += width {
		panel := to[j0*a.K:]
		stored := min(width, len(panel)/a.K)
		for k := range a.K {
			for j := range stored {
				var x float32
				if j0+j < a.N {
					x = from[k*row+(j0+j)*col]
				}
				panel[k*stored+j] = x
			}
		}
	}
}
