package train

import (
	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// Evaluate runs the evaluation graph of a model over a set once and returns the mean
// loss in nats. It calls [NewEvaluator], [Evaluator.Run] and [Evaluator.Close].
func Evaluate(build func(stepgraph.Config) (*stepgraph.Graph, error), dev kernel.Device, set Set, seed uint64, p *Params, visit func(*BatchOutput) error) (loss float64, err error) {
	e, err := NewEvaluator(build, dev, set, seed)
	if err != nil {
		return 0, err
	}
	defer e.Close()
	return e.Run(p, visit)
}
