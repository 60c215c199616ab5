//go:build arm64 && !purego

package simd

//go:generate sh -c "cd _asm && go run ./arm64/gemm -tables ../gemm_tables_arm64.go -out ../gemm_arm64.s"

func gemmFor(isa ISA) gemmTable {
	if isa == NEON {
		return gemmTableNEON
	}
	return gemmTable{}
}
