package kerneltest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pushdown/harness/kernel"
)

// scenario is one instruction with its frames and the memory it runs in.
type scenario struct {
	row    *row
	in     kernel.Instr
	frames []kernel.Frame
	mem    []uint32 // before the run
	mark   []mark
	owner  []int8 // operand that holds the word, or -1
}

// mark says what a run is allowed to do with a word.
type mark uint8

const (
	forbidden mark = iota
	written        // must be written
	updated        // may be written; an operand that is read held a value there
	anything       // scratch
)

// guard is the initial value of the words outside all operands. It is a NaN whose bits
// no arithmetic produces.
const guard = 0x7fc0dead

// fill is a kind of operand contents.
type fill uint8

const (
	edges    fill = iota // pairs of edge values
	words                // arbitrary words, of every exponent
	moderate             // normal numbers
	numFills
)

var fillNames = [numFills]string{"edges", "words", "moderate"}

// edgeValues are special cases of rounding, overflow, underflow, signs and
// comparisons.
var edgeValues = []float32{
	0, minus0, 1, -1, 0.5, -3, 1 + 0x1p-23, 1 - 0x1p-24, 0x1p-24, -0x1p-23, 0x1p23, 0x1p24 + 2,
	math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 0x1p-126, -0x1p-126, 0x1p-126 - 0x1p-149,
	0x1.8p-75, -0x1.000002p-75, 0x1p-63, 88.7, -87.4, -104, 9.1,
	math.MaxFloat32, -math.MaxFloat32, 0x1p100, -0x1p64, inf, -inf, nan,
}

// largeTrial is the number of the trial that uses the extents in the field large of a
// row.
const largeTrial = 99

// Trials from oneRowTrial on have frames of one row and one string, for which devices can have
// other routines.
const oneRowTrial = 200

// newScenario draws a scenario for an operation and a form.
func newScenario(w *row, form kernel.Form, fl fill, trial int) *scenario {
	r := rand.New(rand.NewPCG(uint64(w.Op)<<16|uint64(form)<<8|uint64(fl), uint64(trial)))
	s := &scenario{row: w, in: kernel.Instr{Op: w.Op, Form: form, S: 1 + r.IntN(3)}}
	s.in.M, s.in.W = 1+r.IntN(30), 1+r.IntN(30)
	active := []int{1 + r.IntN(20)}
	switch {
	case trial == largeTrial:
		s.in.S, s.in.M, s.in.W = 1, w.large[0], w.large[1]
		active = []int{w.large[0]}
	case trial >= oneRowTrial && (fl == moderate || form == kernel.Fixed):
		active = []int{1}
	case trial >= oneRowTrial:
		active = []int{1, 1, 1, 1, 1}
	case fl == edges && trial == 0: // every pair of edge values
		s.in.S, s.in.M, s.in.W = 1, len(edgeValues), len(edgeValues)
		active = []int{len(edgeValues)}
	case fl != moderate && form != kernel.Fixed:
		for range r.IntN(3) {
			active = append(active, r.IntN(active[len(active)-1]+1)) // may reach 0 rows
		}
	}
	if w.draw != nil {
		w.draw(&s.in, r, trial)
	}
	for _, n := range active {
		f := kernel.Frame{N: n, Tail: r.IntN(n + 1)}
		for slot := kernel.Current; slot < kernel.NumSlots; slot++ {
			f.Start[slot], f.Strings[slot] = r.IntN(4), n+r.IntN(3)
			if trial >= oneRowTrial {
				f.Strings[slot] = 1
			}
		}
		f.Strings[kernel.FixedSlot] = n
		s.frames = append(s.frames, f)
	}
	s.layOut(r, trial)
	s.fill(r, fl)
	return s
}

// layOut gives every operand memory of its own. In some trials the result instead has
// the memory of an operand that it may coincide with.
func (s *scenario) layOut(r *rand.Rand, trial int) {
	at := 3
	for i := range s.row.Args {
		arg, words := s.place(r, i, trial)
		arg.Off += at
		s.in.Args = append(s.in.Args, arg)
		at += words + 5 + r.IntN(16)
	}
	if s.row.absent != nil {
		for _, i := range s.row.absent(trial) {
			s.in.Args[i] = kernel.Arg{}
		}
	}
	if list := s.row.inPlace(); len(list) > 0 && trial%3 == 2 {
		s.in.Args[0] = s.in.Args[list[trial/3%len(list)]]
	}
	s.blank(at)
}

