package scan

import (
	"fmt"

	"pushdown/harness/kernel"
)

// Options bound what a VM can run. They size its arena.
type Options struct {
	Strings  int // most strings in a batch
	Rows     int // most packed rows of a batch: the sum of its lengths
	Steps    int // longest string
	Examples int // most predictions of a batch
	BPTT     int // gradients are cut every so many steps from the start; 0: never
	Moments  int // copies of the trainable parameters that the optimiser keeps

	// Window makes the VM one for a stream: a string without end that comes in
	// batches of at most Steps, each of which goes on where the last one ended.
	// A gradient goes back over so many steps, the batch's own among them,
	// through what was computed when they were new. 0: every batch by itself.
	Window int

	// MergeWidth is the least width at which products of one input become one.
	// Narrower results are read faster where their rows are adjacent. 0: 32.
	MergeWidth int

	// HeadRows is the number of examples that the read-out takes at once, a
	// multiple of [kernel.Chunk]. 0: as the sizes suggest.
	HeadRows int

	// GradScale is a power of two by which the loss is multiplied before its
	// gradient is taken; parameter gradients are divided by it again. In a
	// long product of small factors it keeps gradients out of the subnormal
	// numbers, where some processors are slow and all lose digits.
	GradScale int

	// PerString makes the gradient that of the sum of the losses over the number
	// of the strings that the batch begins with, not over that of the losses.
	PerString bool
}

func (o Options) check() error {
	for _, b := range []struct {
		name string
		have int
		need int
	}{
		{"strings", o.Strings, 1}, {"rows", o.Rows, 1}, {"steps", o.Steps, 1},
		{"examples", o.Examples, 0}, {"BPTT", o.BPTT, 0}, {"window", o.Window, 0}, {"moments", o.Moments, 0}, {"merge width", o.MergeWidth, 0}, {"head rows", o.HeadRows, 0}, {"gradient scale", o.GradScale, 0},
	} {
		if b.have < b.need || b.have > 1<<31-1 {
			return fmt.Errorf("scan: %s is %d, want %d to %d", b.name, b.have, b.need, 1<<31-1)
		}
	}
	if o.HeadRows%kernel.Chunk != 0 {
		return fmt.Errorf("scan: head rows is %d, want a multiple of %d", o.HeadRows, kernel.Chunk)
	}
	if o.GradScale > mostGradScale {
		return fmt.Errorf("scan: gradient scale is 2^%d, want at most 2^%d", o.GradScale, mostGradScale)
	}
	return o.checkWindow()
}

// carried is the number of strings that a carried gradient has room for: an odd
// number of cache lines, so that the rows of a stack do not fall into one place
// of a cache; of a few strings a power of two, so that whole rows fill a vector.
// Those of a stream follow each other.
func (o *Options) carried() int {
	switch {
	case o.Window > 0:
		return 1
	case o.Strings <= lineWords/2:
		n := 1
		for n < o.Strings {
			n *= 2
		}
		return n
	}
	return lines(o.Strings) | lineWords
}

// mostGradScale leaves a gradient as much room above as below.
const mostGradScale = 96

// Region is a tensor inside the arena.
type Region struct {
	Name       string
	At         int // first word
	Rows, Cols int
}

// Layout tells the optimiser and the checkpoint where things lie. The
// trainable parameters, their gradients and each copy of moments are blocks of
// Words words with the tensors at the same places, in bytewise order of their
// names; words between tensors stay zero.
type Layout struct {
	Words   int
	Params  int      // first word of the parameters
	Grads   int      // of the gradients
	Moments []int    // of each copy
	Scalars int      // of 16 words for the optimiser's run-time scalars
	Norms   int      // of one word for each trainable tensor
	Trained []Region // the trainable tensors, At relative to a block
	Frozen  []Region // the others, At absolute
}
