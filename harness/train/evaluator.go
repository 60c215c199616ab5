package train

import (
	"pushdown/harness/kernel"
	"pushdown/harness/metric"
	"pushdown/harness/scan"
	"pushdown/harness/stepgraph"
)

// Evaluator runs the evaluation graph of a model over a set.
type Evaluator struct {
	vm    *scan.VM
	set   Set
	batch Batch
	loss  []float32
	out   map[string][]float32
}

// NewEvaluator compiles the model for the set. It initialises the frozen parameters
// from the seed; Run sets the trained ones.
func NewEvaluator(build func(stepgraph.Config) (*stepgraph.Graph, error), dev kernel.Device, set Set, seed uint64) (_ *Evaluator, err error) {
	defer kernel.Catch(&err)
	g, err := build(stepgraph.Config{Seed: seed})
	if err != nil {
		return nil, err
	}
	b := set.Bounds()
	vm, err := scan.Compile(g, dev, scan.Options{MaxStrings: b.Strings, MaxRows: b.Rows, MaxSteps: b.Steps, MaxExamples: b.Examples})
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

// SetScalar sets a scalar input of the graph; see [Scalar.Input].
func (e *Evaluator) SetScalar(name string, x float32) (err error) {
	defer kernel.Catch(&err)
	return e.vm.SetFloats(name, []float32{x})
}

// Close frees the memory of the evaluator.
func (e *Evaluator) Close() error { return e.vm.Close() }

// BatchOutput is the result of an evaluation for one batch.
type BatchOutput struct {
	Index int       // index of the batch in the set
	Batch *Batch    // the batch
	Loss  []float32 // loss of each example, in nats

	e *Evaluator
}

// Output returns the output with the given name, which must have width values for each
// example. The next batch overwrites the returned slice.
func (o *BatchOutput) Output(name string, width int) ([]float32, error) {
	n := width * len(o.Batch.Target)
	x := o.e.out[name]
	if cap(x) < n {
		x = make([]float32, width*o.e.set.Bounds().Examples)
		o.e.out[name] = x
	}
	x = x[:n]
	return x, o.e.vm.Output(name, x)
}

// Run evaluates the parameters p and returns the mean loss in nats over all examples.
// It calls visit, which may be nil, after each batch.
func (e *Evaluator) Run(p *Params, visit func(*BatchOutput) error) (_ float64, err error) {
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
			if err := visit(&BatchOutput{i, &e.batch, loss, e}); err != nil {
				return 0, err
			}
		}
	}
	return mean.Mean()
}
