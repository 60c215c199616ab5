package stepgraph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"pushdown/harness/rng"
)

// Config holds the settings that a graph is built for.
type Config struct {
	Dtype    tensor.Dtype // default float32
	Batch    int          // rows of step values; default: a nominal number that no other size equals
	Examples int          // rows of example values; default: likewise
	Training bool         // the training variant: dropout and noise are active, and no cell rounds actions
	Seed     uint64       // seed of the run, from which dropout and noise are drawn
}

// Sizes of a graph that is not built for a particular batch. They are primes that no
// cell uses as a size, so that an operand of the wrong shape cannot fit by accident.
const (
	nominalBatch    = 10007
	nominalExamples = 20011
)

// Builder builds a graph. Its methods panic on misuse; [Build] turns the panic into an
// error, which ends with the line of the call.
type Builder struct {
	cfg    Config
	graph  *Graph
	nodes  []*Node
	inputs map[*Node][]*Node
	domain map[*Node]Layout
	same   map[string]*Node // nodes by operation and inputs
	names  map[string]bool
	serial uint32
	strict bool  // every operation is checked at once; an unrolled graph would not pass
	x      *Node // the x of the cell whose Step runs, otherwise nil
}

// Build runs f on a new builder and returns the finished graph.
func Build(cfg Config, f func(b *Builder)) (g *Graph, err error) {
	defer recoverCall(&err)
	b := newBuilder(cfg)
	b.strict = true
	f(b)
	return b.finish()
}

func newBuilder(cfg Config) *Builder {
	if cfg.Dtype == (tensor.Dtype{}) {
		cfg.Dtype = tensor.Float32
	}
	if cfg.Batch == 0 {
		cfg.Batch = nominalBatch
	}
	if cfg.Examples == 0 {
		cfg.Examples = nominalExamples
	}
	b := &Builder{
		cfg:    cfg,
		inputs: map[*Node][]*Node{},
		domain: map[*Node]Layout{},
		same:   map[string]*Node{},
		names:  map[string]bool{},
	}
	b.graph = &Graph{Expr: gorgonia.NewGraph(), Outputs: map[string]*Node{}, b: b}
	return b
}

func (b *Builder) finish() (*Graph, error) {
	b.graph.forward = len(b.nodes)
	for _, s := range b.graph.States {
		if s.Out == nil {
			return nil, fmt.Errorf("stepgraph: state %s has no next value", s.Name)
		}
	}
	return b.graph, b.graph.Verify()
}

// Training reports whether the graph is the training variant.
func (b *Builder) Training() bool { return b.cfg.Training }

// leaf adds a node without an operation. Names must be unique because Gorgonia
// identifies leaves by name alone.
func (b *Builder) leaf(name string, dt tensor.Dtype, rows, cols int, at Layout) *Node {
	if name == "" || name[len(name)-1] == '.' { // the point comes from a prefix
		fail("a parameter, state or input has no name, want one")
	}
	if b.names[name] {
		fail("two parameters, states or inputs are named %s, want different names", name)
	}
	b.names[name] = true
	n := gorgonia.NewMatrix(b.graph.Expr, dt, gorgonia.WithName(name), gorgonia.WithShape(rows, cols))
	b.nodes = append(b.nodes, n)
	b.domain[n] = at
	return n
}

// Param adds a parameter.
func (b *Builder) Param(s Spec) *Node {
	if s.Rows < 1 || s.Cols < 1 {
		fail("parameter %s is %dx%d, want at least 1x1", s.Name, s.Rows, s.Cols)
	}
	s.checkInit()
	n := b.leaf(s.Name, b.cfg.Dtype, s.Rows, s.Cols, Layout{Domain: Static})
	b.graph.Params = append(b.graph.Params, &Param{Spec: s, Node: n})
	return n
}

// Params adds parameters in order.
func (b *Builder) Params(specs []Spec) []*Node {
	nodes := make([]*Node, len(specs))
	for i, s := range specs {
		nodes[i] = b.Param(s)
	}
	return nodes
}

