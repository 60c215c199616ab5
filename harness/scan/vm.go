package scan

import (
	"fmt"
	"math"

	"gorgonia.org/gorgonia"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// VM runs a planned graph. It is a [gorgonia.VM]; Begin, the inputs, Forward
// and Backward are the finer steps. A VM is used by one goroutine at a time.
type VM struct {
	plan  *plan
	arena kernel.Arena
	code  [NumPhases]kernel.Code
	batch int // strings of the present batch
	rows  int
	examp int
	lens  int // steps of the present batch

	active   []int // strings active at each step
	forward  []kernel.Frame
	backward []kernel.Frame
	all      []kernel.Frame // one frame over all rows
	blocks   []kernel.Frame // frames over all rows, block by block
	perBlock int            // rows of a block
	head     []kernel.Frame // one frame over all examples
	once     []kernel.Frame
	start    kernel.Code // initial states
	carry    kernel.Code // last states to the start
	ends     []kernel.Frame
	seed     []float32
	zeroInit bool
}

var _ gorgonia.VM = (*VM)(nil)

// Compile plans g for the device. The graph has been differentiated if it is
// to be trained.
func Compile(g *stepgraph.Graph, dev kernel.Device, opts Options) (*VM, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	p, err := planned(g, opts)
	if err != nil {
		return nil, err
	}
	vm := &VM{plan: p, all: make([]kernel.Frame, 1), head: make([]kernel.Frame, 1), once: make([]kernel.Frame, 1), ends: make([]kernel.Frame, 1)}
	vm.perBlock = p.blockRows()
	if vm.arena, err = dev.NewArena(p.words); err != nil {
		return nil, err
	}
	for i := range vm.code {
		if vm.code[i], err = vm.arena.Compile(p.code[i]); err != nil {
			return nil, err
		}
	}
	if err := vm.compileStates(); err != nil {
		return nil, err
	}
	return vm, nil
}

// planned runs the passes.
func planned(g *stepgraph.Graph, opts Options) (*plan, error) {
	p := newPlan(g, opts)
	p.live()
	if err := p.phases(); err != nil {
		return nil, err
	}
	p.merge()
	p.store()
	if err := p.lower(); err != nil {
		return nil, err
	}
	return p, nil
}

// compileStates prepares what happens to states between batches.
func (vm *VM) compileStates() (err error) {
	var start, carry []kernel.Instr
	for _, s := range vm.plan.states {
		fill := s.in.shape(kernel.Fill)
		fill.F[0] = float32(s.spec.Init)
		fill.Args = []kernel.Arg{s.in.at}
		start = append(start, fill)
		move := s.in.shape(kernel.Copy)
		move.Args = []kernel.Arg{s.in.at, s.out.at}
		carry = append(carry, move)
	}
	if vm.start, err = vm.arena.Compile(start); err != nil {
		return err
	}
	vm.carry, err = vm.arena.Compile(carry)
	return err
}

// Arena returns the memory, for what works on parameters in place.
func (vm *VM) Arena() kernel.Arena { return vm.arena }

// Layout tells where parameters, gradients and moments lie.
func (vm *VM) Layout() *Layout { return &vm.plan.layout }

// Graph returns the graph that was planned.
func (vm *VM) Graph() *stepgraph.Graph { return vm.plan.g }

// Options returns the bounds that the VM was compiled with.
func (vm *VM) Options() Options { return vm.plan.opts }

// Begin lays out a batch: active holds for each step the number of strings
// still going, which must not rise; there are the given number of predictions.
// States start anew at their initial values.
func (vm *VM) Begin(active []int, examples int) error {
	if err := vm.layOut(active, examples); err != nil {
		return err
	}
	vm.arena.Run(vm.start, vm.forward[:1])
	return nil
}

// Continue lays out a batch that takes up the states of the last one, of the
// same strings.
func (vm *VM) Continue(active []int, examples int) error {
	if vm.lens == 0 || len(active) == 0 || active[0] != vm.active[vm.lens-1] {
		return fmt.Errorf("scan: cannot continue: the batch starts with %v strings, the last one ended with %v", head(active), tail(vm.active[:vm.lens]))
	}
	last := vm.forward[vm.lens-1]
	last.Start[kernel.StateIn], last.Strings[kernel.StateIn] = 0, last.N
	vm.ends[0] = last
	vm.arena.Run(vm.carry, vm.ends)
	return vm.layOut(active, examples)
}

func head(x []int) any {
	if len(x) == 0 {
		return "no"
	}
	return x[0]
}

func tail(x []int) any {
	if len(x) == 0 {
		return "no"
	}
	return x[len(x)-1]
}

func (vm *VM) layOut(active []int, examples int) error {
	o := &vm.plan.opts
	if len(active) == 0 || len(active) > o.Steps {
		return fmt.Errorf("scan: batch of %d steps, want 1 to %d", len(active), o.Steps)
	}
	if examples < 0 || examples > o.Examples {
		return fmt.Errorf("scan: batch of %d examples, want 0 to %d", examples, o.Examples)
	}
	rows := 0
	for t, n := range active {
		if n < 1 || n > o.Strings || t > 0 && n > active[t-1] {
			return fmt.Errorf("scan: %d strings active at step %d, want 1 to %d and no more than before", n, t, o.Strings)
		}
		rows += n
	}
	if rows > o.Rows {
		return fmt.Errorf("scan: batch of %d rows, want at most %d", rows, o.Rows)
	}
	vm.batch, vm.rows, vm.examp, vm.lens = active[0], rows, examples, len(active)
	vm.active = append(vm.active[:0], active...)
	vm.frames()
	return nil
}

// frames fills the frames of the batch.
func (vm *VM) frames() {
	o := &vm.plan.opts
	first := vm.batch
	vm.all[0] = kernel.Frame{N: vm.rows}
	vm.all[0].Start[kernel.StateOut] = first
	vm.head[0] = vm.all[0]
	vm.head[0].N = vm.examp
	vm.blocks = vm.blocks[:0]
	for row := 0; row < vm.rows; row += vm.perBlock {
		f := kernel.Frame{N: min(vm.perBlock, vm.rows-row)}
		f.Start[kernel.Current], f.Start[kernel.StateOut] = row, first+row
		vm.blocks = append(vm.blocks, f)
	}
	vm.forward, vm.backward = vm.forward[:0], vm.backward[:0]
	off, before, beforeOff := 0, first, 0
	for t, n := range vm.active {
		f := kernel.Frame{N: n}
		f.Start[kernel.Current], f.Strings[kernel.Current] = off, n
		f.Start[kernel.StateIn], f.Strings[kernel.StateIn] = beforeOff, before
		f.Start[kernel.StateOut], f.Strings[kernel.StateOut] = first+off, n
		if t+1 < vm.lens && (o.BPTT == 0 || (t+1)%o.BPTT != 0) {
			f.Tail = vm.active[t+1]
		}
		f.Start[kernel.Carry] = (t + 1) % 2 * o.Strings
		f.Start[kernel.CarryNext] = t % 2 * o.Strings
		vm.forward = append(vm.forward, f)
		before, beforeOff = n, first+off
		off += n
	}
	for t := vm.lens - 1; t >= 0; t-- {
		vm.backward = append(vm.backward, vm.forward[t])
	}
}

// Rows returns the number of packed rows of the present batch.
func (vm *VM) Rows() int { return vm.rows }

// Forward runs the batch to its losses and outputs.
func (vm *VM) Forward() {
	vm.arena.Run(vm.code[Update], vm.once)
	vm.arena.Run(vm.code[Pre], vm.blocks)
	vm.arena.Run(vm.code[Loop], vm.forward)
	vm.arena.Run(vm.code[Post], vm.blocks)
	if vm.plan.g.Input(stepgraph.InputSeed) != nil {
		vm.setSeed()
	}
	vm.arena.Run(vm.code[Head], vm.head)
}

// setSeed makes the gradient that of the mean loss of the batch.
func (vm *VM) setSeed() {
	if vm.examp == 0 {
		return
	}
	w := float32(1 / float64(vm.examp))
	if len(vm.seed) >= vm.examp && vm.seed[0] == w {
		return
	}
	vm.seed = vm.seed[:0]
	for range vm.examp {
		vm.seed = append(vm.seed, w)
	}
	vm.arena.Write(vm.plan.of[vm.plan.g.Input(stepgraph.InputSeed).Node].at.Off, vm.seed)
}

// Backward runs the gradient of the mean loss; Forward has run before.
func (vm *VM) Backward() {
	vm.arena.Run(vm.code[BackPre], vm.blocks)
	vm.arena.Run(vm.code[BackLoop], vm.backward)
	vm.arena.Run(vm.code[BackPost], vm.blocks)
	vm.arena.Run(vm.code[BackReduce], vm.all)
	vm.arena.Run(vm.code[BackStatic], vm.once)
}

// RunAll runs the batch that Begin laid out, with its gradient if the graph has
// one.
func (vm *VM) RunAll() error {
	if vm.lens == 0 {
		return fmt.Errorf("scan: no batch: Begin has not been called")
	}
	vm.Forward()
	if vm.plan.train {
		vm.Backward()
	}
	return nil
}

// Reset forgets the batch.
func (vm *VM) Reset() { vm.lens, vm.rows, vm.examp = 0, 0, 0 }

// Close frees the memory.
func (vm *VM) Close() error { return vm.arena.Close() }

// SetInts supplies a whole-number input. A number that is no index of what it
// looks up is an error that names it.
func (vm *VM) SetInts(name string, x []int32) error {
	in := vm.plan.g.Input(name)
	if in == nil || !in.Int {
		return fmt.Errorf("scan: the graph has no whole-number input %s", name)
	}
	if want := vm.count(in); len(x) != want {
		return fmt.Errorf("scan: input %s has %d values, want %d", name, len(x), want)
	}
	if limit := vm.limit(in); limit > 0 {
		if at := outside(x, uint32(limit)); at >= 0 {
			return fmt.Errorf("scan: input %s: number %d is %d, want 0 to %d", name, at, x[at], limit-1)
		}
	}
	at := vm.plan.of[in.Node].at.Off
	if host := vm.hostArena(); host != nil && len(x) > 0 && &x[0] == &host.Ints(at, 1)[0] {
		return nil // written in place
	}
	vm.arena.WriteInts(at, x)
	return nil
}

// outside returns the place of a number that is not below limit, -1 if there is
// none. No number is larger than all of them or-ed together.
func outside(x []int32, limit uint32) int {
	var a, b, c, d int32
	y := x
	for ; len(y) >= 4; y = y[4:] {
		a, b, c, d = a|y[0], b|y[1], c|y[2], d|y[3]
	}
	for _, v := range y {
		a |= v
	}
	if uint32(a|b|c|d) < limit {
		return -1
	}
	for i, v := range x {
		if uint32(v) >= limit {
			return i
		}
	}
	return -1
}

// Ints returns the memory of a whole-number input for the largest batch, where
// SetInts need not copy from; nil if the host cannot write there.
func (vm *VM) Ints(name string) []int32 {
	in, host := vm.plan.g.Input(name), vm.hostArena()
	if in == nil || !in.Int || host == nil {
		return nil
	}
	rows := 1
	switch in.Domain {
	case stepgraph.Step:
		rows = vm.plan.opts.Rows
	case stepgraph.Example:
		rows = vm.plan.opts.Examples
	}
	return host.Ints(vm.plan.of[in.Node].at.Off, rows*in.Width)
}

func (vm *VM) hostArena() kernel.HostArena {
	host, _ := vm.arena.(kernel.HostArena)
	return host
}

// limit is the size of the smallest thing that the input is an index of, 0 if
// it is no index.
func (vm *VM) limit(in *stepgraph.Input) int {
	v, limit := vm.plan.of[in.Node], 0
	for _, u := range v.uses {
		n := 0
		switch u.kind() {
		case stepgraph.Gather:
			n = u.in[0].rows
		case stepgraph.CrossEntropy, stepgraph.CrossEntropyGrad:
			n = u.in[0].cols
		case stepgraph.Pick, stepgraph.Unpick:
			n = vm.rows
		}
		if limit == 0 || n > 0 && n < limit {
			limit = n
		}
	}
	return limit
}

// SetFloats supplies an input of numbers: a run-time scalar or features.
func (vm *VM) SetFloats(name string, x []float32) error {
	in := vm.plan.g.Input(name)
	if in == nil || in.Int {
		return fmt.Errorf("scan: the graph has no numeric input %s", name)
	}
	if want := vm.count(in); len(x) != want {
		return fmt.Errorf("scan: input %s has %d values, want %d", name, len(x), want)
	}
	for i, v := range x {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return fmt.Errorf("scan: input %s: value %d is %v, want a finite number", name, i, v)
		}
	}
	vm.arena.Write(vm.plan.of[in.Node].at.Off, x)
	return nil
}

