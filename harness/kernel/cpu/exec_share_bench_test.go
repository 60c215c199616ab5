package cpu

import (
	"fmt"
	"testing"

	"pushdown/harness/kernel"
)

// BenchmarkShare runs single instructions on one thread and on two. The instructions
// range from small ones, which are not worth splitting, to those of a large vocabulary.
func BenchmarkShare(b *testing.B) {
	for _, c := range []struct {
		op      kernel.Op
		rows, n int
		args    int
	}{
		{kernel.Add, 10, 120, 3}, {kernel.Add, 100, 1000, 3}, {kernel.Sigmoid, 10, 120, 2}, {kernel.Sigmoid, 100, 1000, 2}, {kernel.AddRow, 256, 10000, 3},
		{kernel.Softmax, 256, 50, 2}, {kernel.Softmax, 256, 10000, 2}, {kernel.ColSum, 256, 10000, 2}, {kernel.SumSquares, 1000, 4500, 2},
		{kernel.Adam, 10, 100, 5}, {kernel.Adam, 100, 1000, 5}, {kernel.Adam, 1000, 4500, 5},
	} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("op=%v/rows=%d/n=%d/threads=%d", c.op, c.rows, c.n, threads), func(b *testing.B) {
				d, err := New(Options{ISA: Best(), Threads: threads})
				if err != nil {
					b.Fatal(err)
				}
				defer d.Close()
				size := c.rows * c.n
				a, err := d.NewArena(c.args * size)
				if err != nil {
					b.Fatal(err)
				}
				defer a.Close()
				in := kernel.Instr{Op: c.op, M: c.rows, W: c.n}
				if c.op == kernel.Softmax {
					in.I[0] = c.n
				}
				for i := range c.args {
					in.Args = append(in.Args, kernel.Arg{Slot: kernel.FixedSlot, Off: i * size, LD: c.n})
				}
				program, err := a.Compile([]kernel.Instr{in})
				if err != nil {
					b.Fatal(err)
				}
				frames := []kernel.Frame{{}}
				for b.Loop() {
					a.Run(program, frames)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*size), "ns/element")
			})
		}
	}
}
