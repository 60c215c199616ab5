package scan

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pushdown/harness/kernel/cpu"
	"pushdown/harness/stepgraph"
)

// steps returns the steps [from, to) of the problem p as a problem of their own. The strings
// of p must be of equal length. Only the examples in the last steps are kept; the parameter
// last is the number of these steps.
func (p *problem) steps(from, to, last int) *problem {
	n := p.active[0]
	q := &problem{params: p.params, ints: map[string][]int32{}, scalar: p.scalar, active: p.active[from:to]}
	q.ints[stepgraph.InputToken] = p.ints[stepgraph.InputToken][n*from : n*to]
	q.ints[stepgraph.InputCoord] = p.ints[stepgraph.InputCoord][3*n*from : 3*n*to]
	for i, at := range p.ints[stepgraph.InputExampleRows] {
		if at := int(at); at >= n*(to-last) && at < n*to {
			q.ints[stepgraph.InputExampleRows] = append(q.ints[stepgraph.InputExampleRows], int32(at-n*from))
			q.ints[stepgraph.InputTarget] = append(q.ints[stepgraph.InputTarget], p.ints[stepgraph.InputTarget][i])
			q.examples++
		}
	}
	return q
}

// deepStacks returns a Stack RNN whose stacks are so deep that a gradient does not reach all
// cells in a short window. If bounded is set, gradients are clipped, and small numbers in
// gradients are set to zero. If signed is set, the weights of actions can be negative, so a
// zero in the gradient can have either sign.
func deepStacks(noop, bounded, signed bool) func(b *stepgraph.Builder, x *node) *node {
	return func(b *stepgraph.Builder, x *node) *node {
		const h, depth, stacks, k = 6, 30, 3, 2
		clip := func(x *node) *node { return x }
		if bounded {
			clip = func(x *node) *node { return b.ClipGrad(x, 0.01) }
		}
		state := b.State(stepgraph.StateSpec{Name: "stack", Width: depth, Stacks: stacks, Init: -1})
		s := clip(state)
		next := b.Sigmoid(clip(b.Add(b.MatMul(x, b.Param(param("U", 4, h))), b.MatMul(b.Top(s, k), b.Param(param("P", stacks*k, h))))))
		n := 2
		if noop {
			n = 3
		}
		a := clip(b.MatMul(next, b.Param(param("A", h, n*stacks))))
		if signed {
			a = b.Tanh(a)
		} else {
			a = clip(b.Softmax(a, n))
		}
		v := b.ToStackMajor(b.Sigmoid(clip(b.MatMul(next, b.Param(param("D", h, stacks))))), 1)
		if s = clip(s); bounded {
			s = b.FlushGrad(s, 0x1p-20)
		}
		if noop {
			b.SetNext(state, b.PushNoop(s, b.Slice(a, 0, stacks, n), b.Slice(a, 1, stacks, n), b.Slice(a, 2, stacks, n), v, 1, -1))
		} else {
			b.SetNext(state, b.Push(s, b.Slice(a, 0, stacks, n), b.Slice(a, 1, stacks, n), v, 1, -1))
		}
		return clip(next)
	}
}

// deepLists returns a step with lists so long that a gradient does not reach all cells in a
// short window. If bounded is set, gradients are clipped, and small numbers in gradients are
// set to zero.
func deepLists(noop, bounded bool) func(b *stepgraph.Builder, x *node) *node {
	return func(b *stepgraph.Builder, x *node) *node {
		const h, cells, head, lists = 5, 41, 20, 2
		s := b.State(stepgraph.StateSpec{Name: "list", Width: cells, Stacks: lists, Init: -1})
		top := b.Apply(stepgraph.Op{Kind: stepgraph.FromStackMajor, I: [3]int{lists}}, b.Apply(stepgraph.Op{Kind: stepgraph.SliceRows, I: [3]int{head - 1, 2, 1}}, s))
		next := b.Sigmoid(b.Add(b.MatMul(x, b.Param(param("U", 4, h))), b.MatMul(top, b.Param(param("P", 2*lists, h)))))
		n := 3
		if noop {
			n = 4
		}
		a := b.Softmax(b.MatMul(next, b.Param(param("A", h, n*lists))), n)
		list := s
		if bounded {
			list = b.FlushGrad(b.ClipGrad(s, 0.01), 0x1p-20)
		}
		act := []*node{list}
		for i := range n {
			act = append(act, b.Slice(a, i, lists, n))
		}
		kind := stepgraph.List
		if noop {
			kind = stepgraph.ListNoop
		}
		act = append(act, b.ToStackMajor(b.Sigmoid(b.MatMul(next, b.Param(param("D", h, lists)))), 1))
		b.SetNext(s, b.Apply(stepgraph.Op{Kind: kind, I: [3]int{1, head}, F: [2]float64{-1}}, act...))
		return next
	}
}

