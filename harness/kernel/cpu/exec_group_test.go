package cpu

import (
	"fmt"
	"testing"
	"unsafe"

	"pushdown/harness/kernel"
)

// TestGroupPrefetches checks that a large group prefetches every element of its operands once, except
// those of the first tile, and nothing else; and that a group of few operands prefetches nothing.
func TestGroupPrefetches(t *testing.T) {
	const rows, cols, first = 64, 700, 352 // a row has two tiles of at most 352 elements
	for _, tc := range []struct{ sums, ld, tile int }{
		{2, cols + 20, first}, {2, cols, groupTile}, {1, cols, 0},
	} {
		t.Run(fmt.Sprintf("sums=%d/ld=%d", tc.sums, tc.ld), func(t *testing.T) {
			d, err := New(Options{Threads: 1})
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			made, err := d.NewArena(3 * tc.sums * rows * tc.ld)
			if err != nil {
				t.Fatal(err)
			}
			defer made.Close()
			a := made.(*arena)
			fetched, base := make([]int, len(a.mem)), uintptr(unsafe.Pointer(&a.mem[0]))
			kernels := *d.kernels
			kernels.Vec.Fetch = func(p *float32, n int) {
				at := int(uintptr(unsafe.Pointer(p))-base) / 4
				for i := range n {
					fetched[at+i]++
				}
			}
			d.kernels = &kernels

			group := kernel.Instr{Op: kernel.Group, Form: kernel.Rows, W: cols}
			operand := func(i int) kernel.Arg {
				return kernel.Arg{Slot: kernel.FixedSlot, Off: i * rows * tc.ld, LD: tc.ld}
			}
			for i := range tc.sums {
				group.Body = append(group.Body, kernel.Instr{Op: kernel.Add, Form: kernel.Rows, W: cols,
					Args: []kernel.Arg{operand(3 * i), operand(3*i + 1), operand(3*i + 2)}})
			}
			program, err := a.Compile([]kernel.Instr{group})
			if err != nil {
				t.Fatal(err)
			}
			a.Run(program, []kernel.Frame{{N: rows}})
			for i, n := range fetched {
				row, col := i%(rows*tc.ld)/tc.ld, i%tc.ld
				want := 1
				if tc.tile == 0 || col >= cols || row == 0 && col < tc.tile {
					want = 0
				}
				if n != want {
					t.Fatalf("operand %d, row %d, column %d: prefetched %d times, want %d", i/(rows*tc.ld), row, col, n, want)
				}
			}
		})
	}
}
