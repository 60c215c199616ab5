//go:build amd64 && !purego

package simd

//go:generate sh -c "cd _asm && go run ./actiongrad -out ../actiongrad_amd64.s"

//go:noescape
func actionGrad2(a *ActionGradArgs)

//go:noescape
func actionGrad3(a *ActionGradArgs)

//go:noescape
func actionGrad4(a *ActionGradArgs)

//go:noescape
func actionGrad2AVX512(a *ActionGradArgs)

//go:noescape
func actionGrad3AVX512(a *ActionGradArgs)

//go:noescape
func actionGrad4AVX512(a *ActionGradArgs)

//go:noescape
func addTurned(d, t, x *float32, rows, cols, ldd, ldt int, lo, hi float32)

func actionGradFor(isa ISA) actionGradTable {
	switch isa {
	case Generic:
		return actionGradTable{}
	case AVX512:
		return actionGradTable{Softmax: [5]func(a *ActionGradArgs){2: actionGrad2AVX512, 3: actionGrad3AVX512, 4: actionGrad4AVX512}, Add: addTurned}
	}
	return actionGradTable{Softmax: [5]func(a *ActionGradArgs){2: actionGrad2, 3: actionGrad3, 4: actionGrad4}, Add: addTurned}
}
