package stepgraph

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// TestTableIsComplete checks that every operation has a row with a unique name, a
// description that mentions the attributes it uses, and a valid number of inputs.
func TestTableIsComplete(t *testing.T) {
	names := map[string]Kind{}
	for _, k := range Kinds() {
		r := &table[k]
		if k.String() == "" || k.String() != strings.ToLower(k.String()) {
			t.Errorf("operation %d is named %q, want a lower-case name", k, k)
		}
		if other, ok := names[k.String()]; ok {
			t.Errorf("operations %d and %d are both named %v", other, k, k)
		}
		names[k.String()] = k
		if k.Doc() == "" || strings.HasSuffix(k.Doc(), ".") {
			t.Errorf("%v: have the meaning %q, want text without a full stop", k, k.Doc())
		}
		if r.ints > 0 && !strings.Contains(k.Doc(), "I0") {
			t.Errorf("%v: have the meaning %q, want it to explain I0", k, k.Doc())
		}
		if r.reals > 0 && !strings.Contains(k.Doc(), "F0") {
			t.Errorf("%v: have the meaning %q, want it to explain F0", k, k.Doc())
		}
		if r.reals > 1 && !strings.Contains(k.Doc(), "F1") {
			t.Errorf("%v: have the meaning %q, want it to explain F1", k, k.Doc())
		}
		if r.arity == 0 || r.arity < -1 {
			t.Errorf("%v takes %d inputs", k, r.arity)
		}
		if r.typeOf >= max(r.arity, 1) {
			t.Errorf("%v has the type of input %d of %d", k, r.typeOf, r.arity)
		}
	}
	if len(names) != int(numKinds) {
		t.Errorf("%d names, want %d", len(names), numKinds)
	}
}

// TestOpMethods compares the methods that describe an operation with the table.
func TestOpMethods(t *testing.T) {
	for _, k := range Kinds() {
		o := &Op{Kind: k, b: newBuilder(Config{})}
		n := o.Arity()
		if n < 0 {
			n, o.I[0] = 3, 3
		}
		d := o.DiffWRT(n)
		if len(d) != n {
			t.Errorf("%v: DiffWRT of %d inputs has %d entries", k, n, len(d))
		}
		for i, flows := range d {
			if want := table[k].grad != nil && table[k].noGrad&(1<<i) == 0; flows != want {
				t.Errorf("%v: a gradient flows to input %d: %v, want %v", k, i, flows, want)
			}
		}
		if table[k].grad == nil {
			if _, err := o.SymDiff(nil, nil, nil); err == nil || !strings.Contains(err.Error(), "has no gradient") {
				t.Errorf("%v: SymDiff without a gradient rule: %v", k, err)
			}
		}
		one, two := o.Type(), o.Type()
		if one == two {
			t.Errorf("%v: Type returned one value twice, want two: Gorgonia returns each to a pool", k)
		}
		if one.String() != two.String() {
			t.Errorf("%v: types %v and %v", k, one, two)
		}
		if got := strings.Count(one.String(), "→"); got != n {
			t.Errorf("%v: type %v, want a function of %d inputs", k, one, n)
		}
		if o.OverwritesInput() != -1 || o.CallsExtern() || !o.ReturnsPtr() {
			t.Errorf("%v: want an operation that allocates its own result", k)
		}
	}
}

// TestHashesDiffer checks that operations that differ in any one field have different
// hashes.
func TestHashesDiffer(t *testing.T) {
	ops := []Op{
		{Kind: Scale}, {Kind: Clip}, {Kind: Scale, I: [3]int{1}}, {Kind: Scale, I: [3]int{0, 1}}, {Kind: Scale, I: [3]int{256}},
		{Kind: Scale, F: [2]float64{1}}, {Kind: Scale, F: [2]float64{1 + 0x1p-52}}, {Kind: Scale, F: [2]float64{math.Copysign(0, -1)}},
		{Kind: Scale, F: [2]float64{0, 1}}, {Kind: Scale, Name: "a"}, {Kind: Scale, Name: "a 1"}, {Kind: Scale, serial: 1}, {Kind: Scale, serial: 256},
		{Kind: SliceCols, I: [3]int{0, 256, 1}}, {Kind: SliceCols, I: [3]int{256, 512, 1}}, {Kind: SliceCols, I: [3]int{0, 512, 1}},
	}
	seen := map[uint32]int{}
	for i := range ops {
		h := ops[i].Hashcode()
		if j, ok := seen[h]; ok {
			t.Errorf("%+v and %+v have the same hash", ops[i], ops[j])
		}
		seen[h] = i
		same := ops[i]
		if same.Hashcode() != h {
			t.Errorf("%+v has two hashes", ops[i])
		}
	}
}