var deepCells = []testCell{
	{"deep", 6, deepStacks(false, false, false)}, {"deep-noop", 6, deepStacks(true, false, false)},
	{"deep-bounded", 6, deepStacks(false, true, false)}, {"deep-noop-bounded", 6, deepStacks(true, true, false)}, {"deep-signed", 6, deepStacks(true, true, true)},
	{"list", 5, deepLists(false, false)}, {"list-noop-bounded", 5, deepLists(true, true)},
}

// singleString returns a batch of one string of n symbols.
func singleString(n int) (active []int) { return columns(1, n) }

// columns returns a batch of strings of the given length.
func columns(strings, length int) (active []int) { return slices.Repeat([]int{strings}, length) }

// streamBounds returns the options of a stream of a single string.
func streamBounds(window, steps int) Options { return columnBounds(1, window, steps) }

// columnBounds returns the options of a stream that reads n strings side by side.
func columnBounds(n, window, steps int) Options {
	return Options{MaxStrings: n, MaxRows: n * steps, MaxSteps: steps, MaxExamples: n * steps, Window: window, MergeWidth: 1}
}

// streamSizes lists the sizes of the streams to test. The field columns is the number of
// strings that are read side by side. Nine of them fill a vector and leave a remainder.
var streamSizes = []struct{ columns, window, steps int }{{1, 1, 1}, {1, 5, 1}, {1, 7, 3}, {1, 20, 1}, {3, 7, 3}, {9, 5, 2}}

// feed runs the batch p, which starts a new string if restart is set and continues the
// previous batch otherwise. It returns the bits of the losses, outputs and gradients,
// or nil if the batch has no examples.
func feed(t *testing.T, vm *VM, p *problem, restart bool) []uint32 {
	t.Helper()
	begin := vm.Continue
	if restart {
		begin = vm.Begin
	}
	if err := begin(p.active, p.examples); err != nil {
		t.Fatal(err)
	}
	p.load(t, vm)
	vm.Forward()
	if p.examples == 0 {
		return nil
	}
	vm.Backward()
	return results(t, vm, p)
}

// TestWindowIsABatch compares a stream with ordinary batches while the parameters do
// not change. The gradient over a window must have the same bits as the gradient of an
// ordinary batch with the steps of the window, wherever the window is in memory.
func TestWindowIsABatch(t *testing.T) {
	const symbols = 70
	for _, c := range append(append([]testCell{{"widelstm", 40, wideLSTM}}, allCells...), deepCells...) {
		for _, size := range streamSizes {
			if testing.Short() && size.window != 7 {
				continue
			}
			t.Run(fmt.Sprintf("%s/columns=%d/window=%d/steps=%d", c.name, size.columns, size.window, size.steps), func(t *testing.T) {
				g := training(t, c)
				p := newProblem(g, columns(size.columns, symbols), 5)
				streamIsBatches(t, g, p, size.window, size.steps, func(int) int { return 0 })
				streamIsBatches(t, g, p, size.window, size.steps, func(at int) int { return at * 7 % (size.window + 3) })
			})
		}
	}
}

