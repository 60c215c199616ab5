package cuda

import (
	"encoding/binary"
	"fmt"
	"math"

	"pushdown/harness/kernel"
)

// arg returns the address and leading dimension of operand i in frame f, or zeros
// if the operand is absent.
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

// extent converts n to a kernel parameter. It panics if n is negative or does not
// fit in 31 bits.
func extent(n int) uint32 {
	if n < 0 || n > math.MaxInt32 {
		panic(fmt.Sprintf("cuda: extent %d, want at most %d", n, math.MaxInt32))
	}
	return uint32(n)
}

// launch runs a kernel. The parameters of the kernel are in two lists: those of 8 bytes,
// which the kernel must declare first, and those of 4 bytes.
func (d *Device) launch(fn Function, grid, block [3]uint32, long []Pointer, short []uint32) {
	if grid[1] > maxGridY || grid[2] > maxGridY {
		d.must(fmt.Errorf("grid: have %v blocks, want at most %d along y and z", grid, maxGridY))
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
	maxGridY  = 1<<16 - 1 // largest number of blocks of a grid along y, and along z
	planeSize = 256       // size that most callers pass to plane
)

// ceilPow2 returns the least power of two that is at least n. If that exceeds limit,
// which must be a power of two, ceilPow2 returns limit.
func ceilPow2(n, limit uint32) uint32 {
	p := uint32(1)
	for p < n && p < limit {
		p *= 2
	}
	return p
}

func ceilDiv(n, size uint32) uint32 { return (n + size - 1) / size }

// plane returns the grid and the block for a kernel that has one thread for each element of
// a matrix. The parameter size, a power of two, is the maximum number of threads in a block.
// Within this limit, a block is as wide as a row, rounded up to a power of two. If rows are
// short, a block covers several of them. GPUs limit the number of blocks along y, so the
// grid does not always reach all rows. Therefore kernels loop over rows with the stride of
// the grid.
func plane(rows, cols, size uint32) (grid, block [3]uint32) {
	x := ceilPow2(cols, size)
	y := ceilPow2(rows, size/x)
	return [3]uint32{ceilDiv(cols, x), min(ceilDiv(rows, y), maxGridY), 1}, [3]uint32{x, y, 1}
}

// flat returns a grid with at least one thread for each of n elements.
func flat(n int) (grid, block [3]uint32) {
	const size = 256
	return [3]uint32{extent((n + size - 1) / size), 1, 1}, [3]uint32{size, 1, 1}
}
