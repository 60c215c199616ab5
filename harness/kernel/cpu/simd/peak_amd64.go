//go:build amd64 && !purego

package simd

//go:generate sh -c "cd _asm && go run ./peak -out ../peak_amd64.s"

func peakAVX2(n int)

func peakAVX512(n int)

func peakFor(isa ISA) peakTable {
	switch isa {
	case AVX2:
		return peakTable{lanes: 8, loop: peakAVX2}
	case AVX512:
		return peakTable{lanes: 16, loop: peakAVX512}
	}
	return peakGenericTable
}
