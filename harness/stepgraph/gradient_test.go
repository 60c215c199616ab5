package stepgraph

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// sample is an operation with the shapes of its inputs. The keys of the map whole are the
// indices of inputs that hold whole numbers. A value n > 0 stands for random numbers below
// n, and a value -d < 0 for the distinct numbers 0, d, 2*d and so on.
type sample struct {
	op    Op
	in    []Shape
	whole map[int]int
}

// samples returns the samples of specialSamples, and one sample for each of the other
// differentiable elementwise operations.
func samples() []sample {
	list := specialSamples()
	for _, k := range Kinds() {
		row := k.Row()
		if row == nil || !row.SameShape() || table[k].grad == nil || slices.ContainsFunc(list, func(s sample) bool { return s.op.Kind == k }) {
			continue
		}
		s := sample{op: Op{Kind: k}, in: []Shape{{2, 3}, {2, 3}}[:len(row.Args)-1]}
		if row.F > 0 {
			s.op.F = [2]float64{float64(row.TestConstants[0][0]), float64(row.TestConstants[0][1])}
		}
		list = append(list, s)
	}
	return list
}

func specialSamples() []sample {
	s := func(rows, cols int) Shape { return Shape{rows, cols} }
	return []sample{
		{op: Op{Kind: ClipGrad, F: [2]float64{100}}, in: []Shape{s(2, 3)}},
		{op: Op{Kind: Clip, F: [2]float64{-100, 100}}, in: []Shape{s(2, 3)}},
		{op: Op{Kind: FlushGrad, F: [2]float64{1e-100}}, in: []Shape{s(2, 3)}},
		{op: Op{Kind: MulOne}, in: []Shape{s(2, 3), s(1, 1)}},
		{op: Op{Kind: AddRow}, in: []Shape{s(4, 3), s(1, 3)}},
		{op: Op{Kind: MulRow}, in: []Shape{s(4, 3), s(1, 3)}},
		{op: Op{Kind: MulCol}, in: []Shape{s(4, 3), s(4, 1)}},
		{op: Op{Kind: RowDot}, in: []Shape{s(4, 3), s(4, 3)}},
		{op: Op{Kind: MatMul}, in: []Shape{s(2, 3), s(3, 4)}},
		{op: Op{Kind: MatMul, I: [3]int{1, 0}}, in: []Shape{s(3, 2), s(3, 4)}},
		{op: Op{Kind: MatMul, I: [3]int{0, 1}}, in: []Shape{s(2, 3), s(4, 3)}},
		{op: Op{Kind: MatMul, I: [3]int{1, 1}}, in: []Shape{s(3, 2), s(4, 3)}},
		{op: Op{Kind: ConcatCols}, in: []Shape{s(2, 3), s(2, 1), s(2, 4)}},
		{op: Op{Kind: ConcatRows}, in: []Shape{s(2, 3), s(1, 3)}},
		{op: Op{Kind: SliceCols, I: [3]int{1, 2, 2}}, in: []Shape{s(2, 5)}},
		{op: Op{Kind: SliceRows, I: [3]int{1, 2, 1}}, in: []Shape{s(5, 2)}},
		{op: Op{Kind: AddAtCols, I: [3]int{1, 0, 2}}, in: []Shape{s(2, 5), s(2, 2)}},
		{op: Op{Kind: AddAtRows, I: [3]int{1, 0, 1}}, in: []Shape{s(5, 2), s(2, 2)}},
		{op: Op{Kind: ToStackMajor, I: [3]int{2}}, in: []Shape{s(3, 6)}},
		{op: Op{Kind: FromStackMajor, I: [3]int{3}}, in: []Shape{s(2, 9)}},
		{op: Op{Kind: ScaleCols}, in: []Shape{s(4, 6), s(3, 2)}},
		{op: Op{Kind: ColDot, I: [3]int{2}}, in: []Shape{s(4, 6), s(4, 6)}},
		{op: Op{Kind: Stack, I: [3]int{1}, F: [2]float64{-1}}, in: []Shape{s(5, 6), s(3, 2), s(3, 2), s(1, 6)}},
		{op: Op{Kind: Stack, I: [3]int{2}}, in: []Shape{s(6, 3), s(3, 1), s(3, 1), s(2, 3)}},
		{op: Op{Kind: StackNoop, I: [3]int{1}, F: [2]float64{-1}}, in: []Shape{s(4, 3), s(3, 1), s(3, 1), s(3, 1), s(1, 3)}},
		{op: Op{Kind: List, I: [3]int{1, 2}, F: [2]float64{-1}}, in: []Shape{s(5, 6), s(3, 2), s(3, 2), s(3, 2), s(1, 6)}},
		{op: Op{Kind: List, I: [3]int{2, 1}, F: [2]float64{0.5}}, in: []Shape{s(8, 3), s(3, 1), s(3, 1), s(3, 1), s(2, 3)}},
		{op: Op{Kind: ListNoop, I: [3]int{1, 1}, F: [2]float64{-1}}, in: []Shape{s(3, 3), s(3, 1), s(3, 1), s(3, 1), s(3, 1), s(1, 3)}},
		{op: Op{Kind: ListNoop, I: [3]int{2, 3}}, in: []Shape{s(12, 2), s(1, 2), s(1, 2), s(1, 2), s(1, 2), s(2, 2)}},
		{op: Op{Kind: Softmax, I: [3]int{3}}, in: []Shape{s(2, 6)}},
		{op: Op{Kind: WeightedSum}, in: []Shape{s(3, 4), s(3, 8)}},
		{op: Op{Kind: Gather}, in: []Shape{s(4, 3), s(6, 1)}, whole: map[int]int{1: 4}},
		{op: Op{Kind: GatherRows}, in: []Shape{s(5, 3), s(2, 1)}, whole: map[int]int{1: -2}},
		{op: Op{Kind: CrossEntropy}, in: []Shape{s(4, 3), s(4, 1)}, whole: map[int]int{1: 3}},
		{op: Op{Kind: Dropout, I: [3]int{5, 6}, F: [2]float64{0.4}, Name: "d"}, in: []Shape{s(4, 7), s(4, 3)}, whole: map[int]int{1: 9}},
		{op: Op{Kind: Noise, I: [3]int{5, 6}, F: [2]float64{0.1, 0.3}, Name: "n"}, in: []Shape{s(4, 7), s(4, 3)}, whole: map[int]int{1: 9}},
	}
}

