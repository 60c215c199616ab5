package train

import (
	"pushdown/harness/kernel"
	"pushdown/harness/metric"
	"pushdown/harness/scan"
	"pushdown/harness/stepgraph"
)

// Evaluator runs the evaluation variant of a model over a set.
type Evaluator struct {
	vm    *scan.VM
	set   Set
	batch Batch
	loss  []float32
	out   map[string][]float32
}

// NewEvaluator compiles the model for the set. Parameters that are not trained
// get their values from the seed; the others come with Run.
func NewEvaluator(build func(stepgraph.Config) (*stepgraph.Graph, error), dev kernel.Device, set Set, seed uint64) (_ *Evaluator, err error) {
	defer kernel.Catch(&err)
	g, err := build(stepgraph.Config{Seed: seed})
	if err != nil {
		return nil, err
	}
	b := set.Bounds()
	vm, err := scan.Compile(g, dev, scan.Options{Strings: b.Strings, Rows: b.Rows, Steps: b.Steps, Examples: b.Examples})
	if err != nil {
		return nil, err
	}
	e := &Evaluator{vm: vm, set: set, loss: make([]float32, b.Examples), out: map[string][]float32{}}
	e.batch.Token = vm.Ints(stepgraph.InputToken)
	if err := Initialise(vm, seed); err != nil {
		vm.Close()
		return nil, err
	}
	return e, nil
}

// SetScalar gives the graph a number that it reads; see [Scalar.Input].
func (e *Evaluator) SetScalar(name string, x float32) (err error) {
	defer kernel.Catch(&err)
	return e.vm.SetFloats(name, []float32{x})
}

// Close frees the memory.
func (e *Evaluator) Close() error { return e.vm.Close() }

// Outcome is what an evaluation shows of one batch.
type Outcome struct {
	Index int       // of the batch in the set
	Batch *Batch    // what was read
	Loss  []float32 // of each example, in nats

	e *Evaluator
}

// Output reads a named output: width numbers for each example. The slice is
// overwritten by the next batch.
func (o *Outcome) Output(name string, width int) ([]float32, error) {
	n := width * len(o.Batch.Target)
	x := o.e.out[name]
	if cap(x) < n {
		x = make([]float32, width*o.e.set.Bounds().Examples)
		o.e.out[name] = x
	}
	x = x[:n]
	return x, o.e.vm.Output(name, x)
}

// Run evaluates the parameters, calling visit (which may be nil) after each
// batch, and returns the mean loss in nats over all examples.
func (e *Evaluator) Run(p *Params, visit func(*Outcome) error) (_ float64, err error) {
	defer kernel.Catch(&err)
	if err := p.fits(e.vm); err != nil {
		return 0, err
	}
	p.write(e.vm, e.vm.Layout().Params)
	var mean metric.CrossEntropy
	for i := range e.set.Len() {
		e.batch.Reset()
		e.set.Fill(i, &e.batch)
		if err := e.batch.Load(e.vm); err != nil {
			return 0, err
		}
		e.vm.Forward()
		loss := e.loss[:len(e.batch.Target)]
		e.vm.Losses(loss)
		mean.AddRows(loss)
		if visit != nil {
			if err := visit(&Outcome{i, &e.batch, loss, e}); err != nil {
				return 0, err
			}
		}
	}
	return mean.Mean()
}
