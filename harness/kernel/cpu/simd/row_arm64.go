//go:build arm64 && !purego

package simd

import (
	"unsafe"

	"pushdown/harness/numeric"
)

//go:generate sh -c "cd _asm && go run ./arm64/row -out ../row_arm64.s"

// rowSoftmaxShort and rowSoftmaxGradShort list the kernels for rows of few elements, by the
// number of elements.
var (
	rowSoftmaxShort = [...]func(dst, x *float32, rows, ldd, ldx int){
		2: rowSoftmax2NEON, 3: rowSoftmax3NEON, 4: rowSoftmax4NEON, 5: rowSoftmax5NEON, 6: rowSoftmax6NEON, 7: rowSoftmax7NEON, 8: rowSoftmax8NEON,
	}
	rowSoftmaxGradShort = [...]func(dst, y, dy *float32, rows, ldd, ldy, lddy int){
		2: rowSoftmaxGrad2NEON, 3: rowSoftmaxGrad3NEON, 4: rowSoftmaxGrad4NEON, 5: rowSoftmaxGrad5NEON, 6: rowSoftmaxGrad6NEON, 7: rowSoftmaxGrad7NEON, 8: rowSoftmaxGrad8NEON,
	}
)

//go:noescape
func rowSoftmax2NEON(dst, x *float32, rows, ldd, ldx int)

//go:noescape
func rowSoftmaxGrad2NEON(dst, y, dy *float32, rows, ldd, ldy, lddy int)

//go:noescape
func rowSoftmax3NEON(dst, x *float32, rows, ldd, ldx int)

//go:noescape
func rowSoftmaxGrad3NEON(dst, y, dy *float32, rows, ldd, ldy, lddy int)

//go:noescape
func rowSoftmax4NEON(dst, x *float32, rows, ldd, ldx int)

//go:noescape
func rowSoftmaxGrad4NEON(dst, y, dy *float32, rows, ldd, ldy, lddy int)

//go:noescape
func rowSoftmax5NEON(dst, x *float32, rows, ldd, ldx int)

//go:noescape
func rowSoftmaxGrad5NEON(dst, y, dy *float32, rows, ldd, ldy, lddy int)

//go:noescape
func rowSoftmax6NEON(dst, x *float32, rows, ldd, ldx int)

//go:noescape
func rowSoftmaxGrad6NEON(dst, y, dy *float32, rows, ldd, ldy, lddy int)

//go:noescape
func rowSoftmax7NEON(dst, x *float32, rows, ldd, ldx int)

//go:noescape
func rowSoftmaxGrad7NEON(dst, y, dy *float32, rows, ldd, ldy, lddy int)

//go:noescape
func rowSoftmax8NEON(dst, x *float32, rows, ldd, ldx int)

//go:noescape
func rowSoftmaxGrad8NEON(dst, y, dy *float32, rows, ldd, ldy, lddy int)

// rowMaxNEON returns the maximum of a row, or NaN if the row has one.
//
//go:noescape
func rowMaxNEON(x *float32, n int) float32

// rowExpNEON computes dst[i] = exp(x[i] - m). No x[i] may be greater than m.
//
//go:noescape
func rowExpNEON(dst, x *float32, m float32, n int)

// rowGradientNEON computes dst[i] = y[i] * (dy[i] - d).
//
//go:noescape
func rowGradientNEON(dst, y, dy *float32, d float32, n int)

// rowExpSumNEON computes dst[i] = exp(x[i] - m) and returns the sum.
func rowExpSumNEON(dst, x *float32, m float32, n int) float32 {
	rowExpNEON(dst, x, m, n)
	return rowBlocks(n, func(lo, hi int) float32 { return sumLeafNEON(At(dst, lo), hi-lo) })
}

func rowSoftmaxNEON(dst, x *float32, rows, n, ldd, ldx int) {
	if n < len(rowSoftmaxShort) && rowSoftmaxShort[n] != nil {
		rowSoftmaxShort[n](dst, x, rows, ldd, ldx)
		return
	}
	for r := range rows {
		d, v := At(dst, r*ldd), At(x, r*ldx)
		vecScaleNEON(d, d, 1/rowExpSumNEON(d, v, rowMaxNEON(v, n), n), n)
	}
}

func rowSoftmaxGradNEON(dst, y, dy *float32, rows, n, ldd, ldy, lddy int) {
	if n < len(rowSoftmaxGradShort) && rowSoftmaxGradShort[n] != nil {
		rowSoftmaxGradShort[n](dst, y, dy, rows, ldd, ldy, lddy)
		return
	}
	for r := range rows {
		v, g := At(y, r*ldy), At(dy, r*lddy)
		rowGradientNEON(At(dst, r*ldd), v, g, reduceSum(dotLeafNEON, v, g, n), n)
	}
}

// rowXentNEON needs memory for the exponentials of a block of a row.
func rowXentNEON(loss, x *float32, target *int32, rows, n, ldx int) {
	var e [rowBlock]float32
	l, t := unsafe.Slice(loss, rows), unsafe.Slice(target, rows)
	for r := range l {
		v := At(x, r*ldx)
		m := rowMaxNEON(v, n)
		s := rowBlocks(n, func(lo, hi int) float32 {
			rowExpNEON(&e[0], At(v, lo), m, hi-lo)
			return sumLeafNEON(&e[0], hi-lo)
		})
		l[r] = numeric.Log(s) - (*At(v, int(t[r])) - m)
	}
}

// rowXentScaleNEON is like rowXentScale.
func rowXentScaleNEON(e *float32, inv float32, target int, dloss float32, n int) {
	at := At(e, target)
	y := float32(*at*inv) - 1
	vecScaleNEON(e, e, inv, n)
	*at = y
	vecScaleNEON(e, e, dloss, n)
}

func rowXentBothNEON(dst, loss, x *float32, target *int32, dloss *float32, rows, n, ldd, ldx int) {
	l, t, g := unsafe.Slice(loss, rows), unsafe.Slice(target, rows), unsafe.Slice(dloss, rows)
	for r := range l {
		d, v := At(dst, r*ldd), At(x, r*ldx)
		m := rowMaxNEON(v, n)
		less := *At(v, int(t[r])) - m // d may be v
		s := rowExpSumNEON(d, v, m, n)
		l[r] = numeric.Log(s) - less
		rowXentScaleNEON(d, 1/s, int(t[r]), g[r], n)
	}
}

func rowXentBiasNEON(dst, loss, x, bias *float32, target *int32, dloss *float32, rows, n, ldd, ldx int) {
	addRowNEON(dst, x, bias, rows, n, ldd, ldx)
	rowXentBothNEON(dst, loss, dst, target, dloss, rows, n, ldd, ldd)
}

func rowFor(isa ISA) rowTable {
	if isa != NEON {
		return rowGeneric
	}
	return rowTable{
		Softmax:     rowSoftmaxNEON,
		SoftmaxGrad: rowSoftmaxGradNEON,
		Xent:        rowXentNEON,
		XentBoth:    rowXentBothNEON,
		XentBias:    rowXentBiasNEON,
		Onehot:      rowOnehotGeneric,
	}
}
