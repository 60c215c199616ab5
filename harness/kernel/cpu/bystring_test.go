package cpu

import (
	"math"
	"slices"
	"testing"

	"pushdown/harness/kernel"
)

// stepsOf returns frames of a scan whose steps have the given numbers of active strings.
func stepsOf(active ...int) []kernel.Frame {
	frames := make([]kernel.Frame, len(active))
	at, before := 0, active[0]
	for t, n := range active {
		f := &frames[t]
		f.N = n
		if t+1 < len(active) {
			f.Tail = active[t+1]
		}
		f.Start[kernel.Current], f.Strings[kernel.Current] = at, n
		f.Start[kernel.StateIn], f.Strings[kernel.StateIn] = at, before
		if t > 0 {
			f.Start[kernel.StateIn] = frames[t-1].Start[kernel.StateOut]
		}
		f.Start[kernel.StateOut], f.Strings[kernel.StateOut] = active[0]+at, n
		f.Start[kernel.CarryIn], f.Start[kernel.CarryOut] = (t+1)%2*active[0], t%2*active[0]
		at, before = at+n, n
	}
	return frames
}

func at(slot kernel.Slot, off, width int) kernel.Arg {
	arg := kernel.Arg{Slot: slot, Off: off, LD: width}
	if slot != kernel.FixedSlot {
		arg.Row = width
	}
	return arg
}

// stackAt is an operand of stacks of the given depth, two for each string.
func stackAt(slot kernel.Slot, off, depth int) kernel.Arg {
	return kernel.Arg{Slot: slot, Off: off, Row: 2 * depth, S: 2}
}

const divisibleWords = 20000

// divisible is a program with operands of many kinds. Its frames have at most 13 strings and 40 rows.
func divisible() []kernel.Instr {
	rows := func(op kernel.Op, w int, args ...kernel.Arg) kernel.Instr {
		return kernel.Instr{Op: op, Form: kernel.Rows, W: w, F: [2]float32{1.5}, Args: args}
	}
	product := rows(kernel.MatMul, 12, at(kernel.FixedSlot, 3000, 12), at(kernel.StateIn, 1000, 5), at(kernel.FixedSlot, 0, 12))
	product.K = 5
	group := rows(kernel.Group, 5)
	group.I[0] = 1
	group.Body = []kernel.Instr{
		rows(kernel.Tanh, 5, kernel.Arg{Slot: kernel.Local}, at(kernel.FixedSlot, 3000, 12)),
		rows(kernel.Mul, 5, at(kernel.StateOut, 1000, 5), kernel.Arg{Slot: kernel.Local}, at(kernel.FixedSlot, 3005, 12)),
	}
	softmax := rows(kernel.Softmax, 4, at(kernel.Current, 4000, 4), at(kernel.FixedSlot, 3000, 12))
	softmax.I[0] = 2
	columns := kernel.Instr{Op: kernel.ToStackMajor, Form: kernel.StackMajor, W: 2, S: 2, Args: []kernel.Arg{at(kernel.FixedSlot, 5000, 30), at(kernel.Current, 4000, 4)}}
	stack := kernel.Instr{Op: kernel.Stack, Form: kernel.StackMajor, W: 6, S: 2, I: [3]int{1}, F: [2]float32{-1}, Args: []kernel.Arg{
		stackAt(kernel.StateOut, 6000, 6), stackAt(kernel.StateIn, 6000, 6), at(kernel.FixedSlot, 5000, 0), at(kernel.FixedSlot, 5030, 0), {}, at(kernel.Current, 4000, 4)}}
	stack.Args[5] = kernel.Arg{Slot: kernel.Current, Off: 4200, Row: 2, LD: 2, S: 2}
	carry := rows(kernel.ZeroTail, 5, at(kernel.CarryIn, 8000, 5))
	pass := rows(kernel.Add, 5, at(kernel.CarryOut, 8000, 5), at(kernel.CarryIn, 8000, 5), at(kernel.StateOut, 1000, 5))
	bias := rows(kernel.AddRow, 5, at(kernel.Current, 9000, 5), at(kernel.StateOut, 1000, 5), at(kernel.FixedSlot, 100, 5))
	norm := rows(kernel.RowDot, 5, kernel.Arg{Slot: kernel.Current, Off: 9500, Row: 1, LD: 1}, at(kernel.StateOut, 1000, 5), at(kernel.StateIn, 1000, 5))
	return []kernel.Instr{product, group, softmax, columns, stack, carry, pass, bias, norm}
}

