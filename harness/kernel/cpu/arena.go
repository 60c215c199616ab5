package cpu

import (
	"fmt"
	"unsafe"

	"pushdown/harness/kernel"
)

// arena is host memory. Whole numbers lie in the same words as int32.
type arena struct {
	dev  *Device
	mem  []float32
	free func() error
}

var _ kernel.HostArena = (*arena)(nil)

func (a *arena) Len() int { return len(a.mem) }

func (a *arena) Ints(at, n int) []int32 {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*int32)(unsafe.Pointer(&a.mem[at : at+n][0])), n)
}

func (a *arena) Write(at int, x []float32)   { copy(a.mem[at:at+len(x)], x) }
func (a *arena) WriteInts(at int, x []int32) { copy(a.Ints(at, len(x)), x) }
func (a *arena) Read(at int, x []float32)    { copy(x, a.mem[at:at+len(x)]) }
func (a *arena) ReadInts(at int, x []int32)  { copy(x, a.Ints(at, len(x))) }

func (a *arena) Close() error {
	if a.mem == nil {
		return nil
	}
	a.mem = nil
	return a.free()
}

// run computes one instruction in one frame.
type run func(a *arena, in *kernel.Instr, f *kernel.Frame)

// code is a program with the routine of each instruction looked up.
type code struct {
	instrs []kernel.Instr
	runs   []run
}

func (c *code) Len() int { return len(c.instrs) }

// Compile looks up the routine of each instruction and checks what can be
// checked without a frame.
func (a *arena) Compile(program []kernel.Instr) (kernel.Code, error) {
	c := &code{instrs: program, runs: make([]run, len(program))}
	for i := range program {
		in := &program[i]
		if in.Op >= kernel.NumOps || routines[in.Op].run == nil {
			return nil, fmt.Errorf("cpu: instruction %d: unknown operation %d", i, in.Op)
		}
		r := routines[in.Op]
		if len(in.Args) != r.args {
			return nil, fmt.Errorf("cpu: instruction %d (%v): %d operands, want %d", i, in.Op, len(in.Args), r.args)
		}
		for j, arg := range in.Args {
			if arg.Slot != kernel.Absent && (arg.Off < 0 || arg.Off >= len(a.mem)) {
				return nil, fmt.Errorf("cpu: instruction %d (%v): operand %d at word %d, want 0 to %d", i, in.Op, j, arg.Off, len(a.mem)-1)
			}
		}
		c.runs[i] = r.run
	}
	return c, nil
}

// Run runs the program in each frame.
func (a *arena) Run(program kernel.Code, frames []kernel.Frame) {
	c := program.(*code)
	for i := range frames {
		f := &frames[i]
		for j, r := range c.runs {
			r(a, &c.instrs[j], f)
		}
	}
}

// arg returns the address and leading dimension of operand i, nil if absent.
func (a *arena) arg(in *kernel.Instr, f *kernel.Frame, i int) (*float32, int) {
	arg := &in.Args[i]
	if arg.Slot == kernel.Absent {
		return nil, 0
	}
	off, ld := arg.Resolve(f)
	return a.f32(off), ld
}

// f32 returns the address of a word. Planning keeps operands inside the arena;
// an empty operand may point to its end.
func (a *arena) f32(off int) *float32 {
	return (*float32)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(a.mem)), 4*off))
}

func i32(p *float32) *int32 { return (*int32)(unsafe.Pointer(p)) }