// blank allocates the memory and fills it with guard. No word belongs to an operand
// yet.
func (s *scenario) blank(words int) {
	s.mem, s.mark, s.owner = make([]uint32, words), make([]mark, words), make([]int8, words)
	for i := range s.mem {
		s.mem[i], s.owner[i] = guard, -1
	}
}

// place draws the layout of operand i as if its memory started at word 0. It returns
// the operand and the number of words that it needs.
func (s *scenario) place(r *rand.Rand, i, trial int) (kernel.Arg, int) {
	rows, cols, byString := 0, 0, true
	for _, f := range s.frames {
		m, n := s.row.size(i, &s.in, f.N)
		rows, cols = max(rows, m), max(cols, n)
		byString = byString && n == f.N*s.in.S
	}
	a := kernel.Arg{Slot: kernel.FixedSlot, LD: cols}
	if r.IntN(2) == 0 {
		a.Slot = kernel.FixedSlot + kernel.Slot(r.IntN(int(kernel.NumSlots-kernel.FixedSlot)))
	}
	if a.Slot != kernel.FixedSlot {
		a.Row = r.IntN(2*cols + 1)
	}
	if !s.row.Args[i].Packed {
		a.Skip = r.IntN(3)
		if trial%2 == 1 {
			a.LD += r.IntN(9)
		}
		if byString && s.in.Form == kernel.StackMajor && r.IntN(2) == 0 {
			a.LD, a.S = 0, s.in.S
		}
	}
	end := 0
	for i := range s.frames {
		off, ld := a.Resolve(&s.frames[i])
		end = max(end, off+rows*ld)
	}
	return a, end
}

// elements calls visit for each element of operand i in frame f.
func (s *scenario) elements(i int, f *kernel.Frame, visit func(word, r, c int)) {
	arg := &s.in.Args[i]
	if arg.Slot == kernel.Absent {
		return
	}
	off, ld := arg.Resolve(f)
	rows, cols := s.row.size(i, &s.in, f.N)
	for r := range rows {
		for c := range cols {
			visit(off+r*ld+c, r, c)
		}
	}
}

// fill sets the contents of the operands and marks the words that may be written.
func (s *scenario) fill(r *rand.Rand, fl fill) {
	nth := 0 // index among the operands that are read
	for i := range s.row.Args {
		o := &s.row.Args[i]
		if o.Use == kernel.Writes || o.Use == kernel.Scratch {
			continue
		}
		order := r.Perm(tableRows) // makes the indices of ScatterRows distinct
		for j := range s.frames {
			s.elements(i, &s.frames[j], func(word, row, col int) {
				s.owner[word] = int8(i)
				switch o.Holds {
				case kernel.Indices:
					id := order[(word-s.in.Args[i].Off)%tableRows]
					if n := limit(&s.in); n < tableRows {
						id %= n
					} else if n > tableRows {
						id = r.IntN(n)
					}
					s.mem[word] = uint32(id)
				case kernel.Coordinates:
					s.mem[word] = r.Uint32() >> (r.IntN(2) * 20)
				case kernel.AdamNumbers:
					s.mem[word] = math.Float32bits([]float32{1.3e-2, 1.9, 0.9, 0.1, 0.999, 0.001, 1e-8}[col])
				default:
					s.mem[word] = math.Float32bits(number(r, fl, nth, o, row, col))
				}
			})
		}
		nth++
	}
	held := slices.Clone(s.owner)
	for i := range s.row.Args {
		o := &s.row.Args[i]
		for j := range s.frames {
			f := &s.frames[j]
			s.elements(i, f, func(word, row, col int) {
				if o.Use == kernel.Reads || !s.writes(i, f, row, col) {
					return
				}
				s.owner[word] = int8(i)
				switch {
				case o.Use == kernel.Scratch:
					s.mark[word] = anything
				case held[word] >= 0:
					s.mark[word] = updated
				default:
					s.mark[word] = written
				}
			})
		}
	}
}