// runDivisible runs a program and returns the words that it leaves, and whether threads have divided the strings.
func runDivisible(t *testing.T, threads int, program []kernel.Instr, frames []kernel.Frame) (words []float32, divided bool) {
	t.Helper()
	d, err := New(Options{ISA: Best(), Threads: threads, Eager: true})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	mem, err := d.NewArena(divisibleWords)
	if err != nil {
		t.Fatal(err)
	}
	defer mem.Close()
	a := mem.(*arena)
	for i := range a.mem {
		a.mem[i] = float32(i%17)/16 - 0.4
	}
	c, err := a.Compile(program)
	if err != nil {
		t.Fatal(err)
	}
	a.Run(c, frames)
	return slices.Clone(a.mem), c.(*code).Divided() > 0
}

// TestDividedStrings checks that threads that divide the strings leave the words that one thread leaves, in all the memory.
func TestDividedStrings(t *testing.T) {
	for _, active := range [][]int{{13, 13, 13}, {13, 9, 4, 2, 1}, {5, 5, 5, 5, 5, 1}, {2, 2}, {13, 1, 1}} {
		frames := stepsOf(active...)
		back := slices.Clone(frames)
		slices.Reverse(back)
		for name, frames := range map[string][]kernel.Frame{"forward": frames, "back": back} {
			want, _ := runDivisible(t, 1, divisible(), frames)
			for threads := 2; threads <= 5; threads++ {
				have, divided := runDivisible(t, threads, divisible(), frames)
				if !divided {
					t.Errorf("%v, %s, %d threads: the strings are not divided", active, name, threads)
				}
				for i := range want {
					if math.Float32bits(have[i]) != math.Float32bits(want[i]) {
						t.Fatalf("%v, %s, %d threads: word %d is %v, want %v as with one thread", active, name, threads, i, have[i], want[i])
					}
				}
			}
		}
	}
}

