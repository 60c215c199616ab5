package kernel

import (
	"fmt"
	"strings"
)

// Slot says how the location of an operand depends on the frame.
type Slot uint8

// The slots. Every slot but Absent and FixedSlot stands for one block of rows for each
// step of a scan. The frame gives the row at which each block starts.
const (
	Absent    Slot = iota // no operand
	FixedSlot             // always at Off
	Current               // this step's rows
	StateIn               // the state before this step
	StateOut              // the state after this step
	CarryIn               // the gradient carried here from the following step
	CarryOut              // the gradient carried on to the previous step
	NumSlots

	// Local marks a value that exists only inside a [Group]. The value has the group's
	// extents [N, W]. The field I0 of the group is the number of such values, and the Off
	// of the operand is the number of this one, from 0. The device chooses where to keep
	// the value.
	Local = NumSlots
)

var slotNames = [NumSlots + 1]string{"-", "", "t", "in", "out", "carry", "hand", "local"}

// Arg is an operand: a matrix inside the arena.
type Arg struct {
	Slot Slot
	Off  int // first word of the first block
	Row  int // words per row of a block (Form StackMajor: per string)
	LD   int // words from row to row; 0: S times the number of strings in the slot's block
	Skip int // rows to skip, of LD words each
	S    int // stacks per string, used if LD is 0
	Each int // words from string to string, which the CPU device sets and uses if the frame has a First
}

// Resolve returns the operand's first word and leading dimension in frame f.
func (a *Arg) Resolve(f *Frame) (off, ld int) {
	off, ld = a.Off+a.Row*f.Start[a.Slot], a.LD
	if ld == 0 {
		ld = a.S * f.Strings[a.Slot]
	}
	return off + a.Skip*ld + a.Each*f.First, ld
}

// String returns the operand as it appears in printed programs.
func (a Arg) String() string {
	switch a.Slot {
	case Absent:
		return "-"
	case Local:
		return fmt.Sprintf("$%d", a.Off)
	}
	s := fmt.Sprintf("@%d", a.Off)
	if n := slotNames[a.Slot]; n != "" {
		s += "." + n
	}
	if a.Skip > 0 {
		s += fmt.Sprintf("+%d", a.Skip)
	}
	return s
}

// Instr is one operation on operands in an arena. The comments on the constants of type
// [Op] say which fields an operation uses.
type Instr struct {
	Op      Op
	Form    Form
	M, W, K int
	Reduce  bool // for a MatMul of Form Fixed: the inner extent is N, and K is 0
	S       int  // stacks per string, for Form StackMajor
	I       [3]int
	F       [2]float32
	Nonzero *NonzeroRange // for Form StackMajor; nil: all rows
	Args    []Arg
	Body    []Instr // for a Group
	Note    string  // what it computes, for readers of a printed program
}

// Extents returns the number of rows and columns in frame f.
func (in *Instr) Extents(f *Frame) (rows, cols int) {
	switch in.Form {
	case Rows:
		return f.N, in.W
	case StackMajor:
		return in.W, f.N * in.S
	}
	return in.M, in.W
}

// NonzeroRange says which rows of a gradient that goes back through stacks or lists an
// instruction must handle. In frame f these rows start at From - Step*f.StepsBefore and end
// before To + Step*f.StepsBefore, clamped to the rows that exist. Every other row of the
// gradient that the instruction reads is +0. The exception is a Clip whose other rows an
// earlier Clip has already clipped to the same bounds. In both cases a device may skip the
// other rows:
//
//   - Clip and FlushSmall, if they work in place, leave them unchanged.
//   - ColDot adds only terms of zero for them, because the gradient is a factor.
//   - StackGrad and ListGrad store +0 in rows of ds that are more than one cell
//     outside the range. Computing these rows gives +0 too if the stacks are finite
//     and no weight has its sign bit set.
//
// Terms of zero can change a sum only from -0 to +0. So a device may also leave rows of
// +0 within the range out of a sum. If the sum is then -0, the device must compute it
// again with all rows.
//
// The range of a Stack bounds the rows of its result in the same way. For a Stack,
// f.StepsBefore is the number of steps since the stacks were empty, and the empty value
// is +0. Rows outside the range are +0, which is also what computing them gives if no
// weight has its sign bit set. The range starts at the top and consists of whole cells.
// If From is negative, the range wraps around: row -1 is the last row.
//
// A device may also compute all rows. Other operations have no range.
type NonzeroRange struct{ From, To, Step int }

