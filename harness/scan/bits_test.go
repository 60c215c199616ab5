package scan

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/stepgraph"
)

// wideLSTM has products large enough to be split among threads. It also has weights and
// biases, whose gradients are sums over the rows of a batch. In a batch of [manyRows],
// such a sum consists of several chunks.
func wideLSTM(b *stepgraph.Builder, x *node) *node {
	const h = 40
	hid, c := b.State(stepgraph.StateSpec{Name: "h", Width: h}), b.State(stepgraph.StateSpec{Name: "c", Width: h})
	pre := make([]*node, 4)
	for i, gate := range []string{"i", "f", "g", "o"} { // the products of the gates merge
		pre[i] = b.AddRow(b.Add(b.MatMul(x, b.Param(param("W"+gate, 4, h))), b.MatMul(hid, b.Param(param("U"+gate, h, h)))), b.Param(param("bias"+gate, 1, h)))
	}
	next := b.Add(b.Mul(b.Sigmoid(pre[1]), c), b.Mul(b.Sigmoid(pre[0]), b.Tanh(pre[2])))
	out := b.Mul(b.Sigmoid(pre[3]), b.Tanh(next))
	b.SetNext(hid, out)
	b.SetNext(c, next)
	return out
}

// outcome runs a batch and returns the bits of its losses, outputs and gradients.
func outcome(t *testing.T, vm *VM, p *problem) []uint32 {
	t.Helper()
	if err := vm.Begin(p.active, p.examples); err != nil {
		t.Fatal(err)
	}
	p.load(t, vm)
	if err := vm.RunAll(); err != nil {
		t.Fatal(err)
	}
	return results(t, vm, p)
}

func results(t *testing.T, vm *VM, p *problem) []uint32 {
	t.Helper()
	all := losses(vm, p)
	prob := make([]float32, p.examples*classes)
	if err := vm.Output("prob", prob); err != nil {
		t.Fatal(err)
	}
	all = append(all, prob...)
	for _, r := range vm.Layout().Trainable {
		if vm.plan.train {
			g, err := vm.Grad(r.Name)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, g...)
		}
	}
	return bits(t, all)
}

func losses(vm *VM, p *problem) []float32 {
	x := make([]float32, p.examples)
	vm.Losses(x)
	return x
}

// bits returns the bits of the numbers in x, which must be finite.
func bits(t *testing.T, x []float32) []uint32 {
	t.Helper()
	words := make([]uint32, len(x))
	for i, v := range x {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			t.Fatalf("result %d is %v", i, v)
		}
		words[i] = math.Float32bits(v)
	}
	return words
}

func training(t *testing.T, c testCell) *stepgraph.Graph {
	t.Helper()
	g := build(t, stepgraph.Config{Training: true, Seed: 3}, c.width, c.step)
	if err := g.Differentiate(); err != nil {
		t.Fatal(err)
	}
	return g
}

func compiled(t *testing.T, g *stepgraph.Graph, dev kernel.Device, opts Options) *VM {
	t.Helper()
	vm, err := Compile(g, dev, opts)
	if err != nil {
		t.Fatal(err)
	}
	closeLater(t, vm)
	poison(vm)
	return vm
}

// poison fills the memory with NaN, except the parameters, their gradients, moments,
// scalars and norms. A read of memory that has not been written then shows in the
// results.
func poison(vm *VM) {
	from := vm.Layout().Norms + len(vm.Layout().Trainable)
	x := make([]float32, vm.Arena().Len()-from)
	for i := range x {
		x[i] = float32(math.NaN())
	}
	vm.Arena().Write(from, x)
}

func closeLater(t *testing.T, vm *VM) {
	t.Cleanup(func() {
		if err := vm.Close(); err != nil {
			t.Error(err)
		}
	})
}

// manyRows returns the number of active strings at each step of a batch with 276 rows.
// This is more than kernel.Chunk, so a sum over these rows is added up in several chunks.
// A test that sets a small number of rows per block also gets several blocks.
func manyRows() (active []int) {
	for t := range 12 {
		active = append(active, 34-2*t)
	}
	return active
}

