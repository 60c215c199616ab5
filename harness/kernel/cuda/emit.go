package cuda

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pushdown/harness/kernel"
)

// Elementwise instructions, alone or in a group, become a kernel whose text is
// written here: a thread goes down a column of the extents and computes the
// instructions one after the other for each element.
//
// Local values stay in registers. What was loaded stays there too until something
// is stored, since the place may be the same by another name. A row of weights, or
// the one weight, is loaded once: nothing in the group writes it.

// emittedName is the name of the kernel of every text written here.
const emittedName = "elementwise"

// cast tells what the second operand is.
type cast uint8

const (
	matrix cast = iota
	castOne
	castRow
	castCol
)

// elementOp is how an operation computes an element.
type elementOp struct {
	args    int // operands, the result first
	cast    cast
	numbers int  // of F that it reads
	grouped bool // may stand in a group
	emit    func(e *emitter, x, y string, f []string) string
}

// elementOps has a row for each operation that is elementwise.
var elementOps = map[kernel.Op]elementOp{
	kernel.Copy:        {2, matrix, 0, true, func(_ *emitter, x, _ string, _ []string) string { return x }},
	kernel.Add:         {3, matrix, 0, true, func(e *emitter, x, y string, _ []string) string { return e.f("add.rn.f32", x, y) }},
	kernel.Sub:         {3, matrix, 0, true, func(e *emitter, x, y string, _ []string) string { return e.f("sub.rn.f32", x, y) }},
	kernel.Mul:         {3, matrix, 0, true, func(e *emitter, x, y string, _ []string) string { return e.f("mul.rn.f32", x, y) }},
	kernel.Neg:         {2, matrix, 0, true, func(e *emitter, x, _ string, _ []string) string { return e.f("neg.f32", x) }},
	kernel.OneMinus:    {2, matrix, 0, true, func(e *emitter, x, _ string, _ []string) string { return e.f("sub.rn.f32", real(1), x) }},
	kernel.Scale:       {2, matrix, 1, true, func(e *emitter, x, _ string, f []string) string { return e.f("mul.rn.f32", x, f[0]) }},
	kernel.Sigmoid:     {2, matrix, 0, true, func(e *emitter, x, _ string, _ []string) string { return e.sigmoid(x) }},
	kernel.Tanh:        {2, matrix, 0, true, func(e *emitter, x, _ string, _ []string) string { return e.tanh(x) }},
	kernel.SigmoidGrad: {3, matrix, 0, true, (*emitter).sigmoidGrad},
	kernel.TanhGrad:    {3, matrix, 0, true, (*emitter).tanhGrad},
	kernel.Clip:        {2, matrix, 2, true, (*emitter).clip},
	kernel.Threshold:   {2, matrix, 1, true, (*emitter).threshold},
	kernel.FlushSmall:  {2, matrix, 1, false, (*emitter).drop},
	kernel.Fill:        {1, matrix, 1, false, func(_ *emitter, _, _ string, f []string) string { return f[0] }},
	kernel.MulOne:      {3, castOne, 0, true, func(e *emitter, x, y string, _ []string) string { return e.f("mul.rn.f32", x, y) }},
	kernel.AddRow:      {3, castRow, 0, true, func(e *emitter, x, y string, _ []string) string { return e.f("add.rn.f32", x, y) }},
	kernel.MulRow:      {3, castRow, 0, true, func(e *emitter, x, y string, _ []string) string { return e.f("mul.rn.f32", x, y) }},
	kernel.MulCol:      {3, castCol, 0, true, func(e *emitter, x, y string, _ []string) string { return e.f("mul.rn.f32", x, y) }},
	kernel.ScaleCols:   {3, castRow, 0, false, func(e *emitter, x, y string, _ []string) string { return e.f("mul.rn.f32", x, y) }},
}

// place is an operand in memory.
type place struct {
	arg  kernel.Arg
	cast cast
}

