package cpu

import (
	"fmt"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/kerneltest"
)

// eager returns a device that splits every instruction that can be split, and divides every program between strings that can
// be divided.
func eager(t *testing.T, isa ISA, threads int) *Device {
	d, err := New(Options{ISA: isa, Threads: threads, Eager: true})
	if err != nil {
		t.Fatal(err)
	}
	d.share.least = 1
	t.Cleanup(func() { d.Close() })
	return d
}

func TestSharedWorkKeepsTheBits(t *testing.T) {
	reference, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer reference.Close()
	for _, isa := range Available() {
		if testing.Short() && isa != Best() {
			continue
		}
		t.Run(fmt.Sprintf("isa=%s", isa), func(t *testing.T) { kerneltest.Bits(t, eager(t, isa, 3), reference) })
	}
}

// TestSharedSumOfSquares tests sums of squares on three threads. The longest have more than
// 4096*4096 elements. Those are summed on three levels: the elements of a block, the sums of
// 4096 blocks, and the sums of these sums.
func TestSharedSumOfSquares(t *testing.T) {
	d := eager(t, Best(), 3)
	for _, n := range []int{1, 4096, 4097, 8192 + 5, 64*4096 + 1, 200*4096 + 77, 4096*4096 + 1, 4096*4096 + 9000} {
		if testing.Short() && n > 1<<22 {
			continue
		}
		mem, err := d.NewArena(n + 1)
		if err != nil {
			t.Fatal(err)
		}
		a := mem.(*arena)
		for i := range a.mem {
			a.mem[i] = float32(i%1013) - 500.3
		}
		want := d.kernels.Reduce.SumSquares(a.f32(1), n)
		arg := func(at int) kernel.Arg { return kernel.Arg{Slot: kernel.FixedSlot, Off: at, LD: n} }
		program, err := a.Compile([]kernel.Instr{{Op: kernel.SumSquares, M: 1, W: n, Args: []kernel.Arg{arg(0), arg(1)}}})
		if err != nil {
			t.Fatal(err)
		}
		a.Run(program, []kernel.Frame{{}})
		if a.mem[0] != want {
			t.Errorf("sum of %d squares is %v, want %v", n, a.mem[0], want)
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestPartsCoverATileOnce checks that every element belongs to exactly one part, and
// that columns are split only at multiples of shareLine.
func TestPartsCoverATileOnce(t *testing.T) {
	d := eager(t, Generic, 3)
	for _, whole := range []tile{{r1: 1, c1: 1000}, {r1: 1, c1: 31}, {r1: 50, c1: 7}, {r1: 3, c1: 400}, {r1: 100, c1: 400}, {r1: 13, c1: 1}} {
		for _, by := range []cut{alongRows, alongCols, anywhere} {
			count := make([]int32, whole.r1*whole.c1)
			tiles := make(chan tile, 100)
			d.share.run(nil, nil, nil, whole, by, 1000, func(_ *arena, _ *kernel.Instr, _ *kernel.Frame, t tile) { tiles <- t })
			close(tiles)
			for p := range tiles {
				if by == alongRows && (p.c0 != 0 || p.c1 != whole.c1) || by == alongCols && (p.r0 != 0 || p.r1 != whole.r1) || p.c0%shareLine != 0 {
					t.Errorf("%v cut along %d has the part %v", whole, by, p)
				}
				for r := p.r0; r < p.r1; r++ {
					for c := p.c0; c < p.c1; c++ {
						count[r*whole.c1+c]++
					}
				}
			}
			for i, n := range count {
				if n != 1 {
					t.Fatalf("%v cut along %d: element %d is in %d parts", whole, by, i, n)
				}
			}
		}
	}
}

func TestSharingAllocatesNothing(t *testing.T) {
	d := eager(t, Best(), 2)
	mem, err := d.NewArena(1000)
	if err != nil {
		t.Fatal(err)
	}
	defer mem.Close()
	arg := func(at int) kernel.Arg { return kernel.Arg{Slot: kernel.FixedSlot, Off: at, LD: 20} }
	program, err := mem.Compile([]kernel.Instr{
		{Op: kernel.Scale, M: 10, W: 20, Args: []kernel.Arg{arg(0), arg(200)}},
		{Op: kernel.Softmax, M: 10, W: 20, I: [3]int{20}, Args: []kernel.Arg{arg(0), arg(200)}},
		{Op: kernel.SGD, M: 10, W: 20, Args: []kernel.Arg{arg(0), arg(200), arg(400)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	frames := []kernel.Frame{{N: 10}}
	if n := testing.AllocsPerRun(20, func() { mem.Run(program, frames) }); n != 0 {
		t.Errorf("a run allocates %v times, want 0", n)
	}
}
