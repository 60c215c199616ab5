package cuda

import (
	"encoding/binary"
	"fmt"
	"math"

	"pushdown/harness/kernel"
)

// arg returns the address and leading dimension of operand i, zero if absent.
func (a *arena) arg(in *kernel.Instr, f *kernel.Frame, i int) (Pointer, uint32) {
	return a.resolve(&in.Args[i], f)
}

func (a *arena) resolve(arg *kernel.Arg, f *kernel.Frame) (Pointer, uint32) {
	if arg.Slot == kernel.Absent {
		return 0, 0
	}
	off, ld := arg.Resolve(f)
	return a.at(off), extent(ld)
}

// extent is a number as kernels take it.
func extent(n int) uint32 {
	if n < 0 || n > math.MaxInt32 {
		panic(fmt.Sprintf("cuda: extent %d, want at most %d", n, math.MaxInt32))
	}
	return uint32(n)
}

// launch runs a kernel, whose parameters are first those of 8 bytes, then those
// of 4.
func (d *Device) launch(fn Function, grid, block [3]uint32, long []Pointer, short []uint32) {
	if grid[1] > mostGridY || grid[2] > mostGridY {
		d.must(fmt.Errorf("a grid of %v blocks, want at most %d along the second and third extent", grid, mostGridY))
	}
	b := d.params[:0]
	for _, v := range long {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	for _, v := range short {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	d.params = b
	d.launches++
	d.must(d.drv.Launch(fn, grid, block, b))
}

const (
	mostGridY = 1<<16 - 1 // blocks, along the third extent too
	planeSize = 256       // threads of a block that covers a plane
)

// above is the least power of two that is at least n, at most most.
func above(n, most uint32) uint32 {
	p := uint32(1)
	for p < n && p < most {
		p *= 2
	}
	return p
}

func parts(n, size uint32) uint32 { return (n + size - 1) / size }

// plane covers rows and columns by blocks of at most size threads, which are as
// wide as the rows are; kernels go on to the rows that the grid leaves over.
func plane(rows, cols, size uint32) (grid, block [3]uint32) {
	x := above(cols, size)
	y := above(rows, size/x)
	return [3]uint32{parts(cols, x), min(parts(rows, y), mostGridY), 1}, [3]uint32{x, y, 1}
}

// flat covers n elements, a thread each.
func flat(n int) (grid, block [3]uint32) {
	const size = 256
	return [3]uint32{extent((n + size - 1) / size), 1, 1}, [3]uint32{size, 1, 1}
}
