package scan

import (
	"fmt"
	"math"

	"gorgonia.org/gorgonia"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// VM runs a compiled graph. It is a [gorgonia.VM]. A caller starts a batch with Begin
// or Continue, sets its inputs, and calls RunAll, or Forward and then Backward. One
// goroutine at a time may use a VM. If the device fails, RunAll returns the error;
// other methods that use the device panic with a [kernel.Failure].
type VM struct {
	plan            *plan
	arena           kernel.Arena
	code            [NumPhases]kernel.Code
	batch           int // number of strings of the current batch
	rows            int
	examples        int
	steps           int  // number of steps of the current batch
	forwardDone     bool // Forward has run on the current batch
	backwardPending bool // Forward has run on the current batch, Backward has not

	active       []int // number of active strings at each step
	forward      []kernel.Frame
	backward     []kernel.Frame
	all          []kernel.Frame // one frame over all rows
	blocks       []kernel.Frame // frames over all rows, block by block
	rowsPerBlock int            // rows of a block
	head         []kernel.Frame // frames over all examples, block by block
	codeInOrder  kernel.Code    // the head for batches in which prediction i belongs to row i, for every row; nil: code[Head]
	isInOrder    bool           // the current batch is such a batch
	once         []kernel.Frame
	start        kernel.Code    // sets the initial states
	copyStates   kernel.Code    // copies the states after the last step to the start of the memory
	restore      kernel.Code    // copies states from the start of the memory to where a step leaves them
	remakeStates kernel.Code    // recomputes the states of a segment
	clearStacks  kernel.Code    // clears stacks outside their initial nonzero range
	minBack      int            // StepsBefore is at least this: 0 after Begin, MaxInt32 after Continue
	recomputed   []kernel.Frame // the steps whose states are computed twice
	segmentLen   int            // steps of a segment; 0: no segments
	ends         []kernel.Frame
	seed         []float32
	picked       []uint64 // one bit per row; scratch of the method duplicate
	stream       stream
	unset        []bool // inputs that are not set for this batch, in the order of the graph
}

var _ gorgonia.VM = (*VM)(nil)

// Compile compiles g for the device. For training, g must have been differentiated.
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
	vm.rowsPerBlock = p.blockRows()
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

// compile compiles the program of each phase, and the code that sets, copies, clears
// and recomputes states and carried gradients.
func (vm *VM) compile() (err error) {
	for i := range vm.code {
		if vm.code[i], err = vm.arena.Compile(vm.plan.code[i]); err != nil {
			return fmt.Errorf("scan: phase %v: %w", Phase(i), err)
		}
	}
	if vm.plan.inOrder != nil {
		if vm.codeInOrder, err = vm.arena.Compile(vm.plan.inOrder); err != nil {
			return fmt.Errorf("scan: phase %v, in order: %w", Head, err)
		}
	}
	return vm.compileStates()
}

// planned runs the passes on g and returns the plan.
func planned(g *stepgraph.Graph, opts Options) (*plan, error) {
	p := newPlan(g, opts)
	p.live()
	if err := p.phases(); err != nil {
		return nil, err
	}
	p.arrange()
	p.store()
	if p.tooLarge {
		return nil, fmt.Errorf("scan: arena of more than %d words, want less", math.MaxInt)
	}
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
	p.inOrder = p.headInOrder()
	p.setStateRanges()
	return p, nil
}

// arrange runs the passes that decide which values are computed together, and in
// which order.
func (p *plan) arrange() {
	p.hoistNoise()
	p.tabulate()
	p.subtract()
	p.moveIntoLoops()
	p.merge()
	p.combine()
	p.fuse()
	p.schedule()
	p.sizeHeadBlocks()
}

// compileStates compiles the code that sets, copies, clears and recomputes states. It then
// calls compileMoves.
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
	if vm.remakeStates, err = vm.arena.Compile(vm.plan.recomputed); err != nil {
		return err
	}
	if vm.copyStates, err = vm.arena.Compile(carry); err != nil {
		return err
	}
	if vm.restore, err = vm.arena.Compile(restore); err != nil {
		return err
	}
	if vm.clearStacks, err = vm.arena.Compile(vm.plan.clearStacks); err != nil {
		return err
	}
	return vm.compileMoves()
}

// Arena returns the memory, for code that changes parameters in place.
func (vm *VM) Arena() kernel.Arena { return vm.arena }

// Layout returns the locations of parameters, gradients and moments.
func (vm *VM) Layout() *Layout { return &vm.plan.layout }

// Graph returns the graph that was compiled.
func (vm *VM) Graph() *stepgraph.Graph { return vm.plan.g }

// Options returns the options that the VM was compiled with.
func (vm *VM) Options() Options { return vm.plan.opts }

// Rows returns the number of packed rows of the current batch.
func (vm *VM) Rows() int { return vm.rows }

// Forward computes the losses and outputs of the batch. It panics if an input of the
// batch has not been set, or a run-time scalar has never been set.
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
	case vm.examples < vm.rows: // otherwise every row has a prediction
		vm.arena.Run(vm.code[Clear], vm.blocks)
	}
	if vm.plan.g.Input(stepgraph.InputSeed) != nil {
		vm.setSeed()
	}
	code := vm.code[Head]
	if vm.isInOrder && vm.codeInOrder != nil {
		code = vm.codeInOrder
	}
	vm.arena.Run(code, vm.head)
	vm.forwardDone, vm.backwardPending = true, true
}

// setSeed sets the gradient with respect to each loss, where the backward pass starts.
// It is 2^GradScale divided by the number of examples or, with PerString, of strings.
func (vm *VM) setSeed() {
	if vm.examples == 0 {
		return
	}
	over := vm.examples
	if vm.plan.opts.PerString {
		over = vm.batch
	}
	w := float32(math.Ldexp(1/float64(over), vm.plan.opts.GradScale))
	if len(vm.seed) >= vm.examples && vm.seed[0] == w {
		return
	}
	vm.seed = vm.seed[:0]
	for range vm.examples {
		vm.seed = append(vm.seed, w)
	}
	vm.arena.Write(vm.plan.of[vm.plan.g.Input(stepgraph.InputSeed).Node].at.Off, vm.seed)
}

// Backward computes the gradient of the mean loss or, with PerString, of the sum of the
// losses divided by the number of strings. Backward overwrites values that it reads. So it
// may run only once after each Forward; otherwise it panics.
func (vm *VM) Backward() {
	if !vm.backwardPending {
		panic("scan: Backward: want a Forward before each Backward, which overwrites the values it reads")
	}
	vm.backwardPending = false
	blocks := vm.blocks
	if vm.plan.opts.Window > 0 {
		blocks = vm.stream.blocks
		vm.arena.Run(vm.stream.clearWindow, vm.backward[:1])
	} else {
		vm.arena.Run(vm.stream.clearCarry, vm.forward[:1])
	}
	vm.arena.Run(vm.code[BackPre], blocks)
	vm.backLoop()
	vm.arena.Run(vm.code[BackPost], blocks)
	vm.arena.Run(vm.code[BackReduce], vm.all)
	vm.arena.Run(vm.code[BackStatic], vm.once)
}

// RunAll runs the batch that Begin or Continue laid out, with its gradient if the
// graph has one.
func (vm *VM) RunAll() (err error) {
	defer kernel.Catch(&err)
	if vm.steps == 0 {
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

// Reset discards the batch.
func (vm *VM) Reset() {
	vm.steps, vm.rows, vm.examples, vm.forwardDone, vm.backwardPending = 0, 0, 0, false, false
}

// Close frees the memory.
func (vm *VM) Close() error { return vm.arena.Close() }
