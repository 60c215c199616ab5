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

// Distances returns, for each distance, the expected number of closing brackets in a kept
// string that are at this distance from their opening bracket. For even distances the number
// is 0. The fewer closing brackets there are at a distance, the less reliable is an accuracy
// measured at that distance.
//
// An opening bracket drawn at depth d is closed at distance D if the depth first returns to d
// after D more brackets. Let back(d,D) be the probability that this happens, and n the number
// of brackets before the opening one. Then
//
//	expected(D) = sum over (n,d) of seen(n,d) * up(n,d) * back(d,D) * live(n+1+D,d) / live(0,0)
func (c *Chain) Distances() []float64 {
	m := c.lang.M
	expected := make([]float64, c.most)
	back := make([]float64, c.most)
	for d := range m {
		c.firstReturns(back, d)
		for n := range c.most {
			opened := float64(c.at(c.seen, n, d) * c.up(n, d))
			if opened == 0 {
				continue
			}
			for distance := 1; n+1+distance <= c.most; distance += 2 {
				expected[distance] += float64(float64(opened*back[distance]) * c.at(c.live, n+1+distance, d))
			}
		}
	}
	for i := range expected {
		expected[i] /= c.live[0]
	}
	return expected
}

// firstReturns considers the brackets that follow an opening bracket drawn at depth d. It
// sets back[n] to the probability that the n-th of these brackets is the first that brings
// the depth back to d.
func (c *Chain) firstReturns(back []float64, d int) {
	m := c.lang.M
	now, next := make([]float64, m+2), make([]float64, m+2)
	now[d+1] = 1
	for step := 1; step < len(back); step++ {
		clear(next)
		for depth := d + 1; depth <= m; depth++ {
			up := 0.5
			if depth == m {
				up = 0
			}
			next[depth+1] += float64(now[depth] * up)
			next[depth-1] += float64(now[depth] * (1 - up))
		}
		back[step], next[d] = next[d], 0
		now, next = next, now
	}
}
