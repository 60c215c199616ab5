package papers

import (
	"fmt"
	"math"
)

// A Relation is a parsed claim: a conjunction of comparisons over numbers.
type Relation struct {
	keys        []Key        // distinct, in order of first mention
	comparisons []comparison // all of which must hold; see comparison.parts
	text        string
}

type comparison struct {
	left, right term
	op          string // one of < > <= >= ==
}

// A term is an operand, or the max, min or absdiff of several operands. A part of a comparison may also have the diff of two.
type term struct {
	fold string // "" (one operand), max, min, absdiff or diff
	args []operand
}

// An operand is a printed number or a constant.
type operand struct {
	cell   int     // index into Relation.keys, -1 for a number
	number float64 // if cell is -1
}

// Keys returns the keys of the numbers in the relation, each once, in order of first
// appearance. The caller must not modify the slice.
func (r *Relation) Keys() []Key { return r.keys }

// Holds reports whether the relation holds if the number Keys()[i] has the value
// values[i]. A comparison with NaN does not hold. Holds panics if values and Keys
// differ in length.
func (r *Relation) Holds(values []float64) bool {
	for i := range r.comparisons {
		if !r.PartHolds(i, values) {
			return false
		}
	}
	return true
}

// Parts returns the number of comparisons that must hold for the relation to hold. A comparison
// of the greatest or the least of several operands counts as one for each operand if it says something
// of all of them, as max(a, b) < c does, and absdiff(a, b) < c as two, of a - b and b - a.
func (r *Relation) Parts() int { return len(r.comparisons) }

// PartHolds reports whether one of the comparisons holds, counted from 0; see Holds.
func (r *Relation) PartHolds(i int, values []float64) bool {
	if len(values) != len(r.keys) {
		panic(fmt.Sprintf("papers: relation: have %d values, want %d, one for each key", len(values), len(r.keys)))
	}
	return r.comparisons[i].holds(values)
}

// parts returns comparisons that hold together if and only if c does.
func (c comparison) parts() (list []comparison) {
	smaller, greater := "max", "min" // what says something of all operands, on either side of <
	if c.op == ">" || c.op == ">=" {
		smaller, greater = greater, smaller
	}
	split := func(t term, fold string) []term {
		switch {
		case c.op == "==" || t.fold != fold && (t.fold != "absdiff" || fold != "max"):
			return []term{t}
		case t.fold == "absdiff":
			return []term{{"diff", t.args}, {"diff", []operand{t.args[1], t.args[0]}}}
		}
		var each []term
		for _, o := range t.args {
			each = append(each, term{args: []operand{o}})
		}
		return each
	}
	for _, l := range split(c.left, smaller) {
		for _, r := range split(c.right, greater) {
			list = append(list, comparison{l, r, c.op})
		}
	}
	return list
}

func (c comparison) holds(values []float64) bool {
	a, b := c.left.value(values), c.right.value(values)
	switch c.op {
	case "<":
		return a < b
	case ">":
		return a > b
	case "<=":
		return a <= b
	case ">=":
		return a >= b
	case "==":
		return a == b
	}
	panic("papers: relation: operator " + c.op)
}

func (t term) value(values []float64) float64 {
	v := t.args[0].value(values)
	for _, arg := range t.args[1:] {
		w := arg.value(values)
		switch t.fold {
		case "max":
			v = max(v, w)
		case "min":
			v = min(v, w)
		case "absdiff":
			v = math.Abs(v - w)
		case "diff":
			v -= w
		}
	}
	return v
}

func (o operand) value(values []float64) float64 {
	if o.cell < 0 {
		return o.number
	}
	return values[o.cell]
}

// String returns the relation as it was written.
func (r *Relation) String() string { return r.text }
