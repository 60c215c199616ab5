//go:build arm64 && !purego

package simd

//go:generate sh -c "cd _asm && go run ./arm64/peak -out ../peak_arm64.s"

//go:noescape
func peakNEON(n int)

func peakFor(isa ISA) peakTable {
	if isa == NEON {
		return peakTable{lanes: 4, loop: peakNEON}
	}
	return peakGenericTable
}
