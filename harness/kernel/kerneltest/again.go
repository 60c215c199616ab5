package kerneltest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pushdown/harness/kernel"
)

// goesOn are the operations that look at Frame.Continues. A device that treats the
// frames of one as sums of their own gives wrong gradients of long sequences.
var goesOn = []kernel.Op{kernel.ColSum, kernel.MatMul}

// pieces are the rows of the frames of one sum: whole chunks, but for the last
// that has any.
var pieces = [][]int{
	{kernel.Chunk, kernel.Chunk, 44},
	{2 * kernel.Chunk, 0, kernel.Chunk, 1},
	{kernel.Chunk, 0},
	{0, kernel.Chunk, 7},
	{3 * kernel.Chunk, kernel.Chunk, kernel.Chunk - 1, 0}, // those of large trials, too
}

// Trials of goesOn beside those with small results.
const (
	bothTurned  = largeTrial      // several blocks, both factors transposed
	leftTurned  = largeTrial + 10 // several blocks, as a gradient of weights
	vectorTrial = 122             // the product of two long vectors
)

// againTrials pairs each of the pieces with each transposition, and then has
// results and sums of more than one block.
func againTrials() []int {
	var list []int
	for trial := range 4 * len(pieces) {
		list = append(list, trial)
	}
	return append(list, bothTurned, leftTurned, vectorTrial)
}

// split is the rows of the frames of a trial.
func split(trial int) []int {
	if trial == vectorTrial {
		return []int{16 * kernel.Chunk, 17 * kernel.Chunk, 5}
	}
	return pieces[trial%len(pieces)]
}

// newAgain draws a sum over rows that several frames make. Its result lies
// still, its operands move with the rows.
func newAgain(w *row, trial int) *scenario {
	r := rand.New(rand.NewPCG(uint64(w.Op)<<16|0xa6a1, uint64(trial)))
	s := &scenario{row: w, in: kernel.Instr{Op: w.Op, Form: kernel.Rows, M: 1 + r.IntN(30), W: 1 + r.IntN(30)}}
	switch trial {
	case bothTurned, leftTurned:
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
	s.roughen(r)
	return s
}

// summedDown reports whether operand i is summed over its rows, not along them.
func (s *scenario) summedDown(i int) bool {
	return s.in.Op == kernel.ColSum || i == 1 && s.in.I[0] == 1 || i == 2 && s.in.I[1] == 0
}

// roughen makes some of the sums rough: every fourth meets a few edge values, every
// fourth has hardly more than zeros, and some are -0 as they underflow.
func (s *scenario) roughen(r *rand.Rand) {
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

// unsplit is the sum in a single frame. There is none if the first frame is empty:
// its +0 and a sum of -0 add up to +0.
func (s *scenario) unsplit() *scenario {
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

// testAgain holds sums that go on against the reference, and against the device's
// own sum in one frame.
func testAgain(t *testing.T, dev, reference kernel.Device) {
	for _, op := range goesOn {
		for _, trial := range againTrials() {
			if testing.Short() && trial >= len(pieces) {
				continue
			}
			s := newAgain(rowOf(t, op), trial)
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
			if one := s.unsplit(); one != nil {
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