// changed compiles g as Compile does, with one difference: right after the pass that decides
// the phases, it calls the function change, which can modify the plan.
func changed(t *testing.T, g *stepgraph.Graph, dev kernel.Device, opts Options, change func(p *plan)) *VM {
	t.Helper()
	p := newPlan(g, opts)
	p.live()
	if err := p.phases(); err != nil {
		t.Fatal(err)
	}
	change(p)
	p.arrange()
	p.store()
	if err := p.check(); err != nil {
		t.Fatal(err)
	}
	if err := p.lower(); err != nil {
		t.Fatal(err)
	}
	p.recompute()
	p.inOrder = p.headInOrder()
	vm, err := newVM(p, dev)
	if err != nil {
		t.Fatal(err)
	}
	closeLater(t, vm)
	poison(vm)
	return vm
}

// unhoisted compiles g without hoisting: every value that Compile would compute over all
// rows at once, before or after a loop, is computed step by step in the loop.
func unhoisted(t *testing.T, g *stepgraph.Graph, dev kernel.Device, opts Options) *VM {
	t.Helper()
	return changed(t, g, dev, opts, func(p *plan) {
		for _, v := range p.values {
			switch v.phase {
			case Pre, Post:
				v.phase = Loop
			case BackPre, BackPost:
				v.phase = BackLoop
			}
		}
	})
}

// unshared compiles g as Compile does, but without merging products, and every value has
// memory of its own.
func unshared(t *testing.T, g *stepgraph.Graph, dev kernel.Device, opts Options) *VM {
	t.Helper()
	opts.MergeWidth = math.MaxInt32 // never
	return changed(t, g, dev, opts, func(p *plan) { p.noSharing = true })
}

// TestNoPlanChangesABit checks that the results have the same bits for every
// instruction set, number of threads and size of blocks, and with and without merging,
// hoisting and memory sharing.
func TestNoPlanChangesABit(t *testing.T) {
	cells := append([]testCell{{"widelstm", 40, wideLSTM}}, allCells...)
	for _, c := range cells {
		t.Run(c.name, func(t *testing.T) {
			g := training(t, c)
			p := newProblem(g, manyRows(), 7)
			opts := bounds(p, 0)
			opts.MergeWidth = math.MaxInt32 // never
			want := outcome(t, compiled(t, g, device(t, cpu.Generic, 1), opts), p)
			check := func(what string, vm *VM) {
				t.Helper()
				if got := outcome(t, vm, p); !slices.Equal(got, want) {
					t.Errorf("%s changes results", what)
				}
			}
			for _, isa := range cpu.Available() {
				for threads := 1; threads <= 3; threads++ {
					if testing.Short() && (threads == 2 || isa != testISA()) {
						continue
					}
					for _, width := range []int{0, 1} {
						opts.MergeWidth = width
						vm := compiled(t, g, device(t, isa, threads), opts)
						check(fmt.Sprintf("%v, %d threads, merging from width %d", isa, threads, width), vm)
						checkDivided(t, vm, threads)
					}
				}
			}
			dev := device(t, testISA(), 1)
			check("no hoisting", unhoisted(t, g, dev, opts))
			check("no sharing of memory", unshared(t, g, dev, opts))
			for _, block := range []int{1, 7, 256, 1 << 20} {
				vm := compiled(t, g, dev, opts)
				vm.rowsPerBlock = block
				check(fmt.Sprintf("blocks of %d rows", block), vm)
			}
			for _, rows := range []int{256, 4096} {
				opts.HeadRows = rows
				check(fmt.Sprintf("read-outs of %d examples", rows), compiled(t, g, dev, opts))
			}
			opts.MaxStrings, opts.MaxRows, opts.MaxSteps, opts.MaxExamples, opts.Moments = 99, 2000, 50, 3000, 2
			check("room for more", compiled(t, g, dev, opts))
		})
	}
}

