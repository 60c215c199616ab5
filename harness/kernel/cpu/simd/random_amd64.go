//go:build amd64 && !purego

package simd

//go:generate sh -c "cd _asm && go run ./random -out ../random_amd64.s"

//go:noescape
func dropoutAVX2(dst, x *float32, n int, site *DropSite)

//go:noescape
func dropoutAVX512(dst, x *float32, n int, site *DropSite)

func randomFor(isa ISA) randomTable {
	switch isa {
	case AVX2:
		return randomTable{Dropout: dropoutAVX2}
	case AVX512:
		return randomTable{Dropout: dropoutAVX512}
	}
	return randomGeneric
}
