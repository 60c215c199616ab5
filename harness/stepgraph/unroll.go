package stepgraph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Oracle is a step graph unrolled over time and run by Gorgonia's TapeMachine through Do.
// It is slow, simple and independent of harness/scan and its kernels. In float32, tests
// compare harness/scan with it; in float64, they compare its gradients with finite
// differences.
type Oracle struct {
	step   *Graph
	b      *Builder
	active []int // strings active at each step

	params  []*Node
	initial []*Node
	final   []*Node
	inputs  map[string][]*Node // step inputs: one node per step; others: one node
	loss    *Node
	outputs map[string]*Node
	seed    *Node
	grads   map[string]*Node
	gradIn  map[string]*Node

	reads []read // set by the first run
	// machine returns a machine that reuses the program compiled by the first run,
	// because compiling takes most of the time. The function is nil before that run.
	machine func() gorgonia.VM
}

// read says how to store a value in a Result after a run.
type read struct {
	value *gorgonia.Value
	store func(*Result, Mat)
}

// Values holds the inputs of an oracle run, by name.
type Values struct {
	Params  map[string]Mat
	Initial map[string]Mat // states before the first step; default: StateSpec.Init
	Inputs  map[string]Mat // step inputs hold the packed rows of all steps
}

// Result holds the results of an oracle run.
type Result struct {
	Loss    Mat            // [E, 1]
	Outputs map[string]Mat // by name
	Final   map[string]Mat // by state: value after the last step, of the strings active in that step
	Grads   map[string]Mat // by parameter: gradient of the sum of the losses, each times its seed
	Initial map[string]Mat // by state: gradient of the same sum with respect to the initial value
}

// Unroll builds the oracle of a step graph that has not been differentiated. The list
// active holds the number of strings active at each step, which must not increase.
func Unroll(g *Graph, active []int, examples int, dt tensor.Dtype) (o *Oracle, err error) {
	defer recoverBuild(&err)
	if len(active) == 0 || examples < 1 {
		fail("unrolling %d steps with %d examples, want at least 1 of each", len(active), examples)
	}
	for t, n := range active {
		if n < 1 || t > 0 && n > active[t-1] {
			fail("unrolling: %d strings active at step %d, want at least 1 and no more than before", n, t)
		}
	}
	if len(g.b.nodes) != g.forward {
		fail("unrolling: the graph is already differentiated")
	}
	cfg := g.b.cfg
	cfg.Dtype, cfg.Batch, cfg.Examples = dt, active[0], examples
	o = &Oracle{step: g, b: newBuilder(cfg), active: active, inputs: map[string][]*Node{}, outputs: map[string]*Node{}}
	o.build()
	return o, nil
}

func (o *Oracle) build() {
	g, b := o.step, o.b
	at := map[*Node]*Node{} // step graph node -> unrolled node at the current step
	all := map[*Node][]*Node{}
	for _, p := range g.Params {
		at[p.Node] = b.leaf(p.Name, b.cfg.Dtype, p.Rows, p.Cols, Layout{})
		o.params = append(o.params, at[p.Node])
	}
	for _, s := range g.States {
		rows, cols := b.cfg.Batch, s.Width
		if s.Stacks > 0 {
			rows, cols = s.Width, b.cfg.Batch*s.Stacks
		}
		at[s.In] = b.leaf(s.Name, b.cfg.Dtype, rows, cols, Layout{Domain: Step, StackMajor: s.Stacks > 0, Stacks: s.Stacks})
		o.initial = append(o.initial, at[s.In])
	}
	for _, in := range g.Inputs {
		if in.Domain != Step {
			rows := 1
			if in.Domain == Example {
				rows = b.cfg.Examples
			}
			at[in.Node] = b.leaf(in.Name, o.dtype(in), rows, in.Width, Layout{Domain: in.Domain})
			o.inputs[in.Name] = []*Node{at[in.Node]}
		}
	}
	for t, n := range o.active {
		for _, in := range g.Inputs {
			if in.Domain == Step {
				at[in.Node] = b.leaf(fmt.Sprintf("%s.%d", in.Name, t), o.dtype(in), n, in.Width, Layout{Domain: Step})
				o.inputs[in.Name] = append(o.inputs[in.Name], at[in.Node])
			}
		}
		if t > 0 {
			next := make([]*Node, len(g.States))
			for i, s := range g.States {
				next[i] = o.cut(at[s.Out], s.Stacks, o.active[t-1], n)
			}
			for i, s := range g.States {
				at[s.In] = next[i]
			}
		}
		for _, x := range g.ForwardNodes() {
			if OpOf(x) != nil && g.LayoutOf(x).Domain == Step || OpOf(x) != nil && g.LayoutOf(x).Domain == Static && t == 0 {
				at[x] = o.copyOp(x, at)
				all[x] = append(all[x], at[x])
			}
		}
	}
	for _, s := range g.States {
		o.final = append(o.final, at[s.Out])
	}
	packed := map[*Node]*Node{}
	for _, x := range g.ForwardNodes() {
		op := OpOf(x)
		if op == nil || g.LayoutOf(x).Domain != Example {
			continue
		}
		if op.Kind == GatherRows {
			in := g.InputsOf(x)[0]
			if packed[in] == nil {
				rows := all[in]
				if OpOf(in) == nil {
					rows = o.inputs[in.Name()]
				}
				packed[in] = b.apply(Op{Kind: ConcatRows}, rows...)
			}
			at[x] = b.apply(Op{Kind: GatherRows}, packed[in], at[g.InputsOf(x)[1]])
			continue
		}
		at[x] = o.copyOp(x, at)
	}
	for name, x := range g.Outputs { // each output sets its own entry, so the order does not matter
		o.outputs[name] = at[x]
	}
	if g.Loss != nil {
		o.loss = at[g.Loss]
	}
}

