package ngram

import "fmt"

// A Cache is a unigram cache of the last tokens of a text.
type Cache struct {
	Words  int     // number of tokens that it holds, K in the package comment; at least 1
	Weight float64 // weight of the cache, l in the package comment; 0 to 1
}

// Mix returns the probabilities of the tokens of a text under the model with the
// cache. probs holds the probabilities of the same tokens under the model alone.
func (c Cache) Mix(probs []float64, text []int32) ([]float64, error) {
	switch {
	case c.Words < 1:
		return nil, fmt.Errorf("ngram: cache: have %d words, want at least 1", c.Words)
	case !(c.Weight >= 0 && c.Weight <= 1):
		return nil, fmt.Errorf("ngram: cache: have weight %v, want 0 to 1", c.Weight)
	case len(probs) != len(text):
		return nil, fmt.Errorf("ngram: cache: have %d probabilities, want %d, one for each token", len(probs), len(text))
	}
	largest := int32(-1)
	for i, w := range text {
		if w < 0 {
			return nil, fmt.Errorf("ngram: cache: have token %d at position %d, want 0 or more", w, i)
		}
		largest = max(largest, w)
	}
	counts := make([]int32, int(largest)+1)
	mixed := make([]float64, len(text))
	for i, w := range text {
		mixed[i] = probs[i]
		if n := min(i, c.Words); n > 0 {
			share := float64(counts[w]) / float64(n)
			mixed[i] = float64((1-c.Weight)*probs[i]) + float64(c.Weight*share)
		}
		counts[w]++
		if i >= c.Words {
			counts[text[i-c.Words]]--
		}
	}
	return mixed, nil
}

// A Grid lists the caches that TuneCache compares: each of Words with each of Weights.
type Grid struct {
	Words   []int
	Weights []float64
}

// DefaultGrid returns the grid with 50, 100, 150, ... 1000 words, then 2000, 5000 and
// 10000, and the weights 0, 0.01, 0.02, ... 0.3.
func DefaultGrid() Grid {
	var g Grid
	for words := 50; words <= 1000; words += 50 {
		g.Words = append(g.Words, words)
	}
	g.Words = append(g.Words, 2000, 5000, 10000)
	for i := range 31 {
		g.Weights = append(g.Weights, float64(i)/100)
	}
	return g
}

// TuneCache returns the cache of a grid with the lowest perplexity on a text. If
// several caches have the lowest perplexity, TuneCache returns the first of them,
// in the order of Words and then of Weights. probs holds the probabilities of the
// tokens of the text under the model alone.
func TuneCache(g Grid, probs []float64, text []int32) (Cache, error) {
	if len(g.Words) == 0 || len(g.Weights) == 0 {
		return Cache{}, fmt.Errorf("ngram: grid: have %d numbers of words and %d weights, want at least 1 of each", len(g.Words), len(g.Weights))
	}
	var best Cache
	var lowest float64
	for _, words := range g.Words {
		for _, weight := range g.Weights {
			c := Cache{words, weight}
			mixed, err := c.Mix(probs, text)
			if err != nil {
				return Cache{}, err
			}
			nats, err := Nats(mixed)
			if err != nil {
				return Cache{}, err
			}
			if best.Words == 0 || nats < lowest {
				best, lowest = c, nats
			}
		}
	}
	return best, nil
}
