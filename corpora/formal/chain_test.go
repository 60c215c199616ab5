package formal

import (
	"fmt"
	"math"
	"testing"
)

// enumerate calls visit for every string that the sampler can keep, with the probability
// that one attempt draws the string. It follows every choice of the sampler, without use of
// a Chain.
func enumerate(lang BoundedDyck, visit func(brackets []uint8, p float64)) {
	var extend func(brackets, open []uint8, p float64)
	extend = func(brackets, open []uint8, p float64) {
		if len(brackets)+1 > lang.Max {
			return
		}
		each := p / float64(2*lang.K)
		if len(open) == 0 {
			if len(brackets) < lang.Min {
				each = p / float64(lang.K)
			} else {
				visit(brackets, p/2)
			}
		}
		if len(open) < lang.M {
			for kind := range lang.K {
				extend(append(brackets[:len(brackets):len(brackets)], lang.Open(kind)), append(open[:len(open):len(open)], lang.Close(kind)), each)
			}
		}
		if len(open) > 0 {
			if last := len(open) - 1; len(open) < lang.M {
				extend(append(brackets[:len(brackets):len(brackets)], open[last]), open[:last], p/2)
			} else {
				extend(append(brackets[:len(brackets):len(brackets)], open[last]), open[:last], p)
			}
		}
	}
	extend(nil, nil, 1)
}

// TestFiguresMatchEnumeration compares Figures with sums over all strings
// of small languages. The sums have some thousands of float64 terms, so their relative
// error is below 1e-12.
func TestFiguresMatchEnumeration(t *testing.T) {
	near := func(got, want float64) bool { return math.Abs(got-want) <= 1e-12*math.Max(1, math.Abs(want)) }
	for _, lang := range []BoundedDyck{
		{K: 1, M: 1, Min: 0, Max: 1}, {K: 1, M: 1, Min: 2, Max: 10}, {K: 2, M: 1, Min: 4, Max: 9}, {K: 2, M: 2, Min: 4, Max: 9}, {K: 3, M: 2, Min: 3, Max: 8},
		{K: 1, M: 3, Min: 8, Max: 17}, {K: 1, M: 64, Min: 6, Max: 15}, {K: 2, M: 3, Min: 0, Max: 11},
	} {
		var kept, length, squares, logs float64
		opens, visits := map[int]float64{}, map[int]float64{}
		enumerate(lang, func(brackets []uint8, p float64) {
			n := float64(len(brackets) + 1)
			kept += p
			length += p * n
			squares += p * n * n
			logs -= p * math.Log(p)
			depth := 0
			for _, b := range brackets {
				visits[depth] += p
				if int(b) < lang.K {
					opens[depth] += p
					depth++
				} else {
					depth--
				}
			}
			visits[0] += p
		})
		mean := length / kept
		// Let p be the probability that an attempt draws a given string, and kept the
		// probability that it draws any of the strings that are kept. Among the kept strings,
		// the given one then has the probability p/kept and the surprisal log(kept) - log(p).
		entropy := logs/kept + math.Log(kept)
		blind := 0.0
		for depth, v := range visits {
			for _, q := range []float64{opens[depth] / v, 1 - opens[depth]/v} {
				if q > 0 {
					blind -= v / kept * q * math.Log(q)
				}
			}
			blind += opens[depth] / kept * math.Log(float64(lang.K))
		}
		chain, err := lang.Chain()
		if err != nil {
			t.Fatal(err)
		}
		f := chain.Figures()
		for _, c := range []struct {
			name      string
			got, want float64
		}{
			{"Acceptance", f.Acceptance, kept},
			{"MeanLength", f.MeanLength, mean},
			{"LengthStdDev squared", f.LengthStdDev * f.LengthStdDev, squares/kept - mean*mean},
			{"Entropy", f.Entropy, entropy},
			{"Floor", f.Floor, math.Exp(entropy / mean)},
			{"DepthOnly", f.DepthOnly, math.Exp(blind / mean)},
		} {
			if !near(c.got, c.want) {
				t.Errorf("%v: %s is %v, want %v", lang, c.name, c.got, c.want)
			}
		}
	}
}

// TestSamplesMatchFigures compares samples with the exact figures. Every bound is five standard
// errors, which a correct sampler exceeds once in 1.7 million comparisons. A standard error comes
// from the exact distribution where possible, otherwise from the sample.
func TestSamplesMatchFigures(t *testing.T) {
	const n = 4000
	within := func(t *testing.T, what string, got, want, stderr float64) {
		t.Helper()
		if z := (got - want) / stderr; math.Abs(z) > 5 {
			t.Errorf("%s is %v, want %v: off by %.1f standard errors", what, got, want, z)
		}
	}
	for _, lang := range []BoundedDyck{NewBoundedDyck(2, 4), NewBoundedDyck(2, 6), NewBoundedDyck(2, 8), NewBoundedDyck(3, 3), {K: 5, M: 2, Min: 9, Max: 30}} {
		t.Run(fmt.Sprintf("k=%d/m=%d", lang.K, lang.M), func(t *testing.T) {
			chain, err := lang.Chain()
			if err != nil {
				t.Fatal(err)
			}
			f := chain.Figures()
			c := sample(t, lang, 1, Test, n)

			// The number of attempts for a string has a geometric distribution.
			within(t, "attempts per string", float64(c.Attempts())/n, 1/f.Acceptance, math.Sqrt((1-f.Acceptance)/n)/f.Acceptance)
			within(t, "mean length", float64(c.Tokens())/n, f.MeanLength, f.LengthStdDev/math.Sqrt(n))

			// The mean number of nats per token is a ratio of two sums, which has no simple
			// standard error. So instead compute surprisal - log(floor)*length for each
			// string and compare the mean with its expected value, 0. Do the same for the
			// predictor that knows only the depth.
			opens, visits := chain.byDepth()
			var exact, blind, exactSquares, blindSquares float64
			types := make([]int, lang.K)
			for i := range c.Len() {
				var e, b float64
				depth := 0
				for at, token := range c.Target(i) {
					up, guess := chain.Opens(at, depth), opens[depth]/visits[depth]
					if int(token) < lang.K {
						e -= math.Log(up / float64(lang.K))
						b -= math.Log(guess / float64(lang.K))
						types[token]++
						depth++
					} else {
						e -= math.Log(1 - up)
						b -= math.Log(1 - guess)
						depth--
					}
				}
				e -= math.Log(f.Floor) * float64(len(c.Target(i)))
				b -= math.Log(f.DepthOnly) * float64(len(c.Target(i)))
				exact += e
				exactSquares += e * e
				blind += b
				blindSquares += b * b
			}
			within(t, "nats per string above the floor", exact/n, 0, math.Sqrt(exactSquares)/n)
			within(t, "nats per string above depth-only", blind/n, 0, math.Sqrt(blindSquares)/n)

			// The types of opening brackets are independent and uniform.
			total := 0
			for _, count := range types {
				total += count
			}
			for kind, count := range types {
				p := 1 / float64(lang.K)
				within(t, fmt.Sprintf("share of type %d", kind), float64(count)/float64(total), p, math.Sqrt(p*(1-p)/float64(total)))
			}
		})
	}
}
