package cpu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pushdown/harness/kernel"
)

// compareOneRow runs a program twice from the same memory, in frames of one row: once with
// the routines for a single row, and once with the routines for any number of rows. All
// words must be equal afterwards.
func compareOneRow(t *testing.T, what string, words int, fill func(mem []float32), code []kernel.Instr, frames []kernel.Frame) {
	t.Helper()
	for _, isa := range Available() {
		d, err := New(Options{ISA: isa})
		if err != nil {
			t.Fatal(err)
		}
		var mem [2][]float32
		for i := range mem {
			ar, err := d.NewArena(words)
			if err != nil {
				t.Fatal(err)
			}
			m := make([]float32, words)
			fill(m)
			ar.Write(0, m)
			c, err := ar.Compile(append([]kernel.Instr(nil), code...))
			if err != nil {
				t.Fatal(err)
			}
			list := append([]kernel.Frame(nil), frames...)
			for j := range list {
				list[j].N = 1
				for slot := range list[j].Strings {
					list[j].Strings[slot] = 1
				}
				if i == 1 { // no operand uses Strings, but frames with two strings run the general routines
					list[j].Strings[kernel.Current] = 2
				}
			}
			if singleRows(list) != (i == 0) {
				t.Fatal("the routines for one row are chosen wrongly")
			}
			ar.Run(c, list)
			ar.Read(0, m)
			mem[i] = m
			ar.Close()
		}
		for i, x := range mem[0] {
			y := mem[1][i]
			if math.Float32bits(x) != math.Float32bits(y) && !(x != x && y != y) {
				t.Fatalf("%v, %s: word %d is %v (%#x) as a oneRow, else %v (%#x)", isa, what, i, x, math.Float32bits(x), y, math.Float32bits(y))
			}
		}
		d.Close()
	}
}

// draw returns a random number: a moderate one if tame, otherwise an edge case or
// random bits.
func draw(r *rand.Rand, tame bool) float32 {
	if tame {
		return float32(r.NormFloat64())
	}
	list := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 0.5, 0x1p-149, -0x1p-149, 0x1p-126, -0x1p-130, 1e-30, -1e30, 3e38, float32(math.Inf(1)), float32(math.NaN())}
	if r.IntN(3) == 0 {
		return list[r.IntN(len(list))]
	}
	return math.Float32frombits(r.Uint32())
}

func filled(seed uint64, tame bool) func(mem []float32) {
	return func(mem []float32) {
		r := rand.New(rand.NewPCG(seed, 5))
		for i := range mem {
			mem[i] = draw(r, tame)
		}
	}
}

func fixed(off, ld int) kernel.Arg { return kernel.Arg{Slot: kernel.FixedSlot, Off: off, LD: ld} }

// moving returns an operand that has one row of the given width in each frame, so its
// address moves from frame to frame.
func moving(off, width int) kernel.Arg {
	return kernel.Arg{Slot: kernel.Current, Off: off, Row: width, LD: width}
}

func streamFrames(n int) []kernel.Frame {
	list := make([]kernel.Frame, n)
	for i := range list {
		list[i].Start[kernel.Current] = n - 1 - i
		list[i].Start[kernel.CarryIn], list[i].Start[kernel.CarryOut] = (i+1)%2, i%2
		list[i].StepsBefore = i
	}
	return list
}

