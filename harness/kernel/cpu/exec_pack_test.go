package cpu

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pushdown/harness/kernel"
)

// packProgram returns a program of two products [N, k] x [k, n] with the same weights,
// one of them with a bias. The weights, which are the second operand, start at word 0
// of the arena.
func packProgram(k, n, out int, transposed int) []kernel.Instr {
	ld := n
	if transposed == 1 {
		ld = k
	}
	w := kernel.Arg{Slot: kernel.FixedSlot, LD: ld}
	x := kernel.Arg{Slot: kernel.Current, Off: k*n + n, Row: k, LD: k}
	bias := kernel.Arg{Slot: kernel.FixedSlot, Off: k * n, LD: n}
	y := func(i int) kernel.Arg { return kernel.Arg{Slot: kernel.Current, Off: out + i*n, Row: 2 * n, LD: 2 * n} }
	return []kernel.Instr{
		{Op: kernel.MatMul, Form: kernel.Rows, W: n, K: k, I: [3]int{0, transposed}, Args: []kernel.Arg{y(0), x, w}},
		{Op: kernel.Affine, Form: kernel.Rows, W: n, K: k, I: [3]int{0, transposed}, Args: []kernel.Arg{y(1), x, w, bias}},
	}
}

// TestPackedRunsGiveTheSameBits compares one Run of several frames, which packs the weights
// once for all frames, with a Run for each frame, which does not pack the weights. It does so
// twice, with different weights, so that packed weights left over from the first time would
// be noticed.
func TestPackedRunsGiveTheSameBits(t *testing.T) {
	for _, isa := range Available() {
		if testing.Short() && isa != Best() {
			continue
		}
		for _, tc := range []struct{ k, n, rows, threads, transposed int }{
			{12, 48, 10, 1, 1}, {48, 12, 10, 1, 1}, {300, 70, 30, 1, 0}, {300, 70, 30, 1, 1}, {40, 1100, 60, 2, 0}, {1100, 40, 60, 2, 1}, {16, 1100, 120, 1, 0},
		} {
			t.Run(fmt.Sprintf("isa=%v/%+v", isa, tc), func(t *testing.T) {
				d, err := New(Options{ISA: isa, Threads: tc.threads})
				if err != nil {
					t.Fatal(err)
				}
				defer d.Close()
				const steps = 5
				out := tc.k*tc.n + tc.n + steps*tc.rows*tc.k
				words := out + steps*tc.rows*2*tc.n
				made, err := d.NewArena(words)
				if err != nil {
					t.Fatal(err)
				}
				defer made.Close()
				a := made.(*arena)
				program, err := a.Compile(packProgram(tc.k, tc.n, out, tc.transposed))
				if err != nil {
					t.Fatal(err)
				}
				packs := program.(*code).packs
				if len(packs) != 2 {
					t.Fatalf("%d operands are packed, want 2", len(packs))
				}
				frames := make([]kernel.Frame, steps)
				for i := range frames {
					frames[i].N = tc.rows - i%2
					frames[i].Start[kernel.Current] = i * tc.rows
				}
				rng := rand.New(rand.NewPCG(5, 5))
				values, got, want := make([]float32, words), make([]float32, words), make([]float32, words)
				for range 2 {
					for i := range values {
						values[i] = float32(rng.NormFloat64())
					}
					a.Write(0, values)
					a.Run(program, frames)
					a.Read(0, got)
					if !packs[0].ready || !packs[1].ready {
						t.Fatal("a Run of many frames packed nothing")
					}
					a.Write(0, values)
					for i := range frames {
						a.Run(program, frames[i:i+1])
					}
					a.Read(0, want)
					if packs[0].ready || packs[1].ready {
						t.Fatal("a Run of one frame packed an operand")
					}
					for i := range want {
						if !equalBits(got[i], want[i]) {
							t.Fatalf("word %d is %g, want %g", i, got[i], want[i])
						}
					}
				}
				if n := testing.AllocsPerRun(3, func() { a.Run(program, frames) }); n != 0 {
					t.Errorf("%v allocations a run, want 0", n)
				}
			})
		}
	}
}

