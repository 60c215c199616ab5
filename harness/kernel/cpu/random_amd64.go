//go:build amd64 && !purego

package cpu

//go:generate sh -c "cd _asm && go run ./random -out ../random_amd64.s"

//go:noescape
func dropoutAVX2(dst, x *float32, n int, site *dropSite)

//go:noescape
func dropoutAVX512(dst, x *float32, n int, site *dropSite)

func randomFor(isa ISA) randomTable {
	switch isa {
	case AVX2:
		return randomTable{dropout: dropoutAVX2}
	case AVX512:
		return randomTable{dropout: dropoutAVX512}
	}
	return randomGeneric
}
