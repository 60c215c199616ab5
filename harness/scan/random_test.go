package scan

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"gorgonia.org/tensor"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/stepgraph"
)

// stepGen generates a step of random operations. It bounds values before they enter the
// next state, because otherwise they could grow fast from step to step, and rounding
// errors with them.
type stepGen struct {
	*rand.Rand
	b       *stepgraph.Builder
	rows    []*node // row values
	stacks  []*node // stack-major values
	cell    map[*node]int
	count   map[*node]int // stacks per string
	bounded map[*node]bool
	used    map[*node]bool
	params  int
}

func (w *stepGen) one(list []*node) *node {
	x := list[w.IntN(len(list))]
	w.used[x] = true
	return x
}

func (w *stepGen) row() *node { return w.one(w.rows) }

func width(x *node) int { return x.Shape()[1] }

func (w *stepGen) param(rows, cols int) *node {
	w.params++
	return w.b.Param(param(fmt.Sprint("P", w.params), rows, cols))
}

// fit returns a value of width n: x itself, a slice of x or a product of x.
func (w *stepGen) fit(x *node, n int) *node {
	switch {
	case width(x) == n:
		return x
	case width(x) > n && w.IntN(2) == 0:
		step := 1 + w.IntN(max(1, width(x)/n))
		if (n-1)*step >= width(x) {
			step = 1
		}
		return w.keep(w.b.Slice(x, w.IntN(width(x)-(n-1)*step), n, step), w.bounded[x])
	}
	return w.b.MatMul(x, w.param(width(x), n))
}

func (w *stepGen) keep(x *node, bounded bool) *node {
	w.bounded[x] = w.bounded[x] || bounded
	return x
}

// squash returns x if it is bounded, otherwise a function of it with values between
// -1 and 1.
func (w *stepGen) squash(x *node) *node {
	if w.bounded[x] {
		return x
	}
	if w.IntN(2) == 0 {
		return w.keep(w.b.Tanh(x), true)
	}
	return w.keep(w.b.Sigmoid(x), true)
}

func (w *stepGen) add(x *node) {
	if width(x) <= 12 {
		w.rows = append(w.rows, x)
	}
}

func (w *stepGen) addStack(x, like *node) *node {
	w.cell[x], w.count[x] = w.cell[like], w.count[like]
	w.stacks = append(w.stacks, x)
	return x
}

// weights returns weights for an action: one number between 0 and 1 for each of the n
// stacks of a string.
func (w *stepGen) weights(n int) *node { return w.b.Sigmoid(w.fit(w.row(), n)) }

// pushed returns a value to push, one cell for each of the stacks of s.
func (w *stepGen) pushed(s *node) *node {
	return w.b.ToStackMajor(w.squash(w.fit(w.row(), w.cell[s]*w.count[s])), w.cell[s])
}

// grow adds a row value.
func (w *stepGen) grow() {
	b, x := w.b, w.row()
	switch w.IntN(22) {
	case 0:
		w.add(w.keep(b.Tanh(x), true))
	case 1:
		w.add(w.keep(b.Sigmoid(x), true))
	case 2:
		w.add(w.keep(b.OneMinus(x), w.bounded[x]))
	case 3:
		w.add(w.keep(b.Scale(x, -0.5), w.bounded[x]))
	case 4:
		w.add(w.keep(b.Add(b.StopGrad(x), x), false))
	case 5:
		w.add(b.Clamp(b.ClipGrad(x, 100), 3))
	case 6, 7:
		w.add(b.Add(x, w.fit(w.row(), width(x))))
	case 8:
		w.add(b.Sub(x, w.fit(w.row(), width(x))))
	case 9:
		w.add(b.Mul(w.squash(x), w.fit(w.row(), width(x))))
	case 10, 11:
		w.add(b.MatMul(x, w.param(width(x), 1+w.IntN(6))))
	case 12:
		w.add(b.AddRow(x, w.param(1, width(x))))
	case 13:
		w.add(b.MulRow(x, w.param(1, width(x))))
	case 14:
		w.add(b.MulCol(x, w.squash(w.fit(w.row(), 1))))
	case 15:
		w.add(b.RowDot(w.squash(x), w.fit(w.row(), width(x))))
	case 16:
		list := []*node{x, w.row()}
		if w.IntN(2) == 0 {
			list = append(list, w.row())
		}
		w.add(b.Concat(list...))
	case 17:
		n := 1 + w.IntN(3)
		w.add(w.keep(b.Softmax(w.fit(x, n*(1+w.IntN(2))), n), true))
	case 18:
		n := 1 + w.IntN(3)
		w.add(b.WeightedSum(b.Softmax(w.fit(x, n), n), w.fit(w.row(), n*(1+w.IntN(3)))))
	case 19:
		w.add(w.fit(x, 1+w.IntN(width(x))))
	case 20:
		w.add(b.Dropout(fmt.Sprint("d", w.IntN(2)), 0.3, x))
	case 21:
		w.add(b.Noise("n", 0.1, 0.2, b.MulOne(x, b.Scalar("temperature"))))
	}
}