func (o *Oracle) dtype(in *Input) tensor.Dtype {
	if in.Int {
		return tensor.Int32
	}
	return o.b.cfg.Dtype
}

// copyOp applies the operation of x to the unrolled copies of the inputs of x.
func (o *Oracle) copyOp(x *Node, at map[*Node]*Node) *Node {
	op := *OpOf(x)
	var in []*Node
	for _, y := range o.step.InputsOf(x) {
		in = append(in, at[y])
	}
	return o.b.apply(op, in...)
}

// cut returns the part of the state x that belongs to the first strings, because the others
// have ended. The parameters from and to are the number of strings in x and the number to
// keep.
func (o *Oracle) cut(x *Node, stacks, from, to int) *Node {
	if from == to {
		return x
	}
	if stacks > 0 {
		return o.b.apply(Op{Kind: SliceCols, I: [3]int{0, to * stacks, 1}}, x)
	}
	return o.b.apply(Op{Kind: SliceRows, I: [3]int{0, to, 1}}, x)
}

// Differentiate adds the gradients with respect to parameters and initial states.
func (o *Oracle) Differentiate() (err error) {
	defer recoverBuild(&err)
	if o.loss == nil {
		fail("the graph has no loss")
	}
	o.seed = o.b.leaf(InputSeed, o.b.cfg.Dtype, o.b.cfg.Examples, 1, Layout{Domain: Example})
	var from []*Node
	for i, p := range o.step.Params {
		if !p.Frozen {
			from = append(from, o.params[i])
		}
	}
	for i, s := range o.step.States {
		if !s.NoGrad {
			from = append(from, o.initial[i])
		}
	}
	grads := o.b.reverse(o.b.nodes, map[*Node]*Node{o.loss: o.seed}, from)
	o.grads, o.gradIn = map[string]*Node{}, map[string]*Node{}
	for i, p := range o.step.Params {
		o.grads[p.Name] = grads[o.params[i]]
	}
	for i, s := range o.step.States {
		o.gradIn[s.Name] = grads[o.initial[i]]
	}
	return nil
}

// Run runs the unrolled graph on a fresh TapeMachine. It reads the gradient with
// respect to each loss from v.Inputs[InputSeed].
func (o *Oracle) Run(v Values) (*Result, error) {
	leaves, err := o.leaves(v, o.b.cfg.Dtype)
	if err != nil {
		return nil, err
	}
	for n, value := range leaves { // each node has its own value, so the order does not matter
		if err := gorgonia.Let(n, value); err != nil {
			return nil, err
		}
	}
	return o.run()
}

// Eval computes the unrolled graph in dt, which need not be the type of the oracle. It
// returns the same bits as Run of an oracle in dt, but calls Do for one node after the other
// instead of running a TapeMachine. Compiling for that machine takes many times as long.
func (o *Oracle) Eval(v Values, dt tensor.Dtype) (*Result, error) {
	values, err := o.leaves(v, dt)
	if err != nil {
		return nil, err
	}
	var in []gorgonia.Value
	for _, n := range o.b.nodes {
		op := OpOf(n)
		if op == nil {
			continue
		}
		in = in[:0]
		for _, x := range o.b.inputs[n] {
			in = append(in, values[x])
		}
		if values[n], err = op.Do(in...); err != nil {
			return nil, fmt.Errorf("stepgraph: %w", err)
		}
	}
	res := newResult()
	o.each(func(n *Node, store func(*Result, Mat)) { store(res, matOf(values[n])) })
	return res, nil
}

