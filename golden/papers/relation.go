package papers

import (
	"fmt"
	"math"
)

// A Relation is a parsed claim: a conjunction of comparisons over numbers.
type Relation struct {
	keys        []Key // distinct, in order of first mention
	comparisons []comparison
	text        string
}

type comparison struct {
	left, right term
	op          string // one of < > <= >= ==
}

// A term is an operand, or the max, min or absdiff of several operands.
type term struct {
	fold string // "" (one operand), max, min or absdiff
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
	if len(values) != len(r.keys) {
		panic(fmt.Sprintf("papers: relation: have %d values, want %d, one for each key", len(values), len(r.keys)))
	}
	for _, c := range r.comparisons {
		if !c.holds(values) {
			return false
		}
	}
	return true
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