// streamIsBatches compares each batch of a stream with an ordinary batch that has the steps
// of the window. In the middle, the stream starts a new string. Before each batch,
// LimitGradient is called with the limit that the function reach returns for the first step
// of the batch.
func streamIsBatches(t *testing.T, g *stepgraph.Graph, p *problem, window, steps int, reach func(at int) int) {
	t.Helper()
	symbols := len(p.active)
	dev := device(t, testISA(), 1)
	vm, plain := compiled(t, g, dev, columnBounds(p.active[0], window, steps)), compiled(t, g, dev, bounds(p, 0))
	began := 0
	for at := 0; at < symbols; {
		to := min(at+1+at%steps, symbols)
		restart := at == 0 || at > symbols/2 && began == 0
		if restart {
			began = at
		}
		back := window
		if r := reach(at); r > 0 {
			back = min(window, max(r, to-at))
		}
		vm.LimitGradient(reach(at))
		got := feed(t, vm, p.steps(at, to, to-at), restart)
		from := max(began, to-back)
		if from > began {
			feed(t, plain, p.steps(began, from, 0), true)
		}
		want := feed(t, plain, p.steps(from, to, to-at), from == began)
		if !slices.Equal(got, want) {
			t.Fatalf("steps %d to %d of a stream that began at %d have other results in a window of %d than as a batch", at, to, began, window)
		}
		at = to
	}
}

// TestDeepCellsAgainstOracle is TestAgainstOracle for networks with deep stacks and long
// lists.
func TestDeepCellsAgainstOracle(t *testing.T) {
	againstOracle(t, deepCells)
}

// TestNoPlanChangesABitOfAStream checks that the results of a stream have the same bits
// for every instruction set and for one and two threads, and with and without merging,
// hoisting and memory sharing.
func TestNoPlanChangesABitOfAStream(t *testing.T) {
	for _, c := range append(deepCells, allCells...) {
		for _, n := range []int{1, 5} {
			t.Run(fmt.Sprintf("%s/columns=%d", c.name, n), func(t *testing.T) {
				g := training(t, c)
				p := newProblem(g, columns(n, 60), 6)
				run := func(vm *VM) (all []uint32) {
					for at := 0; at < 60; at += 2 {
						all = append(all, feed(t, vm, p.steps(at, at+2, 2), at == 0)...)
						nudge(t, vm)
					}
					return all
				}
				opts := columnBounds(n, 9, 2)
				opts.MergeWidth = math.MaxInt32
				want := run(compiled(t, g, device(t, cpu.Generic, 1), opts))
				for _, isa := range cpu.Available() {
					for _, width := range []int{0, 1} {
						opts.MergeWidth = width
						vm := compiled(t, g, device(t, isa, 1+width), opts)
						if !slices.Equal(run(vm), want) {
							t.Errorf("%v, merging from width %d: other results", isa, width)
						}
						if n > 1 {
							checkDivided(t, vm, 1+width)
						}
					}
				}
				dev := device(t, testISA(), 1)
				if !slices.Equal(run(unhoisted(t, g, dev, opts)), want) {
					t.Error("hoisting changes results")
				}
				if !slices.Equal(run(unshared(t, g, dev, opts)), want) {
					t.Error("sharing memory changes results")
				}
			})
		}
	}
}

