package stepgraph

import (
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"strings"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Op is one operation of the table. It implements [gorgonia.Op] and
// [gorgonia.SDOp], so that the same node runs in Gorgonia's TapeMachine and in
// harness/scan.
type Op struct {
	Kind Kind
	I    [3]int     // integer attributes; their meaning is in the table
	F    [2]float64 // real attributes
	Name string     // name of the random stream of dropout or noise, or of the state that SetNext copies to; otherwise empty

	serial uint32 // makes the hash of the node unique
	b      *Builder
}

var (
	_ gorgonia.SDOp = (*Op)(nil)
)

// Arity returns the number of inputs, or -1 if any number is allowed.
func (o *Op) Arity() int { return table[o.Kind].arity }

// Type returns the function type of the operation on matrices. The result of the
// operation has the element type of the input that typeOf selects. Each call returns a
// new value, because Gorgonia recycles the value that it receives.
func (o *Op) Type() hm.Type {
	n := table[o.Kind].arity
	if n < 0 {
		n = o.I[0]
	}
	args := make([]hm.Type, n+1)
	for i := range n {
		args[i] = gorgonia.TensorType{Dims: 2, Of: hm.TypeVariable('c' + rune(i))} // Gorgonia itself uses the variable b
	}
	args[n] = args[table[o.Kind].typeOf]
	return hm.NewFnType(args...)
}

// InferShape applies the shape rule of the table.
func (o *Op) InferShape(ds ...gorgonia.DimSizer) (tensor.Shape, error) {
	in := make([]Shape, len(ds))
	for i, d := range ds {
		s, ok := d.(tensor.Shape)
		if !ok || len(s) != 2 {
			return nil, fmt.Errorf("stepgraph: %v: input %d is %v, want a matrix", o, i, d)
		}
		in[i] = Shape{s[0], s[1]}
	}
	s, err := table[o.Kind].shape(o, in)
	if err != nil {
		return nil, fmt.Errorf("stepgraph: %v of %v: %w", o, in, err)
	}
	return tensor.Shape{s.Rows, s.Cols}, nil
}

// DiffWRT reports for each input whether a gradient flows to it.
func (o *Op) DiffWRT(n int) []bool {
	d := make([]bool, n)
	if table[o.Kind].grad == nil {
		return d
	}
	for i := range d {
		d[i] = i >= 32 || table[o.Kind].noGrad&(1<<i) == 0
	}
	return d
}

// SymDiff applies the gradient rule of the table. The list it returns holds nil for
// each input without a gradient.
func (o *Op) SymDiff(in gorgonia.Nodes, out, grad *Node) (ds gorgonia.Nodes, err error) {
	rule := table[o.Kind].grad
	if rule == nil {
		return nil, fmt.Errorf("stepgraph: %v has no gradient", o)
	}
	defer recoverBuild(&err)
	return rule(o, in, out, grad), nil
}

// Do computes the operation slowly and simply, in float64, and rounds the result once if
// the inputs are float32. It turns panics into errors, because Gorgonia calls it on a
// separate goroutine, where nothing would recover them.
func (o *Op) Do(vs ...gorgonia.Value) (v gorgonia.Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			v, err = nil, fmt.Errorf("stepgraph: %v: %v", o, r)
		}
	}()
	in := make([]Mat, len(vs))
	ds := make([]gorgonia.DimSizer, len(vs))
	for i, x := range vs {
		in[i], ds[i] = matOf(x), x.Shape()
	}
	s, err := o.InferShape(ds...)
	if err != nil {
		return nil, err
	}
	out := NewMat(s[0], s[1])
	table[o.Kind].do(o, in, out)
	return out.tensor(vs[table[o.Kind].typeOf].Dtype()), nil
}

// ReturnsPtr returns true, because the result is a tensor, which is a pointer.
func (o *Op) ReturnsPtr() bool { return true }

// CallsExtern returns false, so that the TapeMachine leaves allocation to Do.
func (o *Op) CallsExtern() bool { return false }

// OverwritesInput returns -1, because the operation overwrites no input.
func (o *Op) OverwritesInput() int { return -1 }

// WriteHash writes the kind, all attributes and the serial number.
func (o *Op) WriteHash(h hash.Hash) {
	fmt.Fprintf(h, "pushdown.%s %v %x %q", table[o.Kind].name, o.I, o.F, o.Name)
	binary.Write(h, binary.LittleEndian, o.serial)
}

// Hashcode returns the FNV-1a hash of what WriteHash writes.
func (o *Op) Hashcode() uint32 {
	h := fnv.New32a()
	o.WriteHash(h)
	return h.Sum32()
}

// String returns the name and the attributes that the kind uses, such as
// slicecols{0,4,1}.
func (o *Op) String() string {
	r := &table[o.Kind]
	var attrs []string
	for i := range r.ints {
		if o.Kind == Dropout || o.Kind == Noise { // halves of a key, which are negative if an int has 32 bits
			attrs = append(attrs, fmt.Sprint(uint32(o.I[i])))
			continue
		}
		attrs = append(attrs, fmt.Sprint(o.I[i]))
	}
	for i := range r.reals {
		attrs = append(attrs, fmt.Sprint(o.F[i]))
	}
	if o.Name != "" {
		attrs = append(attrs, o.Name)
	}
	if len(attrs) == 0 {
		return r.name
	}
	return r.name + "{" + strings.Join(attrs, ",") + "}"
}