// growStack adds a value computed from stacks.
func (w *stepGen) growStack() {
	if len(w.stacks) == 0 {
		return
	}
	b, s := w.b, w.one(w.stacks)
	n, p := w.count[s], w.cell[s]
	switch w.IntN(9) {
	case 7, 8:
		w.addList(s)
	case 0, 1:
		w.addStack(b.Push(s, w.weights(n), w.weights(n), w.pushed(s), p, float64(w.IntN(3)-1)), s)
	case 2:
		w.addStack(b.PushNoop(s, w.weights(n), w.weights(n), w.weights(n), w.pushed(s), p, float64(w.IntN(3)-1)), s)
	case 3:
		w.addStack(b.AddTop(s, w.pushed(s)), s)
	case 4:
		for _, r := range w.stacks {
			if r != s && r.Shape().Eq(s.Shape()) && w.cell[r] == p {
				w.used[r] = true
				w.addStack(b.Add(s, b.Scale(r, 0.5)), s)
				return
			}
		}
	case 5:
		w.addStack(b.Apply(stepgraph.Op{Kind: stepgraph.ScaleCols}, s, w.weights(n)), s)
	case 6:
		w.add(b.Apply(stepgraph.Op{Kind: stepgraph.ColDot, I: [3]int{n}}, s, s))
	}
	if top := b.Top(s, min(s.Shape()[0], 1+w.IntN(4))); w.IntN(3) > 0 {
		w.add(top)
	}
}

// addList adds a MoveList with random weights to the step. It moves the lists in the state
// s, which may also be a stack. Later operations may use the result. addList does nothing if
// s has fewer than three cells.
func (w *stepGen) addList(s *node) {
	n, p := w.count[s], w.cell[s]
	cells := s.Shape()[0] / p
	if cells < 3 {
		return
	}
	t := stepgraph.ListShape{Cell: p, Head: 1 + w.IntN(cells-2), Empty: float64(w.IntN(3) - 1)}
	var noop *node
	if w.IntN(2) == 0 {
		noop = w.weights(n)
	}
	w.addStack(w.b.MoveList(t, s, w.weights(n), w.weights(n), w.weights(n), noop, w.pushed(s)), s)
}

// next returns a random next value for the state s. It may be a sum or a difference
// that contains s, and it need not be bounded.
func (w *stepGen) next(s *node) *node {
	b, x := w.b, w.fit(w.row(), width(s))
	switch w.IntN(6) {
	case 0:
		if !w.bounded[x] {
			return b.Tanh(x) // repeated squaring soon overflows
		}
		return x
	case 1:
		return b.Add(s, w.squash(x))
	case 2:
		r := w.squash(w.row())
		return b.MatMul(r, w.param(width(r), width(s)))
	case 3:
		r := w.squash(x)
		w.used[r] = true
		w.rows = append(w.rows, r)
		return b.Sub(r, b.Scale(s, 0.5))
	}
	return w.squash(x)
}

