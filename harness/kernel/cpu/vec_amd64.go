//go:build amd64 && !purego

package cpu

//go:generate sh -c "cd _asm && go run ./vec -out ../vec_amd64.s"

func vecFor(isa ISA) vecTable {
	switch isa {
	case AVX2:
		return vecAVX2
	case AVX512:
		return vecAVX512
	}
	return vecGeneric
}

var vecAVX2 = vecTable{
	add:             vecAddAVX2,
	sub:             vecSubAVX2,
	mul:             vecMulAVX2,
	scale:           vecScaleAVX2,
	fill:            vecFillAVX2,
	neg:             vecNegAVX2,
	oneMinus:        vecOneMinusAVX2,
	sigmoid:         vecSigmoidAVX2,
	tanh:            vecTanhAVX2,
	sigmoidGrad:     vecSigmoidGradAVX2,
	sigmoidGradClip: vecSigmoidGradClipAVX2,
	tanhGrad:        vecTanhGradAVX2,
	clip:            vecClipAVX2,
	threshold:       vecThresholdAVX2,
	drop:            vecDropAVX2,
}

var vecAVX512 = vecTable{
	add:             vecAddAVX512,
	sub:             vecSubAVX512,
	mul:             vecMulAVX512,
	scale:           vecScaleAVX512,
	fill:            vecFillAVX512,
	neg:             vecNegAVX512,
	oneMinus:        vecOneMinusAVX512,
	sigmoid:         vecSigmoidAVX512,
	tanh:            vecTanhAVX512,
	sigmoidGrad:     vecSigmoidGradAVX512,
	sigmoidGradClip: vecSigmoidGradClipAVX512,
	tanhGrad:        vecTanhGradAVX512,
	clip:            vecClipAVX512,
	threshold:       vecThresholdAVX512,
	drop:            vecDropAVX512,
}

//go:noescape
func vecAddAVX2(dst, a, b *float32, n int)

//go:noescape
func vecSubAVX2(dst, a, b *float32, n int)

//go:noescape
func vecMulAVX2(dst, a, b *float32, n int)

//go:noescape
func vecScaleAVX2(dst, a *float32, s float32, n int)

//go:noescape
func vecFillAVX2(dst *float32, s float32, n int)

//go:noescape
func vecNegAVX2(dst, x *float32, n int)

//go:noescape
func vecOneMinusAVX2(dst, x *float32, n int)

//go:noescape
func vecSigmoidAVX2(dst, x *float32, n int)

//go:noescape
func vecTanhAVX2(dst, x *float32, n int)

//go:noescape
func vecSigmoidGradAVX2(dst, y, dy *float32, n int)

//go:noescape
func vecTanhGradAVX2(dst, y, dy *float32, n int)

//go:noescape
func vecClipAVX2(dst, x *float32, lo, hi float32, n int)

//go:noescape
func vecSigmoidGradClipAVX2(dst, y, dy *float32, lo, hi float32, n int)

//go:noescape
func vecSigmoidGradClipAVX512(dst, y, dy *float32, lo, hi float32, n int)

//go:noescape
func vecDropAVX2(dst, x *float32, least float32, n int)

//go:noescape
func vecDropAVX512(dst, x *float32, least float32, n int)

//go:noescape
func vecThresholdAVX2(dst, x *float32, bound float32, n int)

//go:noescape
func vecAddAVX512(dst, a, b *float32, n int)

//go:noescape
func vecSubAVX512(dst, a, b *float32, n int)

//go:noescape
func vecMulAVX512(dst, a, b *float32, n int)

//go:noescape
func vecScaleAVX512(dst, a *float32, s float32, n int)

//go:noescape
func vecFillAVX512(dst *float32, s float32, n int)

//go:noescape
func vecNegAVX512(dst, x *float32, n int)

//go:noescape
func vecOneMinusAVX512(dst, x *float32, n int)

//go:noescape
func vecSigmoidAVX512(dst, x *float32, n int)

//go:noescape
func vecTanhAVX512(dst, x *float32, n int)

//go:noescape
func vecSigmoidGradAVX512(dst, y, dy *float32, n int)

//go:noescape
func vecTanhGradAVX512(dst, y, dy *float32, n int)

//go:noescape
func vecClipAVX512(dst, x *float32, lo, hi float32, n int)

//go:noescape
func vecThresholdAVX512(dst, x *float32, bound float32, n int)
