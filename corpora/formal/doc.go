// Package formal draws the generated languages of the four papers, each from its
// own file: the m-bounded Dyck-k language of resurgence and second-order-lstm
// ([BoundedDyck]), the patterns of stack-rnn ([Pattern]), and the languages that
// the networks of diffstk recognise ([Dyck], [Palindrome]).
//
// Steps of use, of a bounded language:
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
// Steps of use, of strings to be recognised:
//
//	lang, err := formal.LanguageOf("D2")
//	parts, err := formal.NewRecognition(lang).Draw(seed)    // training, development, test, two long ones
//	parts[0].String(i), parts[0].Valid(i)                   // symbols with End, and whether it is in the language
//	judge := lang.Judge()                                   // what is true of each prefix
//
// # Chance
//
// A corpus of a bounded language is a function of (seed, split, language). The seed
// belongs to the experiment and not to the run: all runs of a table row see the
// same strings.
// Each split has its own stream, the string's index is a coordinate of it, and
// the attempt another, so any string can be drawn without the others, in any
// order, and the first hundred strings of a split are the same whatever its size.
// So it is with the strings of a pattern, whose attempt is the epoch; they depend
// on the range of lengths, too, as n is drawn from it.
//
// The strings of a corpus for recognition are all different, in all parts
// together, so each depends on those before it: of its part, and of the parts
// that are listed before. It is a function of (seed, Recognition). Each part has
// streams of its own for the strings of the language, for random and difficult
// strings, and for the choice between these; index and attempt are coordinates as
// above. Parts that have not strings enough for all to be different are an
// error before anything is drawn.
//
// # Tokens
//
// Of a bounded language, opening brackets are 0 .. k-1, the closing brackets of
// the same types k .. 2k-1, then START = 2k and END = 2k+1. A Corpus stores each
// string with both of these, one byte a token, so that a language model's input
// and target, and the brackets alone, are slices of the same memory.
//
// A pattern has a token for each character, a to d from 0 on, and no START or
// END: strings follow each other without a mark. [Pattern] says in what order its
// characters stand.
//
// Of a language to be recognised, symbols are numbered as in its alphabet: the
// opening and the closing bracket of each type in turn, or a, b and the marker.
// End follows; there is no START. A Labelled stores each string with End.
//
// # References
//
// Sampler and default lengths: J. Hewitt, M. Hahn, S. Ganguli, P. Liang,
// C. Manning, "RNNs can generate bounded hierarchical languages with optimal
// memory", EMNLP 2020, and its public code. Patterns: A. Joulin, T. Mikolov,
// "Inferring algorithmic patterns with stack-augmented recurrent nets", NIPS
// 2015, and its public code.
//
// diffstk: A. Mali, A. Ororbia, D. Kifer, C. L. Giles, "Recognizing long
// grammatical sequences using recurrent networks augmented with an external
// differentiable stack", 2020. marnns: M. Suzgun, S. Gehrmann, Y. Belinkov,
// S. Shieber, "Memory-augmented recurrent neural networks can learn generalized
// Dyck languages", 2019, and its public code.
package formal
