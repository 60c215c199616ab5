//go:build amd64 && !purego

package simd

//go:generate sh -c "cd _asm && go run ./lookup -out ../lookup_amd64.s"

//go:noescape
func lookupAVX2(dst, table *float32, size int, ids *int32, n int)

//go:noescape
func lookupAVX512(dst, table *float32, size int, ids *int32, n int)

func lookupFor(isa ISA) lookupTable {
	switch isa {
	case AVX2:
		return lookupTable{8, lookupAVX2}
	case AVX512:
		return lookupTable{16, lookupAVX512}
	}
	return lookupTable{}
}
