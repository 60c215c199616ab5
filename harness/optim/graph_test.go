package optim_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pushdown/harness/kernel/cpu"
	"pushdown/harness/optim"
	"pushdown/harness/scan"
	"pushdown/harness/stepgraph"
)

// Dimensions of the trained tensors: E is vocabulary x width, W is width x classes, b
// is 1 x classes. E has more than 4,096 elements, so the sum of its squares is computed
// in two blocks. No tensor fills a whole number of cache lines. The graph also has a
// tensor F that is not trained.
const vocabulary, width, classes = 70, 61, 3

// newVM compiles a graph. Its arena has room for the given number of moments of each
// trained tensor; Adam, for example, needs two.
func newVM(t testing.TB, opts cpu.Options, moments int) *scan.VM {
	t.Helper()
	spec := func(name string, rows, cols int) stepgraph.Spec {
		return stepgraph.Spec{Name: name, Rows: rows, Cols: cols}
	}
	g, err := stepgraph.Build(stepgraph.Config{Training: true}, func(b *stepgraph.Builder) {
		x := b.Gather(b.Param(spec("E", vocabulary, width)), b.Token())
		frozen := spec("F", 1, width)
		frozen.Frozen = true
		y := b.ExampleRows(b.AddRow(x, b.Param(frozen)))
		b.SetLoss(b.CrossEntropy(b.Affine(y, b.Param(spec("W", width, classes)), b.Param(spec("b", 1, classes))), b.Target()))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Differentiate(); err != nil {
		t.Fatal(err)
	}
	dev, err := cpu.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	vm, err := scan.Compile(g, dev, scan.Options{MaxStrings: 1, MaxRows: 1, MaxSteps: 1, MaxExamples: 1, Moments: moments})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		vm.Close()
		dev.Close()
	})
	return vm
}

func newOptimizer(t testing.TB, vm *scan.VM, rule optim.Rule) *optim.Optimizer {
	t.Helper()
	o, err := optim.New(vm, rule)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// read returns copies of the trained tensors, or of their gradients or moments. The
// parameter block is the offset in the arena at which the tensors, gradients or moments
// begin.
func read(vm *scan.VM, block int) [][]float32 {
	var list [][]float32
	for _, r := range vm.Layout().Trainable {
		x := make([]float32, r.Rows*r.Cols)
		vm.Arena().Read(block+r.At, x)
		list = append(list, x)
	}
	return list
}

func write(vm *scan.VM, block int, tensors [][]float32) {
	for i, r := range vm.Layout().Trainable {
		vm.Arena().Write(block+r.At, tensors[i])
	}
}

// draw returns tensors with the sizes of the graph. Their elements are normal with
// standard deviation sd. If sd < 1, about one element in 13 is an edge case of
// float32 instead, with a square that does not overflow.
func draw(random *rand.Rand, sd float64) [][]float32 {
	edges := []float32{0, float32(math.Copysign(0, -1)), 0x1p-149, -0x1.8p-140, 0x1p-126, 1e15, -1e15, 0x1p-75}
	var list [][]float32
	for _, n := range []int{vocabulary * width, width * classes, classes} {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(sd * random.NormFloat64())
			if random.IntN(13) == 0 && sd < 1 {
				x[i] = edges[random.IntN(len(edges))]
			}
		}
		list = append(list, x)
	}
	return list
}

// same fails the test unless all numbers in the parameters have and want have the same bits.
func same(t *testing.T, what string, have, want [][]float32) {
	t.Helper()
	for i := range want {
		for j := range want[i] {
			if math.Float32bits(have[i][j]) != math.Float32bits(want[i][j]) {
				t.Fatalf("%s: tensor %d, element %d is %v, want %v", what, i, j, have[i][j], want[i][j])
			}
		}
	}
}
