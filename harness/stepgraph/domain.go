package stepgraph

// Domain says how often a value is computed.
type Domain uint8

// The domains, in the order in which values flow.
const (
	Static  Domain = iota // once per update
	Step                  // for each string and time step
	Example               // for each prediction that enters the loss
)

var domainNames = [...]string{"static", "step", "example"}

// String returns the name of the domain.
func (d Domain) String() string { return domainNames[d] }

// Layout is the domain of a value and the arrangement of its rows and columns.
type Layout struct {
	Domain     Domain
	StackMajor bool // one column per string and stack
	Stacks     int  // stacks per string, if StackMajor
}

// LayoutOf returns the domain and layout of n.
func (g *Graph) LayoutOf(n *Node) Layout { return g.b.domain[n] }

// resultLayout returns the layout of the result of o. It fails if o does not accept
// the layouts of its inputs.
func resultLayout(b *Builder, o *Op, in []*Node) Layout {
	var p Layout
	for _, x := range in {
		q := b.domain[x]
		if q.Domain > p.Domain {
			p.Domain = q.Domain
		}
	}
	first := b.domain[in[0]]
	depth := func(i int) bool { return b.domain[in[i]].StackMajor }
	switch o.Kind {
	case ToStackMajor:
		if depth(0) {
			fail("%v of a stack-major value", o)
		}
		if first.Domain != Step {
			fail("%v of a %v value, want rows of a step value", o, first.Domain)
		}
		p.StackMajor, p.Stacks = true, in[0].Shape()[1]/o.I[0]
	case FromStackMajor, ColDot, StackGradPush, StackGradPop, ListGradLeft, ListGradRight, ListGradInsert:
		if !depth(0) {
			fail("%v of a value that is not stack-major", o)
		}
	case GatherRows:
		p = Layout{Domain: Example}
	case ScatterRows:
		p = Layout{Domain: Step}
	case ScatterAdd, ColSum:
		p = Layout{Domain: Static}
	case MatMul:
		if o.I[0] == 1 && p.Domain != Static {
			p = Layout{Domain: Static}
		}
	default:
		p.StackMajor, p.Stacks = first.StackMajor, first.Stacks
	}
	return p
}

// aValue returns the domain with an article, for error messages.
func aValue(d Domain) string {
	if d == Example {
		return "an example value"
	}
	return "a " + d.String() + " value"
}

// checkPlace fails if the operation of n mixes the strings of a batch, combines values
// of different domains, or reads a value in a layout that it does not accept. It is not
// called for unrolled graphs: they use slices of rows to drop the strings that have
// ended, which checkPlace would reject.
func (g *Graph) checkPlace(n *Node) {
	o, in := OpOf(n), g.InputsOf(n)
	at := func(i int) Layout { return g.LayoutOf(in[i]) }
	for i := range in {
		if at(i).Domain != Static && at(0).Domain != Static && at(i).Domain != at(0).Domain && o.Kind != GatherRows && o.Kind != ScatterRows {
			fail("%v: have %v and %v, want one domain", o, aValue(at(0).Domain), aValue(at(i).Domain))
		}
	}
	switch o.Kind {
	case SliceRows, PadRows, AddAtRows, ConcatRows:
		if at(0).Domain != Static && !at(0).StackMajor {
			fail("%v cuts across the strings of a batch", o)
		}
	case MatMul:
		for i := range in {
			if at(i).StackMajor {
				fail("%v of a stack-major value", o)
			}
		}
		if o.I[0] == 0 && at(1).Domain != Static {
			fail("%v by a %v value, want a static one", o, at(1).Domain)
		}
	case SliceCols, PadCols, AddAtCols, ConcatCols, MulCol, RowDot, AddRow, MulRow, ColSum, WeightedSum, WeightedSumGradW,
		WeightedSumGradX, Softmax, SoftmaxGrad, OneHot, Gather, ScatterAdd, GatherRows, CrossEntropy, Dropout, Noise:
		for i := range in {
			if at(i).StackMajor {
				fail("%v of a stack-major value", o)
			}
		}
	case Stack, StackNoop, StackGrad, StackNoopGrad, List, ListNoop, ListGrad, ListNoopGrad, ScaleCols:
		if !at(0).StackMajor {
			fail("%v of a value that is not stack-major", o)
		}
		weights := in[1:]
		switch o.Kind {
		case Stack, StackNoop, List, ListNoop:
			weights = in[1 : len(in)-1]
		}
		for i := range weights {
			if at(1 + i).StackMajor {
				fail("%v with a stack-major weight, want rows", o)
			}
		}
	}
	switch o.Kind {
	case Gather:
		if at(0).Domain != Static {
			fail("%v of a %v value, want a static table", o, at(0).Domain)
		}
		if at(1).Domain == Static {
			fail("%v by a static value, want rows of steps or of examples", o)
		}
	case GatherRows:
		if at(0).Domain != Step {
			fail("%v of %v, want rows of steps", o, aValue(at(0).Domain))
		}
		if at(1).Domain != Example {
			fail("%v by %v, want rows of examples", o, aValue(at(1).Domain))
		}
	}
}
