// Package formal draws the generated languages of the four papers, each from its
// own file. So far: the m-bounded Dyck-k language of resurgence and
// second-order-lstm, and the patterns of stack-rnn.
//
// Steps of use:
//
//	lang := formal.NewBoundedDyck(2, 4)                     // k, m, and the lengths that go with m
//	train, err := lang.Sample(seed, formal.Train, 10_000)   // a Corpus
//	train.Body(i)                                           // the brackets of string i
//	train.Input(i), train.Target(i)                         // for a language model
//	list, err := lang.Closings(nil, train.Body(i))          // closing brackets and what they close
//	chain, err := lang.Chain()                              // what the sample must look like, exactly
//
// A [Pattern] is not sampled but streamed, since a curriculum changes its lengths
// from epoch to epoch and a run may go on for ever:
//
//	s, err := formal.AnBn.Stream(seed, formal.Train, epoch, formal.Range{Min: 2, Max: 14})
//	x := s.Next()                                           // x.Tokens[x.From:] follow from those before
//
// # Chance
//
// A corpus is a function of (seed, split, language). The seed belongs to the
// experiment and not to the run: all runs of a table row see the same strings.
// Each split has its own stream, the string's index is a coordinate of it, and
// the attempt another, so any string can be drawn without the others, in any
// order, and the first hundred strings of a split are the same whatever its size.
// So it is with the strings of a pattern, whose attempt is the epoch; they depend
// on the range of lengths, too, as n is drawn from it.
//
// # Tokens
//
// Opening brackets are 0 .. k-1, the closing brackets of the same types k .. 2k-1,
// then START = 2k and END = 2k+1. A Corpus stores each string with both of these,
// one byte a token, so that a language model's input and target, and the brackets
// alone, are slices of the same memory.
//
// A pattern has a token for each character, a to d from 0 on, and no START or
// END: strings follow each other without a mark. [Pattern] says in what order its
// characters stand.
//
// # References
//
// Sampler and default lengths: J. Hewitt, M. Hahn, S. Ganguli, P. Liang,
// C. Manning, "RNNs can generate bounded hierarchical languages with optimal
// memory", EMNLP 2020, and its public code. Patterns: A. Joulin, T. Mikolov,
// "Inferring algorithmic patterns with stack-augmented recurrent nets", NIPS
// 2015, and its public code.
package formal
