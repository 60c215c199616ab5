package cpu

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pushdown/harness/kernel"
)

// TestFusedLossWithBias checks that a loss fused with the AddRow before it leaves the
// same memory as the two instructions run separately, wherever the losses are stored.
func TestFusedLossWithBias(t *testing.T) {
	const rows, cols, at = 5, biasLeast + 70, 8 * (biasLeast + 100)
	arg := func(off, ld int) kernel.Arg { return kernel.Arg{Slot: kernel.FixedSlot, Off: off, LD: ld} }
	for _, isa := range Available() {
		for _, place := range []struct {
			name               string
			x, dst, loss, bias int
		}{
			{"apart", 0, at, 2 * at, 3 * at},
			{"in place", 0, 0, 2 * at, 3 * at},
			{"losses in the logits", 0, at, 40, 3 * at},
			{"losses in the bias", 0, at, 3*at + 10, 3 * at},
			{"losses behind the logits", 0, at, 4*(cols+9) + cols, 3 * at},
		} {
			for _, threads := range []int{1, 3} {
				d := eager(t, isa, threads)
				program := []kernel.Instr{
					{Op: kernel.AddRow, M: rows, W: cols, Args: []kernel.Arg{arg(place.dst, cols+9), arg(place.x, cols+9), arg(place.bias, cols)}},
					{Op: kernel.CrossEntropyWithGrad, M: rows, W: cols, Args: []kernel.Arg{arg(place.dst, cols+9), arg(place.loss, 1), arg(place.dst, cols+9),
						arg(4*at, 1), arg(4*at+100, 1)}},
				}
				run := func(together bool) []float32 {
					a, err := d.NewArena(5 * at)
					if err != nil {
						t.Fatal(err)
					}
					defer a.Close()
					r := rand.New(rand.NewPCG(1, 2))
					x, f := make([]float32, 5*at), anyNumber(r)
					for i := range x {
						x[i] = f()
					}
					a.Write(0, x)
					a.WriteInts(4*at, []int32{3, cols - 1, 0, 77, 1000})
					var parts [][]kernel.Instr
					if together {
						parts = [][]kernel.Instr{program}
					} else {
						parts = [][]kernel.Instr{program[:1], program[1:]}
					}
					for _, p := range parts {
						c, err := a.Compile(p)
						if err != nil {
							t.Fatal(err)
						}
						a.Run(c, []kernel.Frame{{}})
					}
					a.Read(0, x)
					return x
				}
				have, want := run(true), run(false)
				for i := range want {
					if !equalBits(have[i], want[i]) {
						t.Fatalf("%s: word %d is %v, want %v", fmt.Sprintf("%v, %d threads, %s", isa, threads, place.name), i, have[i], want[i])
					}
				}
			}
		}
	}
}