// State adds a state and returns its value at the start of the step.
func (b *Builder) State(s StateSpec) *Node {
	if s.Width < 1 || s.Stacks < 0 {
		fail("state %s has width %d and %d stacks, want a width of at least 1 and no negative number of stacks", s.Name, s.Width, s.Stacks)
	}
	rows, cols, at := b.cfg.Batch, s.Width, Layout{Domain: Step}
	if s.Stacks > 0 {
		rows, cols, at = s.Width, b.cfg.Batch*s.Stacks, Layout{Domain: Step, StackMajor: true, Stacks: s.Stacks}
	}
	n := b.leaf(s.Name, b.cfg.Dtype, rows, cols, at)
	b.graph.States = append(b.graph.States, &State{StateSpec: s, In: n})
	return n
}

// SetNext sets the next value of a state. The first node is the value of the state at the
// start of the step, and so says which state is meant. The second node is its value at the
// end.
func (b *Builder) SetNext(in, next *Node) {
	b.need("a state whose next value is set", in)
	for _, s := range b.graph.States {
		if s.In != in {
			continue
		}
		b.checkNext(in, next)
		if s.Out != nil {
			fail("state %s has two next values, want one", s.Name)
		}
		for _, other := range b.graph.States {
			if other.Out == next || other.In == next {
				next = b.apply(Op{Kind: Copy, Name: s.Name}, next) // each state needs a node of its own
				break
			}
		}
		if OpOf(next) == nil {
			next = b.apply(Op{Kind: Copy, Name: s.Name}, next)
		}
		s.Out = next
		return
	}
	fail("a state whose next value is set: have %s, want a state", b.describe(in))
}

// checkNext fails if next cannot be the next value of a state.
func (b *Builder) checkNext(state, next *Node) {
	b.need("next value of state "+state.Name(), next)
	if !next.Shape().Eq(state.Shape()) {
		fail("next value of state %s: have %s, want [%s]", state.Name(), b.describe(next), b.shape(state))
	}
}

// Input returns the input with the given name. The first call with a name adds the
// input to the graph. If whole is set, the input holds int32 numbers.
func (b *Builder) Input(name string, d Domain, width int, whole bool) *Node {
	if in := b.graph.Input(name); in != nil {
		if in.Domain != d || in.Width != width || in.Int != whole {
			fail("input %s: have %s of width %d (int %v), want %s of width %d (int %v) as at first use", name, aValue(d), width, whole, aValue(in.Domain), in.Width, in.Int)
		}
		return in.Node
	}
	if width < 1 {
		fail("input %s has width %d, want at least 1", name, width)
	}
	rows, dt := 1, b.cfg.Dtype
	switch d {
	case Step:
		rows = b.cfg.Batch
	case Example:
		rows = b.cfg.Examples
	}
	if whole {
		dt = tensor.Int32
	}
	n := b.leaf(name, dt, rows, width, Layout{Domain: d})
	b.graph.Inputs = append(b.graph.Inputs, &Input{name, n, d, width, whole})
	return n
}

// Token returns the input that holds the symbol read at this step, one row per active
// string.
func (b *Builder) Token() *Node { return b.Input(InputToken, Step, 1, true) }

// Target returns the input that holds the class to be predicted, one row per example.
func (b *Builder) Target() *Node { return b.Input(InputTarget, Example, 1, true) }

// Weight returns the input that holds a weight for each example: the weight of the loss
// that compares the prediction with the target.
func (b *Builder) Weight() *Node { return b.Input(InputWeight, Example, 1, false) }

// Label returns the input that holds a real number to be predicted, one row per example,
// such as 1 for a string in the language and 0 for another string.
func (b *Builder) Label() *Node { return b.Input(InputLabel, Example, 1, false) }

// LabelWeight returns the input that holds a weight for each example: the weight of the
// loss that compares the prediction with the label.
func (b *Builder) LabelWeight() *Node { return b.Input(InputLabelWeight, Example, 1, false) }

// Scalar returns an input of shape 1x1 that the caller sets before each update,
// such as a temperature.
func (b *Builder) Scalar(name string) *Node { return b.Input(name, Static, 1, false) }

