package cuda

import (
	"fmt"

	"pushdown/harness/kernel"
)

// code is a compiled program: its instructions with their kernels.
type code struct {
	steps  []step
	pieces map[piece]*pieceState // what is known of each piece; nil: graphs are off
	graphs int                   // number of pieces that have a graph
	key    piece                 // scratch for repeat
}

func (c *code) Len() int { return len(c.steps) }

// step is an instruction with its kernels.
type step struct {
	in      *kernel.Instr
	run     func(a *arena, s *step, f *kernel.Frame)
	fn      []Function   // kernels, in the order of routine.kernels
	element *elementwise // the emitted kernel, or nil if a routine launches the kernels
	scratch Pointer      // scratch memory, if the routine needs it
	half    int          // words of each half of scratch
}

// routine holds the kernels of an operation and the function that launches them.
type routine struct {
	kernels []string
	run     func(a *arena, s *step, f *kernel.Frame)
	scratch func(in *kernel.Instr) int // words of one half of the scratch memory; nil: the routine has none
}

// Compile looks up or emits the kernels of each instruction. It makes all checks that do
// not depend on the [kernel.Frame] in which the program runs.
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
	if a.dev.recorder != nil {
		c.pieces = map[piece]*pieceState{}
		a.codes = append(a.codes, c)
	}
	return c, nil
}

func (a *arena) prepare(s *step, in *kernel.Instr) error {
	s.in = in
	if in.Op == kernel.Group {
		if err := in.CheckGroup(a.words); err != nil {
			return err
		}
		return a.prepareElementwise(s, in.Body)
	}
	if err := in.Check(a.words); err != nil {
		return err
	}
	if _, ok := elementOps[in.Op]; ok {
		return a.prepareElementwise(s, []kernel.Instr{*in})
	}
	if in.Op == kernel.ZeroTail {
		err := a.prepareElementwise(s, []kernel.Instr{{Op: kernel.Fill, Args: in.Args}})
		s.run = runZeroTail
		return err
	}
	r := &routines[in.Op]
	if r.run == nil {
		return fmt.Errorf("no kernel for op %v yet: it runs with PUSHDOWN_DEVICE=cpu", in.Op)
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

// Lacks reports whether the device has no kernel for an operation yet. A program
// that uses such an operation runs on the CPU only.
func (d *Device) Lacks(op kernel.Op) bool {
	_, emitted := elementOps[op]
	return !emitted && op != kernel.Group && op != kernel.ZeroTail && routines[op].run == nil
}
