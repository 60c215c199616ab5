package cpu

import (
	"fmt"
	"testing"

	"pushdown/harness/kernel"
)

// TestGatherFromFewRows checks that a Gather gives the same result whether its field K
// is the number of rows of the table or 0, which leaves the number unspecified.
func TestGatherFromFewRows(t *testing.T) {
	for _, isa := range Available() {
		dev, err := New(Options{ISA: isa})
		if err != nil {
			t.Fatal(err)
		}
		defer dev.Close()
		for rows := 1; rows <= 20; rows++ {
			for _, ldt := range []int{1, 2} {
				const n, table, ids, y = 37, 100, 200, 300
				a, err := dev.NewArena(500)
				if err != nil {
					t.Fatal(err)
				}
				defer a.Close()
				for i := range rows * ldt {
					a.Write(table+i, []float32{float32(i) + 0.25})
				}
				for i := range n {
					a.WriteInts(ids+i, []int32{int32(i * i % rows)})
				}
				run := func(k, to int) []float32 {
					code, err := a.Compile([]kernel.Instr{{Op: kernel.Gather, Form: kernel.Rows, W: 1, K: k, Args: []kernel.Arg{
						{Slot: kernel.FixedSlot, Off: to, LD: 1}, {Slot: kernel.FixedSlot, Off: table, LD: ldt}, {Slot: kernel.FixedSlot, Off: ids, LD: 1},
					}}})
					if err != nil {
						t.Fatal(err)
					}
					a.Run(code, []kernel.Frame{{N: n}})
					x := make([]float32, n)
					a.Read(to, x)
					return x
				}
				if want, have := fmt.Sprint(run(0, y)), fmt.Sprint(run(rows, y+n)); want != have {
					t.Errorf("isa=%v: of %d rows, %d apart: %s, want %s", isa, rows, ldt, have, want)
				}
			}
		}
	}
}
