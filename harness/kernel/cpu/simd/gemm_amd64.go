//go:build amd64 && !purego

package simd

//go:generate sh -c "cd _asm && go run ./gemm -out ../gemm_amd64.s -tables ../gemm_tables_amd64.go"

func gemmFor(isa ISA) gemmTable {
	switch isa {
	case AVX2:
		return gemmTableAVX2
	case AVX512:
		return gemmTableAVX512
	}
	return gemmTable{}
}
