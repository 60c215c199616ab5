package kernel

import "fmt"

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