// ExampleRows returns the rows of x from which predictions are made. x has a row for each
// symbol read. An input of the graph lists the indices of the rows to return.
func (b *Builder) ExampleRows(x *Node) *Node {
	return b.apply(Op{Kind: GatherRows}, x, b.Input(InputExampleRows, Example, 1, true))
}

// SetLoss sets the loss to x, which has one row per example and a single column.
func (b *Builder) SetLoss(x *Node) {
	b.need("the loss", x)
	b.graph.Loss = x
}

// SetOutput names a value so that a run can read it.
func (b *Builder) SetOutput(name string, x *Node) {
	b.need("output "+name, x)
	if b.graph.Outputs[name] != nil {
		fail("two outputs are named %s, want different names", name)
	}
	b.graph.Outputs[name] = x
}

// Apply adds an operation and returns its node.
func (b *Builder) Apply(o Op, in ...*Node) *Node { return b.apply(o, in...) }

// apply adds o with the given inputs, or returns the node that already computes it.
func (b *Builder) apply(o Op, in ...*Node) *Node {
	if n := table[o.Kind].arity; n >= 0 && n != len(in) {
		fail("%v of %d values, want %d", o.Kind, len(in), n)
	} else if n < 0 {
		if len(in) == 0 {
			fail("%v of no values, want at least 1", o.Kind)
		}
		o.I[0] = len(in)
	}
	for i, x := range in {
		if !b.has(x) {
			b.need(fmt.Sprintf("%v: value %d", o.Kind, i+1), x)
		}
	}
	key := fmt.Sprint(o.Kind, o.I, o.F, o.Name)
	for _, x := range in {
		key += fmt.Sprint(" ", x.ID())
	}
	if n := b.same[key]; n != nil {
		return n
	}
	o.b = b
	for {
		b.serial++
		op := o
		op.serial = b.serial
		n, err := gorgonia.ApplyOp(&op, in...)
		if err != nil {
			if _, why := table[op.Kind].shape(&op, shapesOf(in)); why != nil {
				err = why
			}
			b.refuse(&op, in, err)
		}
		if n.Op() != gorgonia.Op(&op) {
			continue // the hash collides with that of another node: try the next serial number
		}
		at, err := resultLayout(b, &op, in)
		if err == nil && b.strict {
			err = b.graph.accepts(&op, in)
		}
		if err != nil {
			b.refuse(&op, in, err)
		}
		b.nodes = append(b.nodes, n)
		b.inputs[n] = in
		b.domain[n] = at
		b.same[key] = n
		return n
	}
}

// site returns the operation for one use of dropout or noise in a cell. The seed of the
// run and the given name determine its random numbers.
func (b *Builder) site(kind Kind, name string, f0, f1 float64) Op {
	key := rng.New(b.cfg.Seed, name).Key()
	return Op{Kind: kind, I: [3]int{int(key[0]), int(key[1])}, F: [2]float64{f0, f1}, Name: name}
}

// Dropout sets each element of x to 0 with the probability rate, and multiplies the
// remaining elements by 1/(1-rate). In evaluation it returns x. The random numbers come
// from the stream with the given name.
func (b *Builder) Dropout(name string, rate float64, x *Node) *Node {
	if !(rate >= 0 && rate < 1) {
		fail("dropout %s: rate %v, want 0 <= rate < 1", name, rate)
	}
	if !b.cfg.Training || rate == 0 {
		return x
	}
	return b.apply(b.site(Dropout, name, rate, 0), x, b.Input(InputCoord, Step, 3, true))
}

// Noise adds normal noise with the given mean and standard deviation to x. In evaluation
// it returns x. The random numbers come from the stream with the given name.
func (b *Builder) Noise(name string, mean, sd float64, x *Node) *Node {
	if !(sd >= 0) {
		fail("noise %s: standard deviation %v, want >= 0", name, sd)
	}
	if !b.cfg.Training || (mean == 0 && sd == 0) {
		return x
	}
	return b.apply(b.site(Noise, name, mean, sd), x, b.Input(InputCoord, Step, 3, true))
}