func (vm *VM) count(in *stepgraph.Input) int {
	switch in.Domain {
	case stepgraph.Step:
		return vm.rows * in.Width
	case stepgraph.Example:
		return vm.examp * in.Width
	}
	return in.Width
}

// Losses reads the loss of each example of the batch, in nats.
func (vm *VM) Losses(dst []float32) { vm.arena.Read(vm.plan.of[vm.plan.g.Loss].at.Off, dst[:vm.examp]) }

// Output reads a named output: a row for each example, or for each packed row.
func (vm *VM) Output(name string, dst []float32) error {
	n := vm.plan.g.Outputs[name]
	if n == nil {
		return fmt.Errorf("scan: the graph has no output %s", name)
	}
	v := vm.plan.of[n]
	rows, off := vm.examp, v.at.Off
	switch v.place.Domain {
	case stepgraph.Step:
		rows = vm.rows
		if v.at.Slot == kernel.StateOut {
			off += v.at.Row * vm.batch
		}
	case stepgraph.Static:
		rows = v.rows
	}
	if v.place.Depth || v.at.LD != v.cols {
		return fmt.Errorf("scan: output %s is not held as rows of its own", name)
	}
	if want := rows * v.cols; len(dst) != want {
		return fmt.Errorf("scan: output %s has %d values, have room for %d", name, want, len(dst))
	}
	vm.arena.Read(off, dst)
	return nil
}

