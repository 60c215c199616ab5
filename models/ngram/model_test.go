package ngram

import (
	"fmt"
	"math"
	"testing"

	"pushdown/harness/rng"
)

// near reports whether two probabilities, or sums of probabilities, are equal within
// the rounding of some thousand operations.
func near(x, y float64) bool { return math.Abs(x-y) <= 1e-12 }

func train(t testing.TB, c Config, text []int32) *Model {
	t.Helper()
	m, err := Train(c, text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// draw returns a random text. Word w is drawn in proportion to 1/(w+1), so that some
// n-grams are frequent and many are rare.
func draw(name string, vocabulary, length int) []int32 {
	var shares []float64
	total := 0.0
	for w := range vocabulary {
		total += 1 / float64(w+1)
		shares = append(shares, total)
	}
	q := rng.New(1, "test/"+name).Seq(0, 0)
	text := make([]int32, length)
	for i := range text {
		x := q.Float64() * total
		for shares[text[i]] < x {
			text[i]++
		}
	}
	return text
}

// TestHandWorkedText compares probabilities with values computed by hand. The text
// is a b END a a END. The vocabulary also has c. The bigrams have the counts
//
//	Begin a 2    a b 1    a a 1    a END 1    b END 1
//
// so n1 = 4, n2 = 1 and D = 4/6 for bigrams. The numbers of words that precede a word
// are
//
//	a 2 (Begin, a)    b 1 (a)    END 2 (b, a)
//
// so n1 = 1, n2 = 2 and D = 1/5 for unigrams, N = 5 and B = 3/25. No unigram and no bigram has
// the count 3, so n3 is 0. The package comment says that each order then has the single
// discount, even if Single is not set.
func TestHandWorkedText(t *testing.T) {
	const a, b, c, end = 0, 1, 2, 3
	for _, single := range []bool{false, true} {
		m := train(t, Config{Order: 2, Vocabulary: 4, End: end, Single: single}, []int32{a, b, end, a, a, end})
		for i, want := range []float64{0.2, 2. / 3} {
			if have := m.Discounts(i + 1); !near(have[0], want) || have[1] != have[0] || have[2] != have[0] {
				t.Errorf("discounts of order %d: have %v, want three times %v", i+1, have, want)
			}
		}
		for _, x := range []struct {
			name    string
			context []int32
			want    [4]float64
		}{
			{"c, which the text has not", []int32{c}, [4]float64{0.39, 0.19, 0.03, 0.39}}, // (2 - 1/5)/5 + 3/25/4, ...
			{"Begin", nil, [4]float64{239. / 300, 0.19 / 3, 0.01, 0.13}},                  // B = 2/3 / 2, and a has (2 - 2/3)/2 more
			{"Begin after END", []int32{a, end}, [4]float64{239. / 300, 0.19 / 3, 0.01, 0.13}},
			{"a", []int32{b, a}, [4]float64{167. / 450, 214. / 900, 0.02, 167. / 450}}, // B = 2/3, and all but c have 1/9 more
			{"b", []int32{b}, [4]float64{0.26, 0.38 / 3, 0.02, 0.26 + 1./3}},           // B = 2/3, and END has 1/3 more
		} {
			for w, want := range x.want {
				if have := m.Prob(x.context, int32(w)); !near(have, want) {
					t.Errorf("single %v: P(%d | %s): have %v, want %v", single, w, x.name, have, want)
				}
			}
		}
	}
}

// TestUnigrams compares a model of order 1 with its equation. The counts are the
// numbers of occurrences in the text.
func TestUnigrams(t *testing.T) {
	const vocabulary = 40
	text := draw("unigrams", vocabulary, 300)
	m := train(t, Config{Order: 1, Vocabulary: vocabulary, End: 2, Single: true}, text)
	var counts [vocabulary]int
	for _, w := range text {
		counts[w]++
	}
	var n1, n2, types int
	for _, c := range counts {
		if c == 1 {
			n1++
		}
		if c == 2 {
			n2++
		}
		if c > 0 {
			types++
		}
	}
	d, n := float64(n1)/float64(n1+2*n2), float64(len(text))
	for w, c := range counts {
		want := max(0, float64(c)-d)/n + d*float64(types)/n/vocabulary
		for _, context := range [][]int32{nil, {1}, {5, 2}} {
			if have := m.Prob(context, int32(w)); !near(have, want) {
				t.Errorf("P(%d | %v): have %v, want %v", w, context, have, want)
			}
		}
	}
}

// An oracle computes probabilities from the definitions. It keeps n-grams in maps
// whose keys are the n-grams printed as text.
type oracle struct {
	Config
	grams     map[string][]int32
	raw       map[string]int            // number of occurrences of an n-gram in the text
	following map[string]map[int32]bool // words after a context
	preceding map[string]map[int32]bool // words in front of an n-gram
}

func name(gram []int32) string { return fmt.Sprint(gram) }

func put(m map[string]map[int32]bool, key string, word int32) {
	if m[key] == nil {
		m[key] = map[int32]bool{}
	}
	m[key][word] = true
}

func newOracle(c Config, text []int32) *oracle {
	o := &oracle{c, map[string][]int32{}, map[string]int{}, map[string]map[int32]bool{}, map[string]map[int32]bool{}}
	sentence := []int32{c.begin()}
	for _, w := range text {
		sentence = append(sentence, w)
		for k := 1; k <= min(c.Order, len(sentence)); k++ {
			gram := sentence[len(sentence)-k:]
			o.grams[name(gram)] = gram
			o.raw[name(gram)]++
			put(o.following, name(gram[:k-1]), w)
			put(o.preceding, name(gram[1:]), gram[0])
		}
		if w == c.End {
			sentence = []int32{c.begin()}
		}
	}
	return o
}

func (o *oracle) count(gram []int32) int {
	if len(gram) == o.Order || gram[0] == o.begin() {
		return o.raw[name(gram)]
	}
	return len(o.preceding[name(gram)])
}

// discounts returns the discounts of the n-grams with the given number of words.
func (o *oracle) discounts(words int) Discounts {
	var n [4]int
	for _, g := range o.grams {
		if c := o.count(g); len(g) == words && c <= 4 {
			n[c-1]++
		}
	}
	y := 0.5
	if n[0] > 0 {
		y = float64(n[0]) / float64(n[0]+2*n[1])
	}
	d := Discounts{y, y, y}
	if !o.Single && n[0]*n[1]*n[2] > 0 {
		d = Discounts{1 - 2*y*float64(n[1])/float64(n[0]), 2 - 3*y*float64(n[2])/float64(n[1]), 3 - 4*y*float64(n[3])/float64(n[2])}
		if min(d[0], d[1], d[2]) <= 0 {
			d = Discounts{y, y, y}
		}
	}
	return d
}

// prob returns the probability of a word after a context. The context has at most
// Order-1 words, including Begin.
func (o *oracle) prob(d []Discounts, context []int32, word int32) float64 {
	shorter := func() float64 {
		if len(context) == 0 {
			return 1 / float64(o.Vocabulary)
		}
		return o.prob(d, context[1:], word)
	}
	if o.following[name(context)] == nil {
		return shorter()
	}
	var total, removed, own float64
	for w := range o.following[name(context)] {
		c := o.count(append(context[:len(context):len(context)], w))
		discount := d[len(context)][min(c, 3)-1]
		total += float64(c)
		removed += discount
		if w == word {
			own = float64(c) - discount
		}
	}
	return own/total + removed/total*shorter()
}

// contexts returns contexts for a model: some from the text, and random ones, most
// of which do not occur in the text.
func contexts(c Config, text []int32) [][]int32 {
	list := [][]int32{nil, {c.End}, {0}, {c.End, c.End}}
	for i := range min(40, len(text)) {
		list = append(list, text[max(0, i-c.Order):i])
	}
	q := rng.New(2, "test/contexts").Seq(0, 0)
	for n := range 40 {
		context := make([]int32, n%(c.Order+1))
		for i := range context {
			context[i] = int32(q.IntN(uint32(c.Vocabulary)))
		}
		list = append(list, context)
	}
	return list
}

// TestModelIsOracle compares models with the oracle, on small random texts.
func TestModelIsOracle(t *testing.T) {
	three := 0
	for order := 1; order <= 6; order++ {
		for _, length := range []int{1, 2, 3, 10, 100, 1000} {
			for _, vocabulary := range []int{1, 2, 12} {
				for _, single := range []bool{false, true} {
					c := Config{Order: order, Vocabulary: vocabulary, End: int32(vocabulary / 2), Single: single}
					text := draw("oracle", vocabulary, length)
					m, o := train(t, c, text), newOracle(c, text)
					for k := 1; k <= order; k++ {
						d := o.discounts(k)
						if d[0] != d[1] {
							three++
						}
						for i, want := range d {
							if have := m.Discounts(k)[i]; !near(have, want) {
								t.Errorf("%+v, %d tokens: discount %d of order %d: have %v, want %v", c, length, i, k, have, want)
							}
						}
					}
					for _, context := range contexts(c, text) {
						own := []int32{c.begin()}
						for _, w := range context {
							if own = append(own, w); w == c.End {
								own = []int32{c.begin()}
							}
						}
						own = own[max(0, len(own)-order+1):]
						for w := range c.begin() {
							have, want := m.Prob(context, w), o.prob(m.discounts, own, w)
							if !near(have, want) {
								t.Fatalf("%+v, %d tokens: P(%d | %v): have %v, want %v", c, length, w, context, have, want)
							}
						}
					}
				}
			}
		}
	}
	if three < 20 {
		t.Errorf("have %d orders with three discounts, want at least 20", three)
	}
}

// TestProbabilitiesSumToOne checks that the probabilities of all words sum to 1,
// after contexts that occur in the text and after others.
func TestProbabilitiesSumToOne(t *testing.T) {
	for _, c := range []Config{
		{Order: 1, Vocabulary: 3000}, {Order: 2, Vocabulary: 300, End: 1}, {Order: 3, Vocabulary: 5, End: 4},
		{Order: 5, Vocabulary: 3000, End: 3}, {Order: 5, Vocabulary: 3000, End: 3, Single: true}, {Order: MaxOrder, Vocabulary: 9, End: 8},
	} {
		text := draw("sums", c.Vocabulary, 20_000)
		if c.Order == MaxOrder {
			text = text[:1000]
		}
		m := train(t, c, text)
		for _, context := range contexts(c, text) {
			sum := 0.0
			for w := range c.begin() {
				p := m.Prob(context, w)
				if !(p > 0) {
					t.Errorf("%+v: P(%d | %v): have %v, want more than 0", c, w, context, p)
				}
				sum += p
			}
			if !near(sum, 1) {
				t.Errorf("%+v: sum of P(w | %v): have %v, want 1", c, context, sum)
			}
		}
	}
}

// TestBits checks the bits of perplexities, which must be the same on every
// machine.
func TestBits(t *testing.T) {
	for _, x := range []struct {
		single bool
		want   float64
	}{{false, 0x1.c5f2feefe163bp+04}, {true, 0x1.e7335e4ff098p+04}} {
		m := train(t, Config{Order: 5, Vocabulary: 50, End: 4, Single: x.single}, draw("bits/train", 50, 5000))
		for range 2 {
			text := draw("bits/test", 50, 1000)
			probs, err := m.Probs(text)
			if err != nil {
				t.Fatal(err)
			}
			if probs, err = (Cache{100, 0.1}).Mix(probs, text); err != nil {
				t.Fatal(err)
			}
			if have, err := Perplexity(probs); err != nil || have != x.want {
				t.Errorf("single %v: have perplexity %x, %v, want %x", x.single, have, err, x.want)
			}
		}
	}
}

// TestProbsIsProb checks that Probs returns the same probabilities as a call of
// Prob for each token.
func TestProbsIsProb(t *testing.T) {
	c := Config{Order: 4, Vocabulary: 20, End: 3}
	m := train(t, c, draw("train", 20, 2000))
	text := draw("test", 20, 500)
	probs, err := m.Probs(text)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range text {
		for _, from := range []int{0, max(0, i-3)} {
			if have := m.Prob(text[from:i], w); have != probs[i] {
				t.Errorf("token %d: have probability %v with the context from %d, want %v", i, have, from, probs[i])
			}
		}
	}
}

func TestErrors(t *testing.T) {
	good := Config{Order: 2, Vocabulary: 3, End: 2}
	for _, x := range []struct {
		config Config
		text   []int32
		want   string
	}{
		{Config{Order: 0, Vocabulary: 3}, []int32{1}, "ngram: order: have 0, want 1 to 255"},
		{Config{Order: 256, Vocabulary: 3}, []int32{1}, "ngram: order: have 256, want 1 to 255"},
		{Config{Order: 2}, []int32{1}, "ngram: vocabulary: have 0 words, want 1 to 2147483647"},
		{Config{Order: 2, Vocabulary: 3, End: 3}, []int32{1}, "ngram: end of sentence: have token 3, want 0 to 2"},
		{Config{Order: 2, Vocabulary: 3, End: -1}, []int32{1}, "ngram: end of sentence: have token -1, want 0 to 2"},
		{good, nil, "ngram: text: have no tokens, want at least 1"},
		{good, []int32{0, 3}, "ngram: text: have token 3 at position 1, want 0 to 2"},
		{good, []int32{-1}, "ngram: text: have token -1 at position 0, want 0 to 2"},
	} {
		if _, err := Train(x.config, x.text); err == nil || err.Error() != x.want {
			t.Errorf("%+v, %v: have error %v, want %s", x.config, x.text, err, x.want)
		}
	}
	m := train(t, good, []int32{0, 1, 2})
	if _, err := m.Probs([]int32{0, 7}); err == nil || err.Error() != "ngram: text: have token 7 at position 1, want 0 to 2" {
		t.Errorf("Probs: have error %v", err)
	}
	for _, x := range []struct {
		context []int32
		word    int32
	}{{[]int32{3}, 0}, {[]int32{-1}, 0}, {nil, 3}, {nil, -1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("P(%d | %v): have no panic, want one", x.word, x.context)
				}
			}()
			m.Prob(x.context, x.word)
		}()
	}
	if have := m.Prob([]int32{9, 2}, 0); !(have > 0) {
		t.Errorf("P(0 | 9 2): have %v, want more than 0, since 9 is not among the last Order-1 tokens", have)
	}
}