func TestOneRowProducts(t *testing.T) {
	for i, k := range []int{1, 2, 7, 40, 256, 257, 600} {
		for _, w := range []int{1, 3, 7, 8, 16, 17, 40, 63, 64, 65, 127, 128, 130, 200, 250, 256} {
			for mode := range 4 {
				for _, frames := range []int{1, 5} {
					if k > 256 && w > 64 && (testing.Short() || mode == 0) {
						continue
					}
					transposed, add := mode&1, mode>>1
					b := fixed(0, w+i%3)
					if transposed == 1 {
						b = fixed(0, k+i%3)
					}
					at := (k+3)*(w+3) + 3
					in := kernel.Instr{Op: kernel.MatMul, Form: kernel.Rows, W: w, K: k, I: [3]int{0, transposed, add},
						Args: []kernel.Arg{moving(at, w), moving(at+frames*w, k), b}}
					bias := in
					bias.Op, bias.I[2], bias.Args = kernel.Affine, 0, append(in.Args[:3:3], fixed(1, w))
					for _, in := range []kernel.Instr{in, bias} {
						compareOneRow(t, fmt.Sprintf("%v k=%d w=%d transposed=%d add=%d frames=%d", in.Op, k, w, transposed, add, frames), at+frames*(w+k)+9,
							filled(uint64(k*1000+w), mode != 3), []kernel.Instr{in}, streamFrames(frames))
					}
				}
			}
		}
	}
}

// TestOneRowMovingProducts tests transposed products by a matrix that changes from frame to
// frame: because it moves, or because the program writes it. A copy made at the start is of no use.
func TestOneRowMovingProducts(t *testing.T) {
	const k, w, frames = 7, 9, 5
	const c, x, b = frames * w * k, frames * (w*k + w), frames * (w*k + w + k)
	product := kernel.Instr{Op: kernel.MatMul, Form: kernel.Rows, W: w, K: k, I: [3]int{0, 1, 0},
		Args: []kernel.Arg{moving(c, w), moving(x, k), {Slot: kernel.Current, Row: w * k, LD: k}}}
	compareOneRow(t, "moves", b, filled(1, true), []kernel.Instr{product}, streamFrames(frames))
	product.Args = []kernel.Arg{moving(c, w), moving(x, k), fixed(b, k)}
	write := kernel.Instr{Op: kernel.Copy, Form: kernel.Rows, W: k, Args: []kernel.Arg{fixed(b+k, k), moving(x, k)}}
	compareOneRow(t, "written", b+w*k, filled(2, true), []kernel.Instr{write, product}, streamFrames(frames))
}

// TestOneRowActions tests the instructions that fuseActions fuses: those that
// collect the gradients of the actions, and the gradient of the actions' softmax.
func TestOneRowActions(t *testing.T) {
	const S = 11
	for n := 2; n <= 4; n++ {
		W := n * S
		for mode := range 16 {
			r := rand.New(rand.NewPCG(uint64(mode), uint64(n)))
			order := r.Perm(n)
			sum, held, y, dx, out := moving(0, W), moving(3*W, W), moving(6*W, W), moving(9*W, W), moving(12*W, W)
			part := func(i int) kernel.Arg { return moving(15*W+3*S*i, S) }
			rows := func(op kernel.Op, w int, args ...kernel.Arg) kernel.Instr {
				return kernel.Instr{Op: op, Form: kernel.Rows, W: w, Args: args}
			}
			code := []kernel.Instr{rows(kernel.Fill, W, sum)}
			for i, c := range order {
				op := kernel.AddStride
				if i == 0 {
					op = kernel.CopyStride
				}
				to := sum
				to.Off += c
				in := rows(op, S, to, part(i))
				in.I = [3]int{n, 1}
				code = append(code, in)
			}
			clip := func(to, from kernel.Arg) kernel.Instr {
				in := rows(kernel.Clip, W, to, from)
				in.F = [2]float32{-0.5, 0.5}
				return in
			}
			from := sum
			if mode&1 == 1 {
				if from = held; mode&4 == 4 {
					from = sum
				}
				code = append(code, clip(from, sum))
			}
			grad := rows(kernel.SoftmaxGrad, W, dx, y, from)
			grad.I[0] = n
			code = append(code, grad)
			if mode&2 == 2 {
				if out = dx; mode&4 == 4 {
					out = moving(12*W, W)
				}
				code = append(code, clip(out, dx))
			}
			if r.IntN(4) == 0 {
				code = append(code, rows(kernel.Neg, W, y, y))
			}
			compareOneRow(t, fmt.Sprintf("n=%d order=%v mode=%d", n, order, mode), 15*W+3*S*n, filled(uint64(mode), mode&8 == 8), code, streamFrames(3))
		}
	}
}

