//go:build amd64 && !purego

package cpu

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
	softmax:     rowSoftmaxAVX2,
	softmaxGrad: rowSoftmaxGradAVX2,
	xent:        rowXentAVX2,
	xentGrad:    rowXentGradAVX2,
	xentBoth:    rowXentBothAVX2,
	xentBias:    rowXentBiasAVX2,
	onehot:      rowOnehotAVX2,
}

var rowAVX512 = rowTable{
	softmax:     rowSoftmaxAVX512,
	softmaxGrad: rowSoftmaxGradAVX512,
	xent:        rowXentAVX512,
	xentGrad:    rowXentGradAVX512,
	xentBoth:    rowXentBothAVX512,
	xentBias:    rowXentBiasAVX512,
	onehot:      rowOnehotAVX512,
}

//go:noescape
func rowSoftmaxAVX2(dst, x *float32, rows, n, ldd, ldx int)

//go:noescape
func rowSoftmaxGradAVX2(dst, y, dy *float32, rows, n, ldd, ldy, lddy int)

//go:noescape
func rowXentAVX2(loss, x *float32, target *int32, rows, n, ldx int)

//go:noescape
func rowXentGradAVX2(dst, x *float32, target *int32, dloss *float32, rows, n, ldd, ldx int)

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
func rowXentGradAVX512(dst, x *float32, target *int32, dloss *float32, rows, n, ldd, ldx int)

//go:noescape
func rowXentBothAVX512(dst, loss, x *float32, target *int32, dloss *float32, rows, n, ldd, ldx int)

//go:noescape
func rowXentBiasAVX512(dst, loss, x, bias *float32, target *int32, dloss *float32, rows, n, ldd, ldx int)

//go:noescape
func rowOnehotAVX512(dst, x *float32, rows, n, ldd, ldx int)
