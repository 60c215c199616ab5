package cpu

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

// compareGeneral runs a program twice from the same memory: with the routines that
// Compile chose, and with the general routines. It compares all words of the memory,
// also those outside the results.
func compareGeneral(t *testing.T, what string, fill func(mem []float32), code []kernel.Instr, frames []kernel.Frame) {
	t.Helper()
	const words = 1 << 15
	for _, isa := range Available() {
		d, err := New(Options{ISA: isa, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		var mem [2][]float32
		for i := range mem {
			ar, err := d.NewArena(words)
			if err != nil {
				t.Fatal(err)
			}
			mem[i] = make([]float32, words)
			fill(mem[i])
			ar.Write(0, mem[i])
			c, err := ar.Compile(append([]kernel.Instr(nil), code...))
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				ar.Run(c, frames)
			} else {
				a := ar.(*arena)
				for f := range frames {
					for j := range code {
						routines[code[j].Op](a, &code[j], &frames[f])
					}
				}
			}
			ar.Read(0, mem[i])
			ar.Close()
		}
		for i, x := range mem[0] {
			if y := mem[1][i]; math.Float32bits(x) != math.Float32bits(y) && !(x != x && y != y) {
				t.Fatalf("%v, %s: word %d is %v, by the general routines %v", isa, what, i, x, y)
			}
		}
		d.Close()
	}
}

// framesOf returns frames with the given numbers of rows. The rows of the frames are
// stored one after the other.
func framesOf(list ...int) (frames []kernel.Frame) {
	at := 0
	for _, n := range list {
		f := kernel.Frame{N: n}
		for slot := range f.Start {
			f.Start[slot], f.Strings[slot] = at, n
		}
		frames, at = append(frames, f), at+n
	}
	return frames
}

// TestSmallProductRows tests up to how many rows tiles compute a product without dividing it.
func TestSmallProductRows(t *testing.T) {
	rows := func(isa ISA, in kernel.Instr) int {
		d, err := New(Options{ISA: isa, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		in.Args = []kernel.Arg{{LD: 1}, {LD: 1}, {LD: 1}}
		p := new(code).smallProduct(&arena{dev: d}, &in, nil)
		if p == nil {
			return 0
		}
		return p.most
	}
	for _, want := range []struct {
		isa        ISA
		form       kernel.Form
		left, w, k int
		most       int
	}{
		{simd.AVX512, kernel.Rows, 0, 32, 12, 28},
		{simd.AVX512, kernel.Rows, 0, 32, 256, 14}, // two tiles would be too many FMAs
		{simd.AVX512, kernel.Rows, 0, 48, 12, 18},
		{simd.AVX512, kernel.Fixed, 1, 64, 12, 12},
		{simd.AVX512, kernel.Rows, 0, 48, 256, 5},
		{simd.AVX512, kernel.Rows, 0, 65, 12, 0},
		{simd.AVX2, kernel.Rows, 1, 16, 12, 12},
		{simd.AVX2, kernel.Fixed, 0, 24, 12, 4}, // two panels of two vectors have higher tiles
		{simd.AVX2, kernel.Rows, 0, 33, 12, 0},
		{simd.NEON, kernel.Rows, 0, 8, 12, 16},
	} {
		if !slices.Contains(Available(), want.isa) {
			continue
		}
		in := kernel.Instr{Op: kernel.MatMul, Form: want.form, M: 10, W: want.w, K: want.k, I: [3]int{want.left}}
		if most := rows(want.isa, in); most != want.most {
			t.Errorf("%v, %d x %d: have up to %d rows, want %d", want.isa, want.k, want.w, most, want.most)
		}
	}
}

// TestSmallProducts checks that products of few rows give the bits of the general
// routines. The numbers of rows are those that fit in one or two tiles and some larger ones. The
// operands are stored normally or transposed, and some matrices have gaps between
// rows. Products store, accumulate, or add a bias, in runs of one frame and of several, for the rows
// of a frame or for ten rows.
func TestSmallProducts(t *testing.T) {
	for seed, shape := range []struct{ k, w, gap int }{{1, 2, 0}, {3, 8, 0}, {8, 8, 0}, {8, 3, 2}, {8, 4, 0}, {9, 16, 1}, {8, 17, 0}, {5, 32, 3}, {8, 33, 0}, {12, 48, 0}, {7, 50, 1}, {12, 64, 0}, {4, 65, 0}} {
		for _, rows := range [][]int{{1, 0, 2}, {2}, {3, 5}, {4, 4, 3, 1, 1}, {14, 15}, {6, 7, 8, 9}, {12, 13, 18, 19}, {28, 29}, {11, 12, 1, 24}, {40, 40, 40, 6}} {
			for _, form := range []struct {
				name                   string
				op                     kernel.Op
				left, transposed, into int
				form                   kernel.Form
			}{{"product", kernel.MatMul, 0, 0, 0, kernel.Rows}, {"transposed", kernel.MatMul, 0, 1, 0, kernel.Rows}, {"added", kernel.MatMul, 0, 0, 1, kernel.Rows},
				{"transposed, added", kernel.MatMul, 0, 1, 1, kernel.Rows}, {"biased", kernel.Affine, 0, 0, 0, kernel.Rows}, {"left", kernel.MatMul, 1, 0, 0, kernel.Rows},
				{"ten rows", kernel.MatMul, 0, 0, 0, kernel.Fixed}, {"left, ten rows", kernel.MatMul, 1, 0, 1, kernel.Fixed}} {
				in := kernel.Instr{Op: form.op, Form: form.form, M: 10, W: shape.w, K: shape.k, I: [3]int{form.left, form.transposed, form.into}}
				ldb := shape.w + shape.gap
				if form.transposed == 1 {
					ldb = shape.k + shape.gap
				}
				in.Args = []kernel.Arg{
					{Slot: kernel.Current, Off: 2048, Row: shape.w + shape.gap, LD: shape.w + shape.gap},
					{Slot: kernel.Current, Off: 16, Row: shape.k + shape.gap, LD: shape.k + shape.gap},
					{Slot: kernel.FixedSlot, Off: 16384, LD: ldb},
				}
				if form.left == 1 {
					in.Args[1].Row, in.Args[1].LD = 1, 128+shape.gap
				}
				if form.op == kernel.Affine {
					in.Args = append(in.Args, kernel.Arg{Slot: kernel.FixedSlot, Off: 30000, LD: shape.w})
				}
				for _, tame := range []bool{true, false} {
					compareGeneral(t, fmt.Sprintf("%s of %+v, rows %v", form.name, shape, rows), filled(uint64(seed), tame), []kernel.Instr{in}, framesOf(rows...))
				}
			}
		}
	}
}
