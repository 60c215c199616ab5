// Package formal draws strings of the formal languages in the four papers: the
// m-bounded Dyck-k language of resurgence and second-order-lstm ([BoundedDyck]), the
// patterns of stack-rnn ([Pattern]), and the languages that the networks of diffstk
// recognise ([Dyck], [Palindrome]).
//
// A bounded language is sampled:
//
//	lang := formal.NewBoundedDyck(2, 4)                     // k, m, and the default lengths for m
//	train, err := lang.Sample(seed, formal.Train, 10_000)   // a Corpus
//	train.Body(i)                                           // the brackets of string i
//	train.Input(i), train.Target(i)                         // for a language model
//	list, err := lang.Closings(nil, train.Body(i))          // closing brackets and the ones they close
//	chain, err := lang.Chain()                              // the exact distribution of the sample
//
// A [Pattern] is streamed instead, because a curriculum changes its lengths from epoch to
// epoch and a run may have any number of strings:
//
//	s, err := formal.AnBn.Stream(seed, formal.Train, epoch, formal.Range{Min: 2, Max: 14})
//	x := s.Next()                                           // x.Tokens[:x.From] determine x.Tokens[x.From:]
//
// A corpus for recognition is drawn in parts:
//
//	lang, err := formal.LanguageOf("D2")
//	parts, err := formal.NewRecognition(lang).Draw(seed)    // training, development, test, two with long strings
//	parts[0].String(i), parts[0].Valid(i)                   // symbols with End, and whether it is in the language
//	oracle := lang.NewOracle()                              // says which prefixes can become strings of the language
//
// # Chance
//
// A corpus of a bounded language is a function of the seed, the split and the language. The
// seed belongs to the experiment and not to the run: all runs of a table row see the same
// strings. Each split, such as [Train], has its own random stream. The random numbers of a
// string depend on its index in the split. If a drawn string is rejected, it is drawn again
// with other numbers, which depend on the number of the attempt. So any string can be drawn
// without the others, in any order, and the first hundred strings of a split do not depend
// on its size.
//
// The random numbers of a string of a pattern depend on its index and on the epoch. The
// string also depends on the range from which its length n is drawn.
//
// A corpus for recognition is a function of the seed and the [Recognition]. No string occurs
// twice, not even in different parts. So each string depends on the strings drawn before it,
// in its own part and in the parts listed before. Strings outside of the language are
// ordinary or difficult. Each part has one random stream for the strings of the language,
// one for ordinary strings, one for difficult strings, and one for the choice between
// ordinary and difficult. In the first three streams, the random numbers again depend on the
// index and the attempt. If a language has too few different strings, Draw returns an error
// before it draws anything.
//
// # Tokens
//
// In a bounded language the opening brackets are 0 .. k-1, the closing brackets of the same types
// k .. 2k-1, START is 2k and END is 2k+1. A Corpus stores each string with START and END, one byte
// a token, so that the input and the target of a language model, and the brackets without START
// and END, are slices of the same memory.
//
// A pattern has a token for each of its characters and no START or END: strings follow
// each other without a mark. [Pattern.Token] returns the character of a token: 0 to 3
// are a to d, in additions 0 to 4 are the characters of "01+=.", and in memorization 0
// to 2 are those of "12=".
//
// In a language to be recognised, symbols are numbered as in its alphabet. The alphabet of a
// Dyck language has the opening and the closing bracket of each type in turn. That of
// palindromes has the letters a and b, c if there is a marker in the middle, and A and B if the
// second half has letters of its own. End is the next number; there is no START. A Labelled stores each string with End.
//
// # References
//
// Sampler and default lengths: J. Hewitt, M. Hahn, S. Ganguli, P. Liang, C. Manning,
// "RNNs can generate bounded hierarchical languages with optimal memory", EMNLP 2020, and
// its public code. Patterns: A. Joulin, T. Mikolov, "Inferring algorithmic patterns with
// stack-augmented recurrent nets", NIPS 2015, and its public code.
//
// diffstk: A. Mali, A. Ororbia, D. Kifer, C. L. Giles, "Recognizing long grammatical
// sequences using recurrent networks augmented with an external differentiable stack",
// 2020. marnns: M. Suzgun, S. Gehrmann, Y. Belinkov, S. Shieber, "Memory-augmented
// recurrent neural networks can learn generalized Dyck languages", 2019, and its public
// code.
package formal