// TestOneRowAdd tests the instructions that fuseAdd fuses, which add to the tops of
// stacks.
func TestOneRowAdd(t *testing.T) {
	for _, rows := range []int{1, 2, 5} {
		for _, S := range []int{1, 3, 10} {
			for mode := range 4 {
				depth := func(op kernel.Op, w int, args ...kernel.Arg) kernel.Instr {
					return kernel.Instr{Op: op, Form: kernel.StackMajor, W: w, S: S, Args: args}
				}
				stack := kernel.Arg{Slot: kernel.CarryIn, Off: 0, Row: 9 * S, LD: S}
				code := []kernel.Instr{depth(kernel.ToStackMajor, rows, fixed(18*S, S), moving(18*S+rows*S, rows*S)), depth(kernel.Add, rows, stack, stack, fixed(18*S, S))}
				if mode&1 == 1 {
					in := depth(kernel.Clip, 9, stack, stack)
					in.F, in.Nonzero = [2]float32{-0.25, 0.5}, &kernel.NonzeroRange{To: rows}
					code = append(code, in)
				}
				compareOneRow(t, fmt.Sprintf("rows=%d S=%d mode=%d", rows, S, mode), 18*S+4*rows*S, filled(uint64(S), mode&2 == 0), code, streamFrames(3))
			}
		}
	}
}

// stackProgram returns a program for one backward step of S stacks, each of 30 numbers. If
// noop is set, the stacks have a no-op action. If bounded is set, the program sets small
// numbers in the carried gradient to zero and then clips it. If reach is set, its
// instructions have a [kernel.NonzeroRange].
func stackProgram(S int, noop, bounded, reach bool) (code []kernel.Instr, words int) {
	const D = 30
	carry := kernel.Arg{Slot: kernel.CarryIn, Row: D * S, LD: S}
	hand := carry
	hand.Slot = kernel.CarryOut
	at := 2 * D * S
	next := func(n int) kernel.Arg {
		a := moving(at, S)
		a.Row = n
		at += 9 * n
		return a
	}
	in := kernel.Instr{Op: kernel.StackGrad, Form: kernel.StackMajor, W: D, S: S, I: [3]int{1}, F: [2]float32{-1}}
	in.Args = []kernel.Arg{hand, next(S), next(S), next(S), next(S), carry, next(D * S), next(S), next(S), next(S), next(S)}
	if !noop {
		in.Args[3], in.Args[9] = kernel.Arg{}, kernel.Arg{}
	}
	top := kernel.Instr{Op: kernel.Add, Form: kernel.StackMajor, W: 2, S: S, Args: []kernel.Arg{hand, hand, next(2 * S)}}
	code = []kernel.Instr{in}
	whole := &kernel.NonzeroRange{From: 0, To: 2, Step: 1}
	if bounded {
		code = append(code, kernel.Instr{Op: kernel.FlushSmall, Form: kernel.StackMajor, W: D, S: S, F: [2]float32{0x1p-30}, Args: []kernel.Arg{hand, hand}},
			kernel.Instr{Op: kernel.Clip, Form: kernel.StackMajor, W: D, S: S, F: [2]float32{-0.1, 0.1}, Args: []kernel.Arg{hand, hand}})
	}
	code = append(code, top)
	if reach {
		code[0].Nonzero = &kernel.NonzeroRange{From: 1, To: 1, Step: 1}
		if bounded {
			code[1].Nonzero, code[2].Nonzero = whole, whole
		}
	}
	return code, at
}