// Region returns where a parameter lies and whether it is trained.
func (vm *VM) Region(name string) (r Region, trained bool, err error) {
	l := vm.Layout()
	for _, r := range l.Trained {
		if r.Name == name {
			r.At += l.Params
			return r, true, nil
		}
	}
	for _, r := range l.Frozen {
		if r.Name == name {
			return r, false, nil
		}
	}
	return Region{}, false, fmt.Errorf("scan: the graph has no parameter %s", name)
}

// SetParam writes a parameter, row-major.
func (vm *VM) SetParam(name string, x []float32) error {
	r, _, err := vm.Region(name)
	if err != nil {
		return err
	}
	if len(x) != r.Rows*r.Cols {
		return fmt.Errorf("scan: parameter %s has %d values, want %d", name, len(x), r.Rows*r.Cols)
	}
	vm.arena.Write(r.At, x)
	return nil
}

// Param reads a parameter, row-major.
func (vm *VM) Param(name string) ([]float32, error) {
	r, _, err := vm.Region(name)
	if err != nil {
		return nil, err
	}
	x := make([]float32, r.Rows*r.Cols)
	vm.arena.Read(r.At, x)
	return x, nil
}

// Grad reads the gradient of a trained parameter, row-major.
func (vm *VM) Grad(name string) ([]float32, error) {
	r, trained, err := vm.Region(name)
	if err != nil {
		return nil, err
	}
	if !trained || !vm.plan.train {
		return nil, fmt.Errorf("scan: parameter %s has no gradient", name)
	}
	x := make([]float32, r.Rows*r.Cols)
	vm.arena.Read(r.At-vm.Layout().Params+vm.Layout().Grads, x)
	return x, nil
}
