package cpu

import (
	"math"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

// In frames of one row, some sequences of instructions run as one. Every result of
// the instructions is still written.

// fuseOps returns the program with fused instructions. One fused instruction replaces
// each sequence of instructions that can run as one.
func (a *arena) fuseOps(oneRows []oneRow) []oneRow {
	var list []oneRow
	for i := 0; i < len(oneRows); {
		n := 1
		if s, used := a.fuseStack(oneRows[i:]); used > 0 {
			list, n = append(list, s), used
		} else if s, used := a.fuseActions(oneRows[i:]); used > 0 {
			list, n = append(list, s), used
		} else if s, used := a.fuseAdd(oneRows[i:]); used > 0 {
			list, n = append(list, s), used
		} else {
			list = append(list, oneRows[i])
		}
		i += n
	}
	return list
}

// clipOf looks for a clip at the start of oneRows. It reports in ok whether the first
// instruction is a clip that reads arg and has the given form and width. If so, it also
// returns the result and the bounds of the clip.
func clipOf(oneRows []oneRow, form kernel.Form, W int, arg kernel.Arg) (to kernel.Arg, lo, hi float32, ok bool) {
	if len(oneRows) == 0 || oneRows[0].in.Op != kernel.Clip {
		return
	}
	in := oneRows[0].in
	return in.Args[0], in.F[0], in.F[1], in.Form == form && in.W == W && in.Args[1] == arg
}

// unbounded holds the bounds of a clip that changes nothing.
var unbounded = [2]float32{float32(math.Inf(-1)), float32(math.Inf(1))}

// fusedOps is a fused sequence of instructions, prepared for one row.
type fusedOps struct {
	actions simd.ActionGradArgs
	run     func(a *simd.ActionGradArgs)
	n       int // number of actions

	// args holds the operands, by position. For fuseActions, args[0] to args[3] are the
	// gradients of up to four actions; args[4] to args[8] become the fields Sum, Held, Y,
	// Dx and Out of actions. For fuseAdd, args[0] to args[2] are its operands d, t and
	// x.
	args       [9]oneRowArg
	rows, cols int
	lo, hi     float32
	add        simd.Adder
	stack      *simd.StackGradArgs
}

// fuseActions fuses the instructions that collect the gradients of the actions,
// each in a column of one matrix, with the instruction that then computes the gradient
// of the actions' softmax:
//
//	fill, copystride, addstride ..., [clip], softmaxgrad, [clip]
func (a *arena) fuseActions(list []oneRow) (s oneRow, used int) {
	if len(list) < 4 || list[0].in.Op != kernel.Fill || list[0].in.Form != kernel.Rows || math.Float32bits(list[0].in.F[0]) != 0 {
		return s, 0
	}
	sum, W := list[0].in.Args[0], list[0].in.W
	j := &fusedOps{}
	at := 1
	have := 0
	for ; at < len(list); at++ {
		in := list[at].in
		if in.Op != kernel.CopyStride && in.Op != kernel.AddStride || in.Form != kernel.Rows {
			break
		}
		n := in.I[0]
		column := in.Args[0].Off - sum.Off
		same := in.Args[0]
		same.Off = sum.Off
		if in.I[1] != 1 || n < 2 || n >= len(a.dev.kernels.ActionGrad.Softmax) || n*in.W != W || same != sum || column < 0 || column >= n ||
			have&(1<<column) != 0 || (at == 1) != (in.Op == kernel.CopyStride) || j.n != 0 && j.n != n {
			return s, 0
		}
		have |= 1 << column
		j.n, j.actions.S = n, in.W
		j.args[column] = a.oneRowArgOf(in.Args[1])
		if in.Op == kernel.CopyStride {
			j.actions.Plus[column] = float32(math.Copysign(0, -1))
		}
	}
	if j.n == 0 || have != 1<<j.n-1 || a.dev.kernels.ActionGrad.Softmax[j.n] == nil || at == len(list) {
		return s, 0
	}
	j.run = a.dev.kernels.ActionGrad.Softmax[j.n]
	held := sum
	j.actions.HeldLo, j.actions.HeldHi = unbounded[0], unbounded[1]
	if to, lo, hi, ok := clipOf(list[at:], kernel.Rows, W, sum); ok {
		held, j.actions.HeldLo, j.actions.HeldHi = to, lo, hi
		at++
	}
	if at == len(list) {
		return s, 0
	}
	in := list[at].in
	if in.Op != kernel.SoftmaxGrad || in.Form != kernel.Rows || in.W != W || in.I[0] != j.n || in.Args[2] != held {
		return s, 0
	}
	dx, y := in.Args[0], in.Args[1]
	out := dx
	j.actions.OutLo, j.actions.OutHi = unbounded[0], unbounded[1]
	at++
	if to, lo, hi, ok := clipOf(list[at:], kernel.Rows, W, dx); ok {
		out, j.actions.OutLo, j.actions.OutHi = to, lo, hi
		at++
	}
	for i, arg := range []kernel.Arg{sum, held, y, dx, out} {
		j.args[4+i] = a.oneRowArgOf(arg)
	}
	s = list[0]
	s.run, s.fused = oneRowActions, j
	return s, at
}

func oneRowActions(s *oneRow, f *kernel.Frame) {
	j := s.fused
	w := &j.actions
	for i := range j.n {
		w.Part[i] = j.args[i].at(f)
	}
	w.Sum, w.Held, w.Y, w.Dx, w.Out = j.args[4].at(f), j.args[5].at(f), j.args[6].at(f), j.args[7].at(f), j.args[8].at(f)
	j.run(w)
}

// fuseAdd fuses the instructions that add a row to the first rows of stacks and
// then clip these rows:
//
//	tostackmajor, add, [clip]
func (a *arena) fuseAdd(list []oneRow) (s oneRow, used int) {
	if len(list) < 2 || list[0].in.Op != kernel.ToStackMajor || list[1].in.Op != kernel.Add || a.dev.kernels.ActionGrad.Add == nil {
		return s, 0
	}
	turn, add := list[0].in, list[1].in
	d, t, x := add.Args[0], turn.Args[0], turn.Args[1]
	if add.Form != kernel.StackMajor || add.W != turn.W || add.S != turn.S || add.Args[1] != d || add.Args[2] != t || add.W == 0 || add.S == 0 {
		return s, 0
	}
	j := &fusedOps{rows: add.W, cols: add.S, lo: unbounded[0], hi: unbounded[1], add: a.dev.kernels.ActionGrad.Add}
	used = 2
	if len(list) > 2 {
		in := list[2].in
		if r := in.Nonzero; in.Op == kernel.Clip && in.Form == kernel.StackMajor && r != nil && *r == (kernel.NonzeroRange{To: add.W}) && in.S == add.S && in.Args[0] == d && in.Args[1] == d {
			j.lo, j.hi, used = in.F[0], in.F[1], 3
		}
	}
	for i, arg := range []kernel.Arg{d, t, x} {
		j.args[i] = a.oneRowArgOf(arg)
	}
	s = list[0]
	s.run, s.fused = oneRowAdd, j
	return s, used
}

func oneRowAdd(s *oneRow, f *kernel.Frame) {
	j := s.fused
	j.add(j.args[0].at(f), j.args[1].at(f), j.args[2].at(f), j.rows, j.cols, j.args[0].ld, j.args[1].ld, j.lo, j.hi)
}