// randomStep returns the step that a seed generates. The step returns the value that is
// read out.
func randomStep(seed uint64) func(b *stepgraph.Builder, x *node) *node {
	return func(b *stepgraph.Builder, x *node) *node {
		w := &stepGen{Rand: rand.New(rand.NewPCG(seed, 77)), b: b, rows: []*node{x},
			cell: map[*node]int{}, count: map[*node]int{}, bounded: map[*node]bool{}, used: map[*node]bool{}}
		var states []*node
		for i := range 1 + w.IntN(3) {
			s := b.State(stepgraph.StateSpec{Name: fmt.Sprint("h", i), Width: 1 + w.IntN(5), Init: float64(w.IntN(3)-1) / 2})
			w.bounded[s] = true
			states, w.rows = append(states, s), append(w.rows, s)
		}
		var stacks []*node
		for i := range w.IntN(3) {
			p := 1 + w.IntN(2)
			spec := stepgraph.StateSpec{Name: fmt.Sprint("s", i), Width: p * (2 + w.IntN(3)), Stacks: 1 + w.IntN(2), Init: -0.5}
			s := b.State(spec)
			w.cell[s], w.count[s] = p, spec.Stacks
			stacks, w.stacks = append(stacks, s), append(w.stacks, s)
		}
		for range 4 + w.IntN(12) {
			w.grow()
			if w.IntN(2) == 0 {
				w.growStack()
			}
		}
		for _, s := range states {
			b.SetNext(s, w.next(s))
		}
		for _, s := range stacks {
			next := s
			for _, r := range w.stacks {
				if r.Shape().Eq(s.Shape()) && w.IntN(2) == 0 {
					next = r
				}
			}
			w.used[next] = true
			if next != s && w.IntN(2) == 0 { // pushed values decay
				next = b.Scale(next, 0.5)
			}
			b.SetNext(s, next)
		}
		for _, s := range w.stacks {
			if !w.used[s] {
				w.rows = append(w.rows, b.Top(s, 1))
			}
		}
		out := []*node{w.squash(x)}
		for _, r := range w.rows {
			if !w.used[r] || w.IntN(8) == 0 {
				out = append(out, w.squash(r))
			}
		}
		return w.b.Tanh(b.MatMul(b.Concat(out...), w.param(width(b.Concat(out...)), 3)))
	}
}

// A randomCase is a random step, a batch for it, and the results of the batch.
type randomCase struct {
	seed   uint64
	step   testCell
	active []int
	g      *stepgraph.Graph
	p      *problem
	dev    kernel.Device
	opts   Options
	vm     *VM
	got    []uint32
}

// newRandomCase compiles and runs the step that a seed generates. It returns nil if the step
// has a parameter without influence on the loss, which is an error.
func newRandomCase(t *testing.T, seed uint64) *randomCase {
	c := &randomCase{seed: seed, step: testCell{fmt.Sprint("random", seed), 3, randomStep(seed)}, active: [][]int{ragged, {2, 2, 2}, {1}}[seed%3]}
	c.g = build(t, stepgraph.Config{Training: true, Seed: 3}, c.step.width, c.step.step)
	if err := c.g.Differentiate(); err != nil {
		if !strings.Contains(err.Error(), "has no influence on the loss") {
			t.Error(err)
		}
		return nil
	}
	c.p = newProblem(c.g, c.active, seed)
	c.opts = bounds(c.p, 0)
	c.opts.MergeWidth = 0
	c.opts.BPTT = int(seed / 3 % 2 * 3)
	c.dev = device(t, testISA(), 1)
	c.vm = compiled(t, c.g, c.dev, c.opts)
	c.got = outcome(t, c.vm, c.p)
	return c
}

// variants lists other ways to compute the results of a random step. They must have the
// same bits.
var variants = []struct {
	change string
	check  func(t *testing.T, c *randomCase) bool
}{
	{"hoisting", func(t *testing.T, c *randomCase) bool { return c.same(t, unhoisted(t, c.g, c.dev, c.opts)) }},
	{"sharing memory", func(t *testing.T, c *randomCase) bool { return c.same(t, unshared(t, c.g, c.dev, c.opts)) }},
	{"computing states twice", func(t *testing.T, c *randomCase) bool {
		return c.same(t, segmented(t, c.g, c.dev, c.opts, 1+int(c.seed%4)))
	}},
	{"moving values into a loop", func(t *testing.T, c *randomCase) bool { return c.same(t, movedIntoLoops(t, c.g, c.dev, c.opts)) }},
	{"merging, blocks or the instruction set", func(t *testing.T, c *randomCase) bool {
		opts := c.opts
		opts.MergeWidth = 1
		other := compiled(t, c.g, device(t, cpu.Generic, 1), opts)
		other.rowsPerBlock = 5
		return c.same(t, other)
	}},
	{"dividing the strings between threads", func(t *testing.T, c *randomCase) bool {
		return c.same(t, compiled(t, c.g, device(t, testISA(), 2+int(c.seed%2)), c.opts))
	}},
	{"a second run", func(t *testing.T, c *randomCase) bool { return c.same(t, c.vm) }},
	{"leaving out copies of rows", func(t *testing.T, c *randomCase) bool {
		p := c.p.everyRow()
		opts := bounds(p, 0)
		with, without := compiled(t, c.g, c.dev, opts), compiled(t, c.g, c.dev, opts)
		without.codeInOrder = nil
		return slices.Equal(outcome(t, with, p), outcome(t, without, p))
	}},
	{"a stream", func(t *testing.T, c *randomCase) bool {
		streamIsBatches(t, c.g, newProblem(c.g, singleString(23), c.seed), 1+int(c.seed%6), 1, func(at int) int { return at % 4 })
		return true // streamIsBatches itself reports differences
	}},
}