// number draws element (row, col) of operand o, with contents of kind fl. nth is the index
// of o among the operands that are read. Edge values are arranged so that an elementwise
// operation on a large enough square matrix meets every pair of edge values, one value
// from the first operand and one from the second.
func number(r *rand.Rand, fl fill, nth int, o *kernel.Operand, row, col int) float32 {
	switch fl {
	case edges:
		if nth == 0 {
			return edgeValues[(row+col)%len(edgeValues)]
		}
		if nth == 1 {
			rows, cols := o.Shape.Size(&kernel.Instr{W: 2, M: 2, S: 1, K: 2, I: [3]int{1, 1}}, 2)
			if cols == 1 && rows > 1 {
				col = row
			}
			return edgeValues[col%len(edgeValues)]
		}
		return edgeValues[r.IntN(len(edgeValues))]
	case words:
		return math.Float32frombits(r.Uint32())
	}
	x := float32(math.Ldexp(r.NormFloat64(), r.IntN(5)-2))
	if o.Holds == kernel.NotNegative {
		x = float32(math.Abs(float64(x)))
	}
	return x
}

// run runs the scenario on a device and returns the memory afterwards.
func (s *scenario) run(dev kernel.Device) ([]uint32, error) {
	arena, err := dev.NewArena(len(s.mem))
	if err != nil {
		return nil, err
	}
	defer arena.Close()
	x := make([]int32, len(s.mem))
	for i, w := range s.mem {
		x[i] = int32(w)
	}
	arena.WriteInts(0, x)
	code, err := arena.Compile([]kernel.Instr{s.in})
	if err != nil {
		return nil, err
	}
	arena.Run(code, s.frames)
	arena.ReadInts(0, x)
	got := make([]uint32, len(x))
	for i, w := range x {
		got[i] = uint32(w)
	}
	return got, nil
}

// check fails the test unless the memory after a run (the parameter got) equals the memory
// after the same run on the reference (the parameter want).
func (s *scenario) check(t *testing.T, got, want []uint32) {
	t.Helper()
	if err := s.compare(got, want); err != nil {
		t.Error(err)
	}
}

// compare returns an error that names the first words that are wrong after a run. The
// parameter got is the memory after the run, and want is the memory after the same run on
// the reference.
func (s *scenario) compare(got, want []uint32) error {
	var faults []string
	for i := range got {
		fault := ""
		switch {
		case s.mark[i] == anything:
		case s.mark[i] == forbidden && got[i] != s.mem[i]:
			fault = fmt.Sprintf("outside the result: have %#08x, want %#08x unchanged", got[i], s.mem[i])
		case s.mark[i] == written && got[i] == guard:
			fault = "not written"
		case s.mark[i] != forbidden && !sameNumber(got[i], want[i]):
			fault = fmt.Sprintf("have %#08x (%v), want %#08x (%v)", got[i], math.Float32frombits(got[i]), want[i], math.Float32frombits(want[i]))
		}
		if fault != "" {
			faults = append(faults, s.where(i)+": "+fault)
		}
	}
	if len(faults) == 0 {
		return nil
	}
	n := min(3, len(faults))
	return fmt.Errorf("%v: %d wrong words: %s", &s.in, len(faults), strings.Join(faults[:n], "; "))
}

// where describes the position of a word.
func (s *scenario) where(word int) string {
	if i := s.owner[word]; i >= 0 {
		return fmt.Sprintf("word %d, %d into operand %s", word, word-s.in.Args[i].Off, s.row.Args[i].Name)
	}
	return fmt.Sprintf("word %d", word)
}

// wholeAt returns an integer element of operand i before the run.
func (s *scenario) wholeAt(i int, f *kernel.Frame, r, c int) int32 {
	off, ld := s.in.Args[i].Resolve(f)
	return int32(s.mem[off+r*ld+c])
}

// sameNumber reports whether two words are the same float32. All NaNs are the same.
func sameNumber(a, b uint32) bool {
	return a == b || math.IsNaN(float64(math.Float32frombits(a))) && math.IsNaN(float64(math.Float32frombits(b)))
}

// trials lists the trials of a row. A short run has only a few of them.
func (w *row) trials() []int {
	list := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, oneRowTrial, oneRowTrial + 1, oneRowTrial + 2, oneRowTrial + 3}
	if testing.Short() {
		list = []int{0, 5, oneRowTrial, oneRowTrial + 1}
	}
	if w.large != [2]int{} && !testing.Short() {
		list = append(list, largeTrial)
	}
	return list
}
