package pushdown

import (
	"fmt"
	"testing"

	"pushdown/golden"
	"pushdown/harness/bench"
	"pushdown/harness/kernel"
	"pushdown/harness/optim"
	"pushdown/harness/rng"
	"pushdown/harness/scan"
	"pushdown/harness/stepgraph"
	"pushdown/harness/train"
	"pushdown/models"
	"pushdown/suites/dyck"
)

func TestMain(m *testing.M) {
	bench.Main(m,
		golden.Unit{Name: "GFLOP/s", Better: "higher"},
		golden.Unit{Name: "ns/element", Better: "lower"},
		golden.Unit{Name: "ns/row", Better: "lower"},
		golden.Unit{Name: "rows/s", Better: "higher"},
	)
}

// A work is what one iteration of a benchmark does. Benchmarks run it under its
// name; a test sees that it allocates nothing.
type work struct {
	name     string
	run      func()
	flops    float64 // additions and multiplications, for GFLOP/s
	elements float64 // results, for ns/element
	rows     float64 // strings times steps, for ns/row and rows/s
}

// measure times each work as a sub-benchmark.
func measure(b *testing.B, list func(testing.TB, kernel.Device) []work) {
	for _, w := range list(b, bench.Open(b)) {
		b.Run(w.name, func(b *testing.B) {
			w.run() // memory is reserved for the first
			for b.Loop() {
				w.run()
			}
			nanos := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
			if w.flops > 0 {
				bench.ReportMetric(b, w.flops/nanos, "GFLOP/s")
			}
			if w.elements > 0 {
				bench.ReportMetric(b, nanos/w.elements, "ns/element")
			}
			if w.rows > 0 {
				bench.ReportMetric(b, nanos/w.rows, "ns/row")
				bench.ReportMetric(b, w.rows/nanos*1e9, "rows/s")
			}
		})
	}
}

// BenchmarkGEMM multiplies matrices [m, k] and [k, n], either of them
// transposed or not, in the shapes of an LSTM with 256 hidden units: a step of a
// batch of 20, the rows of 35 steps at once, and a square for comparison.
func BenchmarkGEMM(b *testing.B) { measure(b, products) }

// BenchmarkGates is the elementwise part of a step of an LSTM and of its
// gradient; an element is one hidden unit of one string.
func BenchmarkGates(b *testing.B) { measure(b, gates) }

// BenchmarkSoftmax is a softmax over the rows of a matrix, and its gradient.
func BenchmarkSoftmax(b *testing.B) { measure(b, softmaxes) }

// BenchmarkCrossEntropy is the loss of a language model from its logits, and
// its gradient.
func BenchmarkCrossEntropy(b *testing.B) { measure(b, crossEntropies) }

// BenchmarkStack is a step of a stack, superposed from push, pop and no-op, and
// its gradient; an element is one cell of one stack.
func BenchmarkStack(b *testing.B) { measure(b, stacks) }

// BenchmarkTrain is one update: a batch packed, forward, backward, optimiser. A
// row is one step of one string.
func BenchmarkTrain(b *testing.B) { measure(b, updates) }

func TestNoBenchmarkAllocates(t *testing.T) {
	lists := []func(testing.TB, kernel.Device) []work{products, gates, softmaxes, crossEntropies, stacks}
	if !testing.Short() {
		lists = append(lists, updates)
	}
	dev := bench.Open(t)
	for _, list := range lists {
		for _, w := range list(t, dev) {
			if n := testing.AllocsPerRun(2, w.run); n != 0 {
				t.Errorf("%s: %v allocations in a run, want none", w.name, n)
			}
		}
	}
}

// plan is memory of a device under construction.
type plan struct {
	words int
	fill  []func(kernel.Arena)
}

// reserve returns the place of a matrix, at the start of a cache line.
func (p *plan) reserve(rows, cols int) kernel.Arg {
	at := kernel.Arg{Slot: kernel.FixedSlot, Off: p.words, LD: cols}
	p.words += (rows*cols + 15) / 16 * 16
	return at
}

