package kerneltest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pushdown/harness/kernel"
)

// inGroup lists the operations that a group may contain.
var inGroup = func() (list []kernel.Op) {
	for op := range kernel.NumOps {
		if kernel.Ops[op].CanGroup() {
			list = append(list, op)
		}
	}
	return list
}()

// Partial is a [kernel.Device] that does not implement some operations yet. Their
// tests are skipped. The device's own tests must check that Compile refuses these
// operations.
type Partial interface {
	Lacks(op kernel.Op) bool
}

// supported returns all operations that dev implements, except Group.
func supported(dev kernel.Device) []kernel.Op {
	p, ok := dev.(Partial)
	if !ok {
		return ungrouped()
	}
	return slices.DeleteFunc(ungrouped(), p.Lacks)
}

// ungrouped returns all operations except Group.
func ungrouped() []kernel.Op {
	var ops []kernel.Op
	for op := range kernel.NumOps {
		if op != kernel.Group {
			ops = append(ops, op)
		}
	}
	return ops
}

// groupShapes are the numbers of rows and columns of the groups to test. Some are
// smaller and some larger than the vectors and tiles of the devices.
var groupShapes = [][2]int{{1, 1}, {1, 12}, {1, 512}, {1, 513}, {3, 1}, {700, 1}, {10, 12}, {33, 5}, {1, 40}, {7, 31}, {5, 64}, {2, 513}, {3, 1030}, {300, 48}, {60, 700}}

// testGroup compares groups with their instructions run one by one. The single
// instructions use matrices in memory in place of the local values of the group.
func testGroup(t *testing.T, dev kernel.Device) {
	for i, shape := range groupShapes {
		for trial := range 6 {
			r := rand.New(rand.NewPCG(uint64(i), uint64(trial)))
			p := newGroupProblem(r, shape[0], shape[1])
			name := fmt.Sprintf("%d rows of %d, trial %d", shape[0], shape[1], trial)
			want, err := p.run(dev, p.single)
			if err != nil {
				t.Fatalf("%s: one by one: %v", name, err)
			}
			got, err := p.run(dev, []kernel.Instr{p.grouped})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for at := range p.places { // the other words hold the matrices for local values
				if g, w := got[at], want[at]; math.Float32bits(g) != math.Float32bits(w) && !(g != g && w != w) {
					t.Fatalf("%s: word %d: have %v, want %v, as one by one\n%v", name, at, g, w, &p.grouped)
				}
			}
		}
	}
}

// groupProblem is a group, the same instructions one by one, and random memory to run
// them on.
type groupProblem struct {
	rows    int
	grouped kernel.Instr
	single  []kernel.Instr
	places  int // number of words before the matrices for local values
	mem     []float32
}

// newGroupProblem draws the body of a group. Operands are matrices with and without
// gaps between their rows. A result is a new matrix, overwrites the first operand, or
// is a local value.
func newGroupProblem(r *rand.Rand, rows, cols int) *groupProblem {
	p := &groupProblem{rows: rows}
	words := 3
	matrix := func(ld int) kernel.Arg {
		a := kernel.Arg{Slot: kernel.Current, Off: words, Row: ld, LD: ld}
		words += (rows+2)*ld + r.IntN(20)
		return a
	}
	var readable []kernel.Arg
	for range 4 {
		readable = append(readable, matrix(cols+r.IntN(2)*r.IntN(30)))
	}
	row := kernel.Arg{Slot: kernel.FixedSlot, Off: words, LD: cols}
	words += cols + 5
	col := matrix(1 + r.IntN(3))
	p.grouped = kernel.Instr{Op: kernel.Group, Form: kernel.Rows, W: cols}
	inner := 1 + r.IntN(12)
	for range inner {
		in := kernel.Instr{Op: inGroup[r.IntN(len(inGroup))], Form: kernel.Rows, W: cols, F: [2]float32{-0.5, 0.25}}
		pick := func() kernel.Arg { return readable[r.IntN(len(readable))] }
		in.Args = []kernel.Arg{{}, pick()}
		if args := kernel.Ops[in.Op].Args; len(args) == 3 {
			switch args[2].Shape {
			case kernel.Whole:
				in.Args = append(in.Args, pick())
			case kernel.PerCol:
				in.Args = append(in.Args, row)
			case kernel.One:
				in.Args = append(in.Args, kernel.Arg{Slot: kernel.FixedSlot, Off: row.Off + 1, LD: 1})
			case kernel.PerRow:
				in.Args = append(in.Args, col)
			}
		}
		switch r.IntN(4) {
		case 0: // in place
			in.Args[0] = in.Args[1]
		case 1:
			in.Args[0] = matrix(cols + r.IntN(2)*r.IntN(30))
		default:
			in.Args[0] = kernel.Arg{Slot: kernel.Local, Off: p.grouped.I[0]}
			p.grouped.I[0]++
		}
		readable = append(readable, in.Args[0])
		p.grouped.Body = append(p.grouped.Body, in)
	}
	p.places = words
	local := make([]kernel.Arg, p.grouped.I[0])
	for i := range local {
		local[i] = matrix(cols)
	}
	for _, in := range p.grouped.Body {
		in.Args = append([]kernel.Arg(nil), in.Args...)
		for i, a := range in.Args {
			if a.Slot == kernel.Local {
				in.Args[i] = local[a.Off]
			}
		}
		p.single = append(p.single, in)
	}
	p.mem = make([]float32, words)
	for i := range p.mem {
		switch r.IntN(20) {
		case 0:
			p.mem[i] = edgeValues[r.IntN(len(edgeValues))]
		default:
			p.mem[i] = float32(r.NormFloat64())
		}
	}
	return p
}

