package scan

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gorgonia.org/tensor"

	"pushdown/harness/kernel/cpu"
	"pushdown/harness/stepgraph"
)

// richHead is a step that reads features and the symbol. Its read-out has a lookup of a row
// for each prediction, products that merge, a weighted sum of blocks, and logits that are
// part of a wider value. For each prediction it reads a row of a whole value, of a part of
// a value, and of an input.
func richHead(b *stepgraph.Builder) {
	x := b.Concat(b.Gather(b.Param(param("E", vocabulary, 3)), b.Token()), b.Input("features", stepgraph.Step, 2, false))
	h := b.State(stepgraph.StateSpec{Name: "h", Width: 4})
	pre := b.Add(b.MatMul(x, b.Param(param("W", 5, 6))), b.MatMul(h, b.Param(param("U", 4, 6))))
	next := b.Tanh(b.Slice(pre, 2, 4, 1))
	b.SetNext(h, next)

	e := b.Concat(b.ExampleRows(next), b.ExampleRows(b.Slice(pre, 0, 2, 1)), b.ExampleRows(b.Input("features", stepgraph.Step, 2, false)))
	e = b.Concat(e, b.Gather(b.Param(param("T", 6, 3)), b.Input("hint", stepgraph.Example, 1, true)), b.Input("context", stepgraph.Example, 1, false))
	left, right := b.Tanh(b.MatMul(e, b.Param(param("L", 12, 4)))), b.Sigmoid(b.MatMul(e, b.Param(param("R", 12, 4))))
	mixed := b.WeightedSum(b.Softmax(b.MatMul(e, b.Param(param("K", 12, 2))), 2), b.Concat(left, right))
	tied := b.Apply(stepgraph.Op{Kind: stepgraph.MatMul, I: [3]int{0, 1}}, mixed, b.Param(param("O", 5, 4)))
	tied = b.Add(tied, b.MatMul(mixed, b.Apply(stepgraph.Op{Kind: stepgraph.ConcatCols}, b.Param(param("O2", 4, 3)), b.Param(param("O3", 4, 2)))))
	logits := b.Slice(b.MulCol(b.AddRow(tied, b.Param(param("b", 1, 5))), b.RowDot(left, right)), 1, classes, 1)
	b.SetOutput("prob", b.Softmax(logits, classes))
	b.SetLoss(b.CrossEntropy(logits, b.Target()))
}

// TestHeadAgainstOracle compares the results of richHead with those of the unrolled graph on
// Gorgonia. The read-out of richHead uses many operations that other tests use in steps only.
func TestHeadAgainstOracle(t *testing.T) {
	graph := func() *stepgraph.Graph {
		g, err := stepgraph.Build(stepgraph.Config{Training: true}, richHead)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	g, plain := graph(), graph()
	if err := g.Differentiate(); err != nil {
		t.Fatal(err)
	}
	for _, active := range [][]int{{1}, ragged} {
		p := newProblem(g, active, 5)
		r := rand.New(rand.NewPCG(9, 9))
		floats := map[string][]float32{"features": make([]float32, 2*len(p.ints[stepgraph.InputToken])), "context": make([]float32, p.examples)}
		for _, name := range []string{"features", "context"} {
			for i := range floats[name] {
				floats[name][i] = float32(r.NormFloat64())
			}
		}
		for range p.examples {
			p.ints["hint"] = append(p.ints["hint"], int32(r.IntN(6)))
		}
		run := func(vm *VM) []uint32 {
			begin(t, vm, p)
			p.load(t, vm)
			for _, name := range []string{"features", "context"} {
				if err := vm.SetFloats(name, floats[name]); err != nil {
					t.Fatal(err)
				}
			}
			if err := vm.RunAll(); err != nil {
				t.Fatal(err)
			}
			return results(t, vm, p)
		}
		opts := bounds(p, 0)
		vm := compiled(t, g, device(t, testISA(), 1), opts)
		got := run(vm)
		opts.MergeWidth = 100
		if !slices.Equal(run(compiled(t, g, device(t, cpu.Generic, 1), opts)), got) {
			t.Error("merging or the instruction set changes a bit")
		}

		v := p.values()
		for _, q := range g.Params {
			v.Params[q.Name] = stepgraph.Mat{Rows: q.Rows, Cols: q.Cols, Data: v.Params[q.Name].Data}
		}
		v.Inputs["features"], v.Inputs["context"] = mat(floats["features"], 2), mat(floats["context"], 1)
		o, err := stepgraph.Unroll(plain, active, p.examples, tensor.Float64)
		if err != nil {
			t.Fatal(err)
		}
		if err := o.Differentiate(); err != nil {
			t.Fatal(err)
		}
		want, err := o.Run(v)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, "loss", losses(vm, p), want.Loss)
		for _, q := range g.Params {
			d, err := vm.Grad(q.Name)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, q.Name, d, gradOf(want, q))
		}
	}
}
