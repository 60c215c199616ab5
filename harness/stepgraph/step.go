package stepgraph

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// A sized cell says how wide its output is and how many trained parameters it has. Step
// compares both with the graph, so that a formula that is wrong is an error at once.
type sized interface {
	Cell
	Output() int
	Count(in int) int
}

// Cell adds one step of the cell c to the graph, and the parameters and states of c. The
// step reads x. Cell returns the output of the step.
func (b *Builder) Cell(c Cell, x *Node) *Node {
	if c == nil {
		fail("the cell is nil, want one")
	}
	b.need("the input of a cell", x)
	var params, state []*Node
	b.blame(c, func() {
		params = b.Params(c.Params(x.Shape()[1]))
		for _, s := range c.State() {
			state = append(state, b.State(s))
		}
	})
	y, next := b.Step(c, x, state, params)
	for i, s := range state {
		b.SetNext(s, next[i])
	}
	return y
}

// Step runs the method Step of c. It fails if the results are not what c says: there must be
// an output with a row for each string, and one next value for each state. If c has the
// methods Output and Count, they must return the width of the output and the number of
// trained parameters. A panic in a method of c is an error that names c and the line.
func (b *Builder) Step(c Cell, x *Node, state, params []*Node) (y *Node, next []*Node) {
	outer := b.x
	b.x = x
	b.blame(c, func() { y, next = c.Step(b, x, state, params) })
	if b.need(named(c)+": output of Step", y); b.domain[y].Domain != Step || b.domain[y].StackMajor {
		fail("%s: output of Step: have %s, want a row for each string", named(c), b.describe(y))
	}
	if len(next) != len(state) {
		fail("%s: Step returns %d next values, want %d, one for each state: %s", named(c), len(next), len(state), b.describeAll(state))
	}
	for i, s := range state {
		b.checkNext(s, next[i])
	}
	if c, ok := c.(sized); ok {
		b.blame(c, func() { b.checkSizes(c, x.Shape()[1], y, params) })
	}
	b.x = outer
	return y, next
}

// checkSizes fails if Output or Count of a cell is wrong.
func (b *Builder) checkSizes(c sized, in int, y *Node, params []*Node) {
	if have, want := c.Output(), y.Shape()[1]; have != want {
		fail("%s: Output returns %d, want %d, the width of the output of Step", named(c), have, want)
	}
	want, trained := 0, []*Node(nil)
	for _, p := range b.graph.Params {
		for _, n := range params {
			if p.Node == n && !p.Frozen {
				want += p.Rows * p.Cols
				trained = append(trained, n)
			}
		}
	}
	if have := c.Count(in); have != want {
		fail("%s: Count(%d) returns %d, want %d, the number of elements of %s", named(c), in, have, want, b.describeAll(trained))
	}
}

// blame runs f, which calls methods of c. It turns a panic into an error of the builder
// with the line that panicked.
func (b *Builder) blame(c Cell, f func()) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case buildError:
			panic(r.located())
		default:
			panic(buildError{err: fmt.Errorf("stepgraph: %s: panic: %v", named(c), r)}.located())
		}
	}()
	f()
}

// named returns the name of a cell, or its type if it has no name.
func named(c Cell) string {
	if s, ok := c.(fmt.Stringer); ok {
		return fmt.Sprint(s)
	}
	return fmt.Sprintf("%T", c)
}

// ByName returns a function for the method Step of a cell. The function returns the one of
// the given states or parameters with the given name, without the prefix that a cell made
// of cells puts before it. A name that is not in the list ends the build with an error.
func ByName(list []*Node) func(name string) *Node {
	short := func(n *Node) string { return n.Name()[strings.LastIndexByte(n.Name(), '.')+1:] }
	return func(name string) *Node {
		var names []string
		for _, n := range list {
			if short(n) == name {
				return n
			}
			names = append(names, short(n))
		}
		fail("have no parameter or state %s here, want one of: %s", name, strings.Join(names, ", "))
		return nil
	}
}

// located returns e with the line that called this package, unless e has a line already. An
// error of what a cell returns to [Builder.Cell] or [Builder.Step] has no line. A deferred
// function must call located while the panic that carries e unwinds the stack.
func (e buildError) located() buildError {
	if e.at != "" {
		return e
	}
	pc := make([]uintptr, 100)
	frames := runtime.CallersFrames(pc[:runtime.Callers(1, pc)])
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		own := strings.HasSuffix(path.Dir(f.File), "harness/stepgraph") && !strings.HasSuffix(f.File, "_test.go")
		switch method := strings.Split(f.Function, "(*Builder)."); {
		case own && (strings.HasPrefix(method[len(method)-1]+".", "Cell.") || strings.HasPrefix(method[len(method)-1]+".", "Step.")):
			return e
		case !own && f.File != "" && !strings.HasPrefix(f.Function, "runtime."):
			e.at = fmt.Sprintf("%s:%d", path.Base(f.File), f.Line)
			return e
		}
	}
	return e
}
