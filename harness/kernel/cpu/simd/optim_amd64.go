//go:build amd64 && !purego

package simd

//go:generate sh -c "cd _asm && go run ./optim -out ../optim_amd64.s"

//go:noescape
func sgdAVX2(w, dw *float32, lr float32, n int)

//go:noescape
func adamAVX2(w, m, v, dw *float32, n int, h *AdamScalars)

//go:noescape
func sgdAVX512(w, dw *float32, lr float32, n int)

//go:noescape
func adamAVX512(w, m, v, dw *float32, n int, h *AdamScalars)

func optimFor(isa ISA) optimTable {
	switch isa {
	case AVX2:
		return optimTable{Sgd: sgdAVX2, Adam: adamAVX2}
	case AVX512:
		return optimTable{Sgd: sgdAVX512, Adam: adamAVX512}
	}
	return optimGenericTable
}