// TestWordsOfTwoStrings checks that strings are not divided if a word belongs to two of them, or to a string and to all.
func TestWordsOfTwoStrings(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(program []kernel.Instr, frames []kernel.Frame) []kernel.Instr
	}{
		{"rows of another width in the same words", func(p []kernel.Instr, _ []kernel.Frame) []kernel.Instr {
			p[7].Args[0] = at(kernel.FixedSlot, 3000, 5)
			return p
		}},
		{"rows that start within other rows", func(p []kernel.Instr, _ []kernel.Frame) []kernel.Instr {
			p[7].Args[0] = at(kernel.FixedSlot, 3008, 12)
			return p
		}},
		{"a result in the weights", func(p []kernel.Instr, _ []kernel.Frame) []kernel.Instr {
			p[7].Args[0] = at(kernel.FixedSlot, 12, 5)
			return p
		}},
		{"weights in a state", func(p []kernel.Instr, _ []kernel.Frame) []kernel.Instr {
			p[7].Args[2] = at(kernel.FixedSlot, 1005, 5)
			return p
		}},
		{"weights of each step", func(p []kernel.Instr, _ []kernel.Frame) []kernel.Instr {
			p[7].Args[2] = at(kernel.Current, 9700, 5)
			return p
		}},
		{"a row that is longer than those of its block", func(p []kernel.Instr, _ []kernel.Frame) []kernel.Instr {
			p[7].Args[0].LD = 6
			return p
		}},
		{"carried gradients that overlap", func(p []kernel.Instr, f []kernel.Frame) []kernel.Instr {
			for i := range f {
				f[i].Start[kernel.CarryIn], f[i].Start[kernel.CarryOut] = (i+1)%2*12, i%2*12
			}
			return p
		}},
		{"states that overlap", func(p []kernel.Instr, f []kernel.Frame) []kernel.Instr {
			f[1].Start[kernel.StateOut]--
			return p
		}},
		{"stacks with room for too few strings", func(p []kernel.Instr, f []kernel.Frame) []kernel.Instr {
			f[1].Strings[kernel.StateOut] = 12
			return p
		}},
		{"stacks with room for other numbers of strings", func(p []kernel.Instr, f []kernel.Frame) []kernel.Instr {
			f[1].Strings[kernel.StateIn] = 14
			return p
		}},
		{"stacks deeper than their block", func(p []kernel.Instr, _ []kernel.Frame) []kernel.Instr {
			p[4].Args[0].Row, p[4].Args[1].Row = 10, 10
			return p
		}},
		{"columns that overlap", func(p []kernel.Instr, _ []kernel.Frame) []kernel.Instr {
			p[3].Args[0].LD = 25
			return p
		}},
		{"a sum over strings", func(p []kernel.Instr, _ []kernel.Frame) []kernel.Instr {
			return append(p, kernel.Instr{Op: kernel.ColSum, Form: kernel.Rows, W: 5, Args: []kernel.Arg{at(kernel.FixedSlot, 9800, 5), at(kernel.StateOut, 1000, 5)}})
		}},
		{"a product over strings", func(p []kernel.Instr, _ []kernel.Frame) []kernel.Instr {
			return append(p, kernel.Instr{Op: kernel.MatMul, M: 5, W: 5, Reduce: true, I: [3]int{1}, Args: []kernel.Arg{at(kernel.FixedSlot, 9800, 5), at(kernel.StateOut, 1000, 5), at(kernel.StateOut, 1000, 5)}})
		}},
		{"a left factor stored transposed", func(p []kernel.Instr, _ []kernel.Frame) []kernel.Instr {
			p[0].I[0], p[0].Args[1] = 1, at(kernel.FixedSlot, 9800, 40)
			return p
		}},
		{"an operation for all rows of a matrix", func(p []kernel.Instr, _ []kernel.Frame) []kernel.Instr {
			return append(p, kernel.Instr{Op: kernel.Scale, M: 2, W: 5, Args: []kernel.Arg{at(kernel.FixedSlot, 9800, 5), at(kernel.FixedSlot, 9810, 5)}})
		}},
	} {
		frames := stepsOf(13, 13, 13)
		program := c.change(divisible(), frames)
		want, _ := runDivisible(t, 1, program, frames)
		have, divided := runDivisible(t, 3, program, frames)
		if divided {
			t.Errorf("%s: the strings are divided, want them not to be", c.name)
		}
		if !slices.EqualFunc(have, want, func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }) {
			t.Errorf("%s: three threads leave other words than one", c.name)
		}
	}
}

// TestStringsOfEachThread checks that each string belongs to one thread, and that threads have about as many rows.
func TestStringsOfEachThread(t *testing.T) {
	for _, active := range [][]int{{512, 512}, {128, 100, 64, 3}, {10, 10, 10}, {40, 1, 1, 1}, {3, 2, 1}} {
		frames := stepsOf(active...)
		total := rowsBelow(frames, math.MaxInt)
		for n := 2; n <= 8; n++ {
			b := &byString{}
			for range n {
				b.strands = append(b.strands, &strand{})
			}
			even := b.balance(frames, n, total, active[0])
			at, most := 0, 0
			for _, s := range b.strands {
				if s.from != at || s.to < at {
					t.Errorf("%v, %d threads: strings %d to %d, want them from %d on", active, n, s.from, s.to, at)
				}
				most = max(most, rowsBelow(frames, s.to)-rowsBelow(frames, s.from))
				at = s.to
			}
			if at != active[0] {
				t.Errorf("%v, %d threads: have %d strings, want %d", active, n, at, active[0])
			}
			if want := float64(most*n) <= strandUneven*float64(total); even != want {
				t.Errorf("%v, %d threads: even %v for %d of %d rows", active, n, even, most, total)
			}
			if (active[0] == 512 || active[0] == 10 && 10%n == 0) && !even {
				t.Errorf("%v, %d threads: have an uneven division", active, n)
			}
		}
	}
}
