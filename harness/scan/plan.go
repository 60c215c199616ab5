package scan

import (
	"fmt"

	"gorgonia.org/gorgonia"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// Phase is the phase in which a value is computed. The package comment describes the
// phases.
type Phase uint8

// The phases in order of execution.
const (
	Update Phase = iota
	Pre
	Loop
	Post
	Clear
	Head
	BackPre
	BackLoop
	BackPost
	BackReduce
	BackStatic
	NumPhases
)

var phaseNames = [NumPhases]string{"update", "pre", "loop", "post", "clear", "head", "backpre", "backloop", "backpost", "backreduce", "backstatic"}

// String returns the name of the phase.
func (p Phase) String() string { return phaseNames[p] }

// inLoop reports whether the phase runs step by step.
func (p Phase) inLoop() bool { return p == Loop || p == BackLoop }

// value is a node of the graph, with what the passes have decided about it.
type value struct {
	id           int
	node         *gorgonia.Node
	op           *stepgraph.Op // nil for a leaf
	in           []*value
	uses         []*value // live consumers, in order, once per input position
	layout       stepgraph.Layout
	rows         int // rows of a static or stack-major value
	cols         int // columns; unused for a stack-major value
	backward     bool
	live         bool
	phase        Phase
	leaf         bool
	keep         bool // outlives the step that computes it
	isOutput     bool // an output or the loss
	isGradResult bool // also read outside the graph: carried to the previous step, or a parameter's gradient

	at           kernel.Arg // location
	placed       bool
	within       *value               // the value whose memory it shares, nil if it has its own
	overwrites   bool                 // overwrites the value it is within; false: it is a view of that value
	isNextState  bool                 // the value of a state after the step: no other value may overwrite it
	done         bool                 // already computed by an earlier instruction
	nonzero      *kernel.NonzeroRange // of a gradient of stacks or lists: rows that can differ from +0; nil: any row
	pos          int                  // position in the order of computation
	inPlaceOf    *value               // the operand or dead value whose place it takes
	tenants      []*value             // values that reuseDead has put in the place of v
	addedProduct *value               // of a sum: the product that is added to the other operand
	biasProduct  *value               // of a product with a bias: the product
	state        *state
	merged       *merged
	group        *fused
	planar       *planarColumns // set if v is one of planar columns, or is joined from them
}

func (v *value) kind() stepgraph.Kind { return v.op.Kind }

// is reports whether v is the result of an operation of kind k.
func (v *value) is(k stepgraph.Kind) bool { return v.op != nil && v.op.Kind == k }

// origin returns the value that v is a copy of, or v itself.
func (v *value) origin() *value {
	for v.is(stepgraph.Copy) || v.is(stepgraph.StopGrad) || v.is(stepgraph.ClipGrad) || v.is(stepgraph.FlushGrad) {
		v = v.in[0]
	}
	return v
}

// width returns the number of words of v in one packed row.
func (v *value) width() int {
	if v.layout.StackMajor {
		return v.rows * v.layout.Stacks
	}
	return v.cols
}

// state is a state of the graph with its values.
type state struct {
	spec          stepgraph.StateSpec
	in, out       *value
	carry, gradIn *value // nil if no gradient flows
	block         int    // first word of the blocks
	carryAt       int    // first word of the two gradient buffers

	// Instructions outside the loops cannot read the state before a step, nor the gradient
	// carried to it, because neither is stored like other values of a step. If such an
	// instruction needs the state, the loops copy it to prevAt. If such an instruction needs
	// the gradient, the loops copy it to carryBlock.
	needsPrevBlock, needsCarryBlock bool
	prevAt, carryBlock              kernel.Arg

	// If states are dropped (see the method recompute), the state after a step is overwritten
	// before the loop ends. If an instruction outside the loop reads this state, the loop
	// copies it to nextAt.
	needsNextBlock bool
	nextAt         kernel.Arg
}

// plan is the state of a compilation.
type plan struct {
	g         *stepgraph.Graph
	opts      Options
	values    []*value
	symbolOf  map[*value]*value // results of the method symbols
	of        map[*gorgonia.Node]*value
	states    []*state
	train     bool
	noSharing bool // set by tests: no two values share memory

	words        int            // size of the arena so far
	tooLarge     bool           // an int is too small for the size of the arena, on a processor of 32 bits
	reserved     []int          // first words of all reserved ranges
	rowBlocks    []kernel.Arg   // locations of the values that have a block for each step
	dropStates   bool           // states need not be kept, see recompute.go
	recomputed   []kernel.Instr // instructions of the loop that compute the states again
	inOrder      []kernel.Instr // the head for batches in which prediction i belongs to row i; nil: code[Head]
	minSaved     int            // set by tests: bytes that moveIntoLoops must save; 0: minSavedBytes; below 0: move lookups of any size, too
	forceSegment int            // set by tests: the steps of a segment, whatever the states cost
	layout       Layout
	code         [NumPhases][]kernel.Instr
	clearWindow  []kernel.Instr // runs before the backward pass over a window
	clearCarry   []kernel.Instr // runs when a string of a stream begins, or before the backward pass of a batch
	clearStacks  []kernel.Instr // clears stacks outside their initial nonzero range
	merges       []*merged
	groups       []*fused
	currentGroup *fused   // the group whose members are being lowered
	order        []*value // in the order of computation

	headRows int // examples in a block of the head
}

func newPlan(g *stepgraph.Graph, opts Options) *plan {
	if opts.MergeWidth == 0 {
		opts.MergeWidth = 32
	}
	p := &plan{g: g, opts: opts, symbolOf: map[*value]*value{}, of: map[*gorgonia.Node]*value{}}
	for i, n := range g.Nodes() {
		v := &value{id: i, node: n, op: stepgraph.OpOf(n), layout: g.LayoutOf(n),
			rows: n.Shape()[0], cols: n.Shape()[1], backward: i >= len(g.ForwardNodes())}
		v.leaf = v.op == nil
		for _, x := range g.InputsOf(n) {
			v.in = append(v.in, p.of[x].origin())
		}
		p.values = append(p.values, v)
		p.of[n] = v
	}
	for _, s := range g.States {
		st := &state{spec: s.StateSpec, in: p.of[s.In], out: p.of[s.Out]}
		st.in.state = st
		st.out.isNextState = true
		if s.GradOut != nil {
			p.train = true
			st.carry = p.of[s.GradOut]
			st.carry.state = st
			if s.GradIn != nil {
				st.gradIn = p.of[s.GradIn]
			}
		}
		p.states = append(p.states, st)
	}
	for _, q := range g.Params {
		p.train = p.train || q.Grad != nil
	}
	return p
}

// live marks the values that are needed, and lists the consumers of each value.
func (p *plan) live() {
	for _, n := range p.g.Outputs { // the order does not matter
		p.of[n].isOutput, p.of[n].live = true, true
	}
	if p.g.Loss != nil {
		p.of[p.g.Loss].isOutput, p.of[p.g.Loss].live = true, true
	}
	for _, s := range p.states {
		s.in.live, s.out.live = true, true
		if s.gradIn != nil {
			s.gradIn.live, s.gradIn.isGradResult = true, true
		}
	}
	for _, q := range p.g.Params {
		p.of[q.Node].live = true
		if q.Grad != nil && !q.Frozen {
			p.of[q.Grad].live, p.of[q.Grad].isGradResult = true, true
		}
	}
	for i := len(p.values) - 1; i >= 0; i-- {
		if v := p.values[i]; v.live {
			for _, x := range v.in {
				x.live = true
			}
		}
	}
	for _, v := range p.values {
		if v.live {
			for _, x := range v.in {
				x.uses = append(x.uses, v)
			}
		}
	}
}

// reduces reports whether v is a sum over all steps or all examples, such as the gradient
// of a parameter. Its input has values for each step or example, and v is a single value
// for the whole batch.
func (v *value) reduces() bool {
	return !v.leaf && v.layout.Domain == stepgraph.Static && v.in[0].layout.Domain != stepgraph.Static
}

// phases decides in which phase each live value is computed.
func (p *plan) phases() error {
	p.loops(false)
	if p.train {
		p.loops(true)
	}
	for _, v := range p.values {
		if !v.live || v.leaf {
			continue
		}
		if v.reduces() && !v.backward {
			return fmt.Errorf("scan: %v: have a sum over the steps inside the step, want it outside", v.op)
		}
		if v.phase >= BackPre && !v.backward {
			return fmt.Errorf("scan: %v of the forward step depends on a gradient, want forward values only", v.op)
		}
		for _, x := range v.in {
			if !x.leaf && x.phase > v.phase {
				return fmt.Errorf("scan: %v in phase %v reads %v of phase %v, want an earlier phase", v.op, v.phase, x.op, x.phase)
			}
		}
	}
	return nil
}

// loops decides which values of the forward or of the backward step are computed in the
// loop, step by step. There are three cases. First, the value or one of its inputs is
// stack-major. Second, it depends on a value carried from another step, and a value
// carried to another step depends on it. Third, it lies between values in the loop: it is
// computed from one of them, and another is computed from it.
func (p *plan) loops(backward bool) {
	pre, loop, post := Pre, Loop, Post
	if backward {
		pre, loop, post = BackPre, BackLoop, BackPost
	}
	mine := func(v *value) bool { return v.live && !v.leaf && v.backward == backward }
	carried, needed := map[*value]bool{}, map[*value]bool{}
	for _, s := range p.states {
		if !backward {
			carried[s.in], needed[s.out] = true, true
		} else if s.carry != nil {
			carried[s.carry] = true
			if s.gradIn != nil {
				needed[s.gradIn] = true
			}
		}
	}
	step := func(v *value) bool {
		return mine(v) && v.layout.Domain == stepgraph.Step && !v.is(stepgraph.ScatterRows)
	}
	for _, v := range p.values {
		for _, x := range v.in {
			carried[v] = carried[v] || step(v) && carried[x]
		}
	}
	for i := len(p.values) - 1; i >= 0; i-- {
		if v := p.values[i]; needed[v] && step(v) {
			for _, x := range v.in {
				needed[x] = true
			}
		}
	}
	in := map[*value]bool{}
	for _, v := range p.values {
		deep := v.layout.StackMajor
		for _, x := range v.in {
			deep = deep || x.layout.StackMajor
		}
		in[v] = step(v) && (deep || carried[v] && needed[v])
	}
	after := map[*value]bool{}  // the values that depend on a value in the loop
	before := map[*value]bool{} // the values on which a value in the loop depends
	for _, s := range p.states {
		if !backward {
			before[s.out] = true // used by the following step
		} else if s.gradIn != nil {
			before[s.gradIn] = true
		}
	}
	for _, v := range p.values {
		for _, x := range v.in {
			after[v] = after[v] || step(v) && (after[x] || in[x])
		}
	}
	for i := len(p.values) - 1; i >= 0; i-- {
		if v := p.values[i]; step(v) && (in[v] || before[v]) {
			for _, x := range v.in {
				before[x] = true
			}
		}
	}
	for _, v := range p.values {
		if !mine(v) {
			continue
		}
		switch {
		case v.layout.Domain == stepgraph.Example || v.is(stepgraph.ScatterRows):
			v.phase = Head
		case v.layout.Domain == stepgraph.Static:
			v.phase = Update
			if v.reduces() {
				v.phase = Head
				if v.in[0].layout.Domain == stepgraph.Step {
					v.phase = BackReduce
				}
			}
			for _, x := range v.in {
				if !x.leaf && x.layout.Domain == stepgraph.Static && x.phase > Update {
					v.phase = BackStatic
				}
			}
		case in[v] || (after[v] || carried[v]) && before[v]:
			v.phase = loop
		case after[v] || carried[v]:
			v.phase = post
		default:
			v.phase = pre
		}
	}
}
