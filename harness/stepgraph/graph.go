package stepgraph

import (
	"fmt"

	"gorgonia.org/gorgonia"
)

// Node is a value of a graph.
type Node = gorgonia.Node

// Init says how a parameter starts.
type Init struct {
	Kind   InitKind
	A, B   float64   // Constant: A; Uniform: from A to B; Normal: mean A, standard deviation B
	Values []float32 // Given: row-major
}

// InitKind is a distribution of initial values.
type InitKind uint8

// The kinds of initial values.
const (
	Constant InitKind = iota // the zero Init is all zeros
	Uniform
	Normal
	Given
)

// Spec describes a parameter. The name is part of every digest and names the
// stream that initialises the parameter.
type Spec struct {
	Name       string
	Rows, Cols int
	Init       Init
	Frozen     bool // no gradient, no update, not counted
}

// StateSpec describes a state that a cell carries from step to step.
type StateSpec struct {
	Name   string  `json:"name"`
	Width  int     `json:"width"`   // numbers per string; of a stack: rows, that is cells times width of a cell
	Stacks int     `json:"stacks"`  // 0: a row value [B, Width]; else [Width, B*Stacks], stack-major
	Init   float64 `json:"init"`    // every element at the start of a string
	NoGrad bool    `json:"no_grad"` // a counter: nothing flows back through time
}

// Cell is one recurrent cell, written as a single step.
type Cell interface {
	// Params lists the parameters for an input of width in.
	Params(in int) []Spec
	// State lists what is carried from step to step.
	State() []StateSpec
	// Step adds one step to b: of the input x, [B, in], the state and the
	// parameters in their listed order it gives the output y and the next
	// state.
	Step(b *Builder, x *Node, state, params []*Node) (y *Node, next []*Node)
}

// Param is a parameter of a graph. Grad is set by Differentiate.
type Param struct {
	Spec
	Node, Grad *Node
}

// State is a state of a graph. Carry and GradIn are set by Differentiate: the
// gradient that the following step hands back, and the one that this step
// hands to the step before (nil if none flows).
type State struct {
	StateSpec
	In, Out       *Node
	Carry, GradIn *Node
}

// Input is a value that the run supplies.
type Input struct {
	Name   string
	Node   *Node
	Domain Domain
	Width  int
	Int    bool
}

// Names of the inputs that the builder makes on demand.
const (
	InputToken  = "token"  // step, int: the symbol read
	InputPick   = "pick"   // example, int: packed row of each prediction
	InputTarget = "target" // example, int: class of each prediction
	InputWeight = "weight" // example [E, 1]: how much a part of each loss counts
	InputJudged = "judged" // example [E, 1]: how much another part counts
	InputLabel  = "label"  // example [E, 1]: the number that is right
	InputCoord  = "coord"  // step, int [B, 3]: string, time, update of each row
	InputSeed   = "seed"   // example [E, 1]: gradient of each loss
)

// Graph is a finished step with its roles: what is a parameter, a state, an
// input, the loss.
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

// Nodes returns every node in order of construction, which is topological.
func (g *Graph) Nodes() []*Node { return g.b.nodes }

// ForwardNodes returns the nodes that Differentiate found.
func (g *Graph) ForwardNodes() []*Node { return g.b.nodes[:g.forward] }

// InputsOf returns the inputs of n in order; none for a leaf.
func (g *Graph) InputsOf(n *Node) []*Node { return g.b.inputs[n] }

// OpOf returns the operation of n, nil for a leaf.
func OpOf(n *Node) *Op {
	o, _ := n.Op().(*Op)
	return o
}

// Input returns the input of that name, nil if the graph has none.
func (g *Graph) Input(name string) *Input {
	for _, in := range g.Inputs {
		if in.Name == name {
			return in
		}
	}
	return nil
}

// Param returns the parameter of that name, nil if the graph has none.
func (g *Graph) Param(name string) *Param {
	for _, p := range g.Params {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// CountParams returns the number of trainable numbers.
func (g *Graph) CountParams() int {
	n := 0
	for _, p := range g.Params {
		if !p.Frozen {
			n += p.Rows * p.Cols
		}
	}
	return n
}

// buildError carries an error out of nested construction.
type buildError struct{ err error }

// recoverBuild turns a panic of the builder into an error.
func recoverBuild(err *error) {
	switch r := recover().(type) {
	case nil:
	case buildError:
		*err = r.err
	default:
		panic(r)
	}
}

func fail(format string, args ...any) {
	panic(buildError{fmt.Errorf("stepgraph: "+format, args...)})
}
