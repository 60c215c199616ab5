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
// Where its device fails, RunAll returns the error; the finer steps, and what
// reads and writes, panic with a [kernel.Failure].
type VM struct {
	plan  *plan
	arena kernel.Arena
	code  [NumPhases]kernel.Code
	batch int // strings of the present batch
	rows  int
	examp int
	lens  int  // steps of the present batch
	ran   bool // Forward has gone through the present batch
	fresh bool // and Backward has not

	active     []int // strings active at each step
	forward    []kernel.Frame
	backward   []kernel.Frame
	all        []kernel.Frame // one frame over all rows
	blocks     []kernel.Frame // frames over all rows, block by block
	perBlock   int            // rows of a block
	head       []kernel.Frame // one frame over all examples
	once       []kernel.Frame
	start      kernel.Code    // initial states
	carry      kernel.Code    // last states to the start
	restore    kernel.Code    // and back
	states     kernel.Code    // states once more
	empty      kernel.Code    // of stacks that fill up
	since      int            // steps since Begin
	recomputed []kernel.Frame // the steps whose states are computed twice
	segment    int            // their steps come in segments of so many; 0: none do
	ends       []kernel.Frame
	seed       []float32
	picked     []uint64 // a bit for each row, while picks are checked
	stream     stream
	unset      []bool // inputs that this batch still lacks, in the order of the graph
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
	return newVM(p, dev)
}

func newVM(p *plan, dev kernel.Device) (vm *VM, err error) {
	vm = &VM{plan: p, all: make([]kernel.Frame, 1), head: make([]kernel.Frame, 1), once: make([]kernel.Frame, 1), ends: make([]kernel.Frame, 1)}
	vm.perBlock = p.blockRows()
	if vm.arena, err = dev.NewArena(p.words); err != nil {
		return nil, err
	}
	if err := vm.compile(); err != nil {
		vm.arena.Close()
		return nil, err
	}
	for _, in := range p.g.Inputs {
		vm.unset = append(vm.unset, in.Domain == stepgraph.Static && p.of[in.Node].live)
	}
	return vm, nil
}

// compile prepares the program of each phase and what happens between batches.
func (vm *VM) compile() (err error) {
	for i := range vm.code {
		if vm.code[i], err = vm.arena.Compile(vm.plan.code[i]); err != nil {
			return fmt.Errorf("scan: phase %v: %w", Phase(i), err)
		}
	}
	return vm.compileStates()
}

// planned runs the passes.
func planned(g *stepgraph.Graph, opts Options) (*plan, error) {
	p := newPlan(g, opts)
	p.live()
	if err := p.phases(); err != nil {
		return nil, err
	}
	p.arrange()
	p.store()
	if err := p.check(); err != nil {
		return nil, err
	}
	if err := p.lower(); err != nil {
		return nil, err
	}
	if err := p.checkStored(); err != nil {
		return nil, err
	}
	p.recompute()
	p.ahead()
	return p, nil
}

// arrange decides what is computed together, and in which order.
func (p *plan) arrange() {
	p.tabulate()
	p.subtract()
	p.pull()
	p.merge()
	p.combine()
	p.fuse()
	p.schedule()
	p.blockHead()
}

// compileStates prepares what happens to states between batches.
func (vm *VM) compileStates() (err error) {
	var start, carry, restore []kernel.Instr
	for _, s := range vm.plan.states {
		fill := s.in.shape(kernel.Fill)
		fill.F[0] = float32(s.spec.Init)
		fill.Args = []kernel.Arg{s.in.at}
		start = append(start, fill)
		move := s.in.shape(kernel.Copy)
		move.Args = []kernel.Arg{s.in.at, s.out.at}
		carry = append(carry, move)
		move.Args = []kernel.Arg{s.out.at, s.in.at}
		restore = append(restore, move)
	}
	if vm.start, err = vm.arena.Compile(start); err != nil {
		return err
	}
	if vm.states, err = vm.arena.Compile(vm.plan.recomputed); err != nil {
		return err
	}
	if vm.carry, err = vm.arena.Compile(carry); err != nil {
		return err
	}
	if vm.restore, err = vm.arena.Compile(restore); err != nil {
		return err
	}
	if vm.empty, err = vm.arena.Compile(vm.plan.empty); err != nil {
		return err
	}
	return vm.compileMoves()
}

