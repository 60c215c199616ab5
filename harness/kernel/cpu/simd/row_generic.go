package simd

import (
	"unsafe"

	"pushdown/harness/numeric"
)

var rowGeneric = rowTable{
	Softmax:     rowSoftmaxGeneric,
	SoftmaxGrad: rowSoftmaxGradGeneric,
	Xent:        rowXentGeneric,
	XentBoth:    rowXentBothGeneric,
	XentBias:    rowXentBiasGeneric,
	Onehot:      rowOnehotGeneric,
}

const (
	rowPartials = 64
	rowBlock    = 4096
)

// rowOf returns the n elements of row r.
func rowOf(p *float32, r, ld, n int) []float32 {
	return unsafe.Slice((*float32)(unsafe.Add(unsafe.Pointer(p), 4*r*ld)), n)
}

// rowFold returns the sum of 64 partial sums. It adds their upper half to the lower
// half until one is left. The partial sums from index n on are +0. They need not be
// added, because adding +0 changes only -0, and a partial sum that started from +0 is
// not -0.
func rowFold(p *[rowPartials]float32, n int) float32 {
	half := rowPartials / 2
	for half >= n {
		half /= 2
	}
	for ; half > 0; half /= 2 {
		for i := range half {
			p[i] += p[i+half]
		}
	}
	return p[0]
}

// rowBlocks returns the sum along a row of n elements. It cuts the row into blocks of
// up to 4096 elements. The function block sums one of them, elements lo to hi-1.
func rowBlocks(n int, block func(lo, hi int) float32) float32 {
	if n <= rowBlock {
		return block(0, n)
	}
	var p [rowPartials]float32
	for b := 0; b*rowBlock < n; b++ {
		p[b%rowPartials] += block(b*rowBlock, min(n, (b+1)*rowBlock))
	}
	return rowFold(&p, rowPartials)
}

func rowMax(x []float32) float32 {
	m := x[0]
	for _, v := range x[1:] {
		if v > m {
			m = v
		}
	}
	return m
}

// rowExp sets e[i] = exp(x[i] - m) and returns the sum. e may be nil.
func rowExp(e, x []float32, m float32) float32 {
	return rowBlocks(len(x), func(lo, hi int) float32 {
		var p [rowPartials]float32
		for i, v := range x[lo:hi] {
			v = numeric.Exp(v - m)
			p[i%rowPartials] += v
			if e != nil {
				e[lo+i] = v
			}
		}
		return rowFold(&p, hi-lo)
	})
}

func rowSoftmaxGeneric(dst, x *float32, rows, n, ldd, ldx int) {
	for r := range rows {
		d, v := rowOf(dst, r, ldd, n), rowOf(x, r, ldx, n)
		inv := 1 / rowExp(d, v, rowMax(v))
		for i := range d {
			d[i] *= inv
		}
	}
}

func rowSoftmaxGradGeneric(dst, y, dy *float32, rows, n, ldd, ldy, lddy int) {
	for r := range rows {
		d, v, g := rowOf(dst, r, ldd, n), rowOf(y, r, ldy, n), rowOf(dy, r, lddy, n)
		dot := rowBlocks(n, func(lo, hi int) float32 {
			var p [rowPartials]float32
			for i := lo; i < hi; i++ {
				p[(i-lo)%rowPartials] += float32(v[i] * g[i])
			}
			return rowFold(&p, hi-lo)
		})
		for i := range d {
			d[i] = v[i] * (g[i] - dot)
		}
	}
}

func rowXentGeneric(loss, x *float32, target *int32, rows, n, ldx int) {
	l, t := unsafe.Slice(loss, rows), unsafe.Slice(target, rows)
	for r := range l {
		v := rowOf(x, r, ldx, n)
		m := rowMax(v)
		l[r] = numeric.Log(rowExp(nil, v, m)) - (v[t[r]] - m)
	}
}

// rowXentScale turns the exponentials of a row into the gradient.
func rowXentScale(e []float32, inv float32, target int, dloss float32) {
	for i := range e {
		y := float32(e[i] * inv)
		if i == target {
			y--
		}
		e[i] = y * dloss
	}
}

func rowXentBothGeneric(dst, loss, x *float32, target *int32, dloss *float32, rows, n, ldd, ldx int) {
	l, t, g := unsafe.Slice(loss, rows), unsafe.Slice(target, rows), unsafe.Slice(dloss, rows)
	for r := range l {
		d, v := rowOf(dst, r, ldd, n), rowOf(x, r, ldx, n)
		m := rowMax(v)
		less := v[t[r]] - m // d may be v
		s := rowExp(d, v, m)
		l[r] = numeric.Log(s) - less
		rowXentScale(d, 1/s, int(t[r]), g[r])
	}
}

func rowXentBiasGeneric(dst, loss, x, bias *float32, target *int32, dloss *float32, rows, n, ldd, ldx int) {
	addRowGeneric(dst, x, bias, rows, n, ldd, ldx)
	rowXentBothGeneric(dst, loss, dst, target, dloss, rows, n, ldd, ldd)
}

func rowArgmax(x []float32) int {
	at := 0
	for i, v := range x {
		if v > x[at] {
			at = i
		}
	}
	return at
}

func rowOnehotGeneric(dst, x *float32, rows, n, ldd, ldx int) {
	for r := range rows {
		d := rowOf(dst, r, ldd, n)
		at := rowArgmax(rowOf(x, r, ldx, n))
		clear(d)
		d[at] = 1
	}
}