func (p *groupProblem) run(dev kernel.Device, program []kernel.Instr) ([]float32, error) {
	a, err := dev.NewArena(len(p.mem))
	if err != nil {
		return nil, err
	}
	defer a.Close()
	a.Write(0, p.mem)
	code, err := a.Compile(program)
	if err != nil {
		return nil, err
	}
	f := kernel.Frame{N: p.rows}
	f.Start[kernel.Current] = 1
	a.Run(code, []kernel.Frame{f})
	out := make([]float32, len(p.mem))
	a.Read(0, out)
	return out, nil
}

// testGroupRefusal checks that Compile returns an error for groups with invalid bodies.
func testGroupRefusal(t *testing.T, dev kernel.Device) {
	at := func(off int) kernel.Arg { return kernel.Arg{Slot: kernel.FixedSlot, Off: off, LD: 4} }
	local := func(i int) kernel.Arg { return kernel.Arg{Slot: kernel.Local, Off: i} }
	body := func(op kernel.Op, args ...kernel.Arg) kernel.Instr {
		return kernel.Instr{Op: op, Form: kernel.Rows, W: 4, Args: args}
	}
	wide := body(kernel.Neg, at(0), at(4))
	wide.W = 5
	for name, in := range map[string]kernel.Instr{ // each must be refused for the reason in its name
		"no body":                    {Form: kernel.Rows},
		"fixed form":                 {Form: kernel.Fixed, Body: []kernel.Instr{body(kernel.Neg, at(0), at(4))}},
		"another width":              {Body: []kernel.Instr{wide}},
		"a product":                  {Body: []kernel.Instr{body(kernel.MatMul, at(0), at(4), at(8))}},
		"a group":                    {Body: []kernel.Instr{body(kernel.Group)}},
		"an unknown operation":       {Body: []kernel.Instr{body(kernel.NumOps, at(0), at(4))}},
		"an operand too few":         {Body: []kernel.Instr{body(kernel.Add, at(0), at(4))}},
		"an operand outside":         {Body: []kernel.Instr{body(kernel.Neg, at(0), at(99))}},
		"a local value beyond":       {I: [3]int{1}, Body: []kernel.Instr{body(kernel.Neg, local(1), at(0))}},
		"a local value not written":  {I: [3]int{1}, Body: []kernel.Instr{body(kernel.Neg, at(0), local(0))}},
		"a local row of weights":     {I: [3]int{1}, Body: []kernel.Instr{body(kernel.Neg, local(0), at(0)), body(kernel.AddRow, at(0), at(4), local(0))}},
		"a negative number of local": {I: [3]int{-1}, Body: []kernel.Instr{body(kernel.Neg, at(0), at(4))}},
	} {
		in.Op, in.W = kernel.Group, 4
		if in.Form != kernel.Fixed || name != "fixed form" {
			in.Form = kernel.Rows
		}
		a := newArena(t, dev, 16)
		if _, err := a.Compile([]kernel.Instr{in}); err == nil {
			t.Errorf("compiling a group with %s: have no error, want one", name)
		}
	}
}
