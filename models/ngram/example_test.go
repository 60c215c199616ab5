package ngram_test

import (
	"fmt"
	"log"
	"strings"

	"pushdown/models/ngram"
)

// This example trains a trigram model on four sentences and computes its perplexity
// on a fifth one.
func Example() {
	words := map[string]int32{}
	tokens := func(lines string) (text []int32) {
		for _, w := range strings.Fields(strings.ReplaceAll(lines, "\n", " <eos> ")) {
			if _, ok := words[w]; !ok {
				words[w] = int32(len(words))
			}
			text = append(text, words[w])
		}
		return text
	}
	train := tokens("the cat sat\nthe dog sat\nthe cat ran\na dog ran\n")
	test := tokens("a cat sat\n")

	m, err := ngram.Train(ngram.Config{Order: 3, Vocabulary: len(words), End: words["<eos>"]}, train)
	if err != nil {
		log.Fatal(err)
	}
	context := tokens("the cat")
	for _, w := range []string{"sat", "ran", "dog"} {
		fmt.Printf("P(%s | the cat) = %.4f\n", w, m.Prob(context, words[w]))
	}
	probs, err := m.Probs(test)
	if err != nil {
		log.Fatal(err)
	}
	perplexity, err := ngram.Perplexity(probs)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("perplexity %.4f\n", perplexity)
	// Output:
	// P(sat | the cat) = 0.3232
	// P(ran | the cat) = 0.3232
	// P(dog | the cat) = 0.1010
	// perplexity 5.0022
}