// Arena returns the memory, for what works on parameters in place.
func (vm *VM) Arena() kernel.Arena { return vm.arena }

// Layout tells where parameters, gradients and moments lie.
func (vm *VM) Layout() *Layout { return &vm.plan.layout }

// Graph returns the graph that was planned.
func (vm *VM) Graph() *stepgraph.Graph { return vm.plan.g }

// Options returns the bounds that the VM was compiled with.
func (vm *VM) Options() Options { return vm.plan.opts }

// Rows returns the number of packed rows of the present batch.
func (vm *VM) Rows() int { return vm.rows }

// Forward runs the batch to its losses and outputs. It panics if an input of
// the batch, or a run-time scalar ever, has not been set.
func (vm *VM) Forward() {
	if err := vm.missing(); err != nil {
		panic(err.Error())
	}
	vm.arena.Run(vm.code[Update], vm.once)
	vm.arena.Run(vm.code[Pre], vm.blocks)
	vm.arena.Run(vm.code[Loop], vm.forward)
	vm.arena.Run(vm.code[Post], vm.blocks)
	switch {
	case vm.plan.opts.Window > 0:
		vm.arena.Run(vm.code[Clear], vm.stream.blocks)
	case vm.examp < vm.rows: // else every row is predicted from
		vm.arena.Run(vm.code[Clear], vm.blocks)
	}
	if vm.plan.g.Input(stepgraph.InputSeed) != nil {
		vm.setSeed()
	}
	vm.arena.Run(vm.code[Head], vm.head)
	vm.ran, vm.fresh = true, true
}

// setSeed makes the gradient that of the mean loss of the batch, or of its strings.
func (vm *VM) setSeed() {
	if vm.examp == 0 {
		return
	}
	over := vm.examp
	if vm.plan.opts.PerString {
		over = vm.batch
	}
	w := float32(math.Ldexp(1/float64(over), vm.plan.opts.GradScale))
	if len(vm.seed) >= vm.examp && vm.seed[0] == w {
		return
	}
	vm.seed = vm.seed[:0]
	for range vm.examp {
		vm.seed = append(vm.seed, w)
	}
	vm.arena.Write(vm.plan.of[vm.plan.g.Input(stepgraph.InputSeed).Node].at.Off, vm.seed)
}

// Backward runs the gradient of the mean loss, once for each Forward: it
// overwrites what it reads. It panics if Forward has not run since.
func (vm *VM) Backward() {
	if !vm.fresh {
		panic("scan: Backward without a Forward before it: what it reads is not there, or overwritten")
	}
	vm.fresh = false
	blocks := vm.blocks
	if vm.plan.opts.Window > 0 {
		blocks = vm.stream.blocks
		vm.arena.Run(vm.stream.fresh, vm.backward[:1])
	} else {
		vm.arena.Run(vm.stream.clean, vm.forward[:1])
	}
	vm.arena.Run(vm.code[BackPre], blocks)
	vm.backLoop()
	vm.arena.Run(vm.code[BackPost], blocks)
	vm.arena.Run(vm.code[BackReduce], vm.all)
	vm.arena.Run(vm.code[BackStatic], vm.once)
}

// RunAll runs the batch that Begin laid out, with its gradient if the graph has
// one.
func (vm *VM) RunAll() (err error) {
	defer kernel.Catch(&err)
	if vm.lens == 0 {
		return fmt.Errorf("scan: no batch: Begin has not been called")
	}
	if err := vm.missing(); err != nil {
		return err
	}
	vm.Forward()
	if vm.plan.train {
		vm.Backward()
	}
	return nil
}

// Reset forgets the batch.
func (vm *VM) Reset() { vm.lens, vm.rows, vm.examp, vm.ran = 0, 0, 0, false }

// Close frees the memory.
func (vm *VM) Close() error { return vm.arena.Close() }