// eval computes the nodes in order by calling Do, and returns their values.
func eval(t *testing.T, b *Builder, nodes []*Node, leaf map[*Node]gorgonia.Value) map[*Node]gorgonia.Value {
	t.Helper()
	values := map[*Node]gorgonia.Value{}
	for _, n := range nodes {
		o := OpOf(n)
		if o == nil {
			values[n] = leaf[n]
			continue
		}
		var in []gorgonia.Value
		for _, x := range b.inputs[n] {
			in = append(in, values[x])
		}
		v, err := o.Do(in...)
		if err != nil {
			t.Fatal(err)
		}
		values[n] = v
	}
	return values
}

// TestGradient compares the gradient rule of every differentiable operation with
// central differences in float64.
func TestGradient(t *testing.T) {
	seen := map[Kind]bool{}
	for i, s := range samples() {
		seen[s.op.Kind] = true
		t.Run(fmt.Sprintf("%d-%s", i, s.op.Kind), func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, uint64(i)))
			b := newBuilder(Config{Dtype: tensor.Float64})
			leaf := map[*Node]gorgonia.Value{}
			var in, from []*Node
			for j, shape := range s.in {
				dt := tensor.Float64
				m := NewMat(shape.Rows, shape.Cols)
				for k := range m.Data {
					m.Data[k] = random.NormFloat64()
				}
				if bound, ok := s.whole[j]; ok {
					dt = tensor.Int32
					for k := range m.Data {
						if bound < 0 {
							m.Data[k] = float64(k * -bound) // distinct
						} else {
							m.Data[k] = float64(random.IntN(bound))
						}
					}
				}
				n := b.leaf(fmt.Sprint("x", j), dt, shape.Rows, shape.Cols, Layout{})
				leaf[n] = m.tensor(dt)
				in = append(in, n)
			}
			op := s.op
			if op.Kind >= ToStackMajor && op.Kind <= ListGradInsert {
				b.domain[in[0]] = Layout{Domain: Step, StackMajor: op.Kind != ToStackMajor, Stacks: 1}
			}
			var out *Node
			func() {
				defer func() {
					if r := recover(); r != nil {
						t.Fatal(r.(buildError).err)
					}
				}()
				out = b.apply(op, in...)
			}()
			for j, d := range OpOf(out).DiffWRT(len(in)) {
				if d {
					from = append(from, in[j])
				}
			}
			if len(from) == 0 {
				t.Fatalf("%v has no gradient to check", op.Kind)
			}
			shape := out.Shape()
			w := b.leaf("w", tensor.Float64, shape[0], shape[1], b.domain[out])
			wm := NewMat(shape[0], shape[1])
			for k := range wm.Data {
				wm.Data[k] = random.NormFloat64()
			}
			leaf[w] = wm.tensor(tensor.Float64)
			forward := append([]*Node(nil), b.nodes...)
			grads := b.reverse(forward, map[*Node]*Node{out: w}, from)
			values := eval(t, b, b.nodes, leaf)
			loss := func() float64 {
				y := eval(t, b, forward, leaf)[out].Data().([]float64)
				sum := 0.0
				for k, v := range y {
					sum += v * wm.Data[k]
				}
				return sum
			}
			for _, x := range from {
				if OpOf(out).DiffWRT(len(in))[0] && grads[x] == nil {
					t.Fatalf("%v gets no gradient", x)
				}
				got := values[grads[x]].Data().([]float64)
				data := leaf[x].Data().([]float64)
				for k := range data {
					const eps = 1e-5
					old := data[k]
					data[k] = old + eps
					above := loss()
					data[k] = old - eps
					below := loss()
					data[k] = old
					num := (above - below) / (2 * eps)
					// The truncation error is of order eps^2 times a third
					// derivative of order 1; the rounding error is of order
					// 1e-16/eps.
					if math.Abs(num-got[k]) > 1e-8*(1+math.Abs(num)) {
						t.Errorf("input %v element %d: gradient %v, central difference %v", x, k, got[k], num)
					}
				}
			}
		})
	}
	for _, k := range Kinds() {
		if table[k].grad != nil && !seen[k] {
			t.Errorf("%v is differentiable and has no sample", k)
		}
	}
}