func (c *randomCase) same(t *testing.T, vm *VM) bool { return slices.Equal(outcome(t, vm, c.p), c.got) }

// checkVariant compares the results of a random step with those of one of the variants.
func (c *randomCase) checkVariant(t *testing.T, i int) {
	if !variants[i].check(t, c) {
		t.Errorf("seed %d: %s changes a bit", c.seed, variants[i].change)
	}
}

// checkOracle compares the gradients of a random step with those of the unrolled graph on
// Gorgonia.
func (c *randomCase) checkOracle(t *testing.T) {
	p, g, vm := c.p, c.g, c.vm
	plain := build(t, stepgraph.Config{Training: true, Seed: 3}, c.step.width, c.step.step)
	pieces := p.pieces()
	if c.opts.BPTT > 0 && len(c.active) > c.opts.BPTT {
		pieces = p.pieces(3, 6)[:(len(c.active)+2)/3]
	}
	if len(p.pieces()) == 0 || slices.ContainsFunc(pieces, func(q piece) bool { return q.examples == 0 }) {
		return // the oracle needs a loss in each piece
	}
	over := func(piece) int { return p.examples }
	results := piecewiseIn(t, plain, pieces, over, tensor.Float64, tensor.Float32)
	want, rounded := results[0], results[1]
	// Where the terms of a sum cancel, their rounding errors remain. No term is much
	// larger than the largest element of all gradients, which is computed here. So the
	// tolerance includes a rounding error of a number of that size.
	most := 0.0
	for _, q := range g.Params {
		for i := range want {
			for _, x := range gradOf(want[i], q).Data {
				most = max(most, math.Abs(x))
			}
		}
	}
	for _, q := range g.Params {
		d, err := vm.Grad(q.Name)
		if err != nil {
			t.Fatal(err)
		}
		// The largest error of Gorgonia in float32 shows how large the rounding error of this
		// gradient can be. The scan rounds about as often, but in another order.
		largest, noise := 0.0, 0.0
		sum := make([]float64, len(d))
		for j := range sum {
			low := 0.0
			for i := range want {
				sum[j] += gradOf(want[i], q).Data[j]
				low += gradOf(rounded[i], q).Data[j]
			}
			largest, noise = max(largest, math.Abs(sum[j])), max(noise, math.Abs(low-sum[j]))
		}
		for j, w := range sum {
			if diff := math.Abs(float64(d[j]) - w); !(diff <= 32*noise+0x1p-24*(64*largest+most)) {
				t.Errorf("gradient of %s[%d] is %v, want %v (rounding error about %.2g)", q.Name, j, d[j], w, noise)
				return
			}
		}
	}
}

// TestRandomSteps checks random steps in all variants and against the oracle.
func TestRandomSteps(t *testing.T) {
	seeds := []uint64{
		// In these steps, the gradients of one stack are far apart in the order of
		// computation, or a sum could overwrite a row that is still needed.
		580, 1616, 2177, 2967,
		189, 294, 617, 777, // found by fuzzing
		1129, 4773, // a value outlives a concatenation of concatenations that another value overwrites
	}
	most := uint64(48)
	if testing.Short() {
		most = 9
	}
	for seed := range most {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			if c := newRandomCase(t, seed); c != nil {
				for i := range variants {
					c.checkVariant(t, i)
				}
				c.checkOracle(t)
			}
		})
	}
}

// FuzzSteps compares the results of random steps with those of one variant each.
func FuzzSteps(f *testing.F) {
	fewCollections(f)
	for i := range variants {
		f.Add(uint64(i), byte(i))
	}
	f.Fuzz(func(t *testing.T, seed uint64, variant byte) {
		if c := newRandomCase(t, seed); c != nil {
			c.checkVariant(t, int(variant)%len(variants))
		}
	})
}

// FuzzGradients compares the gradients of random steps with those of the oracle. It is a
// target of its own because the oracle takes longer than all else.
func FuzzGradients(f *testing.F) {
	fewCollections(f)
	f.Add(uint64(0))
	f.Fuzz(func(t *testing.T, seed uint64) {
		if c := newRandomCase(t, seed); c != nil {
			c.checkOracle(t)
		}
	})
}

// fewCollections makes the garbage collector run less often. Random steps are built from
// many small objects in a small heap, which would otherwise be collected all the time.
func fewCollections(f *testing.F) {
	before := debug.SetGCPercent(1000)
	f.Cleanup(func() { debug.SetGCPercent(before) })
}
