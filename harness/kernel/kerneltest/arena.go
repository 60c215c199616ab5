package kerneltest

import (
	"math"
	"slices"
	"testing"

	"pushdown/harness/kernel"
)

func newArena(t *testing.T, dev kernel.Device, words int) kernel.Arena {
	t.Helper()
	a, err := dev.NewArena(words)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

// testArena tests how the host creates an arena, writes to it and reads from it.
func testArena(t *testing.T, dev kernel.Device) {
	if dev.String() == "" {
		t.Error("the device has no name")
	}
	for _, words := range []int{0, 1, 17, 1<<20 + 3} {
		a := newArena(t, dev, words)
		if a.Len() != words {
			t.Errorf("length of an arena: have %d words, want %d", a.Len(), words)
		}
		x := make([]float32, words)
		for i := range x {
			x[i] = 1
		}
		a.Read(0, x)
		if i := slices.IndexFunc(x, func(v float32) bool { return v != 0 }); i >= 0 {
			t.Errorf("word %d of a fresh arena of %d words is %v, want 0", i, words, x[i])
		}
	}
	if a, err := dev.NewArena(-1); err == nil {
		a.Close()
		t.Error("NewArena(-1): have no error, want one")
	}

	a, other := newArena(t, dev, 64), newArena(t, dev, 64)
	a.Write(5, edgeValues)
	got := make([]float32, len(edgeValues))
	a.Read(5, got)
	for i, v := range edgeValues {
		if !sameNumber(math.Float32bits(v), math.Float32bits(got[i])) {
			t.Errorf("number read back: have %v, want %v", got[i], v)
		}
	}
	ints := []int32{0, -1, 1 << 30, math.MinInt32, math.MaxInt32, 0x7fa00001} // the last would be a signalling NaN
	a.WriteInts(40, ints)
	gotInts := make([]int32, len(ints))
	if a.ReadInts(40, gotInts); !slices.Equal(gotInts, ints) {
		t.Errorf("integers read back: have %v, want %v", gotInts, ints)
	}
	a.Write(64, nil) // an empty slice at the end of the arena
	a.Read(64, nil)
	rest := make([]float32, 64)
	if other.Read(0, rest); slices.ContainsFunc(rest, func(v float32) bool { return v != 0 }) {
		t.Error("writing to one arena changed another")
	}

	if h, ok := a.(kernel.HostArena); ok {
		h.Ints(3, 2)[1] = 77
		if a.ReadInts(4, gotInts[:1]); gotInts[0] != 77 {
			t.Errorf("integer written in place: have %d, want 77", gotInts[0])
		}
		code, err := a.Compile([]kernel.Instr{{Op: kernel.Copy, M: 1, W: 1, Args: []kernel.Arg{
			{Slot: kernel.FixedSlot, Off: 60, LD: 1}, {Slot: kernel.FixedSlot, Off: 4, LD: 1}}}})
		if err != nil {
			t.Fatal(err)
		}
		a.Run(code, make([]kernel.Frame, 1))
		if a.ReadInts(60, gotInts[:1]); gotInts[0] != 77 {
			t.Errorf("integer written in place, as copied by a program: have %d, want 77", gotInts[0])
		}
		if n := len(h.Ints(64, 0)); n != 0 {
			t.Errorf("Ints(64, 0): have %d words, want none", n)
		}
	}
}

// testOrder runs a recurrence. A frame runs the program once, for one step, and reads the
// state that the previous frame wrote. So the result depends on the order of the frames,
// and on the order of the instructions in each.
func testOrder(t *testing.T, dev kernel.Device) {
	const n, steps = 3, 6
	a := newArena(t, dev, 200)
	state := func(slot kernel.Slot) kernel.Arg { return kernel.Arg{Slot: slot, Off: 10, Row: 1, LD: 1} }
	sum := kernel.Arg{Slot: kernel.FixedSlot, Off: 100, LD: 1}
	code, err := a.Compile([]kernel.Instr{
		{Op: kernel.Scale, Form: kernel.Rows, W: 1, F: [2]float32{2}, Args: []kernel.Arg{state(kernel.StateOut), state(kernel.StateIn)}},
		{Op: kernel.Add, Form: kernel.Rows, W: 1, Args: []kernel.Arg{sum, sum, state(kernel.StateOut)}},
		{Op: kernel.OneMinus, Form: kernel.Rows, W: 1, Args: []kernel.Arg{state(kernel.StateOut), state(kernel.StateOut)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if code.Len() != 3 {
		t.Errorf("length of a program: have %d instructions, want 3", code.Len())
	}
	a.Write(10, []float32{1, 3, -5})
	frames := make([]kernel.Frame, steps)
	for i := range frames {
		frames[i].N = n
		frames[i].Start[kernel.StateIn], frames[i].Start[kernel.StateOut] = n*i, n*(i+1)
	}
	a.Run(code, frames[:2]) // two calls give the same result as one
	a.Run(code, nil)
	a.Run(code, frames[2:])
	for b, s := range []float32{1, 3, -5} {
		total := float32(0)
		for range steps {
			s *= 2
			total += s
			s = 1 - s
		}
		var got [2]float32
		a.Read(100+b, got[:1])
		a.Read(10+n*steps+b, got[1:])
		if got[0] != total || got[1] != s {
			t.Errorf("sum and state of string %d: have %v, want %v and %v", b, got, total, s)
		}
	}
}

// testRefusal checks that Compile returns an error for programs that cannot run.
func testRefusal(t *testing.T, dev kernel.Device) {
	a := newArena(t, dev, 1<<16)
	if code, err := a.Compile(nil); err != nil || code.Len() != 0 {
		t.Errorf("compiling an empty program: have error %v, want none", err)
	} else {
		a.Run(code, make([]kernel.Frame, 1))
	}
	refused := func(what string, in kernel.Instr) {
		t.Helper()
		good := kernel.Instr{Op: kernel.Fill, M: 1, W: 1, Args: []kernel.Arg{{Slot: kernel.FixedSlot, LD: 1}}}
		if _, err := a.Compile([]kernel.Instr{good, in}); err == nil {
			t.Errorf("%s is not refused", what)
		}
	}
	refused("an unknown operation", kernel.Instr{Op: kernel.NumOps})
	for _, op := range supported(dev) {
		w := rowOf(t, op)
		s := newScenario(w, w.Forms[0], moderate, 1)
		if _, err := a.Compile([]kernel.Instr{s.in}); err != nil {
			t.Errorf("%v is refused: %v", &s.in, err)
		}
		with := func(change func(in *kernel.Instr)) kernel.Instr {
			in := s.in
			in.Args = slices.Clone(in.Args)
			change(&in)
			return in
		}
		refused("an operand too few: "+op.String(), with(func(in *kernel.Instr) { in.Args = in.Args[1:] }))
		refused("an operand too many: "+op.String(), with(func(in *kernel.Instr) { in.Args = append(in.Args, in.Args[0]) }))
		for i := range s.in.Args {
			if s.in.Args[i].Slot == kernel.Absent {
				continue
			}
			refused("an operand before the arena: "+op.String(), with(func(in *kernel.Instr) { in.Args[i].Off = -1 }))
			refused("an operand after the arena: "+op.String(), with(func(in *kernel.Instr) { in.Args[i].Off = a.Len() + 1 }))
			refused("an unknown slot: "+op.String(), with(func(in *kernel.Instr) { in.Args[i].Slot = kernel.NumSlots }))
			if !w.Args[i].Optional {
				refused("a missing operand: "+op.String(), with(func(in *kernel.Instr) { in.Args[i] = kernel.Arg{} }))
			}
		}
		refused("a negative width: "+op.String(), with(func(in *kernel.Instr) { in.W = -1 }))
		if w.Parts {
			refused("parts of no width: "+op.String(), with(func(in *kernel.Instr) { in.I[0] = 0 }))
			refused("a broken part: "+op.String(), with(func(in *kernel.Instr) { in.W, in.I[0] = 5, 2 }))
		}
		if op == kernel.List || op == kernel.ListGrad {
			for _, head := range []int{-1, 0, 2, 3} {
				refused("a head without a neighbour: "+op.String(), with(func(in *kernel.Instr) { in.W, in.I[0], in.I[1] = 6, 2, head }))
			}
		}
	}
}

// testAllocation checks that running a program a second time allocates no memory.
func testAllocation(t *testing.T, dev kernel.Device) {
	for _, op := range supported(dev) {
		w := rowOf(t, op)
		for _, form := range w.Forms {
			s := newScenario(w, form, moderate, 1)
			a := newArena(t, dev, len(s.mem))
			x := make([]int32, len(s.mem))
			for i, w := range s.mem {
				x[i] = int32(w)
			}
			a.WriteInts(0, x)
			code, err := a.Compile([]kernel.Instr{s.in})
			if err != nil {
				t.Fatal(err)
			}
			if n := testing.AllocsPerRun(3, func() { a.Run(code, s.frames) }); n != 0 {
				t.Errorf("allocations per run of %v: have %v, want 0", &s.in, n)
			}
		}
	}
}
