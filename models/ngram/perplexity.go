package ngram

import (
	"fmt"

	"pushdown/harness/metric"
	"pushdown/harness/numeric"
)

// Nats returns the mean cross-entropy in nats per token: the float64 sum of the
// negative logarithms of the probabilities, from the first to the last, divided by
// their number.
func Nats(probs []float64) (float64, error) {
	if len(probs) == 0 {
		return 0, fmt.Errorf("ngram: cross-entropy: have no probabilities, want at least 1")
	}
	sum := 0.0
	for i, p := range probs {
		if !(p > 0) {
			return 0, fmt.Errorf("ngram: cross-entropy: have probability %v at position %d, want more than 0", p, i)
		}
		sum -= numeric.Log64(p)
	}
	return sum / float64(len(probs)), nil
}

// Perplexity returns e to the power of Nats.
func Perplexity(probs []float64) (float64, error) {
	nats, err := Nats(probs)
	if err != nil {
		return 0, err
	}
	return metric.Perplexity(nats), nil
}
