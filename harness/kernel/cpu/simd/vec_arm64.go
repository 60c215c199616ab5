//go:build arm64 && !purego

package simd

import "pushdown/harness/kernel"

//go:generate sh -c "cd _asm && go run ./arm64/vec -out ../vec_arm64.s"

func vecFor(isa ISA) vecTable {
	v := vecGeneric
	if isa == NEON {
		v = vecNEON
	}
	for op := range v.Op {
		if !v.Op[op].set() {
			v.Op[op] = vecGeneric.Op[op] // no assembly for this operation
		}
	}
	return v
}

var vecNEON = vecTable{
	Op: [kernel.NumOps]element{
		kernel.Add:         {Xy: vecAddNEON},
		kernel.Sub:         {Xy: vecSubNEON},
		kernel.Mul:         {Xy: vecMulNEON},
		kernel.Scale:       {Xf: vecScaleNEON},
		kernel.Neg:         {X: vecNegNEON},
		kernel.OneMinus:    {X: vecOneMinusNEON},
		kernel.Sigmoid:     {X: vecSigmoidNEON},
		kernel.Tanh:        {X: vecTanhNEON},
		kernel.SigmoidGrad: {Xy: vecSigmoidGradNEON},
		kernel.TanhGrad:    {Xy: vecTanhGradNEON},
		kernel.Clip:        {Xff: vecClipNEON},
		kernel.Threshold:   {Xf: vecThresholdNEON},
		kernel.FlushSmall:  {Xf: vecFlushSmallNEON},
	},
	Fill:  vecFillNEON,
	Fetch: noFetch,
}

//go:noescape
func vecAddNEON(dst, a, b *float32, n int)

//go:noescape
func vecSubNEON(dst, a, b *float32, n int)

//go:noescape
func vecMulNEON(dst, a, b *float32, n int)

//go:noescape
func vecScaleNEON(dst, a *float32, s float32, n int)

//go:noescape
func vecFillNEON(dst *float32, s float32, n int)

//go:noescape
func vecNegNEON(dst, x *float32, n int)

//go:noescape
func vecOneMinusNEON(dst, x *float32, n int)

//go:noescape
func vecSigmoidNEON(dst, x *float32, n int)

//go:noescape
func vecTanhNEON(dst, x *float32, n int)

//go:noescape
func vecSigmoidGradNEON(dst, y, dy *float32, n int)

//go:noescape
func vecTanhGradNEON(dst, y, dy *float32, n int)

//go:noescape
func vecClipNEON(dst, x *float32, lo, hi float32, n int)

//go:noescape
func vecFlushSmallNEON(dst, x *float32, least float32, n int)

//go:noescape
func vecThresholdNEON(dst, x *float32, bound float32, n int)
