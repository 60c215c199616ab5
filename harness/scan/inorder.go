package scan

import (
	"slices"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// headInOrder returns the code of the head for batches in which prediction i belongs to row i
// and every row has one, as in most language models. The code of phase Head gathers the rows
// that have a prediction, and scatters their gradients. In the code that headInOrder returns,
// the other instructions read and write these rows where they are. A copy stays if leaving it
// out could change a result. headInOrder returns nil if all copies stay, and for streams,
// whose rows are at other places in each batch.
func (p *plan) headInOrder() (code []kernel.Instr) {
	input := p.g.Input(stepgraph.InputExampleRows)
	if input == nil || p.opts.Window > 0 {
		return nil
	}
	rows := p.of[input.Node].at
	moved := map[region]move{}
	for i := range p.code[Head] {
		in := &p.code[Head][i]
		if m, ok := moveOf(in, rows); ok && p.canMove(m, in) {
			if at := p.region(m.buffer); moved[at] == (move{}) { // otherwise another move has the buffer
				moved[at] = m
				continue
			}
		}
		code = append(code, *in)
	}
	if len(moved) == 0 {
		return nil
	}
	p.moveArgs(code, moved)
	return code
}

// move says that instructions may read or write rows of the batch instead of a buffer that
// holds copies of them.
type move struct {
	buffer, rows kernel.Arg
	gather       bool // the rows are copied to the buffer; otherwise the buffer is copied to the rows
}

// moveOf returns the move that makes the instruction in unnecessary, if in copies rows whose
// indices are at the operand indices.
func moveOf(in *kernel.Instr, indices kernel.Arg) (m move, ok bool) {
	switch {
	case in.Op != kernel.Gather && in.Op != kernel.ScatterRows || in.Args[2] != indices:
		return m, false
	case in.Op == kernel.Gather:
		m = move{in.Args[0], in.Args[1], true}
	default:
		m = move{in.Args[1], in.Args[0], false}
	}
	switch m.rows.Slot {
	case kernel.FixedSlot: // by headArg
		m.rows.Slot = kernel.Current
	case kernel.StateOut: // In the head, this slot starts at row 0 of the batch, and StateIn at the first row of the block.
		m.rows.Slot = kernel.StateIn
	}
	// A buffer with other gaps between its rows may have readers that accept no gaps.
	return m, m.buffer.Slot == kernel.FixedSlot && m.buffer.LD == m.rows.LD && m.buffer.Skip == 0 && m.rows.Skip == 0
}

// canMove reports whether the code of the head computes the same if it makes the move m
// instead of running the instruction in. It requires more than the plans of today need: for
// example, nothing else in the head writes rows of the batch. A gradient that is scattered has
// no other reader, so nothing overwrites its buffer later.
func (p *plan) canMove(m move, in *kernel.Instr) bool {
	buffer, rows := p.region(m.buffer).at, p.region(m.rows).at
	return !slices.ContainsFunc(flat(p.code[Head], in), func(other *kernel.Instr) bool {
		for i, a := range other.Args {
			if a.Slot == kernel.Absent || a.Slot == kernel.Local {
				continue
			}
			operand := kernel.Ops[other.Op].Args[i]
			column := a.Off - m.buffer.Off
			switch p.region(a).at {
			case rows:
				if !m.gather || operand.Use != kernel.Reads {
					return true
				}
			case buffer:
				if m.gather && operand.Use != kernel.Reads || operand.Packed || other.Form == kernel.StackMajor ||
					a.LD != m.buffer.LD || column < 0 || column >= a.LD || a.Skip != 0 {
					return true
				}
			}
		}
		return false
	})
}

// flat lists the instructions of a program and of its groups, except the instruction without.
func flat(code []kernel.Instr, without *kernel.Instr) (list []*kernel.Instr) {
	for i := range code {
		if in := &code[i]; in != without {
			list = append(append(list, in), flat(in.Body, nil)...)
		}
	}
	return list
}

// moveArgs makes moves: it changes the operands that are in their buffers. The map has the
// moves by their buffers.
func (p *plan) moveArgs(code []kernel.Instr, moved map[region]move) {
	for i := range code {
		in := &code[i]
		in.Args, in.Body = slices.Clone(in.Args), slices.Clone(in.Body)
		for j, a := range in.Args {
			if a.Slot != kernel.FixedSlot {
				continue
			}
			if m, ok := moved[p.region(a)]; ok {
				in.Args[j] = m.rows
				in.Args[j].Off += a.Off - m.buffer.Off
			}
		}
		p.moveArgs(in.Body, moved)
	}
}

// inOrder reports whether prediction i belongs to row i for each row of the current batch. The
// parameter rows has the row of each prediction.
func (vm *VM) inOrder(rows []int32) bool {
	if len(rows) != vm.rows {
		return false
	}
	for i, r := range rows {
		if int(r) != i {
			return false
		}
	}
	return true
}