// floats returns a matrix of numbers uniform in [-1, 1).
func (p *plan) floats(rows, cols int) kernel.Arg {
	at, s := p.reserve(rows, cols), rng.New(1, "benchmark")
	p.fill = append(p.fill, func(a kernel.Arena) {
		x := make([]float32, rows*cols)
		for i := range x {
			x[i] = s.Uniform(rng.At{Unit: uint32(i), Row: uint32(at.Off)}, -1, 1)
		}
		a.Write(at.Off, x)
	})
	return at
}

// ints returns a column of numbers uniform in 0 to below-1.
func (p *plan) ints(rows, below int) kernel.Arg {
	at := p.reserve(rows, 1)
	p.fill = append(p.fill, func(a kernel.Arena) { a.WriteInts(at.Off, integers(rows, below)) })
	return at
}

func integers(n, below int) []int32 {
	x, s := make([]int32, n), rng.New(1, "benchmark/integers")
	for i := range x {
		x[i] = int32(s.IntN(rng.At{Unit: uint32(i)}, uint32(below)))
	}
	return x
}

// program compiles code for frames of the given number of rows.
func (p *plan) program(t testing.TB, dev kernel.Device, rows int, code ...kernel.Instr) func() {
	t.Helper()
	arena, err := dev.NewArena(p.words)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { arena.Close() })
	for _, f := range p.fill {
		f(arena)
	}
	c, err := arena.Compile(code)
	if err != nil {
		t.Fatal(err)
	}
	frames := []kernel.Frame{{N: rows}}
	return func() { arena.Run(c, frames) }
}

func products(t testing.TB, dev kernel.Device) []work {
	var list []work
	for _, s := range []struct{ m, n, k int }{{20, 1024, 256}, {700, 1024, 256}, {512, 512, 512}} {
		for _, op := range []string{"NN", "NT", "TN"} {
			var p plan
			in := kernel.Instr{Op: kernel.MatMul, Form: kernel.Fixed, M: s.m, W: s.n, K: s.k}
			a, b := p.floats(s.m, s.k), p.floats(s.k, s.n)
			if op == "TN" {
				in.I[0], a.LD = 1, s.m
			}
			if op == "NT" {
				in.I[1], b.LD = 1, s.k
			}
			in.Args = []kernel.Arg{p.reserve(s.m, s.n), a, b}
			list = append(list, work{
				name: fmt.Sprintf("op=%s/m=%d/n=%d/k=%d", op, s.m, s.n, s.k), run: p.program(t, dev, s.m, in),
				flops: 2 * float64(s.m) * float64(s.n) * float64(s.k),
			})
		}
	}
	return list
}

// gates follows the equations of models.LSTM: the pre-activations of i, f, g
// and o stand side by side in one matrix.
func gates(t testing.TB, dev kernel.Device) []work {
	const batch, hidden = 64, 256
	var p plan
	side := func(m kernel.Arg, i int) kernel.Arg { m.Off += i * hidden; return m }
	do := func(op kernel.Op, args ...kernel.Arg) kernel.Instr {
		return kernel.Instr{Op: op, Form: kernel.Rows, W: hidden, Args: args}
	}
	one := func() kernel.Arg { return p.floats(batch, hidden) }
	pre, act, dact := p.floats(batch, 4*hidden), p.floats(batch, 4*hidden), p.floats(batch, 4*hidden)
	i, f, g, o := side(act, 0), side(act, 1), side(act, 2), side(act, 3)
	before, kept, added, cell, squashed, h := one(), one(), one(), one(), one(), one()
	forward := []kernel.Instr{
		do(kernel.Sigmoid, i, side(pre, 0)), do(kernel.Sigmoid, f, side(pre, 1)),
		do(kernel.Tanh, g, side(pre, 2)), do(kernel.Sigmoid, o, side(pre, 3)),
		do(kernel.Mul, kept, f, before), do(kernel.Mul, added, i, g), do(kernel.Add, cell, kept, added),
		do(kernel.Tanh, squashed, cell), do(kernel.Mul, h, o, squashed),
	}
	dh, dcell, dsum, dbefore, d := one(), one(), one(), one(), one()
	backward := []kernel.Instr{
		do(kernel.Mul, d, dh, squashed), do(kernel.SigmoidGrad, side(dact, 3), o, d),
		do(kernel.Mul, d, dh, o), do(kernel.TanhGrad, d, squashed, d), do(kernel.Add, dsum, dcell, d),
		do(kernel.Mul, d, dsum, i), do(kernel.TanhGrad, side(dact, 2), g, d),
		do(kernel.Mul, d, dsum, before), do(kernel.SigmoidGrad, side(dact, 1), f, d),
		do(kernel.Mul, d, dsum, g), do(kernel.SigmoidGrad, side(dact, 0), i, d),
		do(kernel.Mul, dbefore, dsum, f),
	}
	name := fmt.Sprintf("cell=lstm/batch=%d/hidden=%d", batch, hidden)
	return []work{
		{name: "pass=forward/" + name, run: p.program(t, dev, batch, forward...), elements: batch * hidden},
		{name: "pass=backward/" + name, run: p.program(t, dev, batch, backward...), elements: batch * hidden},
	}
}

