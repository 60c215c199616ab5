//go:build amd64 && !purego

package simd

//go:generate sh -c "cd _asm && go run ./vecmat -out ../vecmat_amd64.s"

//go:noescape
func vecmatAVX2(c, a, b *float32, k, n, ldb int, add *float32)

//go:noescape
func vecmatAVX512(c, a, b *float32, k, n, ldb int, add *float32)

func vecmatFor(isa ISA) vecmat {
	switch isa {
	case AVX2:
		return vecmatAVX2
	case AVX512:
		return vecmatAVX512
	}
	return vecmatGeneric
}
