package kernel

import (
	"fmt"
	"slices"
)

// Check returns an error if the instruction cannot run in an arena of the given number of
// words, in whatever step. It cannot run if its operands or extents contradict its row of
// [Ops], or if an operand starts outside the arena. An empty operand may start at the end of
// the arena.
func (in *Instr) Check(words int) error {
	row := &Ops[in.Op]
	if len(in.Args) != len(row.Args) {
		return fmt.Errorf("operands: have %d, want %d", len(in.Args), len(row.Args))
	}
	for j, arg := range in.Args {
		switch {
		case arg.Slot >= NumSlots:
			return fmt.Errorf("operand %d: have slot %d, want 0 to %d", j, arg.Slot, NumSlots-1)
		case arg.Slot == Absent && !row.Args[j].Optional:
			return fmt.Errorf("operand %d: have none, want one", j)
		case arg.Slot != Absent && (arg.Off < 0 || arg.Off > words):
			return fmt.Errorf("operand %d: have word %d, want 0 to %d", j, arg.Off, words)
		}
	}
	if in.M < 0 || in.W < 0 || in.K < 0 || in.S < 0 {
		return fmt.Errorf("extents: have M=%d W=%d K=%d S=%d, want none below 0", in.M, in.W, in.K, in.S)
	}
	if in.Reduce && (in.Op != MatMul || in.Form != Fixed || in.K != 0) {
		return fmt.Errorf("sum over the rows of the frame: have %v with form %d and K=%d, want matmul with form %d and K=0", in.Op, in.Form, in.K, Fixed)
	}
	if n := in.I[0]; row.Parts && (n < 1 || in.W%n != 0) {
		return fmt.Errorf("width: have %d in parts of %d, want whole parts", in.W, n)
	}
	if in.Op == List || in.Op == ListGrad {
		if head, cells := in.I[1], in.W/in.I[0]; head < 1 || head >= cells-1 {
			return fmt.Errorf("head: have cell %d of %d, want one with a cell on either side", head, cells)
		}
	}
	return nil
}

// CheckGroup returns an error unless in is a valid [Group] in a memory of the given number of words: each instruction of
// its body may be in a group, has the extents of the group, and reads only local values that one before it has written.
func (in *Instr) CheckGroup(words int) error {
	if in.Form != Rows || len(in.Body) == 0 || in.I[0] < 0 {
		return fmt.Errorf("have %d instructions of form %d with %d local values, want at least one of form %d, and no negative number of local values", len(in.Body), in.Form, in.I[0], Rows)
	}
	written := make([]bool, in.I[0])
	for i := range in.Body {
		if err := in.checkBody(&in.Body[i], written, words); err != nil {
			return fmt.Errorf("body %d (%v): %w", i, in.Body[i].Op, err)
		}
	}
	return nil
}

// checkBody checks instruction b of the body. The slice written records which local values the body has set so far.
func (in *Instr) checkBody(b *Instr, written []bool, words int) error {
	if b.Op >= NumOps || !Ops[b.Op].CanGroup() {
		return fmt.Errorf("have operation %d, want one that a group may contain", uint8(b.Op))
	}
	if b.Form != Rows || b.W != in.W {
		return fmt.Errorf("have form %d with %d columns, want form %d with %d", b.Form, b.W, Rows, in.W)
	}
	plain := *b
	plain.Args = slices.Clone(b.Args)
	for i, arg := range b.Args {
		if arg.Slot != Local {
			continue
		}
		if arg.Off < 0 || arg.Off >= len(written) || i > 0 && !written[arg.Off] {
			return fmt.Errorf("operand %d: have local value %d, want one below %d, written before it is read", i, arg.Off, len(written))
		}
		if i == 2 && Ops[b.Op].Broadcasts() {
			return fmt.Errorf("operand %d: have a local value, want an operand in memory", i)
		}
		plain.Args[i] = Arg{Slot: FixedSlot}
	}
	if err := plain.Check(words); err != nil {
		return err
	}
	if d := b.Args[0]; d.Slot == Local {
		written[d.Off] = true
	}
	return nil
}
