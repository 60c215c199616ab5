package ngram

import (
	"math"
	"slices"
	"testing"
)

func TestCacheHoldsTheLastTokens(t *testing.T) {
	probs := []float64{0.5, 0.25, 0.5, 0.25, 0.5}
	text := []int32{7, 3, 7, 3, 7}
	have, err := Cache{Words: 3, Weight: 0.5}.Mix(probs, text)
	if err != nil {
		t.Fatal(err)
	}
	// Before each token, the cache holds: nothing; 7; 7 3; 7 3 7; 3 7 3.
	want := []float64{0.5, 0.125, 0.25 + 0.25, 0.125 + 0.5/3, 0.25 + 0.5/3}
	if !slices.EqualFunc(have, want, near) {
		t.Errorf("have %v, want %v", have, want)
	}
	if have, err = (Cache{Words: 9}).Mix(probs, text); err != nil || !slices.Equal(have, probs) {
		t.Errorf("weight 0: have %v, %v, want %v", have, err, probs)
	}
}

// TestMixturesSumToOne checks that the probabilities of all words at a position sum
// to 1.
func TestMixturesSumToOne(t *testing.T) {
	const vocabulary = 30
	m := train(t, Config{Order: 3, Vocabulary: vocabulary, End: 1}, draw("train", vocabulary, 1000))
	text := draw("test", vocabulary, 60)
	for _, c := range []Cache{{1, 0.3}, {10, 0.9}, {50, 1}, {1000, 0.01}} {
		for n := range text {
			sum := 0.0
			for w := range int32(vocabulary) {
				list := append(slices.Clone(text[:n]), w)
				probs, err := m.Probs(list)
				if err != nil {
					t.Fatal(err)
				}
				mixed, err := c.Mix(probs, list)
				if err != nil {
					t.Fatal(err)
				}
				sum += mixed[n]
			}
			if !near(sum, 1) {
				t.Errorf("%+v: sum of the probabilities of token %d: have %v, want 1", c, n, sum)
			}
		}
	}
}

func TestTuneCacheFindsTheLowest(t *testing.T) {
	g := Grid{Words: []int{1, 5, 20, 100}, Weights: []float64{0, 0.1, 0.2, 0.5}}
	text := make([]int32, 400) // five words in turn, then five others, and so on
	for i := range text {
		text[i] = int32(i/40*5 + i%5)
	}
	probs := slices.Repeat([]float64{0.02}, len(text))
	best, err := TuneCache(g, probs, text)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Cache{5, 0.5}); best != want {
		t.Errorf("have %+v, want %+v", best, want)
	}
	g.Weights = []float64{0}
	if best, err = TuneCache(g, probs, text); err != nil || best != (Cache{1, 0}) {
		t.Errorf("equal perplexities: have %+v, %v, want the first, with 1 word", best, err)
	}
	d := DefaultGrid()
	if len(d.Words) != 23 || d.Words[19] != 1000 || len(d.Weights) != 31 || d.Weights[30] != 0.3 {
		t.Errorf("default grid: have %v, want 50 to 10000 words and weights 0 to 0.3", d)
	}
}

func TestCacheErrors(t *testing.T) {
	probs, text := []float64{0.5, 0.5}, []int32{0, 1}
	for _, x := range []struct {
		cache Cache
		probs []float64
		text  []int32
		want  string
	}{
		{Cache{0, 0.5}, probs, text, "ngram: cache: have 0 words, want at least 1"},
		{Cache{1, 1.5}, probs, text, "ngram: cache: have weight 1.5, want 0 to 1"},
		{Cache{1, math.NaN()}, probs, text, "ngram: cache: have weight NaN, want 0 to 1"},
		{Cache{1, 0.5}, probs[:1], text, "ngram: cache: have 1 probabilities, want 2, one for each token"},
		{Cache{1, 0.5}, probs, []int32{0, -1}, "ngram: cache: have token -1 at position 1, want 0 or more"},
	} {
		_, err := x.cache.Mix(x.probs, x.text)
		if err == nil || err.Error() != x.want {
			t.Errorf("%+v: have error %v, want %s", x.cache, err, x.want)
		}
		_, err = TuneCache(Grid{[]int{x.cache.Words}, []float64{x.cache.Weight}}, x.probs, x.text)
		if err == nil || err.Error() != x.want {
			t.Errorf("tuning %+v: have error %v, want %s", x.cache, err, x.want)
		}
	}
	if _, err := TuneCache(Grid{Words: []int{1}}, probs, text); err == nil || err.Error() != "ngram: grid: have 1 numbers of words and 0 weights, want at least 1 of each" {
		t.Errorf("grid without weights: have error %v", err)
	}
}

func TestPerplexity(t *testing.T) {
	if have, err := Perplexity([]float64{0.5, 0.125, 0.25}); err != nil || !near(have, 4) {
		t.Errorf("have %v, %v, want 4", have, err)
	}
	for _, x := range []struct {
		probs []float64
		want  string
	}{
		{nil, "ngram: cross-entropy: have no probabilities, want at least 1"},
		{[]float64{1, 0}, "ngram: cross-entropy: have probability 0 at position 1, want more than 0"},
		{[]float64{math.NaN()}, "ngram: cross-entropy: have probability NaN at position 0, want more than 0"},
	} {
		if _, err := Perplexity(x.probs); err == nil || err.Error() != x.want {
			t.Errorf("%v: have error %v, want %s", x.probs, err, x.want)
		}
	}
}