func softmaxes(t testing.TB, dev kernel.Device) []work {
	var list []work
	for _, s := range []struct{ rows, n int }{{512, 3}, {64, 10_000}} {
		var p plan
		do := func(op kernel.Op, args ...kernel.Arg) kernel.Instr {
			return kernel.Instr{Op: op, Form: kernel.Rows, W: s.n, I: [3]int{s.n}, Args: args}
		}
		x, y, dy, dx := p.floats(s.rows, s.n), p.floats(s.rows, s.n), p.floats(s.rows, s.n), p.reserve(s.rows, s.n)
		name, elements := fmt.Sprintf("rows=%d/n=%d", s.rows, s.n), float64(s.rows*s.n)
		list = append(list,
			work{name: "pass=forward/" + name, run: p.program(t, dev, s.rows, do(kernel.Softmax, y, x)), elements: elements},
			work{name: "pass=backward/" + name, run: p.program(t, dev, s.rows, do(kernel.SoftmaxGrad, dx, y, dy)), elements: elements})
	}
	return list
}

func crossEntropies(t testing.TB, dev kernel.Device) []work {
	const rows, n = 64, 10_000
	var p plan
	do := func(op kernel.Op, args ...kernel.Arg) kernel.Instr {
		return kernel.Instr{Op: op, Form: kernel.Rows, W: n, Args: args}
	}
	x, target, loss, dloss, dx := p.floats(rows, n), p.ints(rows, n), p.reserve(rows, 1), p.floats(rows, 1), p.reserve(rows, n)
	name := fmt.Sprintf("rows=%d/n=%d", rows, n)
	return []work{
		{name: "pass=forward/" + name, run: p.program(t, dev, rows, do(kernel.CrossEntropy, loss, x, target)), elements: rows * n},
		{name: "pass=backward/" + name, run: p.program(t, dev, rows, do(kernel.CrossEntropyGrad, dx, x, target, dloss)), elements: rows * n},
	}
}

func stacks(t testing.TB, dev kernel.Device) []work {
	const batch, depth = 512, 8
	var p plan
	do := func(op kernel.Op, args ...kernel.Arg) kernel.Instr {
		return kernel.Instr{Op: op, Form: kernel.Depth, W: depth, S: 1, I: [3]int{1}, Args: args}
	}
	stack := func() kernel.Arg { return p.floats(depth, batch) }
	row := func() kernel.Arg { return p.floats(1, batch) }
	next, now, push, pop, noop, value := stack(), stack(), row(), row(), row(), row()
	dnext, dnow, dpush, dpop, dnoop, dvalue := stack(), stack(), row(), row(), row(), row()
	forward := do(kernel.Stack, next, now, push, pop, noop, value)
	backward := do(kernel.StackGrad, dnow, dpush, dpop, dnoop, dvalue, dnext, now, push, pop, noop, value)
	name := fmt.Sprintf("batch=%d/depth=%d", batch, depth)
	return []work{
		{name: "pass=forward/" + name, run: p.program(t, dev, batch, forward), elements: batch * depth},
		{name: "pass=backward/" + name, run: p.program(t, dev, batch, backward), elements: batch * depth},
	}
}

