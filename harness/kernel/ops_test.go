package kernel

import (
	"slices"
	"testing"
)

// TestOpsAreComplete checks that every row of the table Ops has the fields that devices,
// tests and graphs read.
func TestOpsAreComplete(t *testing.T) {
	names := map[string]Op{}
	for op := range NumOps {
		row := &Ops[op]
		if other, ok := names[row.Name]; ok || row.Name == "" || row.Op != op {
			t.Errorf("operation %d is named %q in row %d, as is operation %d; want a name of its own", op, row.Name, row.Op, other)
		}
		names[row.Name] = op
		if len(row.Forms) == 0 {
			t.Errorf("%v has no form", op)
		}
		writes := func(o Operand) bool { return o.Use != Reads }
		if op != Group && (len(row.Args) == 0 || !slices.ContainsFunc(row.Args, writes)) {
			t.Errorf("%v writes none of its %d operands", op, len(row.Args))
		}
		if i := slices.IndexFunc(row.Args, func(o Operand) bool { return o.InPlace }); i >= 0 && row.Args[i].Shape != row.Args[0].Shape {
			t.Errorf("%v: the result may lie where operand %d lies, of another shape", op, i)
		}
		e := row.Element
		if e == nil {
			continue
		}
		if e.Doc == "" || e.Loop == nil || e.Value == nil || len(e.TestConstants) > 0 != (e.F > 0) {
			t.Errorf("%v lacks a meaning, or attributes to try", op)
		}
		if len(row.Args) > 3 || row.Args[0].Shape != Whole || len(row.Args) > 1 && row.Args[1].Shape != Whole || e.F > 0 && len(row.Args) > 2 {
			t.Errorf("%v: %d operands and %d attributes, want a result, a matrix, and a second operand or attributes", op, len(row.Args), e.F)
		}
		if row.SameShape() && row.Broadcasts() {
			t.Errorf("%v is cast over its extents and is not", op)
		}
	}
}

// TestCheckReadsTheTable checks that Check returns an error for an instruction whose
// operands or width contradict the row of its operation in Ops.
func TestCheckReadsTheTable(t *testing.T) {
	arg := Arg{Slot: FixedSlot, LD: 4}
	for _, c := range []struct {
		in   Instr
		says string
	}{
		{Instr{Op: Add, Args: []Arg{arg, arg}}, "operands: have 2, want 3"},
		{Instr{Op: Stack, W: 4, I: [3]int{2}, Args: []Arg{arg, arg, arg, {}, arg, arg}}, "operand 3: have none, want one"},
		{Instr{Op: Stack, W: 5, I: [3]int{2}, Args: []Arg{arg, arg, arg, arg, {}, arg}}, "width: have 5 in parts of 2, want whole parts"},
		{Instr{Op: Stack, W: 4, I: [3]int{2}, Args: []Arg{arg, arg, arg, arg, {}, arg}}, ""},
	} {
		have := ""
		if err := c.in.Check(10); err != nil {
			have = err.Error()
		}
		if have != c.says {
			t.Errorf("%v: have error %q, want %q", c.in.Op, have, c.says)
		}
	}
}
