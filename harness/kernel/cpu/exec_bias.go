package cpu

import (
	"unsafe"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

// fuseBias fuses an AddRow with a CrossEntropyWithGrad, if the latter follows directly and
// overwrites the sums of the AddRow. The logits of a large vocabulary are then read from
// memory once and written once, instead of twice.
func (c *code) fuseBias() {
	for i := 1; i < len(c.instrs); i++ {
		sum, loss := &c.instrs[i-1], &c.instrs[i]
		if sum.Op != kernel.AddRow || loss.Op != kernel.CrossEntropyWithGrad || sum.Form != loss.Form || sum.M != loss.M || sum.W != loss.W {
			continue
		}
		if loss.W >= biasLeast && loss.Args[0] == sum.Args[0] && loss.Args[2] == sum.Args[0] {
			c.runs[i-1] = func(*arena, *kernel.Instr, *kernel.Frame) {}
			c.runs[i] = crossEntropyBias(sum, c.runs[i])
		}
	}
}

// biasLeast is the smallest number of columns for which fuseBias fuses. Shorter rows
// are still in a cache when the loss reads them.
const biasLeast = 1024

// crossEntropyBias returns a routine that runs an AddRow and the loss after it as one
// instruction. The parameter sum is the AddRow, and lossOnly is the routine of the loss.
// If the memory for the losses overlaps operands of the AddRow, the routine runs the two
// instructions one after the other.
func crossEntropyBias(sum *kernel.Instr, lossOnly run) run {
	fused := split(alongRows, 450, func(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
		d, ldd := a.place(in, f, 0, t)
		loss, _ := a.arg(in, f, 1)
		x, ldx := a.place(sum, f, 1, t)
		bias, _ := a.arg(sum, f, 2)
		target, _ := a.arg(in, f, 3)
		dloss, _ := a.arg(in, f, 4)
		rows, cols := t.size()
		a.dev.kernels.Row.XentBias(d, simd.At(loss, t.r0), x, bias, i32(simd.At(target, t.r0)), simd.At(dloss, t.r0), rows, cols, ldd, ldx)
	})
	return func(a *arena, in *kernel.Instr, f *kernel.Frame) {
		rows, cols := in.Extents(f)
		loss, _ := a.arg(in, f, 1)
		x, ldx := a.arg(sum, f, 1)
		bias, _ := a.arg(sum, f, 2)
		if rows == 0 || overlap(loss, rows, x, (rows-1)*ldx+cols) || overlap(loss, rows, bias, cols) {
			routines[kernel.AddRow](a, sum, f)
			lossOnly(a, in, f)
			return
		}
		fused(a, in, f)
	}
}

// overlap reports whether the m words at p and the n words at q have a word in
// common.
func overlap(p *float32, m int, q *float32, n int) bool {
	a, b := uintptr(unsafe.Pointer(p)), uintptr(unsafe.Pointer(q))
	return a < b+uintptr(4*n) && b < a+uintptr(4*m)
}