func TestOpsPrintTheirAttributes(t *testing.T) {
	for _, c := range []struct {
		op   Op
		want string
	}{
		{Op{Kind: Add}, "add"},
		{Op{Kind: SliceCols, I: [3]int{0, 4, 1}}, "slicecols{0,4,1}"},
		{Op{Kind: Stack, I: [3]int{2, 9}, F: [2]float64{-0.5, 7}}, "stack{2,-0.5}"},
		{Op{Kind: Noise, I: [3]int{3, 4}, F: [2]float64{0.1, 2}, Name: "h"}, "noise{3,4,0.1,2,h}"},
	} {
		if got := c.op.String(); got != c.want {
			t.Errorf("%+v prints as %s, want %s", c.op, got, c.want)
		}
	}
}

// badShapes lists operations with inputs of shapes that they reject, and part of the
// error.
var badShapes = []struct {
	op   Op
	in   []Shape
	says string
}{
	{Op{Kind: Add}, []Shape{{2, 3}, {3, 2}}, "want equal shapes"},
	{Op{Kind: MulOne}, []Shape{{2, 3}, {1, 2}}, "want 1x1"},
	{Op{Kind: AddRow}, []Shape{{2, 3}, {1, 2}}, "want a row of 3"},
	{Op{Kind: MulRow}, []Shape{{2, 3}, {2, 3}}, "want a row of 3"},
	{Op{Kind: MulCol}, []Shape{{2, 3}, {3, 1}}, "want a column of 2"},
	{Op{Kind: RowDot}, []Shape{{2, 3}, {2, 4}}, "want equal shapes"},
	{Op{Kind: MatMul}, []Shape{{2, 3}, {2, 3}}, "inner sizes 3 and 2 differ"},
	{Op{Kind: MatMul, I: [3]int{1, 1}}, []Shape{{2, 3}, {2, 3}}, "inner sizes 2 and 3 differ"},
	{Op{Kind: ConcatCols, I: [3]int{2}}, []Shape{{2, 3}, {3, 3}}, "want equal numbers of rows"},
	{Op{Kind: ConcatRows, I: [3]int{2}}, []Shape{{2, 3}, {2, 4}}, "want equal numbers of columns"},
	{Op{Kind: SliceCols, I: [3]int{1, 3, 1}}, []Shape{{2, 3}}, "slice reaches outside 0..2"},
	{Op{Kind: SliceCols, I: [3]int{0, 2, 3}}, []Shape{{2, 3}}, "slice reaches outside 0..2"},
	{Op{Kind: SliceCols, I: [3]int{-1, 1, 1}}, []Shape{{2, 3}}, "slice reaches outside"},
	{Op{Kind: SliceCols, I: [3]int{0, 0, 1}}, []Shape{{2, 3}}, "slice reaches outside"},
	{Op{Kind: SliceCols, I: [3]int{0, 1, 0}}, []Shape{{2, 3}}, "slice reaches outside"},
	{Op{Kind: SliceRows, I: [3]int{1, 2, 1}}, []Shape{{2, 3}}, "slice reaches outside 0..1"},
	{Op{Kind: PadCols, I: [3]int{2, 4, 1}}, []Shape{{2, 3}}, "part of 3 reaches outside 0..3"},
	{Op{Kind: PadRows, I: [3]int{-1, 4, 1}}, []Shape{{2, 3}}, "part of 2 reaches outside"},
	{Op{Kind: AddAtCols, I: [3]int{0, 0, 2}}, []Shape{{2, 3}, {2, 3}}, "part of 3 reaches outside 0..2"},
	{Op{Kind: AddAtCols, I: [3]int{0, 0, 1}}, []Shape{{2, 3}, {3, 1}}, "want equal numbers of rows"},
	{Op{Kind: AddAtRows, I: [3]int{0, 0, 1}}, []Shape{{2, 3}, {1, 2}}, "want equal numbers of columns"},
	{Op{Kind: ToStackMajor, I: [3]int{2}}, []Shape{{2, 3}}, "width 3 is no multiple of 2"},
	{Op{Kind: ToStackMajor}, []Shape{{2, 3}}, "width 3 is no multiple of 0"},
	{Op{Kind: FromStackMajor, I: [3]int{2}}, []Shape{{2, 3}}, "3 columns are no multiple of 2"},
	{Op{Kind: ScaleCols}, []Shape{{2, 3}, {2, 1}}, "weights of 2x1 for 3 columns"},
	{Op{Kind: ColDot, I: [3]int{2}}, []Shape{{2, 3}, {2, 3}}, "3 columns are no multiple of 2"},
	{Op{Kind: ColDot, I: [3]int{3}}, []Shape{{2, 3}, {1, 3}}, "want equal shapes"},
	{Op{Kind: Stack, I: [3]int{2}}, []Shape{{3, 4}, {4, 1}, {4, 1}, {2, 4}}, "want cells of 2 rows"},
	{Op{Kind: Stack, I: [3]int{1}}, []Shape{{3, 4}, {4, 1}, {4, 1}, {2, 4}}, "a pushed value of 1x4"},
	{Op{Kind: StackNoop, I: [3]int{1}}, []Shape{{3, 4}, {4, 1}, {4, 1}, {3, 1}, {1, 4}}, "weights of 3x1 for 4 columns"},
	{Op{Kind: StackGradPop, I: [3]int{1, 1}}, []Shape{{3, 4}, {3, 5}}, "want equal shapes"},
	{Op{Kind: List, I: [3]int{2, 1}}, []Shape{{7, 4}, {4, 1}, {4, 1}, {4, 1}, {2, 4}}, "want cells of 2 rows"},
	{Op{Kind: List, I: [3]int{1, 1}}, []Shape{{3, 4}, {4, 1}, {4, 1}, {4, 1}, {2, 4}}, "a pushed value of 1x4"},
	{Op{Kind: List, I: [3]int{1, 0}}, []Shape{{3, 4}, {4, 1}, {4, 1}, {4, 1}, {1, 4}}, "head at cell 0 of 3, want one on either side"},
	{Op{Kind: ListNoop, I: [3]int{2, 2}}, []Shape{{6, 4}, {4, 1}, {4, 1}, {4, 1}, {4, 1}, {2, 4}}, "head at cell 2 of 3, want one on either side"},
	{Op{Kind: ListNoop, I: [3]int{1, 1}}, []Shape{{3, 4}, {4, 1}, {4, 1}, {3, 1}, {4, 1}, {1, 4}}, "weights of 3x1 for 4 columns"},
	{Op{Kind: ListGradLeft, I: [3]int{1, 1}}, []Shape{{3, 4}, {3, 5}}, "want equal shapes"},
	{Op{Kind: ListGradRight, I: [3]int{1, 3}}, []Shape{{3, 4}, {3, 4}}, "4 columns are no multiple of 3"},
	{Op{Kind: ListGradInsert, I: [3]int{1, 2, 1}}, []Shape{{3, 4}, {3, 4}, {2, 4}}, "a pushed value of 1x4"},
	{Op{Kind: Softmax, I: [3]int{2}}, []Shape{{2, 3}}, "3 columns are no multiple of 2"},
	{Op{Kind: OneHot}, []Shape{{2, 3}}, "3 columns are no multiple of 0"},
	{Op{Kind: WeightedSum}, []Shape{{2, 2}, {2, 3}}, "want x of A blocks"},
	{Op{Kind: WeightedSum}, []Shape{{3, 2}, {2, 4}}, "want x of A blocks"},
	{Op{Kind: WeightedSumGradW}, []Shape{{2, 3}, {2, 2}}, "want x of whole blocks"},
	{Op{Kind: WeightedSumGradX}, []Shape{{2, 3}, {3, 2}}, "want equal numbers of rows"},
	{Op{Kind: Gather}, []Shape{{5, 3}, {2, 2}}, "want one index per row"},
	{Op{Kind: ScatterAdd, I: [3]int{5}}, []Shape{{2, 3}, {3, 1}}, "want one index per row"},
	{Op{Kind: GatherRows}, []Shape{{5, 3}, {2, 2}}, "want one index per row"},
	{Op{Kind: ScatterRows, I: [3]int{5}}, []Shape{{2, 3}, {3, 1}}, "want one index per row"},
	{Op{Kind: CrossEntropy}, []Shape{{5, 3}, {4, 1}}, "want one target per row"},
	{Op{Kind: CrossEntropyGrad}, []Shape{{5, 3}, {5, 1}, {4, 1}}, "want one target and one g per row"},
	{Op{Kind: Dropout}, []Shape{{5, 3}, {5, 2}}, "want coordinates of 5x3"},
	{Op{Kind: Noise}, []Shape{{5, 3}, {4, 3}}, "want coordinates of 5x3"},
}

