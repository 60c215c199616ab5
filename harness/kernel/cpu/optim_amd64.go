//go:build amd64 && !purego

package cpu

//go:generate sh -c "cd _asm && go run ./optim -out ../optim_amd64.s"

//go:noescape
func sgdAVX2(w, dw *float32, lr float32, n int)

//go:noescape
func adamAVX2(w, m, v, dw *float32, n int, h *adamScalars)

//go:noescape
func sgdAVX512(w, dw *float32, lr float32, n int)

//go:noescape
func adamAVX512(w, m, v, dw *float32, n int, h *adamScalars)

func optimFor(isa ISA) optimTable {
	switch isa {
	case AVX2:
		return optimTable{sgd: sgdAVX2, adam: adamAVX2}
	case AVX512:
		return optimTable{sgd: sgdAVX512, adam: adamAVX512}
	}
	return optimGenericTable
}
