//go:build amd64 && !purego

package simd

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
	for op := range v.Op {
		if !v.Op[op].set() {
			v.Op[op] = vecGeneric.Op[op] // no assembly for this operation
		}
	}
	return v
}

var vecAVX2 = vecTable{
	Op: [kernel.NumOps]element{
		kernel.Add:         {Xy: vecAddAVX2},
		kernel.Sub:         {Xy: vecSubAVX2},
		kernel.Mul:         {Xy: vecMulAVX2},
		kernel.Scale:       {Xf: vecScaleAVX2},
		kernel.Neg:         {X: vecNegAVX2},
		kernel.OneMinus:    {X: vecOneMinusAVX2},
		kernel.Sigmoid:     {X: vecSigmoidAVX2},
		kernel.Tanh:        {X: vecTanhAVX2},
		kernel.SigmoidGrad: {Xy: vecSigmoidGradAVX2},
		kernel.TanhGrad:    {Xy: vecTanhGradAVX2},
		kernel.Clip:        {Xff: vecClipAVX2},
		kernel.Threshold:   {Xf: vecThresholdAVX2},
		kernel.FlushSmall:  {Xf: vecFlushSmallAVX2},
	},
	Fill:  vecFillAVX2,
	Fetch: vecFetch,
}

var vecAVX512 = vecTable{
	Op: [kernel.NumOps]element{
		kernel.Add:         {Xy: vecAddAVX512},
		kernel.Sub:         {Xy: vecSubAVX512},
		kernel.Mul:         {Xy: vecMulAVX512},
		kernel.Scale:       {Xf: vecScaleAVX512},
		kernel.Neg:         {X: vecNegAVX512},
		kernel.OneMinus:    {X: vecOneMinusAVX512},
		kernel.Sigmoid:     {X: vecSigmoidAVX512},
		kernel.Tanh:        {X: vecTanhAVX512},
		kernel.SigmoidGrad: {Xy: vecSigmoidGradAVX512},
		kernel.TanhGrad:    {Xy: vecTanhGradAVX512},
		kernel.Clip:        {Xff: vecClipAVX512},
		kernel.Threshold:   {Xf: vecThresholdAVX512},
		kernel.FlushSmall:  {Xf: vecFlushSmallAVX512},
	},
	Fill:  vecFillAVX512,
	Fetch: vecFetch,
}

//go:noescape
func vecFetch(p *float32, n int)

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