// TestBadShapes checks that InferShape, Do and the builder reject bad shapes with
// the same error.
func TestBadShapes(t *testing.T) {
	for i, c := range badShapes {
		t.Run(fmt.Sprintf("%d-%v", i, c.op.Kind), func(t *testing.T) {
			var ds []gorgonia.DimSizer
			var values []gorgonia.Value
			for _, s := range c.in {
				ds = append(ds, tensor.Shape{s.Rows, s.Cols})
				values = append(values, NewMat(s.Rows, s.Cols).tensor(tensor.Float64))
			}
			check := func(where string, err error) {
				t.Helper()
				if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "stepgraph: ") || !strings.Contains(err.Error(), c.op.Kind.String()) {
					t.Errorf("%s: %v, want an error of %v that says %q", where, err, c.op.Kind, c.says)
				}
			}
			op := c.op
			_, err := op.InferShape(ds...)
			check("InferShape", err)
			_, err = op.Do(values...)
			check("Do", err)
			_, err = Build(Config{}, func(b *Builder) {
				var in []*Node
				for j, s := range c.in {
					in = append(in, b.Param(Spec{Name: fmt.Sprint("x", j), Rows: s.Rows, Cols: s.Cols}))
				}
				b.Apply(c.op, in...)
			})
			check("Build", err)
		})
	}
	if _, err := (&Op{Kind: Copy}).InferShape(tensor.Shape{2}); err == nil || !strings.Contains(err.Error(), "want a matrix") {
		t.Errorf("InferShape of a vector: %v, want an error that says %q", err, "want a matrix")
	}
}

