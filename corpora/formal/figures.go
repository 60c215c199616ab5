package formal

import (
	"math"

	"pushdown/harness/numeric"
)

// Figures holds exact properties of the strings of a language. Except for Acceptance, they
// are properties of the kept strings: those that the sampler does not discard because they
// are too long.
type Figures struct {
	Acceptance   float64 // share of drawn strings that are kept
	MeanLength   float64 // mean length of a kept string, including END
	LengthStdDev float64 // standard deviation of the length of a kept string
	Entropy      float64 // entropy of a kept string, in nats
	Floor        float64 // perplexity per token that no model can beat: exp(Entropy/MeanLength)
	DepthOnly    float64 // lowest perplexity of a model that knows the depth and the top bracket but not the position
}

// Figures computes the figures of the language by sums over the states of the chain. Entropy
// is the expected surprisal of a kept string. Floor is the perplexity of a perfect predictor,
// which knows the position in the string. DepthOnly is the perplexity of a predictor that
// knows only the depth: its probabilities at a depth are those of the perfect predictor,
// averaged over the kept strings. Both predictors know the type of the bracket to close.
func (c *Chain) Figures() Figures {
	var (
		f       Figures
		squares float64
		types   = numeric.Log64(float64(c.lang.K))
	)
	f.Acceptance = c.live[0]
	for n := range c.most + 1 {
		for depth := range c.lang.M + 1 {
			r := c.reached(n, depth)
			if r == 0 {
				continue
			}
			up := c.Opens(n, depth)
			f.Entropy += float64(r * (binaryEntropy(up) + float64(up*types)))
			if depth == 0 { // END after n brackets
				length := float64(n + 1)
				p := float64(r * (1 - up))
				f.MeanLength += float64(p * length)
				squares += float64(float64(p*length) * length)
			}
		}
	}
	f.LengthStdDev = math.Sqrt(squares - float64(f.MeanLength*f.MeanLength))
	f.Floor = numeric.Exp64(f.Entropy / f.MeanLength)
	opens, visits := c.byDepth()
	blind := 0.0
	for depth, v := range visits {
		if v == 0 {
			continue // max is too small for this depth
		}
		up := opens[depth] / v
		blind += float64(v * (binaryEntropy(up) + float64(up*types)))
	}
	f.DepthOnly = numeric.Exp64(blind / f.MeanLength)
	return f
}

// byDepth returns two numbers for each depth: visits is the expected number of times that a
// kept string is at this depth, and opens is the expected number of times that it continues
// with an opening bracket there.
func (c *Chain) byDepth() (opens, visits []float64) {
	opens, visits = make([]float64, c.lang.M+1), make([]float64, c.lang.M+1)
	for n := range c.most + 1 {
		for depth := range c.lang.M + 1 {
			if r := c.reached(n, depth); r > 0 {
				visits[depth] += r
				opens[depth] += float64(r * c.Opens(n, depth))
			}
		}
	}
	return opens, visits
}

// binaryEntropy returns the entropy in nats of a choice with probability p.
func binaryEntropy(p float64) float64 {
	h := 0.0
	for _, q := range [...]float64{p, 1 - p} {
		if q > 0 {
			h -= float64(q * numeric.Log64(q))
		}
	}
	return h
}
