package cuda

import (
	"fmt"

	"pushdown/harness/kernel"
)

// code is a program with the kernels of each instruction looked up.
type code struct{ steps []step }

func (c *code) Len() int { return len(c.steps) }

// step is an instruction ready to be launched.
type step struct {
	in      *kernel.Instr
	run     func(a *arena, s *step, f *kernel.Frame)
	fn      []Function   // kernels, in the order of the routine's names
	element *elementwise // of an emitted kernel
	scratch Pointer      // of a routine that needs some
	half    int          // words of each half of it
}

// routine is how an operation runs: the number of its operands, the kernels it
// launches, and who launches them. Those without kernels are emitted.
type routine struct {
	args    int
	kernels []string
	run     func(a *arena, s *step, f *kernel.Frame)
	scratch func(in *kernel.Instr) int // words of one half of the scratch memory
}

// Compile looks up or emits the kernels of each instruction and checks what can
// be checked without a frame.
func (a *arena) Compile(program []kernel.Instr) (kernel.Code, error) {
	c := &code{steps: make([]step, len(program))}
	for i := range program {
		in := &program[i]
		if in.Op >= kernel.NumOps {
			return nil, fmt.Errorf("cuda: instruction %d: unknown operation %d", i, uint8(in.Op))
		}
		if err := a.prepare(&c.steps[i], in); err != nil {
			return nil, fmt.Errorf("cuda: instruction %d (%v): %w", i, in.Op, err)
		}
	}
	return c, nil
}

func (a *arena) prepare(s *step, in *kernel.Instr) error {
	s.in = in
	if in.Op == kernel.Group {
		return a.prepareElementwise(s, in.Body, groupChecked)
	}
	if _, ok := elementOps[in.Op]; ok {
		return a.prepareElementwise(s, []kernel.Instr{*in}, nil)
	}
	if in.Op == kernel.ZeroTail {
		if err := a.check(in, 1); err != nil {
			return err
		}
		err := a.prepareElementwise(s, []kernel.Instr{{Op: kernel.Fill, Args: in.Args}}, nil)
		s.run = runZeroTail
		return err
	}
	r := &routines[in.Op]
	if r.run == nil {
		return fmt.Errorf("no kernel for op %v yet: it runs with PUSHDOWN_DEVICE=cpu", in.Op)
	}
	if err := a.check(in, r.args); err != nil {
		return err
	}
	for _, name := range r.kernels {
		fn, err := a.dev.function(name)
		if err != nil {
			return err
		}
		s.fn = append(s.fn, fn)
	}
	s.run = r.run
	if r.scratch == nil {
		return nil
	}
	if s.half = r.scratch(in); s.half > 0 {
		p, err := a.dev.reserve(2 * s.half)
		if err != nil {
			return fmt.Errorf("scratch memory of %d words: %w", 2*s.half, err)
		}
		s.scratch = p
		a.scratch = append(a.scratch, p)
	}
	return nil
}

// optional has a bit for each operand that may be absent.
var optional = [kernel.NumOps]uint16{
	kernel.Stack:     1 << 4,
	kernel.StackGrad: 1<<0 | 1<<1 | 1<<2 | 1<<3 | 1<<4 | 1<<9,
	kernel.List:      1 << 5,
	kernel.ListGrad:  1<<0 | 1<<1 | 1<<2 | 1<<3 | 1<<9,
}

// check refuses an instruction that could not run in any frame. An empty operand
// may lie at the end of the arena.
func (a *arena) check(in *kernel.Instr, args int) error {
	if len(in.Args) != args {
		return fmt.Errorf("%d operands, want %d", len(in.Args), args)
	}
	for j, arg := range in.Args {
		switch {
		case arg.Slot >= kernel.NumSlots:
			return fmt.Errorf("operand %d in slot %d, want 0 to %d", j, arg.Slot, kernel.NumSlots-1)
		case arg.Slot == kernel.Absent && optional[in.Op]&(1<<j) == 0:
			return fmt.Errorf("operand %d is absent", j)
		case arg.Slot != kernel.Absent && (arg.Off < 0 || arg.Off > a.words):
			return fmt.Errorf("operand %d at word %d, want 0 to %d", j, arg.Off, a.words)
		}
	}
	if in.M < 0 || in.W < 0 || in.K < 0 || in.S < 0 {
		return fmt.Errorf("extents M=%d W=%d K=%d S=%d, want none below 0", in.M, in.W, in.K, in.S)
	}
	if in.Reduce && (in.Op != kernel.MatMul || in.Form != kernel.Fixed || in.K != 0) {
		return fmt.Errorf("sums over the rows of the frame with form %d and K=%d, want a matmul with form %d and K=0", in.Form, in.K, kernel.Fixed)
	}
	switch in.Op {
	case kernel.Softmax, kernel.SoftmaxGrad, kernel.OneHot, kernel.Stack, kernel.StackGrad, kernel.List, kernel.ListGrad:
		if n := in.I[0]; n < 1 || in.W%n != 0 {
			return fmt.Errorf("width %d in parts of %d, want whole parts", in.W, n)
		}
	}
	if in.Op == kernel.List || in.Op == kernel.ListGrad {
		if head, cells := in.I[1], in.W/in.I[0]; head < 1 || head >= cells-1 {
			return fmt.Errorf("head at cell %d of %d, want one on either side", head, cells)
		}
	}
	return nil
}

// Lacks reports whether the device has no kernel for an operation yet: programs
// that need it run on the processor.
func (d *Device) Lacks(op kernel.Op) bool {
	_, emitted := elementOps[op]
	return !emitted && op != kernel.Group && op != kernel.ZeroTail && routines[op].run == nil
}
