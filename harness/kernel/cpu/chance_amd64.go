//go:build amd64 && !purego

package cpu

//go:generate sh -c "cd _asm && go run ./chance -out ../chance_amd64.s"

//go:noescape
func dropoutAVX2(dst, x *float32, n int, site *dropSite)

//go:noescape
func dropoutAVX512(dst, x *float32, n int, site *dropSite)

func chanceFor(isa ISA) chanceTable {
	switch isa {
	case AVX2:
		return chanceTable{dropout: dropoutAVX2}
	case AVX512:
		return chanceTable{dropout: dropoutAVX512}
	}
	return chanceGenericTable
}
