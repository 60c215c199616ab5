//go:build amd64 && !purego

package simd

//go:generate sh -c "cd _asm && go run ./row -out ../row_amd64.s"

func rowFor(isa ISA) rowTable {
	switch isa {
	case AVX2:
		return rowAVX2
	case AVX512:
		return rowAVX512
	}
	return rowGeneric
}

var rowAVX2 = rowTable{
	Softmax:     rowSoftmaxAVX2,
	SoftmaxGrad: rowSoftmaxGradAVX2,
	Xent:        rowXentAVX2,
	XentBoth:    rowXentBothAVX2,
	XentBias:    rowXentBiasAVX2,
	Onehot:      rowOnehotAVX2,
}

var rowAVX512 = rowTable{
	Softmax:     rowSoftmaxAVX512,
	SoftmaxGrad: rowSoftmaxGradAVX512,
	Xent:        rowXentAVX512,
	XentBoth:    rowXentBothAVX512,
	XentBias:    rowXentBiasAVX512,
	Onehot:      rowOnehotAVX512,
}

//go:noescape
func rowSoftmaxAVX2(dst, x *float32, rows, n, ldd, ldx int)

//go:noescape
func rowSoftmaxGradAVX2(dst, y, dy *float32, rows, n, ldd, ldy, lddy int)

//go:noescape
func rowXentAVX2(loss, x *float32, target *int32, rows, n, ldx int)

//go:noescape
func rowXentBothAVX2(dst, loss, x *float32, target *int32, dloss *float32, rows, n, ldd, ldx int)

//go:noescape
func rowXentBiasAVX2(dst, loss, x, bias *float32, target *int32, dloss *float32, rows, n, ldd, ldx int)

//go:noescape
func rowOnehotAVX2(dst, x *float32, rows, n, ldd, ldx int)

//go:noescape
func rowSoftmaxAVX512(dst, x *float32, rows, n, ldd, ldx int)

//go:noescape
func rowSoftmaxGradAVX512(dst, y, dy *float32, rows, n, ldd, ldy, lddy int)

//go:noescape
func rowXentAVX512(loss, x *float32, target *int32, rows, n, ldx int)

//go:noescape
func rowXentBothAVX512(dst, loss, x *float32, target *int32, dloss *float32, rows, n, ldd, ldx int)

//go:noescape
func rowXentBiasAVX512(dst, loss, x, bias *float32, target *int32, dloss *float32, rows, n, ldd, ldx int)

//go:noescape
func rowOnehotAVX512(dst, x *float32, rows, n, ldd, ldx int)