// leaves returns the values of the inputs of the graph, as numbers of type dt or integers.
func (o *Oracle) leaves(v Values, dt tensor.Dtype) (map[*Node]gorgonia.Value, error) {
	values := make(map[*Node]gorgonia.Value, len(o.b.nodes))
	let := func(n *Node, m Mat, dt tensor.Dtype) error {
		if s := n.Shape(); s[0] != m.Rows || s[1] != m.Cols {
			return fmt.Errorf("stepgraph: value of %s is %dx%d, want %v", n.Name(), m.Rows, m.Cols, s)
		}
		values[n] = Mat{m.Rows, m.Cols, append([]float64(nil), m.Data...)}.tensor(dt)
		return nil
	}
	for i, p := range o.step.Params {
		if err := let(o.params[i], v.Params[p.Name], dt); err != nil {
			return nil, err
		}
	}
	for i, s := range o.step.States {
		m, ok := v.Initial[s.Name]
		if !ok {
			m = NewMat(o.initial[i].Shape()[0], o.initial[i].Shape()[1])
			for j := range m.Data {
				m.Data[j] = s.Init
			}
		}
		if err := let(o.initial[i], m, dt); err != nil {
			return nil, err
		}
	}
	for _, in := range o.step.Inputs {
		if in.Name == InputSeed {
			continue
		}
		kind := dt
		if in.Int {
			kind = tensor.Int32
		}
		m, row := v.Inputs[in.Name], 0
		for _, n := range o.inputs[in.Name] {
			rows := n.Shape()[0]
			if (row+rows)*in.Width > len(m.Data) {
				return nil, fmt.Errorf("stepgraph: input %s has %d rows, want at least %d", in.Name, m.Rows, row+rows)
			}
			if err := let(n, Mat{rows, in.Width, m.Data[row*in.Width : (row+rows)*in.Width]}, kind); err != nil {
				return nil, err
			}
			row += rows
		}
	}
	if o.seed != nil {
		if err := let(o.seed, v.Inputs[InputSeed], dt); err != nil {
			return nil, err
		}
	}
	return values, nil
}

func (o *Oracle) run() (*Result, error) {
	if o.reads == nil {
		o.addReads()
	}
	if o.machine == nil {
		first := gorgonia.NewTapeMachine(o.b.graph.Expr)
		defer first.Close()
		compiled := gorgonia.WithPrecompiled(first.Prog(), first.LocMap())
		o.machine = func() gorgonia.VM { return gorgonia.NewTapeMachine(o.b.graph.Expr, compiled) }
	}
	m := o.machine()
	defer m.Close()
	if err := m.RunAll(); err != nil {
		return nil, fmt.Errorf("stepgraph: tape machine: %w", err)
	}
	res := newResult()
	for _, r := range o.reads {
		r.store(res, matOf(*r.value))
	}
	return res, nil
}

func newResult() *Result {
	return &Result{Outputs: map[string]Mat{}, Final: map[string]Mat{}, Grads: map[string]Mat{}, Initial: map[string]Mat{}}
}

// addReads adds a read node for each value that a run returns. Without a read node, the
// machine would reuse the register of the value.
func (o *Oracle) addReads() {
	o.each(func(n *Node, store func(*Result, Mat)) {
		v := new(gorgonia.Value)
		gorgonia.Read(n, v)
		o.reads = append(o.reads, read{v, store})
	})
}

// each calls the function take for each node whose value a run returns, and with the
// function that stores the value in the result.
func (o *Oracle) each(take func(n *Node, store func(*Result, Mat))) {
	add := func(n *Node, store func(*Result, Mat)) {
		if n != nil {
			take(n, store)
		}
	}
	add(o.loss, func(r *Result, m Mat) { r.Loss = m })
	for name, n := range o.outputs { // each output sets its own entry, so the order does not matter
		add(n, func(r *Result, m Mat) { r.Outputs[name] = m })
	}
	for i, s := range o.step.States {
		add(o.final[i], func(r *Result, m Mat) { r.Final[s.Name] = m })
		add(o.gradIn[s.Name], func(r *Result, m Mat) { r.Initial[s.Name] = m })
	}
	for _, p := range o.step.Params {
		add(o.grads[p.Name], func(r *Result, m Mat) { r.Grads[p.Name] = m })
	}
}