// nudge subtracts from each parameter one eighth of the gradient of that parameter.
func nudge(t *testing.T, vm *VM) {
	t.Helper()
	for _, r := range vm.Layout().Trainable {
		x, err := vm.Param(r.Name)
		if err != nil {
			t.Fatal(err)
		}
		g, err := vm.Grad(r.Name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range x {
			x[i] -= float32(0.125 * g[i])
		}
		if err := vm.SetParam(r.Name, x); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNonzeroRanges checks that gradients of stacks and lists have a nonzero range if
// the weights of actions cannot be negative, and have none otherwise.
func TestNonzeroRanges(t *testing.T) {
	for _, c := range deepCells {
		p, err := planned(training(t, c), streamBounds(5, 1))
		if err != nil {
			t.Fatal(err)
		}
		batches, err := planned(training(t, c), bounds(newProblem(training(t, c), singleString(5), 1), 0))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []*plan{p, batches} {
			n := 0
			for _, in := range p.code[BackLoop] {
				if in.Nonzero != nil {
					n++
				}
			}
			if signed := c.name == "deep-signed"; signed != (n == 0) {
				t.Errorf("%s: %d instructions have a nonzero range in a VM with a window of %d", c.name, n, p.opts.Window)
			}
		}
	}
}

// TestStoredStepsAreNotRecomputed checks that earlier steps of a window keep the values
// that they were computed with, even if parameters have changed since. The last step,
// and the backward pass, use the current parameters.
func TestStoredStepsAreNotRecomputed(t *testing.T) {
	c := testCell{"square", 2, func(b *stepgraph.Builder, x *node) *node {
		s := b.State(stepgraph.StateSpec{Name: "s", Width: 4})
		next := b.Add(b.Mul(s, b.Tanh(b.MatMul(x, b.Param(param("W", 4, 4))))), x)
		b.SetNext(s, next)
		return b.Slice(next, 0, 2, 1)
	}}
	g := training(t, c)
	p := newProblem(g, singleString(3), 4)
	vm := compiled(t, g, device(t, testISA(), 1), streamBounds(3, 1))
	feed(t, vm, p.steps(0, 1, 0), true)
	feed(t, vm, p.steps(1, 2, 0), false)
	before := feed(t, vm, p.steps(2, 3, 1), false)
	plain := compiled(t, g, device(t, testISA(), 1), bounds(p, 0))
	if !slices.Equal(before, feed(t, plain, p.steps(0, 3, 1), true)) {
		t.Fatal("without a change of parameters the window differs from a batch")
	}
	// The parameter W is doubled before the last step. The steps before keep the values
	// of tanh that they computed with the old W.
	vm = compiled(t, g, device(t, testISA(), 1), streamBounds(3, 1))
	feed(t, vm, p.steps(0, 1, 0), true)
	feed(t, vm, p.steps(1, 2, 0), false)
	changed := *p
	changed.params = map[string][]float32{}
	for name, x := range p.params {
		changed.params[name] = slices.Clone(x)
	}
	for i := range changed.params["W"] {
		changed.params["W"][i] *= 2
	}
	mixed := feed(t, vm, changed.steps(2, 3, 1), false)
	if all := feed(t, plain, changed.steps(0, 3, 1), true); slices.Equal(mixed, all) {
		t.Error("stored steps were computed again with new parameters")
	}
	if slices.Equal(mixed, before) {
		t.Error("the last step was computed with old parameters")
	}
}

// TestStreamsDoNotAllocate checks that a stream allocates no memory after its first
// steps, however long it is.
func TestStreamsDoNotAllocate(t *testing.T) {
	g := training(t, testCell{"stackrnn", 6, stackRNN})
	p := newProblem(g, singleString(1), 4)
	vm := compiled(t, g, device(t, testISA(), 1), streamBounds(5, 1))
	p.one(t, vm)
	token, pick, target, one := p.ints[stepgraph.InputToken], []int32{0}, []int32{1}, singleString(1)
	next := func() {
		if err := vm.Continue(one, 1); err != nil {
			t.Fatal(err)
		}
		for name, x := range map[string][]int32{stepgraph.InputToken: token, stepgraph.InputExampleRows: pick, stepgraph.InputTarget: target} {
			if err := vm.SetInts(name, x); err != nil {
				t.Fatal(err)
			}
		}
		vm.Forward()
		vm.Backward()
	}
	for range 100 {
		next()
	}
	if n := testing.AllocsPerRun(200, next); n > 0 {
		t.Errorf("%v allocations per symbol, want 0", n)
	}
}

// one starts a stream with a batch of one symbol and one prediction.
func (p *problem) one(t *testing.T, vm *VM) {
	t.Helper()
	p.ints[stepgraph.InputExampleRows], p.ints[stepgraph.InputTarget], p.examples = []int32{0}, []int32{1}, 1
	feed(t, vm, p, true)
}

func TestWindowBounds(t *testing.T) {
	g := training(t, testCell{"lstm", 6, lstm})
	dev := device(t, testISA(), 1)
	for _, c := range []struct {
		change func(o *Options)
		want   string
	}{
		{func(o *Options) { o.Window = -1 }, "scan: window is -1, want 0 to 2147483647"},
		{func(o *Options) { o.BPTT = 3 }, "scan: have truncation every 3 steps and a window of 5, want only one of them"},
		{func(o *Options) { o.MaxSteps = 6 }, "scan: batches of 6 steps, want at most the window of 5"},
	} {
		o := streamBounds(5, 1)
		c.change(&o)
		if _, err := Compile(g, dev, o); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
	two := compiled(t, g, dev, columnBounds(2, 5, 1))
	if err, want := two.Begin([]int{1}, 0), "scan: 1 strings active at step 0 of a stream, want its 2 columns"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	vm := compiled(t, g, dev, streamBounds(5, 1))
	if vm.Ints(stepgraph.InputToken) != nil {
		t.Error("Ints returns memory for the symbols of a stream, whose location changes")
	}
}
