package ngram

import (
	"cmp"
	"fmt"
	"math"
)

// MaxOrder is the largest order of a model.
const MaxOrder = 255

// Config describes a model.
type Config struct {
	Order      int   // number of words of the longest n-grams, 1 to MaxOrder
	Vocabulary int   // number of words; the tokens are 0 to Vocabulary-1
	End        int32 // the token that ends each sentence
	Single     bool  // estimate a single discount for each order, not three
}

func (c Config) validate() error {
	switch {
	case c.Order < 1 || c.Order > MaxOrder:
		return fmt.Errorf("ngram: order: have %d, want 1 to %d", c.Order, MaxOrder)
	case c.Vocabulary < 1 || c.Vocabulary > math.MaxInt32:
		return fmt.Errorf("ngram: vocabulary: have %d words, want 1 to %d", c.Vocabulary, math.MaxInt32)
	case c.End < 0 || int(c.End) >= c.Vocabulary:
		return fmt.Errorf("ngram: end of sentence: have token %d, want 0 to %d", c.End, c.Vocabulary-1)
	}
	return nil
}

// check returns an error if a text has a token outside of the vocabulary.
func (c Config) check(text []int32) error {
	for i, w := range text {
		if w < 0 || int(w) >= c.Vocabulary {
			return fmt.Errorf("ngram: text: have token %d at position %d, want 0 to %d", w, i, c.Vocabulary-1)
		}
	}
	return nil
}

// begin returns the token Begin, the first one after the vocabulary.
func (c Config) begin() int32 { return int32(c.Vocabulary) }

// before returns the k-th token from the end of a context; for k = 1 this is the last token.
// It returns Begin if the context has fewer than k tokens or the k-th token is End.
func (c Config) before(context []int32, k int) int32 {
	if k > len(context) || context[len(context)-k] == c.End {
		return c.begin()
	}
	return context[len(context)-k]
}

// A Model is an n-gram model. It is read-only after it is trained and safe for
// concurrent use.
type Model struct {
	config    Config
	discounts []Discounts // of n-grams of 1, 2, ... words

	// A node stands for a context. Node 0 is the empty context. To go from a node to
	// its child by a word is to put this word in front of the context.
	nodes    []node
	children table // (node, word) to the number of the child
	counts   table // (node, word) to the count of the n-gram, the context followed by the word
}

// A node holds the values that all n-grams with the same context share.
type node struct {
	back  float64 // the weight of the shorter context, B in the package comment
	total uint32  // sum of the counts, N in the package comment
	words uint8   // number of words of each of the n-grams
}

// Train counts the n-grams of a text and estimates the discounts. The text starts with
// the first word of a sentence. Its last sentence may lack End.
func Train(c Config, text []int32) (*Model, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	if len(text) == 0 {
		return nil, fmt.Errorf("ngram: text: have no tokens, want at least 1")
	}
	if err := c.check(text); err != nil {
		return nil, err
	}
	if most := math.MaxUint32 / uint64(c.Order); uint64(len(text)) > most {
		return nil, fmt.Errorf("ngram: text: have %d tokens, want at most %d for order %d", len(text), most, c.Order)
	}
	m := &Model{config: c, nodes: []node{{words: 1}}}
	path := make([]uint32, 0, c.Order) // contexts of a word, from the empty one to the longest
	for i, w := range text {
		path = append(path[:0], 0)
		for u := w; u != c.begin() && len(path) < c.Order; {
			u = c.before(text[:i], len(path))
			path = append(path, m.child(path[len(path)-1], u))
		}
		// Count the longest n-gram that ends in w. The count of a shorter n-gram is the
		// number of different words in front of it. So if the longest n-gram is new, the
		// count of the one that is a word shorter increases, too, and so on, up to the first
		// n-gram that is not new.
		for k, found := len(path)-1, false; k >= 0 && !found; k-- {
			var count *uint32
			count, found = m.counts.at(path[k], uint32(w))
			*count++
			m.nodes[path[k]].total++
		}
	}
	m.discount()
	return m, nil
}

// child returns the child of a node by a word, and adds it if there is none.
func (m *Model) child(parent uint32, word int32) uint32 {
	number, found := m.children.at(parent, uint32(word))
	if !found {
		*number = uint32(len(m.nodes))
		m.nodes = append(m.nodes, node{words: m.nodes[parent].words + 1})
	}
	return *number
}

// discount computes the discounts, and from them the weights of the shorter contexts.
func (m *Model) discount() {
	byOrder := make([][4]int, m.config.Order) // number of n-grams with the counts 1 to 4
	byNode := make([][3]uint32, len(m.nodes)) // number of n-grams with the counts 1, 2, and 3 and more
	m.counts.each(func(at, count uint32) {
		if count <= 4 {
			byOrder[m.nodes[at].words-1][count-1]++
		}
		byNode[at][min(count, 3)-1]++
	})
	for _, n := range byOrder {
		m.discounts = append(m.discounts, estimate(n, m.config.Single))
	}
	for i := range m.nodes {
		n := &m.nodes[i]
		n.back = m.discounts[n.words-1].sum(byNode[i]) / float64(n.total)
	}
}

// Discounts returns the discounts of the n-grams that have the given number of words, 1
// to Order.
func (m *Model) Discounts(words int) Discounts { return m.discounts[words-1] }

// Prob returns the probability of a word after a context. The context is the text in front of
// the word. It must contain the last Order-1 tokens, or all tokens from the beginning of the
// sentence. Prob panics if the word, or one of the last Order-1 tokens of the context, is not
// in the vocabulary.
func (m *Model) Prob(context []int32, word int32) float64 {
	context = context[max(0, len(context)-m.config.Order+1):]
	if err := cmp.Or(m.config.check(context), m.config.check([]int32{word})); err != nil {
		panic(err)
	}
	return m.prob(context, word)
}

// prob is Prob without the checks. It starts with the empty context and extends it
// one word at a time.
func (m *Model) prob(context []int32, word int32) float64 {
	p := 1 / float64(m.config.Vocabulary)
	at := uint32(0)
	for k := 1; ; k++ {
		n := &m.nodes[at]
		p = float64(n.back * p)
		if count, found := m.counts.get(at, uint32(word)); found {
			p += (float64(count) - m.discounts[k-1][min(count, 3)-1]) / float64(n.total)
		}
		if k == m.config.Order {
			return p
		}
		longer, found := m.children.get(at, uint32(m.config.before(context, k)))
		if !found { // in particular, a context that starts with Begin has no longer one
			return p
		}
		at = longer
	}
}

// Probs returns the probability of each token of a text after the tokens in front of
// it. The text starts with the first word of a sentence.
func (m *Model) Probs(text []int32) ([]float64, error) {
	if err := m.config.check(text); err != nil {
		return nil, err
	}
	probs := make([]float64, len(text))
	for i, w := range text {
		probs[i] = m.prob(text[:i], w)
	}
	return probs, nil
}
