// Package ngram implements n-gram language models with interpolated Kneser-Ney
// smoothing and a unigram cache. At order 5 they are the models Ngram and Ngram +
// Cache in table 4 of the paper stack-rnn.
//
//	m, err := ngram.Train(ngram.Config{Order: 5, Vocabulary: words, End: eos}, train)
//	p := m.Prob(context, word)                                // a single probability
//	probs, err := m.Probs(valid)                              // one for each token of a text
//	cache, err := ngram.TuneCache(ngram.DefaultGrid(), probs, valid)
//	mixed, err := cache.Mix(probs, valid)                     // the same with the cache
//	perplexity, err := ngram.Perplexity(mixed)
//
// # Text
//
// A text consists of the words of its sentences in order, with the token End after
// each sentence. The vocabulary is closed: a token outside of it is an error. End
// is in the vocabulary, is predicted like a word and counts in the perplexity.
// Begin is not in the vocabulary and is never predicted. It occurs only in
// contexts, once in front of each sentence, and no context reaches beyond it.
//
// # Counts and probabilities
//
// Let v be a context, w a word, and vw the n-gram of v followed by w. If vw has
// Order words or starts with Begin, its count c(vw) is the number of its
// occurrences in the text. Otherwise its count is the number of different words,
// including Begin, that precede vw in the text. Rare n-grams are counted like all
// others. Let N(v) be the sum of c(vw) over all w, and v' the context v without its
// first word. Then
//
//	P(w|v) = (c(vw) - D(c(vw))) / N(v) + B(v) P(w|v')
//	B(v)   = (sum of D(c(vw)) over all w) / N(v)
//
// with D(0) = 0. If no word follows v in the text, P(w|v) = P(w|v'). For the empty
// context, P(w|v') is 1/V, with V the size of the vocabulary. So the probabilities after
// every context sum to 1, and all of them are positive.
//
// # Discounts
//
// Each order has its own discounts D. With n1 to n4 the numbers of different n-grams of
// this order that have the counts 1 to 4,
//
//	Y    = n1 / (n1 + 2 n2)
//	D(1) = 1 - 2Y n2/n1,  D(2) = 2 - 3Y n3/n2,  D(c) = 3 - 4Y n4/n3 for c of 3 and more
//
// This is the modified smoothing of Chen and Goodman. Kneser and Ney have one discount, D(c)
// = Y, which [Config].Single selects. The paper stack-rnn does not say which of the two it
// uses. The default, three discounts, gives its perplexity (see below). In a small text n1,
// n2 or n3 may be 0, or a discount can be zero or negative. The order then has the single
// discount. If n1 is 0, Y is 1/2, because a discount of 0 would make probabilities 0.
//
// # Cache
//
// A [Cache] holds the last K tokens of the evaluated text, including End. It is not
// cleared between sentences. At the beginning of the text it holds fewer tokens;
// let n be their number. Then
//
//	P(w) = (1-l) P(w|v) + l (number of w in the cache) / n
//
// The first token of the text has the probability of the model alone. [TuneCache]
// chooses K and l by the perplexity of a validation text.
//
// # Penn Treebank
//
// The paper stack-rnn prints the test perplexities 141 and, with a cache, 125.
// Mikolov et al. print 141.2 and 125.7. This package gives
//
//	                   valid     test
//	three discounts  148.008  141.186
//	with cache       130.253  126.827  K = 250, l = 0.10
//	one discount     151.421  143.512
//	with cache       130.997  127.236  K = 250, l = 0.11
//
// with K and l chosen from [DefaultGrid] by the validation text. The paper
// stack-rnn does not say what its cache holds, so the difference of more than 1
// with a cache is unexplained.
//
// # Exactness
//
// Perplexities have the same bits on every machine: counts are integers, products are
// rounded before they are added, no sum depends on the order of a hash table, and
// logarithms come from package numeric.
//
// # References
//
// R. Kneser, H. Ney, "Improved backing-off for m-gram language modeling", ICASSP 1995.
// S. Chen, J. Goodman, "An empirical study of smoothing techniques for language
// modeling", Computer Speech and Language 13(4), 1999. R. Kuhn, R. De Mori, "A
// cache-based natural language model for speech recognition", IEEE PAMI 12(6), 1990.
// T. Mikolov, A. Deoras, S. Kombrink, L. Burget, J. Cernocky, "Empirical evaluation and
// combination of advanced language modeling techniques", Interspeech 2011.
package ngram
