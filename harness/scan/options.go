package scan

import (
	"fmt"

	"pushdown/harness/kernel"
)

// Options holds the bounds of the batches that a VM can run, and settings of the
// compilation. The bounds determine the size of the arena.
type Options struct {
	MaxStrings  int // maximum number of strings in a batch
	MaxRows     int // maximum number of packed rows of a batch: the sum of the lengths of its strings
	MaxSteps    int // maximum number of steps of a string
	MaxExamples int // maximum number of predictions of a batch
	BPTT        int // gradients are truncated every BPTT steps from the start; 0: never
	Moments     int // number of buffers with the size of the trainable parameters that the optimizer needs

	// Window is the number of steps that a gradient goes back in a stream, including the
	// steps of the current batch. If it is positive, the VM is compiled for a stream:
	// MaxStrings strings without an end, read side by side in batches of at most MaxSteps
	// steps, each of which continues the previous one. The gradient goes back into earlier
	// batches through the values stored for their steps. 0: no stream, and a gradient does
	// not leave its batch.
	Window int

	// MergeWidth is the minimum width of a product that is merged with other products of the
	// same input. Merged results are stored side by side, so that there are gaps between the
	// rows of each result. A narrower result is faster to read if its rows are adjacent. 0
	// stands for 32.
	MergeWidth int

	// HeadRows is the number of examples in a block of the read-out, a multiple of
	// [kernel.Chunk]. 0: Compile chooses it from the sizes of the graph.
	HeadRows int

	// GradScale is an exponent: the loss is multiplied by 2^GradScale before its
	// gradient is taken, and parameter gradients are divided by 2^GradScale
	// afterwards. In a long product of small factors this keeps gradients out of the
	// subnormal numbers, where some processors are slow and all lose digits.
	GradScale int

	// PerString makes Backward differentiate the sum of the losses divided by the
	// number of strings at the start of the batch, instead of the mean loss.
	PerString bool
}

func (o Options) check() error {
	for _, b := range []struct {
		name string
		have int
		need int
	}{
		{"strings", o.MaxStrings, 1}, {"rows", o.MaxRows, 1}, {"steps", o.MaxSteps, 1},
		{"examples", o.MaxExamples, 0}, {"BPTT", o.BPTT, 0}, {"window", o.Window, 0}, {"moments", o.Moments, 0}, {"merge width", o.MergeWidth, 0}, {"head rows", o.HeadRows, 0}, {"gradient scale", o.GradScale, 0},
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

// carryStrings returns the number of strings that a buffer of carried gradients has room for,
// which is at least MaxStrings. For few strings, the number is a power of two, so that whole
// rows fill a vector. For more strings, it is such that a row of one word per string takes an
// odd number of cache lines; then the rows of a stack do not map to the same cache set.
func (o *Options) carryStrings() int {
	switch {
	case o.MaxStrings <= lineWords/2:
		n := 1
		for n < o.MaxStrings {
			n *= 2
		}
		return n
	}
	return lines(o.MaxStrings) | lineWords
}

// mostGradScale is the maximum GradScale. Gradients below 2^32 do not overflow with it.
const mostGradScale = 96

// Region is the location of a tensor in the arena.
type Region struct {
	Name       string
	At         int // first word
	Rows, Cols int
}

// Layout describes the memory for the optimizer and checkpoints. The trainable
// parameters, their gradients and each set of moments are blocks of Words words with
// the same layout: tensors in bytewise order of their names. Words between tensors
// stay zero.
type Layout struct {
	Words     int
	Params    int      // first word of the parameters
	Grads     int      // first word of the gradients
	Moments   []int    // first word of each block of moments
	Scalars   int      // first of 16 words for the optimizer's run-time scalars
	Norms     int      // first word of the norms, one per trainable tensor
	Trainable []Region // the trainable tensors, At relative to a block
	Frozen    []Region // the frozen tensors, At absolute
}