// TestDoReturnsErrors checks that Do returns an error for bad values and does not
// panic. Gorgonia calls Do on another goroutine, where nothing recovers a panic.
func TestDoReturnsErrors(t *testing.T) {
	table, out := NewMat(3, 2), Mat{2, 1, []float64{0, 3}}
	for _, c := range []struct {
		op   Op
		in   []gorgonia.Value
		says string
	}{
		{Op{Kind: Gather}, []gorgonia.Value{table.tensor(tensor.Float64), out.tensor(tensor.Int32)}, "index 3 in row 1 is outside 0..2"},
		{Op{Kind: Gather}, []gorgonia.Value{table.tensor(tensor.Float64), Mat{2, 1, []float64{0, -1}}.tensor(tensor.Int32)}, "index -1 in row 1"},
		{Op{Kind: ScatterAdd, I: [3]int{3}}, []gorgonia.Value{NewMat(2, 2).tensor(tensor.Float64), out.tensor(tensor.Int32)}, "index 3 in row 1"},
		{Op{Kind: CrossEntropy}, []gorgonia.Value{NewMat(2, 3).tensor(tensor.Float64), out.tensor(tensor.Int32)}, "index 3 in row 1"},
		{Op{Kind: Neg}, []gorgonia.Value{tensor.New(tensor.WithShape(2), tensor.Of(tensor.Float64))}, "want a dense matrix"},
		{Op{Kind: Neg}, []gorgonia.Value{tensor.New(tensor.WithShape(2, 1), tensor.Of(tensor.Int64))}, "want float32, float64 or int32"},
		{Op{Kind: Add}, []gorgonia.Value{table.tensor(tensor.Float64)}, "out of range"},
	} {
		v, err := c.op.Do(c.in...)
		if v != nil || err == nil || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "stepgraph: "+c.op.Kind.String()) {
			t.Errorf("%v: %v, %v, want an error that says %q", &c.op, v, err, c.says)
		}
	}
}

// TestDoRoundsOnce checks that a float32 result is the float64 result, rounded
// once.
func TestDoRoundsOnce(t *testing.T) {
	x := Mat{1, 3, []float64{float64(float32(0.1)), float64(float32(-2.7)), float64(float32(1e-20))}}
	for _, k := range []Kind{Sigmoid, Tanh, OneMinus, Mul} {
		in := []Mat{x, x}[:max(1, table[k].arity)]
		op := &Op{Kind: k}
		var wide, narrow []gorgonia.Value
		for _, m := range in {
			wide, narrow = append(wide, m.tensor(tensor.Float64)), append(narrow, m.tensor(tensor.Float32))
		}
		w, err := op.Do(wide...)
		if err != nil {
			t.Fatal(err)
		}
		n, err := op.Do(narrow...)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range w.Data().([]float64) {
			if got := n.Data().([]float32)[i]; got != float32(v) {
				t.Errorf("%v[%d] is %v in float32, want %v", k, i, got, float32(v))
			}
		}
	}
}
