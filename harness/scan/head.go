package scan

import (
	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// The head goes through the examples block by block, so that the logits of a
// large vocabulary are never all there. Blocks are whole chunks of a sum: what
// is summed over examples goes on from block to block with the same bits.

const (
	headWords = 1 << 25 // most words of a value of a block
	headSum   = 1 << 18 // words of a sum that is cheap to read and write again
)

// blockHead decides how many examples a block has: so many that reading and
// writing the sums over examples once for each block costs little beside the
// rest, and no more than there are.
func (p *plan) blockHead() {
	whole := (p.opts.Examples + kernel.Chunk - 1) / kernel.Chunk * kernel.Chunk
	rows, widest := kernel.Chunk, 1
	noBlocks := false
	for _, v := range p.values {
		if !v.live || v.leaf || v.phase != Head {
			continue
		}
		if v.place.Domain == stepgraph.Example {
			widest = max(widest, v.cols)
		}
		if v.reduces() {
			switch {
			case v.is(stepgraph.MatMul):
				if v.rows*v.cols > headSum {
					rows = max(rows, 2*min(v.rows, v.cols))
				}
			case !v.is(stepgraph.ColSum):
				rows, noBlocks = whole, true // no other sum goes on
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
	p.headRows = min(rows, max(p.opts.Examples, 1))
}

// pinned is the place of rows of steps for the head, whose frames count
// examples: there StateIn, which nothing else in the head looks at, is the first
// row of the batch.
func (p *plan) pinned(a kernel.Arg) kernel.Arg {
	switch {
	case a.Slot != kernel.Current:
	case p.opts.Window > 0:
		a.Slot = kernel.StateIn
	default:
		a.Slot = kernel.FixedSlot
	}
	return a
}
