package cpu

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pushdown/harness/kernel"
)

const (
	divisibleWords = 20000
	mostStrings    = 13 // that the carried gradients of the program divisible have room for
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
		f.Start[kernel.CarryIn], f.Start[kernel.CarryOut] = (t+1)%2*mostStrings, t%2*mostStrings
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

// divisible is a program with operands of many kinds. Its frames have at most mostStrings strings and 40 rows.
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
	hand := kernel.Instr{Op: kernel.Copy, Form: kernel.StackMajor, W: 6, S: 2, Args: []kernel.Arg{
		{Slot: kernel.CarryOut, Off: 10000, Row: 12, LD: 2 * mostStrings}, stackAt(kernel.StateOut, 6000, 6)}}
	return []kernel.Instr{product, group, softmax, columns, stack, carry, pass, bias, norm, hand}
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
	compiled, err := a.Compile(program)
	if err != nil {
		t.Fatal(err)
	}
	c := compiled.(*code)
	a.Run(c, frames)
	if c.byString != nil {
		for _, s := range c.byString.strands {
			for i, p := range s.code.packs {
				if p.packed != c.packs[i].packed {
					t.Error("a thread has a packed operand of its own")
				}
			}
		}
	}
	return slices.Clone(a.mem), c.Divided() > 0
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
			copy(f, stepsOf(13, 5, 5))
			f[1].Strings[kernel.StateIn] = 12
			return p
		}},
		{"stacks deeper than their block", func(p []kernel.Instr, _ []kernel.Frame) []kernel.Instr {
			p[4].Args[0].Row, p[4].Args[1].Row, p[9].Args[1].Row = 10, 10, 10
			return p
		}},
		{"carried stacks whose rows overlap", func(p []kernel.Instr, _ []kernel.Frame) []kernel.Instr {
			p[9].Args[0].LD--
			return p
		}},
		{"carried stacks whose blocks overlap", func(p []kernel.Instr, _ []kernel.Frame) []kernel.Instr {
			p[9].Args[0].Row -= 2
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
			p[0].I[0], p[0].Args[1] = 1, at(kernel.FixedSlot, 12000, 40)
			return p
		}},
		{"an operation for all rows of a matrix", func(p []kernel.Instr, _ []kernel.Frame) []kernel.Instr {
			return append(p, kernel.Instr{Op: kernel.Scale, M: 2, W: 5, Args: []kernel.Arg{at(kernel.FixedSlot, 12000, 5), at(kernel.FixedSlot, 13000, 5)}})
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

// wordsOf calls visit for each word of operand i of an instruction that belongs to a string or, if the result is true, to all.
func wordsOf(in *kernel.Instr, f *kernel.Frame, i, str int, visit func(word int)) (shared bool) {
	off, ld := in.Args[i].Resolve(f)
	is := &kernel.Ops[in.Op].Args[i]
	height, width := is.Shape.Size(in, 1)
	switch {
	case is.Shape == kernel.Right || is.Shape == kernel.PerCol && in.Form == kernel.Rows:
		shared = true
	case in.Form == kernel.StackMajor && is.Shape != kernel.StringRows:
		off += str * in.S
	case is.Packed:
		off += str
	default:
		off += str * ld
	}
	for r := range height {
		for c := range width {
			visit(off + r*ld + c)
		}
	}
	return shared
}

// wordOfTwo reports whether a string writes a word that another string, or all strings, use in some frame.
func wordOfTwo(program []kernel.Instr, frames []kernel.Frame) (found bool) {
	const several = -1
	writer, user := map[int]int{}, map[int]int{}
	note := func(of map[int]int, word, str int) {
		if have, ok := of[word]; ok && have != str {
			str = several
		}
		of[word] = str
	}
	visit := func(in *kernel.Instr) {
		for i, arg := range in.Args {
			for t := range frames {
				for str := range frames[t].N {
					if arg.Slot == kernel.Absent || arg.Slot == kernel.Local {
						continue
					}
					shared := wordsOf(in, &frames[t], i, str, func(int) {})
					wordsOf(in, &frames[t], i, str, func(word int) {
						if shared {
							user[word] = several
							return
						}
						note(user, word, str)
						if kernel.Ops[in.Op].Args[i].Use != kernel.Reads {
							note(writer, word, str)
						}
					})
				}
			}
		}
	}
	for i := range program {
		visit(&program[i])
		for j := range program[i].Body {
			visit(&program[i].Body[j])
		}
	}
	for word := range writer {
		found = found || user[word] == several
	}
	return found
}

// TestRandomPlaces moves operands and blocks at random, and checks that a program is divided only if no string writes a word that
// another uses.
func TestRandomPlaces(t *testing.T) {
	d := eager(t, Generic, 2)
	mem, err := d.NewArena(1 << 16)
	if err != nil {
		t.Fatal(err)
	}
	defer mem.Close()
	a := mem.(*arena)
	random := rand.New(rand.NewPCG(1, 2))
	batches := [][]int{{13, 13, 13}, {13, 9, 4, 2, 1}, {5, 5, 5, 5, 1}, {7, 7, 3, 3}}
	divided, refused, careful := 0, 0, 0
	for range 4000 {
		program, frames := divisible(), stepsOf(batches[random.IntN(len(batches))]...)
		var args []*kernel.Arg
		for i := range program {
			for _, list := range append([]kernel.Instr{program[i]}, program[i].Body...) {
				for j := range list.Args {
					args = append(args, &list.Args[j])
				}
			}
		}
		for range 1 + random.IntN(3) {
			arg := args[random.IntN(len(args))]
			if arg.Slot == kernel.Absent || arg.Slot == kernel.Local {
				continue
			}
			f := &frames[random.IntN(len(frames))]
			slot := kernel.Slot(2 + random.IntN(int(kernel.NumSlots)-2))
			switch random.IntN(9) {
			case 0:
				arg.Off += random.IntN(41) - 20
			case 1:
				arg.Off = args[random.IntN(len(args))].Off
			case 2:
				arg.LD = max(0, arg.LD+random.IntN(7)-3)
			case 3:
				arg.Row = max(0, arg.Row+random.IntN(5)-2)
			case 4:
				arg.Skip = random.IntN(3)
			case 5:
				f.Start[slot] = max(0, f.Start[slot]+random.IntN(7)-3)
			case 6:
				f.Start[slot] = frames[random.IntN(len(frames))].Start[slot]
			case 7:
				f.Strings[slot] = max(0, f.Strings[slot]+random.IntN(5)-2)
			default:
				f.N = 1 + random.IntN(13)
			}
		}
		compiled, err := a.Compile(program)
		if err != nil {
			continue
		}
		b := compiled.(*code).byString
		divides := b != nil && b.divides(frames)
		switch found := wordOfTwo(program, frames); {
		case divides && found:
			t.Fatalf("divided, though a string writes a word that another uses:\n%v\n%+v", program, frames)
		case divides:
			divided++
		case found:
			refused++
		default:
			careful++
		}
	}
	if t.Logf("%d programs are divided, %d are rightly not, %d could be", divided, refused, careful); min(divided, refused) < 200 {
		t.Errorf("have %d programs that are divided and %d that must not be, want 200 of each", divided, refused)
	}
}

// TestInfiniteStacks checks that a sum of -0 in one string, which is computed again with all terms, does not change the sum of
// another string, whose stack is infinite where the gradient is zero.
func TestInfiniteStacks(t *testing.T) {
	const depth, strings = 6, 4
	dot := kernel.Instr{Op: kernel.ColDot, Form: kernel.StackMajor, W: depth, S: 1, Nonzero: &kernel.NonzeroRange{To: 1}, Args: []kernel.Arg{
		{Slot: kernel.Current, Row: 1, LD: 1}, at(kernel.FixedSlot, 100, strings), at(kernel.FixedSlot, 200, strings)}}
	for _, isa := range Available() {
		for threads := 1; threads <= 3; threads++ {
			d := eager(t, isa, threads)
			mem, err := d.NewArena(1000)
			if err != nil {
				t.Fatal(err)
			}
			a := mem.(*arena)
			tiny := float32(math.SmallestNonzeroFloat32)
			a.mem[100], a.mem[200], a.mem[200+4*strings] = 1, 1, float32(math.Inf(1)) // of string 0
			a.mem[103], a.mem[203] = -tiny, tiny                                      // of string 3: their product is -0
			c, err := a.Compile([]kernel.Instr{dot})
			if err != nil {
				t.Fatal(err)
			}
			a.Run(c, stepsOf(strings, strings))
			if have := a.mem[:strings]; have[0] != 1 || math.Float32bits(have[3]) != 0 {
				t.Errorf("%v, %d threads: have the sums %v, want 1 in the first string and +0 in the last", isa, threads, have)
			}
			if err := a.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestDividingPays checks that a device divides the strings of a large program, and not those of a small one, of one whose weights
// are many beside its other words, or of few frames in which one string has most rows.
func TestDividingPays(t *testing.T) {
	const w = 64
	tanh := kernel.Instr{Op: kernel.Tanh, Form: kernel.Rows, W: w, Args: []kernel.Arg{at(kernel.Current, 1<<20, w), at(kernel.Current, 1<<20, w)}}
	product := kernel.Instr{Op: kernel.MatMul, Form: kernel.Rows, W: w, K: 512, Args: []kernel.Arg{at(kernel.Current, 1<<20, w), at(kernel.Current, 1<<21, 512), at(kernel.FixedSlot, 0, w)}}
	for _, c := range []struct {
		name    string
		in      kernel.Instr
		active  []int
		divided bool
	}{
		{"a large program", tanh, slices.Repeat([]int{64}, 50), true},
		{"a small program", tanh, slices.Repeat([]int{16}, 10), false},
		{"one frame", tanh, []int{5000}, false},
		{"one long string", tanh, append(slices.Repeat([]int{64}, 10), slices.Repeat([]int{1}, 1500)...), false},
		{"few weights", product, slices.Repeat([]int{64}, 50), true},
		{"many weights", product, slices.Repeat([]int{16}, 50), false},
	} {
		d, err := New(Options{ISA: Best(), Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		mem, err := d.NewArena(1 << 22)
		if err != nil {
			t.Fatal(err)
		}
		code, err := mem.Compile([]kernel.Instr{c.in})
		if err != nil {
			t.Fatal(err)
		}
		mem.Run(code, stepsOf(c.active...))
		if have := code.(interface{ Divided() int }).Divided() > 0; have != c.divided {
			t.Errorf("%s: divided %v, want %v", c.name, have, c.divided)
		}
		if err := mem.Close(); err != nil {
			t.Error(err)
		}
		d.Close()
	}
}
