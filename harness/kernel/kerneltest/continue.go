package kerneltest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pushdown/harness/kernel"
)

// continuing lists the operations that use Frame.Continues. A device that ignores this
// field gives wrong gradients for batches whose rows need several frames.
var continuing = []kernel.Op{kernel.ColSum, kernel.MatMul}

// pieces lists ways to split a sum over rows into frames. Each element gives the numbers
// of rows of the frames. In all frames before the last nonempty one, the number of rows is
// a multiple of kernel.Chunk.
var pieces = [][]int{
	{kernel.Chunk, kernel.Chunk, 44},
	{2 * kernel.Chunk, 0, kernel.Chunk, 1},
	{kernel.Chunk, 0},
	{0, kernel.Chunk, 7},
	{3 * kernel.Chunk, kernel.Chunk, kernel.Chunk - 1, 0}, // bothTransposed and leftTransposed use this one too
}

// The trials of continued sums that have large results or many terms.
const (
	bothTransposed = largeTrial      // several blocks, both factors transposed
	leftTransposed = largeTrial + 10 // several blocks, left factor transposed, as in a gradient of weights
	vectorTrial    = 122             // the product of two long vectors
)

// continuedTrials returns one trial for each combination of pieces and transpositions,
// and the trials with large results or many terms.
func continuedTrials() []int {
	var list []int
	for trial := range 4 * len(pieces) {
		list = append(list, trial)
	}
	return append(list, bothTransposed, leftTransposed, vectorTrial)
}

// split returns the row counts of the frames of a trial.
func split(trial int) []int {
	if trial == vectorTrial {
		return []int{16 * kernel.Chunk, 17 * kernel.Chunk, 5}
	}
	return pieces[trial%len(pieces)]
}

// newContinued draws a sum over rows that is computed in several frames. The result
// has a fixed address. The addresses of the other operands advance from frame to
// frame.
func newContinued(w *row, trial int) *scenario {
	r := rand.New(rand.NewPCG(uint64(w.Op)<<16|0xa6a1, uint64(trial)))
	s := &scenario{row: w, in: kernel.Instr{Op: w.Op, Form: kernel.Rows, M: 1 + r.IntN(30), W: 1 + r.IntN(30)}}
	switch trial {
	case bothTransposed, leftTransposed:
		s.in.M, s.in.W = 60, 130
	case vectorTrial:
		s.in.M, s.in.W = 1, 1
	}
	if w.Op == kernel.MatMul {
		s.in.Form, s.in.Reduce, s.in.I = kernel.Fixed, true, [3]int{trial & 1, trial >> 1 & 1}
	}
	start, total := r.IntN(4), 0
	for i, n := range split(trial) {
		f := kernel.Frame{N: n, Continues: i > 0}
		f.Start[kernel.Current] = start + total
		s.frames = append(s.frames, f)
		total += n
	}
	at := 3
	for i := range w.Args {
		rows, cols := w.size(i, &s.in, start+total)
		arg := kernel.Arg{Slot: kernel.FixedSlot, Off: at, LD: cols}
		if !w.Args[i].Packed {
			arg.LD += r.IntN(9)
		}
		if i > 0 {
			arg.Slot, arg.Row = kernel.Current, 1
			if s.summedDown(i) {
				arg.Row = arg.LD
			}
		}
		s.in.Args = append(s.in.Args, arg)
		at += rows*arg.LD + 5 + r.IntN(16)
	}
	s.blank(at)
	s.fill(r, moderate)
	s.addEdgeCases(r)
	return s
}

// summedDown reports whether the sum runs over the rows of operand i. If it does not,
// the sum runs over the columns.
func (s *scenario) summedDown(i int) bool {
	return s.in.Op == kernel.ColSum || i == 1 && s.in.I[0] == 1 || i == 2 && s.in.I[1] == 0
}

// addEdgeCases changes operands so that some sums are edge cases. The rows of an operand,
// or its columns if summedDown reports true, belong to different sums. They are changed
// according to their index modulo 4:
//
//   - 1: in the first operand, a few elements become edge values
//   - 2: in the first operand, all elements become zeros and tiny numbers
//   - 3: in the first operand, all elements become the negative number nearest to zero; in
//     the second operand, they become 2^-20, so that products of the two underflow to -0
func (s *scenario) addEdgeCases(r *rand.Rand) {
	small := []float32{0, minus0, math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 0x1p-126, -0x1p-126}
	for i := 1; i < len(s.in.Args); i++ {
		for j := range s.frames {
			s.elements(i, &s.frames[j], func(word, row, col int) {
				if s.summedDown(i) {
					row = col
				}
				set := func(x float32) { s.mem[word] = math.Float32bits(x) }
				switch {
				case i == 2 && row%4 == 3:
					set(0x1p-20)
				case i == 2:
				case row%4 == 1 && r.IntN(200) == 0:
					set(edgeValues[r.IntN(len(edgeValues))])
				case row%4 == 2:
					set(small[r.IntN(len(small))])
				case row%4 == 3:
					set(-math.SmallestNonzeroFloat32)
				}
			})
		}
	}
}

// inOneFrame returns a scenario that computes the sum of s in a single frame instead of
// several. It returns nil if the first frame is empty, because the bits can then differ: the
// empty frame sets the result to +0, and a sum of -0 added to it gives +0.
func (s *scenario) inOneFrame() *scenario {
	if s.frames[0].N == 0 {
		return nil
	}
	one := *s
	one.frames = slices.Clone(s.frames[:1])
	for _, f := range s.frames[1:] {
		one.frames[0].N += f.N
	}
	return &one
}

// testContinued compares continued sums with those of the reference and with the
// device's own sum in one frame.
func testContinued(t *testing.T, dev, reference kernel.Device) {
	for _, op := range continuing {
		for _, trial := range continuedTrials() {
			if testing.Short() && trial >= len(pieces) {
				continue
			}
			s := newContinued(rowOf(t, op), trial)
			name := fmt.Sprintf("%v, trial %d, rows %v", op, trial, split(trial))
			got, err := s.run(dev)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			want, err := s.run(reference)
			if err != nil {
				t.Fatalf("%s: reference: %v", name, err)
			}
			s.check(t, got, want)
			if one := s.inOneFrame(); one != nil {
				if want, err = one.run(dev); err != nil {
					t.Fatalf("%s: in one frame: %v", name, err)
				}
				s.check(t, got, want)
			}
			if t.Failed() {
				t.Fatalf("stopped at %s", name)
			}
		}
	}
}