// checkDivided checks that threads have divided the strings in the loops of a network.
func checkDivided(t *testing.T, vm *VM, threads int) {
	t.Helper()
	for _, phase := range []Phase{Loop, BackLoop} {
		runs := vm.code[phase].(interface{ Divided() int }).Divided()
		if threads > 1 && len(vm.plan.code[phase]) > 0 && runs == 0 {
			t.Errorf("%d threads have not divided the strings in the phase %v", threads, phase)
		}
	}
}

// TestBatchesAreIndependent checks that a batch gives the same bits whatever
// the VM ran before.
func TestBatchesAreIndependent(t *testing.T) {
	for _, c := range allCells {
		t.Run(c.name, func(t *testing.T) {
			g := training(t, c)
			p, other := newProblem(g, ragged, 5), newProblem(g, manyRows(), 6)
			opts := bounds(other, 0)
			dev := device(t, testISA(), 1)
			want := outcome(t, compiled(t, g, dev, opts), p)
			vm := compiled(t, g, dev, opts)
			outcome(t, vm, other)
			if got := outcome(t, vm, p); !slices.Equal(got, want) {
				t.Error("the previous batch changes results")
			}
			vm.Forward()
			if vm.Backward(); !slices.Equal(results(t, vm, p), want) {
				t.Error("a second run of the batch changes results")
			}
		})
	}
}

// TestStringsAreIndependent checks that a string has the same losses in a batch of its
// own as in a batch with other strings. It also checks that the gradients of a batch
// without examples are zero.
func TestStringsAreIndependent(t *testing.T) {
	for _, c := range allCells {
		t.Run(c.name, func(t *testing.T) {
			g := training(t, c)
			p := newProblem(g, ragged, 5)
			vm := compiled(t, g, device(t, testISA(), 1), bounds(p, 0))
			outcome(t, vm, p)
			together := losses(vm, p)
			for b := range ragged[0] {
				one, examples := p.alone(b)
				outcome(t, vm, one)
				for i, loss := range losses(vm, one) {
					if want := together[examples[i]]; math.Float32bits(loss) != math.Float32bits(want) {
						t.Errorf("string %d, example %d: loss %v alone, %v in the batch", b, i, loss, want)
					}
				}
			}

			none := *p
			none.examples = 0
			none.ints = map[string][]int32{}
			for name, x := range p.ints {
				none.ints[name] = x
			}
			none.ints[stepgraph.InputExampleRows], none.ints[stepgraph.InputTarget] = nil, nil
			for i, w := range outcome(t, vm, &none) {
				if w<<1 != 0 {
					t.Fatalf("without examples word %d of the gradients is %#x", i, w)
				}
			}
		})
	}
}

// alone returns a problem with string b only, and the indices that its examples have in
// the whole batch.
func (p *problem) alone(b int) (one *problem, examples []int) {
	one = &problem{params: p.params, ints: map[string][]int32{}, scalar: p.scalar}
	row := 0
	for t, n := range p.active {
		if b < n {
			at := row + b
			one.active = append(one.active, 1)
			one.ints[stepgraph.InputToken] = append(one.ints[stepgraph.InputToken], p.ints[stepgraph.InputToken][at])
			one.ints[stepgraph.InputCoord] = append(one.ints[stepgraph.InputCoord], p.ints[stepgraph.InputCoord][3*at:3*at+3]...)
			if i := slices.Index(p.ints[stepgraph.InputExampleRows], int32(at)); i >= 0 {
				one.ints[stepgraph.InputExampleRows] = append(one.ints[stepgraph.InputExampleRows], int32(t))
				one.ints[stepgraph.InputTarget] = append(one.ints[stepgraph.InputTarget], p.ints[stepgraph.InputTarget][i])
				examples = append(examples, i)
				one.examples++
			}
		}
		row += n
	}
	return one, examples
}