// TestOnlyConstantOperandsArePacked compiles programs of a product and another
// instruction. The weights of the product are words 100 to 899 of the arena. They may
// be packed only if the other instruction does not write to any of these words.
func TestOnlyConstantOperandsArePacked(t *testing.T) {
	fixed := func(off, ld int) kernel.Arg { return kernel.Arg{Slot: kernel.FixedSlot, Off: off, LD: ld} }
	moving := func(off int) kernel.Arg { return kernel.Arg{Slot: kernel.Current, Off: off, Row: 40, LD: 40} }
	product := kernel.Instr{Op: kernel.MatMul, Form: kernel.Rows, W: 40, K: 20, Args: []kernel.Arg{moving(2000), moving(1000), fixed(100, 40)}}
	fill := func(m, w int, y kernel.Arg) kernel.Instr {
		return kernel.Instr{Op: kernel.Fill, M: m, W: w, Args: []kernel.Arg{y}}
	}
	strided := fixed(0, 50)
	strided.Skip = 18
	for _, tc := range []struct {
		name string
		in   kernel.Instr
		want bool
	}{
		{"writes before", fill(2, 50, fixed(0, 50)), true},
		{"writes the first word", fill(1, 101, fixed(0, 101)), false},
		{"writes the last word", fill(1, 1, fixed(899, 1)), false},
		{"writes behind", fill(1, 1, fixed(900, 1)), true},
		{"skips all", fill(3, 50, strided), true},
		{"reads", kernel.Instr{Op: kernel.Copy, M: 1, W: 40, Args: []kernel.Arg{fixed(950, 40), fixed(100, 40)}}, true},
		{"moves below", kernel.Instr{Op: kernel.Copy, Form: kernel.Rows, W: 10, Args: []kernel.Arg{moving(0), moving(1000)}}, false},
		{"moves above", kernel.Instr{Op: kernel.Copy, Form: kernel.Rows, W: 10, Args: []kernel.Arg{moving(900), moving(1000)}}, true},
		{"updates", kernel.Instr{Op: kernel.SGD, M: 40, W: 20, Args: []kernel.Arg{fixed(50, 20), fixed(2000, 20), fixed(4000, 1)}}, false},
		{"writes its third operand", kernel.Instr{Op: kernel.Adam, M: 4, W: 5, Args: []kernel.Arg{fixed(950, 5), fixed(1050, 5), fixed(300, 5), fixed(2000, 5), fixed(4000, 7)}}, false},
		{"copies columns apart", kernel.Instr{Op: kernel.CopyStride, M: 1, W: 50, I: [3]int{2, 1}, Args: []kernel.Arg{fixed(10, 200), fixed(950, 50)}}, false},
		{"adds columns apart", kernel.Instr{Op: kernel.AddStride, M: 1, W: 50, I: [3]int{2, 1}, Args: []kernel.Arg{fixed(10, 200), fixed(950, 50)}}, false},
		{"writes blocks", kernel.Instr{Op: kernel.WeightedSumGradX, M: 1, W: 50, I: [3]int{4}, Args: []kernel.Arg{fixed(10, 200), fixed(950, 4), fixed(960, 50)}}, false},
		{"writes a weight for each block", kernel.Instr{Op: kernel.WeightedSumGradW, M: 1, W: 5, I: [3]int{200}, Args: []kernel.Arg{fixed(10, 200), fixed(9500, 1000), fixed(960, 5)}}, false},
		{"multiplies below", kernel.Instr{Op: kernel.MatMul, M: 2, W: 40, Reduce: true, Args: []kernel.Arg{fixed(20, 40), fixed(950, 3), fixed(960, 40)}}, true},
		{"multiplies into it", kernel.Instr{Op: kernel.MatMul, M: 2, W: 41, Reduce: true, Args: []kernel.Arg{fixed(19, 41), fixed(950, 3), fixed(960, 41)}}, false},
		{"updates below", kernel.Instr{Op: kernel.SGD, M: 5, W: 20, Args: []kernel.Arg{fixed(0, 20), fixed(2000, 20), fixed(4000, 1)}}, true},
		{"writes in a group", kernel.Instr{Op: kernel.Group, Form: kernel.Rows, W: 10, Body: []kernel.Instr{
			{Op: kernel.Neg, Form: kernel.Rows, W: 10, Args: []kernel.Arg{moving(200), moving(1000)}}}}, false},
	} {
		c := &code{instrs: []kernel.Instr{product, tc.in}, runs: make([]run, 2)}
		c.findPacks()
		if got := len(c.packs) == 1; got != tc.want {
			t.Errorf("%s: packs %t, want %t", tc.name, got, tc.want)
		}
	}
}

// TestWeightsThatChangeAreNotPacked runs a program in five frames. After its product, the
// program adds 50 numbers to every second word from word 10 on, and so changes some of the
// weights that the product of the next frame reads. The weights must not be packed once for
// all frames.
func TestWeightsThatChangeAreNotPacked(t *testing.T) {
	const words, rows, steps = 5000, 30, 5
	d, err := New(Options{ISA: Best()})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	made, err := d.NewArena(words)
	if err != nil {
		t.Fatal(err)
	}
	defer made.Close()
	a := made.(*arena)
	program, err := a.Compile([]kernel.Instr{
		{Op: kernel.MatMul, Form: kernel.Rows, W: 8, K: 4, Args: []kernel.Arg{
			{Slot: kernel.Current, Off: 3000, Row: 8, LD: 8},
			{Slot: kernel.Current, Off: 1000, Row: 4, LD: 4},
			{Slot: kernel.FixedSlot, Off: 100, LD: 8}}},
		{Op: kernel.AddStride, M: 1, W: 50, I: [3]int{2, 1}, Args: []kernel.Arg{
			{Slot: kernel.FixedSlot, Off: 10, LD: 200},
			{Slot: kernel.FixedSlot, Off: 900, LD: 50}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	frames := make([]kernel.Frame, steps)
	for i := range frames {
		frames[i].N = rows
		frames[i].Start[kernel.Current] = rows * i
	}
	values, got, want := make([]float32, words), make([]float32, words), make([]float32, words)
	for i := range values {
		values[i] = float32(i%7) - 3
	}
	a.Write(0, values)
	a.Run(program, frames)
	a.Read(0, got)
	a.Write(0, values)
	for i := range frames {
		a.Run(program, frames[i:i+1])
	}
	a.Read(0, want)
	for i := range want {
		if !equalBits(got[i], want[i]) {
			t.Fatalf("word %d is %g, want %g", i, got[i], want[i])
		}
	}
}
