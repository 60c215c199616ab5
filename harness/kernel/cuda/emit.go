package cuda

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pushdown/harness/kernel"
)

// This file emits the PTX of elementwise instructions, alone or in a [kernel.Group]. Each
// thread of the kernel walks down a column. For each element it computes all instructions
// in order.
//
// Local values stay in registers. A loaded element stays in its register until the next
// store. After a store it is loaded again when needed, because another operand may have the
// same address. Elements of operands with shape PerCol or One are loaded once, because no
// instruction of the group writes them.

// emittedName is the kernel name in every emitted text.
const emittedName = "elementwise"

// computes is a function that emits an operation and returns the register of the
// result. x and y are the registers of the inputs; f holds those of the constants. x
// or y is "" if the operation has no such input.
type computes func(e *emitter, x, y string, f []string) string

// opcode returns a function that emits one PTX instruction with the given opcode. Its
// operands are the registers x, y and f of the inputs that the operation has.
func opcode(text string) computes {
	return func(e *emitter, x, y string, f []string) string {
		operands := append([]string{x, y}, f...)
		return e.f(text, slices.DeleteFunc(operands, func(s string) bool { return s == "" })...)
	}
}

// elementOps maps each elementwise operation to the function that emits it.
var elementOps = map[kernel.Op]computes{
	kernel.Copy:        func(_ *emitter, x, _ string, _ []string) string { return x },
	kernel.Add:         opcode("add.rn.f32"),
	kernel.Sub:         opcode("sub.rn.f32"),
	kernel.Mul:         opcode("mul.rn.f32"),
	kernel.Neg:         opcode("neg.f32"),
	kernel.OneMinus:    func(e *emitter, x, _ string, _ []string) string { return e.f("sub.rn.f32", real(1), x) },
	kernel.Scale:       opcode("mul.rn.f32"),
	kernel.Sigmoid:     func(e *emitter, x, _ string, _ []string) string { return e.sigmoid(x) },
	kernel.Tanh:        func(e *emitter, x, _ string, _ []string) string { return e.tanh(x) },
	kernel.SigmoidGrad: (*emitter).sigmoidGrad,
	kernel.TanhGrad:    (*emitter).tanhGrad,
	kernel.Clip:        (*emitter).clip,
	kernel.Threshold:   (*emitter).threshold,
	kernel.FlushSmall:  (*emitter).flushSmall,
	kernel.Fill:        func(_ *emitter, _, _ string, f []string) string { return f[0] },
	kernel.MulOne:      opcode("mul.rn.f32"),
	kernel.AddRow:      opcode("add.rn.f32"),
	kernel.MulRow:      opcode("mul.rn.f32"),
	kernel.MulCol:      opcode("mul.rn.f32"),
	kernel.ScaleCols:   opcode("mul.rn.f32"),
}

// place is an operand in memory.
type place struct {
	arg   kernel.Arg
	shape kernel.Shape // Whole, or a shape that is broadcast: PerRow, PerCol or One
}

// emitter emits the PTX of one CUDA kernel. The kernel runs a single elementwise instruction,
// or all instructions in the body of a group.
type emitter struct {
	places  []place
	numbers []float32 // floating-point parameters
	head    strings.Builder
	body    strings.Builder
	next    [3]int         // number of float, 32-bit and predicate registers so far
	held    map[int]string // by index in places: register that holds the current element
	locals  map[int]string // by number of a local value: register that holds it
	fixed   map[int]string // by index in places, for PerCol and One: register that holds the element
}

func (e *emitter) line(format string, args ...any) { fmt.Fprintf(&e.body, "\t"+format+";\n", args...) }

func (e *emitter) register(kind int) string {
	e.next[kind]++
	return fmt.Sprintf("%%%c%d", "frp"[kind], e.next[kind]-1)
}

// f emits an instruction that stores its result in a new float register. It returns that
// register.
func (e *emitter) f(opcode string, operands ...string) string {
	d := e.register(0)
	e.line("%s %s, %s", opcode, d, strings.Join(operands, ", "))
	return d
}

// r is like f, but the new register holds 32 bits of any type.
func (e *emitter) r(opcode string, operands ...string) string {
	d := e.register(1)
	e.line("%s %s, %s", opcode, d, strings.Join(operands, ", "))
	return d
}

// test is like f, but the new register is a predicate.
func (e *emitter) test(opcode string, operands ...string) string {
	d := e.register(2)
	e.line("%s %s, %s", opcode, d, strings.Join(operands, ", "))
	return d
}

// real returns f as a PTX literal.
func real(f float32) string { return fmt.Sprintf("0f%08X", math.Float32bits(f)) }

// place returns the index in e.places of an operand in memory and adds the operand
// if it is new.
func (e *emitter) place(arg kernel.Arg, shape kernel.Shape) int {
	p := place{arg, shape}
	if i := slices.Index(e.places, p); i >= 0 {
		return i
	}
	e.places = append(e.places, p)
	return len(e.places) - 1
}

// load returns the register that holds an operand's element. If no register holds it,
// load emits a load instruction.
func (e *emitter) load(arg kernel.Arg, shape kernel.Shape) string {
	if arg.Slot == kernel.Local {
		return e.locals[arg.Off]
	}
	i := e.place(arg, shape)
	if shape == kernel.One || shape == kernel.PerCol {
		if e.fixed[i] == "" {
			e.fixed[i] = fmt.Sprintf("%%w%d", len(e.fixed))
		}
		return e.fixed[i]
	}
	if e.held[i] == "" {
		e.held[i] = e.f("ld.global.f32", fmt.Sprintf("[%%a%d]", i))
	}
	return e.held[i]
}