// NonzeroStackRows returns the rows within the nonzero range of a Stack whose result has
// D rows. They are the rows [0, top) and [bottom, D).
func (in *Instr) NonzeroStackRows(f *Frame, D int) (top, bottom int) {
	if in.Nonzero == nil {
		return D, D
	}
	by := in.Nonzero.Step * min(f.StepsBefore, D)
	top, bottom = in.Nonzero.To+by, D
	if in.Nonzero.From < 0 {
		bottom += in.Nonzero.From - by
	}
	if top >= bottom {
		return D, D
	}
	return top, bottom
}

// NonzeroRows returns the rows within the nonzero range of a gradient that has D rows.
// They are the rows [from, to).
func (in *Instr) NonzeroRows(f *Frame, D int) (from, to int) {
	if in.Nonzero == nil {
		return 0, D
	}
	by := in.Nonzero.Step * f.StepsBefore
	from, to = max(0, in.Nonzero.From-by), min(D, in.Nonzero.To+by)
	return min(from, D), max(min(from, D), to)
}

// Inner returns the inner extent of a product in frame f.
func (in *Instr) Inner(f *Frame) int {
	if in.Reduce {
		return f.N
	}
	return in.K
}

// String returns the instruction on one line, followed by one line for each
// instruction of a group's body.
func (in *Instr) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-16s ", in.Op)
	switch in.Form {
	case Rows:
		fmt.Fprintf(&b, "[N,%d]", in.W)
	case StackMajor:
		fmt.Fprintf(&b, "[%d,N*%d]", in.W, in.S)
	default:
		fmt.Fprintf(&b, "[%d,%d]", in.M, in.W)
	}
	switch {
	case in.Reduce:
		b.WriteString(" k=N")
	case in.Op == MatMul || in.Op == Affine:
		fmt.Fprintf(&b, " k=%d", in.K)
	}
	switch {
	case in.Op == Dropout || in.Op == Noise: // halves of a key, which are negative if an int has 32 bits
		fmt.Fprintf(&b, " %d", [3]uint32{uint32(in.I[0]), uint32(in.I[1]), uint32(in.I[2])})
	case in.I != ([3]int{}):
		fmt.Fprintf(&b, " %v", in.I)
	}
	if in.F != ([2]float32{}) {
		fmt.Fprintf(&b, " %v", in.F)
	}
	for _, a := range in.Args {
		fmt.Fprintf(&b, " %v", a)
	}
	if r := in.Nonzero; r != nil {
		fmt.Fprintf(&b, " rows %d-%d*back to %d+%d*back", r.From, r.Step, r.To, r.Step)
	}
	if in.Note != "" {
		fmt.Fprintf(&b, "  ; %s", in.Note)
	}
	for i := range in.Body {
		fmt.Fprintf(&b, "\n        %v", &in.Body[i])
	}
	return b.String()
}

// Frame holds what changes from step to step: the number of active rows and the start
// of each slot's block, in rows.
type Frame struct {
	N           int // active rows
	Tail        int // number of rows whose strings continue in the following step; in the other rows the carried gradients start at +0
	Start       [NumSlots]int
	Strings     [NumSlots]int // number of strings in the slot's block
	First       int           // number of strings to skip in each block; only the CPU device sets it, for one of its threads
	StepsBefore int           // number of steps that the loop ran before this one, for [NonzeroRange]; [math.MaxInt32] if unknown

	// Continues reports whether the rows of this frame continue the sum of the previous
	// frames. If so, a sum over rows (a product with Reduce, or a ColSum) adds its
	// chunks to the contents of its result. All frames of a sum before the last nonempty
	// one must hold a multiple of Chunk rows.
	Continues bool
}
