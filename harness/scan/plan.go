package scan

import (
	"fmt"

	"gorgonia.org/gorgonia"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// Phase says when a value is computed; the package comment explains each.
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

// inLoop tells whether the phase runs step by step.
func (p Phase) inLoop() bool { return p == Loop || p == BackLoop }

// value is a node with what the passes find out about it.
type value struct {
	id       int
	node     *gorgonia.Node
	op       *stepgraph.Op // nil for a leaf
	in       []*value
	uses     []*value // live consumers, in order, once for each input position
	place    stepgraph.Place
	rows     int // of a static value, or of a stack-major value
	cols     int // of rows; unused for depth
	backward bool
	live     bool
	phase    Phase
	leaf     bool
	keep     bool // outlives the step that computes it
	outside  bool // read from outside: an output or the loss
	taken    bool // read by what is no operation: handed to the step before, or a parameter's gradient

	at     kernel.Arg // where it lies
	placed bool
	within *value               // in whose memory it lies, nil if in its own
	over   bool                 // within an input, which it overwrites
	next   bool                 // a state after the step: it stays as it is
	done   bool                 // already written by an earlier instruction
	reach  *kernel.NonzeroRange // of a gradient by stacks, nil if it may be other than +0 anywhere
	turn   int                  // place in the order of computation
	onto   *value               // the operand that it is computed in place of
	adds   *value               // of a sum: the product that is added onto the other operand
	biased *value               // of a product with a bias added: the product
	state  *state
	merged *merged
	group  *fused
	planes *planes // it is a plane, or put together from planes
}

func (v *value) kind() stepgraph.Kind { return v.op.Kind }

// is tells whether v is computed by that kind of operation.
func (v *value) is(k stepgraph.Kind) bool { return v.op != nil && v.op.Kind == k }

// origin is what v is a copy of, v itself if it is none.
func (v *value) origin() *value {
	for v.is(stepgraph.Copy) || v.is(stepgraph.StopGrad) || v.is(stepgraph.ClipGrad) || v.is(stepgraph.FlushGrad) {
		v = v.in[0]
	}
	return v
}

// width is the number of words of v in one packed row.
func (v *value) width() int {
	if v.place.StackMajor {
		return v.rows * v.place.Stacks
	}
	return v.cols
}

// state is a state of the graph with its values.
type state struct {
	spec          stepgraph.StateSpec
	in, out       *value
	carry, gradIn *value // nil if nothing flows
	block         int    // first word of the blocks
	carryAt       int    // first word of the two gradient buffers

	// Neither the state before a step nor the gradient carried to it lies in
	// blocks; what is read outside the loops is copied there.
	needsPrevBlock, needsCarryBlock bool
	prevAt, carryBlock              kernel.Arg

	// Without gradients, states that stacks step along with do not stay where they
	// lie: what is read of one outside the loop after its step is copied too.
	needsNextBlock bool
	nextAt         kernel.Arg
}

// plan is the work of Compile.
type plan struct {
	g        *stepgraph.Graph
	opts     Options
	values   []*value
	symbolOf map[*value]*value // what symbols has found
	of       map[*gorgonia.Node]*value
	states   []*state
	train    bool
	apart    bool // no two values share memory: tests hold a plan against one that is simple

	words        int            // of the arena, so far
	reserved     []int          // first words of all that was reserved
	rowBlocks    []kernel.Arg   // of values that have a block for each step
	segments     bool           // states need not be kept, see recompute.go
	recomputed   []kernel.Instr // of the loop: they make the states once more
	pulled       int            // set by tests: what pull has to spare; 0: pullBytes
	segment      int            // set by tests: the steps of a segment, whatever the states cost
	layout       Layout
	code         [NumPhases][]kernel.Instr
	fresh, clean []kernel.Instr // what a window of a stream begins with; what a string of a stream, or the gradient of a batch, does
	empty        []kernel.Instr // zeros where the stacks of a batch do not reach at first
	merges       []*merged
	groups       []*fused
	into         *fused   // the group whose members are being lowered
	order        []*value // as they are computed

	headRows int // examples of a block
}

func newPlan(g *stepgraph.Graph, opts Options) *plan {
	if opts.MergeWidth == 0 {
		opts.MergeWidth = 32
	}
	p := &plan{g: g, opts: opts, symbolOf: map[*value]*value{}, of: map[*gorgonia.Node]*value{}}
	for i, n := range g.Nodes() {
		v := &value{id: i, node: n, op: stepgraph.OpOf(n), place: g.PlaceOf(n),
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
		st.out.next = true
		if s.Carry != nil {
			p.train = true
			st.carry = p.of[s.Carry]
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

// live marks what is needed, and lists the consumers of each value.
func (p *plan) live() {
	for _, n := range p.g.Outputs { // marks commute
		p.of[n].outside, p.of[n].live = true, true
	}
	if p.g.Loss != nil {
		p.of[p.g.Loss].outside, p.of[p.g.Loss].live = true, true
	}
	for _, s := range p.states {
		s.in.live, s.out.live = true, true
		if s.gradIn != nil {
			s.gradIn.live, s.gradIn.taken = true, true
		}
	}
	for _, q := range p.g.Params {
		p.of[q.Node].live = true
		if q.Grad != nil && !q.Frozen {
			p.of[q.Grad].live, p.of[q.Grad].taken = true, true
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

// reduces tells whether v sums step or example values into a static one.
func (v *value) reduces() bool {
	return !v.leaf && v.place.Domain == stepgraph.Static && v.in[0].place.Domain != stepgraph.Static
}

// phases decides when each live value is computed.
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
			return fmt.Errorf("scan: %v sums over the steps inside the step", v.op)
		}
		if v.phase >= BackPre && !v.backward {
			return fmt.Errorf("scan: %v of the forward step waits for a gradient", v.op)
		}
		for _, x := range v.in {
			if !x.leaf && x.phase > v.phase {
				return fmt.Errorf("scan: %v in phase %v needs %v of phase %v", v.op, v.phase, x.op, x.phase)
			}
		}
	}
	return nil
}

// loops sets the phases of the forward or of the backward step. A step value
// is in the loop if it is held stack-major or made of one that is; if it
// depends on what is carried and is needed for what is carried on; or if it
// stands between one of these, or what is carried itself, and another.
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
		return mine(v) && v.place.Domain == stepgraph.Step && !v.is(stepgraph.ScatterRows)
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
		deep := v.place.StackMajor
		for _, x := range v.in {
			deep = deep || x.place.StackMajor
		}
		in[v] = step(v) && (deep || carried[v] && needed[v])
	}
	after, before := map[*value]bool{}, map[*value]bool{} // depends on, leads to one in the loop
	for _, s := range p.states {
		if !backward {
			before[s.out] = true // that of the following step
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
		case v.place.Domain == stepgraph.Example || v.is(stepgraph.ScatterRows):
			v.phase = Head
		case v.place.Domain == stepgraph.Static:
			v.phase = Update
			if v.reduces() {
				v.phase = Head
				if v.in[0].place.Domain == stepgraph.Step {
					v.phase = BackReduce
				}
			}
			for _, x := range v.in {
				if !x.leaf && x.place.Domain == stepgraph.Static && x.phase > Update {
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
