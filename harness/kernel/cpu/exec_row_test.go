package cpu

import (
	"math/rand/v2"
	"testing"

	"pushdown/harness/kernel"
)

// TestCrossEntropyGradOfManyRows compares a CrossEntropyGrad with the gradient of a
// CrossEntropyWithGrad, for more rows than one call of the kernel computes.
func TestCrossEntropyGradOfManyRows(t *testing.T) {
	const rows, cols, ldd, ldx = 1500, 5, 6, 7 // the device divides the rows into 4 or 12 parts
	const (
		dst    = 0
		loss   = dst + rows*ldd
		x      = loss + rows
		target = x + rows*ldx
		dloss  = target + rows
		words  = dloss + rows
	)
	arg := func(off, ld int) kernel.Arg { return kernel.Arg{Slot: kernel.FixedSlot, Off: off, LD: ld} }
	for _, isa := range Available() {
		for _, threads := range []int{1, 3} {
			d := eager(t, isa, threads)
			run := func(in kernel.Instr) []float32 {
				a, err := d.NewArena(words)
				if err != nil {
					t.Fatal(err)
				}
				defer a.Close()
				r := rand.New(rand.NewPCG(1, 2))
				mem, ids := make([]float32, words), make([]int32, rows)
				for i := range mem {
					mem[i] = float32(r.NormFloat64())
				}
				for i := range ids {
					ids[i] = int32(r.IntN(cols))
				}
				a.Write(0, mem)
				a.WriteInts(target, ids)
				c, err := a.Compile([]kernel.Instr{in})
				if err != nil {
					t.Fatal(err)
				}
				a.Run(c, []kernel.Frame{{}})
				a.Read(0, mem)
				return mem[:rows*ldd]
			}
			have := run(kernel.Instr{Op: kernel.CrossEntropyGrad, M: rows, W: cols, Args: []kernel.Arg{arg(dst, ldd), arg(x, ldx), arg(target, 1), arg(dloss, 1)}})
			want := run(kernel.Instr{Op: kernel.CrossEntropyWithGrad, M: rows, W: cols, Args: []kernel.Arg{arg(dst, ldd), arg(loss, 1), arg(x, ldx), arg(target, 1), arg(dloss, 1)}})
			for i := range want {
				if !equalBits(have[i], want[i]) {
					t.Fatalf("%v, %d threads: word %d is %v, want %v", isa, threads, i, have[i], want[i])
				}
			}
		}
	}
}
