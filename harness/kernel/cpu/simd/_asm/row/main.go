// Command row generates row_amd64.s, softmax and cross-entropy by rows:
//
//	cd _asm && go run ./row -out ../row_amd64.s
//
// Each kernel has code for rows of several lengths. The speeds are those on a Zen 5, where the
// code for the next longer rows would take over:
//
//	any         long.go    one row at a time
//	9 to 64     middle.go  a row stays in registers: softmax and losses 1.3 to 1.7 times as
//	                       fast; AVX-512 only
//	up to 8     short.go   each row has a lane: softmax and losses 1.1 to 4 times as fast; the
//	                       gradient of softmax gains least: 1.2 times for 3 elements with AVX2,
//	                       which uses it for up to 4, and with AVX-512 1.6 times for 5 elements,
//	                       but 0.9 times for 8
//	2 to 4      tiny.go    16 rows at a time, taken apart by permutations, if the rows have no
//	                       gaps: 1.6 to 21 times as fast; AVX-512 only
//
// XentBias takes the place of AddRow and XentBoth for large vocabularies. With 10,000 columns
// it is 1.2 to 1.5 times as fast with AVX-512 and 1.04 to 1.1 times with AVX2.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
	"pushdown/harness/kernel/cpu/simd/asm/math"
)

const (
	shortest = 8  // largest number of elements for which a lane handles a row
	middle   = 64 // largest number of elements for which a row stays in the registers of AVX-512
	frame    = 2*partials + 64
	line     = 64 // bytes of a cache line
)

func main() {
	ConstraintExpr("amd64,!purego")
	for _, l := range []math.Lane{math.AVX2, math.AVX512} {
		softmax := task{probs: true}
		kernel{l, "Softmax", "dst, x *float32, rows, n, ldd, ldx int"}.emit(softmax.tiny, shortSoftmax, softmax.middle, softmax.long)
		kernel{l, "SoftmaxGrad", "dst, y, dy *float32, rows, n, ldd, ldy, lddy int"}.emit(tinySoftmaxGrad, shortSoftmaxGrad, nil, longSoftmaxGrad)
		for _, t := range []struct {
			name, params string
			task         task
		}{
			{"Xent", "loss, x *float32, target *int32, rows, n, ldx int", task{loss: true}},
			{"XentBoth", "dst, loss, x *float32, target *int32, dloss *float32, rows, n, ldd, ldx int", task{loss: true, grad: true}},
		} {
			kernel{l, t.name, t.params}.emit(t.task.tiny, t.task.short, t.task.middle, t.task.long)
		}
		kernel{l, "XentBias", "dst, loss, x, bias *float32, target *int32, dloss *float32, rows, n, ldd, ldx int"}.
			emit(nil, nil, nil, task{loss: true, grad: true, bias: true}.long)
		kernel{l, "Onehot", "dst, x *float32, rows, n, ldd, ldx int"}.emit(nil, shortOnehot, nil, longOnehot)
	}
	lane.Finish()
}

type kernel struct {
	math.Lane
	name, params string
}

func (k kernel) emit(dense func(l math.Lane), short, middling, long func(l math.Lane, frame Mem)) {
	TEXT("row"+k.name+k.Name, NOSPLIT, "func("+k.params+")")
	partials := AllocLocal(frame + line)
	// aligned returns the address at which the kernel stores partial sums on the stack.
	// With AVX-512 this is the first address that is a multiple of a cache line, which
	// takes a register. The AVX2 kernels have no register to spare, so for them it is the
	// start of the stack frame.
	aligned := func() Mem {
		if !k.Wide() {
			return partials
		}
		p := GP64()
		LEAQ(partials.Offset(line-1), p)
		ANDQ(I8(-line), p)
		return Mem{Base: p}
	}
	if dense != nil && k.Wide() {
		dense(k.Lane)
	}
	CMPQ(param("rows"), I8(0))
	JE(LabelRef("end"))
	if short != nil {
		most := shortest
		if !k.Wide() && k.name == "SoftmaxGrad" {
			most = 4 // it has few instructions beside those that gather columns
		}
		CMPQ(param("n"), I8(most))
		JG(LabelRef("long"))
		short(k.Lane, aligned())
		JMP(LabelRef("end"))
		Label("long")
	}
	if middling != nil && k.Wide() {
		CMPQ(param("n"), I8(middle))
		JG(LabelRef("longer"))
		middling(k.Lane, aligned())
		JMP(LabelRef("end"))
		Label("longer")
	}
	long(k.Lane, partials)
	Label("end")
	VZEROUPPER()
	RET()
}

func param(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}

// stride returns the leading dimension with the given name, in bytes.
func stride(name string) reg.GPVirtual {
	r := param(name)
	SHLQ(U8(2), r)
	return r
}

func zero() reg.GPVirtual {
	r := GP64()
	XORQ(r, r)
	return r
}

func copyOf(r reg.Register) reg.GPVirtual {
	c := GP64()
	MOVQ(r, c)
	return c
}

var labels int

func label(name string) string {
	labels++
	return fmt.Sprintf("%s%d", name, labels)
}

// float loads the float32 at m into all lanes.
func float(l math.Lane, m Mem) math.Vec {
	v := l.Vec()
	VBROADCASTSS(m, v)
	return v
}

// inverse returns 1/s.
func inverse(l math.Lane, s math.Vec) math.Vec {
	inv := l.Reg(1)
	VDIVPS(s, inv, inv)
	return inv
}
