package scan

import (
	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// An example is a row that has a prediction. The head is the phase that computes logits, loss
// and their gradients. It runs once for each block of examples, so that only the logits of one
// block are in memory. Sums over examples are sums of chunks of [kernel.Chunk] examples. A block
// has whole chunks, so the size of a block changes no bit of a sum.

const (
	headWords = 1 << 25 // maximum number of words of a value in a block
	headSum   = 1 << 18 // number of words of a sum that is cheap to read and write again
)

// sizeHeadBlocks chooses the number of examples in a block. Each block reads and writes
// the sums over examples once. So a block is made large enough that this costs little
// compared with the rest of its work, but no larger.
func (p *plan) sizeHeadBlocks() {
	whole := (p.opts.MaxExamples + kernel.Chunk - 1) / kernel.Chunk * kernel.Chunk
	rows, widest := kernel.Chunk, 1
	noBlocks := false
	for _, v := range p.values {
		if !v.live || v.leaf || v.phase != Head {
			continue
		}
		if v.layout.Domain == stepgraph.Example {
			widest = max(widest, v.cols)
		}
		if v.reduces() {
			switch {
			case v.is(stepgraph.MatMul):
				if v.rows*v.cols > headSum {
					rows = max(rows, 2*min(v.rows, v.cols))
				}
			case !v.is(stepgraph.ColSum):
				rows, noBlocks = whole, true // other sums cannot continue from block to block
			}
		}
	}
	if p.opts.HeadRows > 0 && !noBlocks {
		rows = p.opts.HeadRows
	}
	rows = (rows + kernel.Chunk - 1) / kernel.Chunk * kernel.Chunk
	most := max(headWords/widest/kernel.Chunk*kernel.Chunk, kernel.Chunk)
	if !noBlocks && p.opts.HeadRows == 0 && rows < whole {
		rows = min(rows, most)
	}
	p.headRows = min(rows, max(p.opts.MaxExamples, 1))
}

// headArg changes the slot of an operand of an instruction of the head, if the operand has
// one row for each row of the batch instead of one for each example. In the head, slot
// Current starts at the first example of a block, so these rows need a slot that starts at
// the first row of the batch. In a stream this is StateIn, which nothing else in the head
// uses. Otherwise the rows have a fixed address, and the slot is FixedSlot.
func (p *plan) headArg(a kernel.Arg) kernel.Arg {
	switch {
	case a.Slot != kernel.Current:
	case p.opts.Window > 0:
		a.Slot = kernel.StateIn
	default:
		a.Slot = kernel.FixedSlot
	}
	return a
}