// updates are those of the largest Dyck-RNN of the suite, whose network has
// five parameters and batches of 512 prefixes, and those of a language model of
// 256 hidden units with 20 texts of 35 words.
func updates(t testing.TB, dev kernel.Device) []work {
	list := dyck.Table2()
	e := list[len(list)-1]
	run, err := e.Run(1)
	if err != nil {
		t.Fatal(err)
	}
	small := newTrainer(t, dev, run.Build, run.Train, run.Rule)

	text := stream{batch: 20, steps: 35, vocabulary: 10_000}
	lm, err := models.LanguageModel(models.LSTM{Hidden: 256}, text.vocabulary, 256)
	if err != nil {
		t.Fatal(err)
	}
	large := newTrainer(t, dev, lm.Build, text, optim.Rule{Method: optim.SGD, LR: 0.1, ClipNorm: 5})
	return []work{
		{name: fmt.Sprintf("model=%s/m=%d/batch=%d", e.Name, e.M, e.Batch), run: small.update, rows: small.rows()},
		{name: fmt.Sprintf("model=lstm/hidden=256/vocabulary=%d/batch=%d/steps=%d", text.vocabulary, text.batch, text.steps), run: large.update, rows: large.rows()},
	}
}

// trainer makes one update again and again.
type trainer struct {
	t      testing.TB
	vm     *scan.VM
	opt    *optim.Optimizer
	source train.Source
	batch  train.Batch
}

func newTrainer(t testing.TB, dev kernel.Device, build func(stepgraph.Config) (*stepgraph.Graph, error), source train.Source, rule optim.Rule) *trainer {
	t.Helper()
	g, err := build(stepgraph.Config{Training: true, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Differentiate(); err != nil {
		t.Fatal(err)
	}
	b := source.Bounds()
	vm, err := scan.Compile(g, dev, scan.Options{Strings: b.Strings, Rows: b.Rows, Steps: b.Steps, Examples: b.Examples, Moments: rule.Moments()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { vm.Close() })
	if err := train.Initialise(vm, 1); err != nil {
		t.Fatal(err)
	}
	opt, err := optim.New(vm, rule)
	if err != nil {
		t.Fatal(err)
	}
	r := &trainer{t: t, vm: vm, opt: opt, source: source}
	r.batch.Token = vm.Ints(stepgraph.InputToken)
	return r
}

// rows is the size of the batch, which is always that of the first update.
func (r *trainer) rows() float64 {
	r.update()
	return float64(r.vm.Rows())
}

func (r *trainer) update() {
	b := &r.batch
	b.Reset()
	r.source.Fill(0, b)
	if err := r.vm.Begin(b.Active, len(b.Target)); err != nil {
		r.t.Fatal(err)
	}
	for _, in := range []struct {
		name string
		x    []int32
	}{{stepgraph.InputToken, b.Token}, {stepgraph.InputPick, b.Pick}, {stepgraph.InputTarget, b.Target}} {
		if err := r.vm.SetInts(in.name, in.x); err != nil {
			r.t.Fatal(err)
		}
	}
	r.vm.Forward()
	r.vm.Backward()
	if err := r.opt.Step(); err != nil {
		r.t.Fatal(err)
	}
}

// stream is a text of random words, predicted word by word.
type stream struct{ batch, steps, vocabulary int }

func (s stream) Bounds() train.Bounds {
	n := s.batch * s.steps
	return train.Bounds{Strings: s.batch, Rows: n, Steps: s.steps, Examples: n}
}

func (s stream) PerEpoch() int { return 1 }

func (s stream) Fill(_ int, b *train.Batch) {
	n := s.batch * s.steps
	for range s.steps {
		b.Active = append(b.Active, s.batch)
	}
	draw := rng.New(1, "benchmark/text")
	word := func(i int) int32 { return int32(draw.IntN(rng.At{Unit: uint32(i)}, uint32(s.vocabulary))) }
	for i := range n {
		b.Token, b.Pick, b.Target = append(b.Token, word(i)), append(b.Pick, int32(i)), append(b.Target, word(i+s.batch))
	}
}
