package kernel

import (
	"fmt"
	"strings"
)

// Slot says how the place of an operand moves with the frame.
type Slot uint8

// The slots. All but FixedSlot hold one block for each step of a scan; the
// frame tells where its blocks start.
const (
	Absent    Slot = iota // no operand
	FixedSlot             // always at Off
	Current               // this step's rows
	StateIn               // the state before this step
	StateOut              // the state after this step
	Carry                 // gradient handed back by the following step
	CarryNext             // gradient handed to the step before
	NumSlots

	// Local is a value that exists inside a [Group] alone, [N, W] like the group:
	// Off is its number, below I0 of the group. A device keeps it where it likes.
	Local = NumSlots
)

var slotNames = [NumSlots + 1]string{"-", "", "t", "in", "out", "carry", "hand", "local"}

// Arg is an operand: a matrix inside the arena.
type Arg struct {
	Slot Slot
	Off  int // first word, of the first block
	Row  int // words per row of a block (Form StackMajor: per string)
	LD   int // distance between rows; 0: Stacks times the strings of the slot's block
	Skip int // rows of LD words to skip
	S    int // stacks per string, for LD 0
}

// Resolve returns the operand's first word and leading dimension in frame f.
func (a *Arg) Resolve(f *Frame) (off, ld int) {
	off, ld = a.Off+a.Row*f.Start[a.Slot], a.LD
	if ld == 0 {
		ld = a.S * f.Strings[a.Slot]
	}
	return off + a.Skip*ld, ld
}

// String gives the operand as printed programs show it.
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

// Instr is one operation on operands in an arena. Which of the fields an
// operation reads stands with it.
type Instr struct {
	Op      Op
	Form    Form
	M, W, K int
	Reduce  bool // of a MatMul of Form Fixed: the inner extent is N, and K is 0
	S       int  // stacks per string of Form StackMajor
	I       [3]int
	F       [2]float32
	Nonzero *NonzeroRange // of Form StackMajor; nil: all rows
	Args    []Arg
	Body    []Instr // of a Group
	Note    string  // what it computes, for the reader of a printed program
}

// Extents returns rows and columns in frame f.
func (in *Instr) Extents(f *Frame) (rows, cols int) {
	switch in.Form {
	case Rows:
		return f.N, in.W
	case StackMajor:
		return in.W, f.N * in.S
	}
	return in.M, in.W
}

// NonzeroRange bounds the rows in which a gradient that goes back through stacks or lists
// can differ from +0: in a frame with f.Back steps behind it those from
// From - Step*f.Back to To + Step*f.Back, as far as there are such rows. The
// gradient that is read is +0 in all others, or is bounded already, so that what a
// device leaves out is what would not change: of a Clip or FlushSmall in place the other
// rows, of ColDot, whose a it is, terms of zero, of StackGrad and ListGrad those of ds that are not within a cell of the
// range, which hold the +0 that finite stacks and weights of no sign would give.
// Within the range, too, a row of +0 adds nothing to a sum but the sign of a zero.
//
// The range of a Stack bounds the rows of its result likewise, f.Back being the
// steps since the stacks were empty, which is +0 here. What it leaves out holds the
// +0 that weights of no sign would give; it is that of whole cells from the top on,
// or, where From is below 0, goes round: row -1 is the last.
//
// A device may as well compute all rows. Other operations have no range.
type NonzeroRange struct{ From, To, Step int }

// Ahead returns the rows of a stack that are within the range: those before top and
// those from bottom on, D being all.
func (in *Instr) Ahead(f *Frame, D int) (top, bottom int) {
	if in.Nonzero == nil {
		return D, D
	}
	by := in.Nonzero.Step * min(f.Back, D)
	top, bottom = in.Nonzero.To+by, D
	if in.Nonzero.From < 0 {
		bottom += in.Nonzero.From - by
	}
	if top >= bottom {
		return D, D
	}
	return top, bottom
}

// NonzeroRows returns the rows of a gradient that are within the range, D being all.
func (in *Instr) NonzeroRows(f *Frame, D int) (from, to int) {
	if in.Nonzero == nil {
		return 0, D
	}
	by := in.Nonzero.Step * f.Back
	from, to = max(0, in.Nonzero.From-by), min(D, in.Nonzero.To+by)
	return min(from, D), max(min(from, D), to)
}

// Inner returns the inner extent of a MatMul in frame f.
func (in *Instr) Inner(f *Frame) int {
	if in.Reduce {
		return f.N
	}
	return in.K
}

// String prints the instruction on one line, and the body of a group below it.
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
	if in.I != ([3]int{}) {
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

// Frame is what changes from step to step: how many rows are active and where
// the blocks of each slot start, in rows.
type Frame struct {
	N       int // active rows
	Tail    int // rows that go on to the following step; the gradient of the others starts at +0
	Start   [NumSlots]int
	Strings [NumSlots]int // strings in the slot's block
	Back    int           // steps of the loop behind this one, as far as a [NonzeroRange] looks at them

	// Continues reports that the rows follow those of the frame before, which were
	// whole chunks. A sum over rows (a product with Reduce, ColSum) goes on: the
	// chunks are added to what its result holds.
	Continues bool
}
