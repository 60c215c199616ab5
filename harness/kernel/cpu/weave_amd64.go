//go:build amd64 && !purego

package cpu

//go:generate sh -c "cd _asm && go run ./weave -out ../weave_amd64.s"

//go:noescape
func weave2(a *weaveArgs)

//go:noescape
func weave3(a *weaveArgs)

//go:noescape
func weave4(a *weaveArgs)

//go:noescape
func weave2AVX512(a *weaveArgs)

//go:noescape
func weave3AVX512(a *weaveArgs)

//go:noescape
func weave4AVX512(a *weaveArgs)

//go:noescape
func addTurned(d, t, x *float32, rows, cols, ldd, ldt int, lo, hi float32)

func smallFor(isa ISA) smallTable {
	switch isa {
	case Generic:
		return smallTable{}
	case AVX512:
		return smallTable{weave: [5]func(a *weaveArgs){2: weave2AVX512, 3: weave3AVX512, 4: weave4AVX512}, add: addTurned}
	}
	return smallTable{weave: [5]func(a *weaveArgs){2: weave2, 3: weave3, 4: weave4}, add: addTurned}
}