// TestNonzeroRangeSkipsZeros checks that a StackGrad gives the same bits with and without
// a [kernel.NonzeroRange], which allows it to skip zeros. The signs of sums that are zero
// must be equal, too.
func TestNonzeroRangeSkipsZeros(t *testing.T) {
	for _, S := range []int{1, 5, 10, 17} {
		for mode := range 24 {
			noop, bounded, tiny := mode&1 == 1, mode&2 == 2, mode&4 == 4
			fill := func(mem []float32) {
				r := rand.New(rand.NewPCG(uint64(mode), uint64(S)))
				size := 1.0
				if tiny { // sums underflow, some to -0
					size = 0x1p-75
				}
				for i := range mem {
					mem[i] = float32(size * r.NormFloat64())
					if i >= 60*S+9*(4*S) { // the weights and the stacks
						mem[i] = float32(r.Float64())
					}
					if i < 60*S {
						mem[i] = 0
					}
				}
				if tiny && mode >= 8 {
					for i := 60*S + 36*S; i < 60*S+36*S+9*30*S; i++ {
						mem[i] = float32((r.Float64() - 0.9) * 0x1p-75)
					}
				}
			}
			full, words := stackProgram(S, noop, bounded, false)
			near, _ := stackProgram(S, noop, bounded, true)
			what := fmt.Sprintf("S=%d mode=%d", S, mode)
			for _, code := range [][]kernel.Instr{full, near} {
				compareOneRow(t, what, words, fill, code, streamFrames(9))
			}
			for _, isa := range Available() {
				a, b := after(t, isa, words, fill, full), after(t, isa, words, fill, near)
				for i := range a {
					if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
						t.Fatalf("%v, %s: word %d is %v within reach, %v of all rows", isa, what, i, b[i], a[i])
					}
				}
			}
		}
	}
}

// after runs code in nine frames of one row and returns the memory afterwards.
func after(t *testing.T, isa ISA, words int, fill func([]float32), code []kernel.Instr) []float32 {
	t.Helper()
	d, err := New(Options{ISA: isa})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	ar, err := d.NewArena(words)
	if err != nil {
		t.Fatal(err)
	}
	defer ar.Close()
	m := make([]float32, words)
	fill(m)
	ar.Write(0, m)
	c, err := ar.Compile(code)
	if err != nil {
		t.Fatal(err)
	}
	frames := streamFrames(9)
	for i := range frames {
		frames[i].N = 1
	}
	ar.Run(c, frames)
	ar.Read(0, m)
	return m
}

// TestNonzeroRangeOfSums checks that a ColDot gives the same bits with and without a
// [kernel.NonzeroRange]. The signs of sums that are zero must be equal, too.
func TestNonzeroRangeOfSums(t *testing.T) {
	const S, D = 5, 300
	for _, reach := range []kernel.NonzeroRange{{From: 100, To: 110, Step: 2}, {From: 250, To: 262, Step: 1}, {From: 5, To: 4, Step: 1}, {From: 290, To: 299, Step: 3}} {
		for _, size := range []float64{1, 0x1p-75} {
			fill := func(mem []float32) {
				r := rand.New(rand.NewPCG(3, uint64(reach.From)))
				for i := range mem {
					mem[i] = float32((r.Float64() - 0.8) * size)
				}
				clear(mem[:D*S])
				for row := max(0, reach.From); row < min(D, reach.To); row++ {
					for c := range S {
						mem[row*S+c] = float32(r.NormFloat64() * size)
					}
				}
			}
			in := kernel.Instr{Op: kernel.ColDot, Form: kernel.StackMajor, W: D, S: S, Args: []kernel.Arg{moving(2*D*S, S), fixed(0, S), fixed(D*S, S)}}
			near := in
			near.Nonzero = &reach
			words := 2*D*S + 9*S
			for _, isa := range Available() {
				a, b := after(t, isa, words, fill, []kernel.Instr{in}), after(t, isa, words, fill, []kernel.Instr{near})
				for i := range a {
					if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
						t.Fatalf("%v, reach %v: word %d is %v, of all rows %v", isa, reach, i, b[i], a[i])
					}
				}
			}
		}
	}
}
