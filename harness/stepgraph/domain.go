package stepgraph

import "fmt"

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

// resultLayout returns the layout of the result of o, or an error if o does not accept the
// layouts of its inputs.
func resultLayout(b *Builder, o *Op, in []*Node) (Layout, error) {
	var p Layout
	for _, x := range in {
		q := b.domain[x]
		if q.Domain > p.Domain {
			p.Domain = q.Domain
		}
	}
	first := b.domain[in[0]]
	switch o.Kind {
	case ToStackMajor:
		if first.StackMajor || first.Domain != Step {
			return p, fmt.Errorf("have %s, want rows of a step value", aLayout(first))
		}
		p.StackMajor, p.Stacks = true, in[0].Shape()[1]/o.I[0]
	case FromStackMajor, ColDot, StackGradPush, StackGradPop, ListGradLeft, ListGradRight, ListGradInsert:
		if !first.StackMajor {
			return p, fmt.Errorf("have %s, want a stack-major value", aLayout(first))
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
	return p, nil
}

// aValue returns the domain with an article, for error messages.
func aValue(d Domain) string {
	if d == Example {
		return "an example value"
	}
	return "a " + d.String() + " value"
}

// aLayout returns the layout with an article, for error messages.
func aLayout(p Layout) string {
	if p.StackMajor {
		return "a stack-major value"
	}
	return aValue(p.Domain)
}

// accepts returns an error if the operation o with the inputs in mixes the strings of a
// batch, combines values of different domains, or reads a value in a layout or of a type
// that it does not accept. It is not called for unrolled graphs: they use slices of rows to
// drop the strings that have ended, which accepts would refuse.
func (g *Graph) accepts(o *Op, in []*Node) error {
	at := func(i int) Layout { return g.LayoutOf(in[i]) }
	for i := range in {
		if at(i).Domain != Static && at(0).Domain != Static && at(i).Domain != at(0).Domain && o.Kind != GatherRows && o.Kind != ScatterRows {
			return fmt.Errorf("have %v and %v, want one domain", aValue(at(0).Domain), aValue(at(i).Domain))
		}
	}
	switch o.Kind {
	case SliceRows, PadRows, AddAtRows, ConcatRows:
		if at(0).Domain != Static && !at(0).StackMajor {
			return fmt.Errorf("have a row for each string, want a static or stack-major value")
		}
	case MatMul, SliceCols, PadCols, AddAtCols, ConcatCols, MulCol, RowDot, AddRow, MulRow, ColSum, WeightedSum, WeightedSumGradW,
		WeightedSumGradX, Softmax, SoftmaxGrad, OneHot, Gather, ScatterAdd, GatherRows, CrossEntropy, Dropout, Noise:
		for i := range in {
			if at(i).StackMajor {
				return fmt.Errorf("%s is stack-major, want rows", g.b.brief(in[i]))
			}
		}
		if o.Kind == MatMul && o.I[0] == 0 && at(1).Domain != Static {
			return fmt.Errorf("the second factor is %v, want a static value, such as a parameter", aValue(at(1).Domain))
		}
	case Stack, StackNoop, StackGrad, StackNoopGrad, List, ListNoop, ListGrad, ListNoopGrad, ScaleCols:
		if !at(0).StackMajor {
			return fmt.Errorf("the first value is %v, want a stack-major value", aValue(at(0).Domain))
		}
		weights := in[1:]
		switch o.Kind {
		case Stack, StackNoop, List, ListNoop:
			weights = in[1 : len(in)-1]
		}
		for i := range weights {
			if at(1 + i).StackMajor {
				return fmt.Errorf("the weight %s is stack-major, want rows", g.b.brief(in[1+i]))
			}
		}
	}
	switch o.Kind {
	case Gather:
		if at(0).Domain != Static {
			return fmt.Errorf("the table is %v, want a static value", aValue(at(0).Domain))
		}
		if at(1).Domain == Static {
			return fmt.Errorf("the indices are a static value, want rows of steps or of examples")
		}
	case GatherRows:
		if at(0).Domain != Step {
			return fmt.Errorf("have rows of %v, want rows of steps", aValue(at(0).Domain))
		}
		if at(1).Domain != Example {
			return fmt.Errorf("the indices are %v, want rows of examples", aValue(at(1).Domain))
		}
	}
	return g.acceptsTypes(o, in)
}
