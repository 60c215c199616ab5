//go:build amd64 && !purego

package cpu

import "pushdown/harness/kernel"

//go:generate sh -c "cd _asm && go run ./vec -out ../vec_amd64.s"

func vecFor(isa ISA) vecTable {
	v := vecGeneric
	switch isa {
	case AVX2:
		v = vecAVX2
	case AVX512:
		v = vecAVX512
	}
	for op := range v.op {
		if !v.op[op].set() {
			v.op[op] = vecGeneric.op[op] // none, or no assembly yet
		}
	}
	return v
}

var vecAVX2 = vecTable{
	op: [kernel.NumOps]element{
		kernel.Add:         {xy: vecAddAVX2},
		kernel.Sub:         {xy: vecSubAVX2},
		kernel.Mul:         {xy: vecMulAVX2},
		kernel.Scale:       {xf: vecScaleAVX2},
		kernel.Neg:         {x: vecNegAVX2},
		kernel.OneMinus:    {x: vecOneMinusAVX2},
		kernel.Sigmoid:     {x: vecSigmoidAVX2},
		kernel.Tanh:        {x: vecTanhAVX2},
		kernel.SigmoidGrad: {xy: vecSigmoidGradAVX2},
		kernel.TanhGrad:    {xy: vecTanhGradAVX2},
		kernel.Clip:        {xff: vecClipAVX2},
		kernel.Threshold:   {xf: vecThresholdAVX2},
		kernel.FlushSmall:  {xf: vecFlushSmallAVX2},
	},
	fill:            vecFillAVX2,
	sigmoidGradClip: vecSigmoidGradClipAVX2,
}

var vecAVX512 = vecTable{
	op: [kernel.NumOps]element{
		kernel.Add:         {xy: vecAddAVX512},
		kernel.Sub:         {xy: vecSubAVX512},
		kernel.Mul:         {xy: vecMulAVX512},
		kernel.Scale:       {xf: vecScaleAVX512},
		kernel.Neg:         {x: vecNegAVX512},
		kernel.OneMinus:    {x: vecOneMinusAVX512},
		kernel.Sigmoid:     {x: vecSigmoidAVX512},
		kernel.Tanh:        {x: vecTanhAVX512},
		kernel.SigmoidGrad: {xy: vecSigmoidGradAVX512},
		kernel.TanhGrad:    {xy: vecTanhGradAVX512},
		kernel.Clip:        {xff: vecClipAVX512},
		kernel.Threshold:   {xf: vecThresholdAVX512},
		kernel.FlushSmall:  {xf: vecFlushSmallAVX512},
	},
	fill:            vecFillAVX512,
	sigmoidGradClip: vecSigmoidGradClipAVX512,
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
func vecFlushSmallAVX2(dst, x *float32, least float32, n int)

//go:noescape
func vecFlushSmallAVX512(dst, x *float32, least float32, n int)

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
