package cpu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/kerneltest"
)

// TestDeviceKeepsTheContract tests devices with every instruction set and several
// numbers of threads. They must satisfy the contract and give the same bits as pure Go
// on one thread.
func TestDeviceKeepsTheContract(t *testing.T) {
	reference, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, isa := range Available() {
		for threads := 1; threads <= 4; threads++ {
			if testing.Short() && (threads%2 == 0 || threads > 1 && isa != Best()) {
				continue
			}
			t.Run(fmt.Sprintf("isa=%s/threads=%d", isa, threads), func(t *testing.T) {
				d, err := New(Options{ISA: isa, Threads: threads})
				if err != nil {
					t.Fatal(err)
				}
				if threads == 1 {
					kerneltest.Run(t, d, reference)
				} else {
					kerneltest.Bits(t, d, reference)
				}
				if err := d.Close(); err != nil {
					t.Error(err)
				}
			})
		}
	}
	if err := reference.Close(); err != nil {
		t.Error(err)
	}
}

// TestCompileSaysWhatIsWrong checks that the error for a program that cannot run
// contains the number and name of the instruction, what it has and what it needs.
func TestCompileSaysWhatIsWrong(t *testing.T) {
	d, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	a, err := d.NewArena(32)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	at := func(off int) kernel.Arg { return kernel.Arg{Slot: kernel.FixedSlot, Off: off, LD: 1} }
	good := kernel.Instr{Op: kernel.Copy, M: 1, W: 1, Args: []kernel.Arg{at(0), at(32)}}
	for _, c := range []struct {
		in   kernel.Instr
		says string
	}{
		{kernel.Instr{Op: 200}, "cpu: instruction 1: unknown operation 200"},
		{kernel.Instr{Op: kernel.Add, Args: []kernel.Arg{at(0)}}, "cpu: instruction 1 (add): operands: have 1, want 3"},
		{kernel.Instr{Op: kernel.Copy, Args: []kernel.Arg{at(0), at(33)}}, "cpu: instruction 1 (copy): operand 1: have word 33, want 0 to 32"},
		{kernel.Instr{Op: kernel.Copy, Args: []kernel.Arg{at(-1), at(0)}}, "cpu: instruction 1 (copy): operand 0: have word -1, want 0 to 32"},
		{kernel.Instr{Op: kernel.Copy, Args: []kernel.Arg{at(0), {Slot: 9}}}, "cpu: instruction 1 (copy): operand 1: have slot 9, want 0 to 6"},
		{kernel.Instr{Op: kernel.Copy, Args: []kernel.Arg{at(0), {}}}, "cpu: instruction 1 (copy): operand 1: have none, want one"},
		{kernel.Instr{Op: kernel.Copy, M: 2, W: -3, Args: good.Args}, "cpu: instruction 1 (copy): extents: have M=2 W=-3 K=0 S=0, want none below 0"},
		{kernel.Instr{Op: kernel.Softmax, W: 5, I: [3]int{2}, Args: good.Args}, "cpu: instruction 1 (softmax): width: have 5 in parts of 2, want whole parts"},
		{kernel.Instr{Op: kernel.Copy, Reduce: true, Args: good.Args}, "cpu: instruction 1 (copy): sum over the rows of the frame: have copy with form 0 and K=0, want matmul with form 0 and K=0"},
		{kernel.Instr{Op: kernel.MatMul, Reduce: true, K: 3, Args: append(good.Args, good.Args[0])}, "cpu: instruction 1 (matmul): sum over the rows of the frame: have matmul with form 0 and K=3, want matmul with form 0 and K=0"},
		{kernel.Instr{Op: kernel.MatMul, Reduce: true, Form: kernel.Rows, Args: append(good.Args, good.Args[0])}, "cpu: instruction 1 (matmul): sum over the rows of the frame: have matmul with form 1 and K=0, want matmul with form 0 and K=0"},
	} {
		if _, err := a.Compile([]kernel.Instr{good, c.in}); err == nil || err.Error() != c.says {
			t.Errorf("have error %v, want %s", err, c.says)
		}
	}
}

// equalBits reports whether x and y have the same bits or are both NaN.
func equalBits(x, y float32) bool {
	return math.Float32bits(x) == math.Float32bits(y) || x != x && y != y
}

// anyNumber returns a function that draws numbers with both signs and a few dozen
// exponents, so that sums round.
func anyNumber(r *rand.Rand) func() float32 {
	return func() float32 { return float32(math.Ldexp(r.Float64()-0.5, r.IntN(24)-12)) }
}

// hardNumber returns a function that draws special cases of rounding, overflow,
// underflow and signs.
func hardNumber(r *rand.Rand) func() float32 {
	inf := float32(math.Inf(1))
	list := []float32{0, float32(math.Copysign(0, -1)), 1, -7, 1 + 0x1p-23, 0x1p24 + 2, math.SmallestNonzeroFloat32, -0x1p-126,
		0x1.8p-75, -0x1.000002p-75, 0x1p-63, math.MaxFloat32, -0x1p64, inf, -inf, float32(math.NaN())}
	return func() float32 { return list[r.IntN(len(list))] }
}

var draws = []struct {
	name string
	make func(*rand.Rand) func() float32
}{{"hard", hardNumber}, {"any", anyNumber}}
