// Command row generates row_amd64.s, softmax and cross-entropy by rows:
//
//	cd _asm && go run ./row -out ../row_amd64.s
//
// Each kernel has two versions. The version for rows of up to 8 elements (short.go)
// handles several rows at once, each in a lane of its own. The version for longer rows
// (long.go) handles one row at a time. With AVX-512, rows of up to 64 elements stay in
// registers (middle.go), and rows of two to four elements without gaps are handled 16 at
// a time (tiny.go).
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
		CMPQ(param("n"), I8(shortest))
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
