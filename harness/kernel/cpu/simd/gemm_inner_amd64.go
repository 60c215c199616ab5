//go:build amd64 && !purego

package simd

//go:generate sh -c "cd _asm && go run ./inner -out ../gemm_inner_amd64.s"

//go:noescape
func innerChunks(sums, a, b *float32)

func innerFor(isa ISA) func(sums, a, b *float32) {
	if isa == Generic {
		return nil
	}
	return innerChunks
}
