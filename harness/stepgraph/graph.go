package stepgraph

import (
	"fmt"
	"math"

	"gorgonia.org/gorgonia"
)

// Node is a value of a graph.
type Node = gorgonia.Node

// Init describes the initial value of a parameter.
type Init struct {
	Kind   InitKind
	A, B   float64   // Constant: A; Uniform: from A to B; Normal: mean A, standard deviation B
	Values []float32 // FromValues: row-major
}

// InitKind is a distribution of initial values.
type InitKind uint8

// The kinds of initial values.
const (
	Constant InitKind = iota // the zero Init sets all elements to zero
	Uniform
	Normal
	FromValues
)

// Spec describes a parameter. The name is part of every digest of parameters. It also
// names the random stream that initializes the parameter.
type Spec struct {
	Name       string
	Rows, Cols int
	Init       Init
	Frozen     bool // no gradient, no update, not counted
}

// checkInit fails if the initial values of a parameter are not what their kind needs.
func (s Spec) checkInit() {
	i, values := s.Init, 0
	switch i.Kind {
	case Constant:
		if math.IsNaN(i.A) {
			fail("parameter %s: constant %v, want a number", s.Name, i.A)
		}
	case Uniform:
		if !(i.A <= i.B) {
			fail("parameter %s: uniform from A = %v to B = %v, want A <= B", s.Name, i.A, i.B)
		}
	case Normal:
		if math.IsNaN(i.A) || !(i.B >= 0) {
			fail("parameter %s: normal with mean A = %v and standard deviation B = %v, want B >= 0", s.Name, i.A, i.B)
		}
	case FromValues:
		values = s.Rows * s.Cols
	default:
		fail("parameter %s: have the unknown kind %d of initial values, want Constant, Uniform, Normal or FromValues", s.Name, i.Kind)
	}
	if len(i.Values) != values {
		fail("parameter %s [%dx%d] has %d initial values, want %d, and the kind FromValues only with values", s.Name, s.Rows, s.Cols, len(i.Values), values)
	}
}

// StateSpec describes a state that a cell carries from step to step.
type StateSpec struct {
	Name   string  `json:"name"`
	Width  int     `json:"width"`   // numbers per string; for a stack: rows, that is, cells times width of a cell
	Stacks int     `json:"stacks"`  // 0: a row value [B, Width]; otherwise stack-major, [Width, B*Stacks]
	Init   float64 `json:"init"`    // value of every element at the start of a string
	NoGrad bool    `json:"no_grad"` // no gradient flows through the state; for counters
}

// Cell is a recurrent cell, written as a single step.
type Cell interface {
	// Params lists the parameters. The parameter in is the number of columns of x, the
	// input of Step.
	Params(in int) []Spec
	// State lists the states carried from step to step.
	State() []StateSpec
	// Step adds one step to b. It receives the input x, [B, in], and the states and
	// parameters in the order in which State and Params list them; ByName finds one by its
	// name. It returns the output y and the next states, in the order of State. A cell may
	// also have the methods Output and Count, see Builder.Step.
	Step(b *Builder, x *Node, state, params []*Node) (y *Node, next []*Node)
}

// Param is a parameter of a graph. Grad is set by Differentiate.
type Param struct {
	Spec
	Node, Grad *Node
}

// State is a state of a graph. The field In is the value of the state at the start of the
// step, and the field Out its value at the end. Differentiate sets GradOut, the gradient that
// arrives from the following step, and GradIn, the gradient that this step passes to the
// previous one. Either is nil if no gradient flows.
type State struct {
	StateSpec
	In, Out         *Node
	GradOut, GradIn *Node
}

// Input is a value that the caller supplies for each run.
type Input struct {
	Name   string
	Node   *Node
	Domain Domain
	Width  int
	Int    bool
}

// Names of the inputs that the builder creates on demand.
const (
	InputToken       = "token"  // step, int: the symbol read
	InputExampleRows = "pick"   // example, int: packed row of each prediction
	InputTarget      = "target" // example, int: class of each prediction
	InputWeight      = "weight" // example [E, 1]: weight of the loss term that compares with the target
	InputLabelWeight = "judged" // example [E, 1]: weight of the loss term that compares with the label
	InputLabel       = "label"  // example [E, 1]: target number of each example
	InputCoord       = "coord"  // step, int [B, 3]: string, time and update of each row
	InputSeed        = "seed"   // example [E, 1]: gradient with respect to each loss, where the backward pass starts
)

// Graph is the graph of one time step, as Build returns it. It lists the parameters,
// states, inputs and outputs, and names the node that is the loss.
type Graph struct {
	Expr    *gorgonia.ExprGraph
	Params  []*Param
	States  []*State
	Inputs  []*Input
	Loss    *Node            // [E, 1], nil for a graph without loss
	Outputs map[string]*Node // further results that a run can read, by name

	b       *Builder
	forward int // number of nodes before Differentiate
}

// Nodes returns all nodes in order of construction, which is a topological order.
func (g *Graph) Nodes() []*Node { return g.b.nodes }

// ForwardNodes returns the nodes that existed before Differentiate.
func (g *Graph) ForwardNodes() []*Node { return g.b.nodes[:g.forward] }

// InputsOf returns the inputs of n in order, nil for a leaf.
func (g *Graph) InputsOf(n *Node) []*Node { return g.b.inputs[n] }

// OpOf returns the operation of n, nil for a leaf.
func OpOf(n *Node) *Op {
	o, _ := n.Op().(*Op)
	return o
}

// Input returns the input with that name, or nil if the graph has none.
func (g *Graph) Input(name string) *Input {
	for _, in := range g.Inputs {
		if in.Name == name {
			return in
		}
	}
	return nil
}

// Param returns the parameter with that name, or nil if the graph has none.
func (g *Graph) Param(name string) *Param {
	for _, p := range g.Params {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// CountParams returns the number of trainable parameters, counted by element.
func (g *Graph) CountParams() int {
	n := 0
	for _, p := range g.Params {
		if !p.Frozen {
			n += p.Rows * p.Cols
		}
	}
	return n
}

// buildError wraps an error so that a panic can carry it out of nested calls of a
// Builder.
type buildError struct {
	err error
	at  string // file and line of the call of the Builder, or empty
}

// Error returns the error with the line of the call.
func (e buildError) Error() string {
	if e.at == "" {
		return e.err.Error()
	}
	return fmt.Sprintf("%v (%s)", e.err, e.at)
}

// Unwrap returns the error without the line.
func (e buildError) Unwrap() error { return e.err }

// recoverCall stores the error of a buildError panic in err, with the line of the call of
// the Builder that failed. Other panics continue.
func recoverCall(err *error) {
	switch r := recover().(type) {
	case nil:
	case buildError:
		*err = r.located()
	default:
		panic(r)
	}
}

// recoverBuild stores the error of a buildError panic in err. Other panics
// continue.
func recoverBuild(err *error) {
	switch r := recover().(type) {
	case nil:
	case buildError:
		*err = r
	default:
		panic(r)
	}
}

func fail(format string, args ...any) {
	panic(buildError{err: fmt.Errorf("stepgraph: "+format, args...)})
}
