package cpu

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"pushdown/harness/kernel"
)

// arena is a [kernel.Arena] in host memory. A word of mem holds a float32 or the bits
// of an int32.
type arena struct {
	dev  *Device
	mem  []float32
	free func() error

	packed *float32       // the packed second operand of the current product, or nil
	frees  []func() error // release packed operands
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
	err := a.free()
	for _, free := range a.frees {
		err = errors.Join(err, free())
	}
	a.frees = nil
	return err
}

// run computes one instruction in one frame.
type run func(a *arena, in *kernel.Instr, f *kernel.Frame)

// code is a compiled program: its instructions, and a routine for each of them.
type code struct {
	instrs []kernel.Instr
	runs   []run
	packs  []*pack
	oneRow []oneRow // for frames of one row

	byString *byString // nil: not divided between strings
}

func (c *code) Len() int { return len(c.instrs) }

// Compile looks up the routine of each instruction and checks the instruction.
// Properties that depend on a frame, such as the number of rows, are not checked.
func (a *arena) Compile(program []kernel.Instr) (kernel.Code, error) {
	c, err := a.compile(program)
	if err != nil {
		return nil, err
	}
	a.prepareOneRow(c)
	c.byString = a.newByString(c)
	return c, nil
}

// compile compiles a program for frames of several rows that run instruction by instruction.
func (a *arena) compile(program []kernel.Instr) (*code, error) {
	c := &code{instrs: program, runs: make([]run, len(program))}
	for i := range program {
		in := &program[i]
		if in.Op == kernel.Group {
			g, err := a.newGroup(in)
			if err != nil {
				return nil, fmt.Errorf("cpu: instruction %d (%v): %w", i, in.Op, err)
			}
			c.runs[i] = g.exec
			continue
		}
		if in.Op >= kernel.NumOps || routines[in.Op] == nil {
			return nil, fmt.Errorf("cpu: instruction %d: unknown operation %d", i, uint8(in.Op))
		}
		if err := in.Check(len(a.mem)); err != nil {
			return nil, fmt.Errorf("cpu: instruction %d (%v): %w", i, in.Op, err)
		}
		c.runs[i] = routines[in.Op]
	}
	c.fuseBias()
	c.findPacks()
	c.smallProducts(a)
	return c, nil
}

// Run runs the program in each frame. If the device has one thread, Run locks the goroutine to its thread, which
// makes large networks faster: the scheduler of Go interrupts a goroutine every ten milliseconds and can
// resume it in a thread on another processor, whose caches hold none of its data. A team does not lock, because
// its caller yields while it waits, and a locked goroutine yields slowly.
func (a *arena) Run(program kernel.Code, frames []kernel.Frame) {
	if a.dev.team.n == 1 {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
	}
	c := program.(*code)
	if singleRows(frames) {
		c.runOneRow(a, frames)
		return
	}
	if c.byString != nil && c.byString.exec(a, c, frames) {
		return
	}
	for _, p := range c.packs {
		p.fill(a, frames, 1)
	}
	for i := range frames {
		f := &frames[i]
		for j, r := range c.runs {
			r(a, &c.instrs[j], f)
		}
	}
}

// runOneRow implements Run if each of the frames has a single row, as when one string
// is read symbol by symbol.
func (c *code) runOneRow(a *arena, frames []kernel.Frame) {
	for i := range c.oneRow {
		c.oneRow[i].transposeB(frames)
	}
	for _, p := range c.packs {
		if p.ready = false; p.wanted {
			p.fill(a, frames, 1)
		}
	}
	for i := range frames {
		f := &frames[i]
		for j := range c.oneRow {
			s := &c.oneRow[j]
			s.run(s, f)
		}
	}
}

// arg returns the address and leading dimension of operand i. The address is nil if
// the operand is absent.
func (a *arena) arg(in *kernel.Instr, f *kernel.Frame, i int) (*float32, int) {
	arg := &in.Args[i]
	if arg.Slot == kernel.Absent {
		return nil, 0
	}
	off, ld := arg.Resolve(f)
	return a.f32(off), ld
}

// f32 returns the address of the word at the offset off. It does not check the offset,
// because the planner of a program keeps operands inside the arena. An empty operand may
// point to the end of the arena.
func (a *arena) f32(off int) *float32 {
	return (*float32)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(a.mem)), 4*off))
}

func i32(p *float32) *int32 { return (*int32)(unsafe.Pointer(p)) }
