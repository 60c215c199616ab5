package cuda

import (
	"math"

	"pushdown/harness/kernel"
)

// elementwise is an emitted kernel with its operands.
type elementwise struct {
	fn      Function
	places  []place
	numbers []uint32  // bits of the floating-point parameters
	dense   bool      // all operands are matrices or single numbers, so matrices without gaps may run as one row
	at      []Pointer // scratch for the addresses of places
	short   []uint32  // scratch for the 4-byte parameters
}

// prepareElementwise emits one kernel for a single instruction or for the body of a fused
// group, which have been checked.
func (a *arena) prepareElementwise(s *step, body []kernel.Instr) error {
	e, text := emit(body)
	fn, err := a.dev.emitted(text)
	if err != nil {
		return err
	}
	k := &elementwise{fn: fn, places: e.places, dense: true, at: make([]Pointer, len(e.places))}
	for _, p := range e.places {
		k.dense = k.dense && (p.shape == kernel.Whole || p.shape == kernel.One)
	}
	for _, f := range e.numbers {
		k.numbers = append(k.numbers, math.Float32bits(f))
	}
	s.element, s.run = k, runElementwise
	return nil
}

func runElementwise(a *arena, s *step, f *kernel.Frame) {
	rows, cols := s.in.Extents(f)
	if s.in.Op == kernel.Group {
		rows, cols = f.N, s.in.W
	}
	k := s.element
	short := k.short[:0]
	dense := k.dense && rows*cols <= math.MaxInt32
	for i := range k.places {
		p, ld := a.resolve(&k.places[i].arg, f)
		k.at[i], short = p, append(short, ld)
		dense = dense && (k.places[i].shape != kernel.Whole || int(ld) == cols)
	}
	k.short = short
	k.launch(a.dev, rows, cols, dense)
}

// launch runs the kernel over a matrix of the given rows and columns, or, if dense is
// set, over one long row. Before the call, the caller sets k.at to the addresses of the
// operands and k.short to their leading dimensions.
func (k *elementwise) launch(d *Device, rows, cols int, dense bool) {
	if rows == 0 || cols == 0 {
		return
	}
	if dense {
		rows, cols = 1, rows*cols
	}
	short := append(k.short, k.numbers...)
	short = append(short, extent(rows), extent(cols))
	grid, block := plane(extent(rows), extent(cols), planeSize)
	d.launch(k.fn, grid, block, k.at, short)
	k.short = short[:0]
}

// runZeroTail clears the rows of the strings that end at this step, which are the
// rows from f.Tail on. In form StackMajor it clears the columns of these strings.
func runZeroTail(a *arena, s *step, f *kernel.Frame) {
	if f.Tail >= f.N {
		return
	}
	k, in := s.element, s.in
	p, ld := a.arg(in, f, 0)
	rows, cols := in.W, (f.N-f.Tail)*in.S
	if in.Form == kernel.StackMajor {
		k.at[0] = p + 4*Pointer(f.Tail*in.S)
	} else {
		rows, cols = f.N-f.Tail, in.W
		k.at[0] = p + 4*Pointer(f.Tail)*Pointer(ld)
	}
	k.short = append(k.short[:0], ld)
	k.launch(a.dev, rows, cols, false)
}
