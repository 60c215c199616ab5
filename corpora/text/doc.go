// Package text reads text corpora as tokens, by word or by character: the Penn
// Treebank, WikiText-2, a small text that is part of this repository, and a user's own
// files. It also finds the syntactic test set of Marvin and Linzen.
//
//	words, err := text.PTB().Words()                  // a *Text[int32]
//	chars, err := text.PTB().Characters()             // a *Text[uint8]
//	small, err := text.Tiny().Characters()            // part of the repository
//	own, err := text.Files("a.txt", "b.txt", "c.txt").Words()
//
//	chars.Train.String(i)                             // End, the characters of sentence i, End
//	chars.Train.Input(i), chars.Train.Target(i)       // for a language model
//	chars.Train.Cut(i, 25)                            // End and at most 25 characters
//	words.Valid.Stream()                              // all sentences, one after the other
//	words.Decode(words.Test.Body(i))                  // back to text
//
// # Sentences
//
// Each line of a file is a sentence, blank lines included. The token [End] stands for
// the end of a line. It also stands before the first word of each sentence, so that a
// network reads End and the words, and predicts the words and End. The last line may
// lack its line feed.
//
// A word is a maximal run of characters that are not white space. In a text by
// character, each byte is a character: a letter that takes two bytes in UTF-8 is two
// characters. The Penn Treebank is ASCII. Its lines, and those of WikiText-2, begin and
// end with a space, which [Corpus.Trim] removes.
//
// # Vocabulary
//
// End is token 0. The other tokens are the words or bytes of the training text in the
// order in which they first occur. The published files have <unk> for rare words; <unk>
// is a word like others. A word of the validation or test text that does not occur in
// the training text becomes <unk> if <unk> itself occurs in the training text.
// Otherwise it is an error. [Corpus.MinCount] turns rare words of the training text
// into <unk>. The word <eos> in a file is an error, because <eos> is the name of End.
//
// # Files
//
// Published corpora lie in subfolders of one folder. The environment variable
// PUSHDOWN_CORPORA names it; the default is pushdown/corpora in the user's cache
// folder. The size and the SHA-256 of a file are checked when the file is read. A
// published corpus is read once per process. The command go run ./ci/corpora says which
// files are present, and how to get the others.
//
//	ptb/ptb.train.txt                42,068 lines    929,589 words with End
//	ptb/ptb.valid.txt                 3,370           73,760
//	ptb/ptb.test.txt                  3,761           82,430
//	wikitext-2/wiki.train.tokens     36,718        2,088,628
//	wikitext-2/wiki.valid.tokens      3,760          217,646
//	wikitext-2/wiki.test.tokens       4,358          245,569
//	lm-syneval/syneval.emnlp2018.agreement.tsv     152,300 pairs of sentences
//	lm-syneval/syneval.emnlp2018.npi.tsv            10,824 triples
//
// The vocabularies have 10,000 words in the Penn Treebank and 33,278 in WikiText-2, and
// 50 characters in the Penn Treebank, End included.
//
// # The small text
//
// [Tiny] is the beginning of "tiny Shakespeare" of
// https://github.com/karpathy/char-rnn: speeches of Coriolanus and of the first act of
// Richard III, by William Shakespeare. The plays are in the public domain. Lines 1 to 768 are the
// validation text, lines 769 to 1,532 the test text, and lines 1,533 to 7,680 the
// training text. The training text has every character of the other two. Each text ends
// at the end of a speech.
//
// # References
//
// Penn Treebank: M. P. Marcus, B. Santorini, M. A. Marcinkiewicz, "Building a large
// annotated corpus of English: the Penn Treebank", Computational Linguistics 19, 1993,
// as preprocessed by T. Mikolov for his RNNLM toolkit. WikiText-2: S. Merity, C. Xiong,
// J. Bradbury, R. Socher, "Pointer sentinel mixture models", ICLR 2017. Syntactic test
// set: R. Marvin, T. Linzen, "Targeted syntactic evaluation of language models", EMNLP
// 2018.
package text
