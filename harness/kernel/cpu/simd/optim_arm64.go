//go:build arm64 && !purego

package simd

//go:generate sh -c "cd _asm && go run ./arm64/optim -out ../optim_arm64.s"

//go:noescape
func sgdNEON(w, dw *float32, lr float32, n int)

//go:noescape
func adamNEON(w, m, v, dw *float32, n int, h *AdamScalars)

func optimFor(isa ISA) optimTable {
	if isa == NEON {
		return optimTable{Sgd: sgdNEON, Adam: adamNEON}
	}
	return optimGenericTable
}