// emitter writes the kernel of a body.
type emitter struct {
	places  []place
	numbers []float32 // parameters in floating point
	head    strings.Builder
	body    strings.Builder
	next    [3]int         // registers of floating point, of 32 bits, predicates
	held    map[int]string // registers that hold the element of a place
	locals  map[int]string // ... of a local value
	fixed   map[int]string // ... of a place that is no matrix
}

func (e *emitter) line(format string, args ...any) { fmt.Fprintf(&e.body, "\t"+format+";\n", args...) }

func (e *emitter) register(kind int) string {
	e.next[kind]++
	return fmt.Sprintf("%%%c%d", "frp"[kind], e.next[kind]-1)
}

// f writes an instruction with a result in floating point, r one of 32 bits.
func (e *emitter) f(opcode string, operands ...string) string {
	d := e.register(0)
	e.line("%s %s, %s", opcode, d, strings.Join(operands, ", "))
	return d
}

func (e *emitter) r(opcode string, operands ...string) string {
	d := e.register(1)
	e.line("%s %s, %s", opcode, d, strings.Join(operands, ", "))
	return d
}

// test writes a comparison.
func (e *emitter) test(opcode string, operands ...string) string {
	d := e.register(2)
	e.line("%s %s, %s", opcode, d, strings.Join(operands, ", "))
	return d
}

// real is a number as PTX writes it.
func real(f float32) string { return fmt.Sprintf("0f%08X", math.Float32bits(f)) }

// place numbers an operand in memory.
func (e *emitter) place(arg kernel.Arg, c cast) int {
	p := place{arg, c}
	if i := slices.Index(e.places, p); i >= 0 {
		return i
	}
	e.places = append(e.places, p)
	return len(e.places) - 1
}

// load returns the register that holds an operand's element.
func (e *emitter) load(arg kernel.Arg, c cast) string {
	if arg.Slot == kernel.Local {
		return e.locals[arg.Off]
	}
	i := e.place(arg, c)
	if c == castOne || c == castRow {
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

// number returns the register of a parameter in floating point.
func (e *emitter) number(f float32) string {
	e.numbers = append(e.numbers, f)
	return fmt.Sprintf("%%k%d", len(e.numbers)-1)
}

// instr writes the element of one instruction.
func (e *emitter) instr(in *kernel.Instr) {
	op := elementOps[in.Op]
	var x, y string
	if op.args > 1 {
		x = e.load(in.Args[1], matrix)
	}
	if op.args > 2 {
		y = e.load(in.Args[2], op.cast)
	}
	var f []string
	for _, v := range in.F[:op.numbers] {
		f = append(f, e.number(v))
	}
	v := op.emit(e, x, y, f)
	if arg := in.Args[0]; arg.Slot == kernel.Local {
		e.locals[arg.Off] = v
	} else {
		i := e.place(arg, matrix)
		e.line("st.global.f32 [%%a%d], %s", i, v)
		clear(e.held)
		e.held[i] = v
	}
}

// emit writes the text of a body.
func emit(body []kernel.Instr) (*emitter, string) {
	e := &emitter{held: map[int]string{}, locals: map[int]string{}, fixed: map[int]string{}}
	for i := range body {
		e.instr(&body[i])
	}
	return e, e.text()
}

// text puts the kernel around the body.
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
		if p.cast == matrix || p.cast == castRow {
			line("add.s64 %%b%d, %%b%d, %%c0", i, i)
		}
		if p.cast == matrix || p.cast == castCol {
			line("ld.param.u32 %%l%d, [l%d]", i, i)
		} else {
			line("ld.global.f32 %s, [%%b%d]", e.fixed[i], i)
		}
	}
	b.WriteString("LOOP:\n")
	line("setp.ge.u32 %%q0, %%i4, %%i0")
	line("@%%q0 bra DONE")
	for i, p := range e.places {
		if p.cast == matrix || p.cast == castCol {
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
