package stepgraph

import (
	"fmt"
	"regexp"
	"strconv"
)

// describe returns a value as errors show it: its name and shape, such as R [8x9]. A value
// without a name has that of its operation, and what it is computed from, such as matmul
// [Bx9] (of h [Bx8] and R [8x9]).
func (b *Builder) describe(n *Node) string {
	text := b.brief(n)
	if from := b.inputs[n]; len(from) > 0 && n != b.x {
		text += " (of " + enumerate(from, b.brief) + ")"
	}
	return text
}

// brief returns a value as describe does, without what it is computed from. The x that a
// cell reads is called x.
func (b *Builder) brief(n *Node) string {
	name := n.Name()
	if o := OpOf(n); o != nil {
		name = o.Kind.String()
	}
	if n == b.x {
		name = "x"
	}
	return fmt.Sprintf("%s [%s]", name, b.shape(n))
}

// describeAll describes the values of a list.
func (b *Builder) describeAll(values []*Node) string { return enumerate(values, b.describe) }

// enumerate returns a text that lists values as show returns them.
func enumerate(values []*Node, show func(n *Node) string) string {
	text := "none"
	for i, n := range values {
		switch {
		case i == 0:
			text = show(n)
		case i < len(values)-1:
			text += ", " + show(n)
		default:
			text += " and " + show(n)
		}
	}
	return text
}

// shape returns the shape of n. Letters stand for the nominal sizes.
func (b *Builder) shape(n *Node) string {
	if b.cfg.Batch == nominalBatch && b.cfg.Examples == nominalExamples {
		return width(n, b.domain[n])
	}
	return Shape{n.Shape()[0], n.Shape()[1]}.String()
}

// has reports whether n is a value of this graph.
func (b *Builder) has(n *Node) bool {
	_, ok := b.domain[n]
	return ok
}

// need fails if n is not a value of this graph.
func (b *Builder) need(what string, n *Node) {
	switch {
	case n == nil:
		fail("%s: have nil, want a value", what)
	case !b.has(n):
		fail("%s: have %s of another graph, want a value of this one: a cell keeps no values from one call of Step to the next", what, n.Name())
	}
}

// refuse fails because the operation o cannot read the values in. The reason is err.
func (b *Builder) refuse(o *Op, in []*Node, err error) {
	name := o.String()
	if o.Kind == MatMul && o.I == [3]int{} {
		name = o.Kind.String()
	}
	fail("%s of %s: %s", b.letters(name, in), b.describeAll(in), b.letters(err.Error(), in))
}

var number = regexp.MustCompile(`\d+`)

// shapesOf returns the shapes of the values of a list.
func shapesOf(list []*Node) []Shape {
	shapes := make([]Shape, len(list))
	for i, n := range list {
		shapes[i] = Shape{n.Shape()[0], n.Shape()[1]}
	}
	return shapes
}

// letters returns a text with letters in place of those numbers that are nominal sizes of
// the given values.
func (b *Builder) letters(text string, in []*Node) string {
	letter := map[string]string{}
	for _, n := range in {
		rows, cols := n.Shape()[0], n.Shape()[1]
		switch at := b.domain[n]; {
		case at.StackMajor && b.cfg.Batch == nominalBatch:
			letter[strconv.Itoa(cols)] = fmt.Sprintf("Bx%d", at.Stacks)
		case at.Domain == Step && b.cfg.Batch == nominalBatch:
			letter[strconv.Itoa(rows)] = "B"
		case at.Domain == Example && b.cfg.Examples == nominalExamples:
			letter[strconv.Itoa(rows)] = "E"
		}
	}
	return number.ReplaceAllStringFunc(text, func(n string) string {
		if l, ok := letter[n]; ok {
			return l
		}
		return n
	})
}