// number adds f to the kernel's floating-point parameters and returns the register that
// holds it.
func (e *emitter) number(f float32) string {
	e.numbers = append(e.numbers, f)
	return fmt.Sprintf("%%k%d", len(e.numbers)-1)
}

// instr emits the PTX of one instruction of the body.
func (e *emitter) instr(in *kernel.Instr) {
	row := &kernel.Ops[in.Op]
	var x, y string
	if len(row.Args) > 1 {
		x = e.load(in.Args[1], kernel.Whole)
	}
	if len(row.Args) > 2 {
		y = e.load(in.Args[2], row.Args[2].Shape)
	}
	var f []string
	for _, v := range in.F[:row.F] {
		f = append(f, e.number(v))
	}
	v := elementOps[in.Op](e, x, y, f)
	if arg := in.Args[0]; arg.Slot == kernel.Local {
		e.locals[arg.Off] = v
	} else {
		i := e.place(arg, kernel.Whole)
		e.line("st.global.f32 [%%a%d], %s", i, v)
		clear(e.held)
		e.held[i] = v
	}
}

// emit returns the complete PTX module of a body. The emitter, also returned, lists the
// module's operands and floating-point parameters.
func emit(body []kernel.Instr) (*emitter, string) {
	e := &emitter{held: map[int]string{}, locals: map[int]string{}, fixed: map[int]string{}}
	for i := range body {
		e.instr(&body[i])
	}
	return e, e.text()
}

// text returns the complete PTX module: the header, the parameters, and the loop over
// rows with the emitted body.
func (e *emitter) text() string {
	b := &e.head
	b.WriteString(".version 7.0\n.target sm_80\n.address_size 64\n\n.visible .entry " + emittedName + "(\n")
	for i := range e.places {
		fmt.Fprintf(b, "\t.param .u64 p%d,\n", i)
	}
	for i := range e.places {
		fmt.Fprintf(b, "\t.param .u32 l%d,\n", i)
	}
	for i := range e.numbers {
		fmt.Fprintf(b, "\t.param .f32 n%d,\n", i)
	}
	fmt.Fprintf(b, "\t.param .u32 rows,\n\t.param .u32 cols\n)\n.maxntid %d\n{\n", planeSize)
	n := len(e.places)
	fmt.Fprintf(b, "\t.reg .f32 %%f<%d>;\n\t.reg .b32 %%r<%d>;\n\t.reg .pred %%p<%d>;\n", e.next[0]+1, e.next[1]+1, e.next[2]+1)
	fmt.Fprintf(b, "\t.reg .f32 %%w<%d>;\n\t.reg .f32 %%k<%d>;\n\t.reg .b64 %%b<%d>;\n\t.reg .b64 %%a<%d>;\n\t.reg .b32 %%l<%d>;\n", len(e.fixed)+1, len(e.numbers)+1, n, n, n)
	b.WriteString("\t.reg .b32 %i<8>;\n\t.reg .b64 %c<1>;\n\t.reg .pred %q<1>;\n")
	line := func(format string, args ...any) { fmt.Fprintf(b, "\t"+format+";\n", args...) }
	line("ld.param.u32 %%i0, [rows]")
	line("ld.param.u32 %%i1, [cols]")
	for _, xy := range []struct {
		axis string
		to   int
	}{{"x", 2}, {"y", 4}} {
		line("mov.u32 %%i6, %%ntid.%s", xy.axis)
		line("mov.u32 %%i7, %%ctaid.%s", xy.axis)
		line("mov.u32 %%i%d, %%tid.%s", xy.to, xy.axis)
		line("mad.lo.s32 %%i%d, %%i6, %%i7, %%i%d", xy.to, xy.to)
	}
	line("mov.u32 %%i7, %%nctaid.y")
	line("mul.lo.s32 %%i5, %%i6, %%i7") // rows of the grid
	line("setp.ge.u32 %%q0, %%i2, %%i1")
	line("@%%q0 bra DONE")
	line("mul.wide.u32 %%c0, %%i2, 4")
	for i := range e.numbers {
		line("ld.param.f32 %%k%d, [n%d]", i, i)
	}
	for i, p := range e.places {
		line("ld.param.u64 %%b%d, [p%d]", i, i)
		line("cvta.to.global.u64 %%b%d, %%b%d", i, i)
		if p.shape == kernel.Whole || p.shape == kernel.PerCol {
			line("add.s64 %%b%d, %%b%d, %%c0", i, i)
		}
		if p.shape == kernel.Whole || p.shape == kernel.PerRow {
			line("ld.param.u32 %%l%d, [l%d]", i, i)
		} else {
			line("ld.global.f32 %s, [%%b%d]", e.fixed[i], i)
		}
	}
	b.WriteString("LOOP:\n")
	line("setp.ge.u32 %%q0, %%i4, %%i0")
	line("@%%q0 bra DONE")
	for i, p := range e.places {
		if p.shape == kernel.Whole || p.shape == kernel.PerRow {
			line("mul.wide.u32 %%a%d, %%i4, %%l%d", i, i)
			line("shl.b64 %%a%d, %%a%d, 2", i, i)
			line("add.s64 %%a%d, %%a%d, %%b%d", i, i, i)
		}
	}
	b.WriteString(e.body.String())
	line("add.s32 %%i4, %%i4, %%i5")
	b.WriteString("\tbra.uni LOOP;\nDONE:\n\tret;\n}\n")
	return b.String()
}
