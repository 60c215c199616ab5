// Package syneval scores the networks of package suites/wikitext on the syntactic test set of
// Marvin and Linzen. It covers table 3 of the paper second-order-lstm and the other categories
// that its text mentions.
//
//	go test ./suites/syneval -v                                   # small networks on a sample of the test set
//	PUSHDOWN_SCALE=paper go test ./suites/syneval -v -timeout 0   # first run ./suites/wikitext at this scale
//
// The networks after their first epoch, which take two hours to train and less than half an hour
// to score, on one processor:
//
//	PUSHDOWN_SCALE=paper go test ./suites/wikitext -run 'TestTable2/paper/table/row/task=first-epoch' -v -timeout 0
//	PUSHDOWN_SCALE=paper go test ./suites/syneval -run 'TestTable3/paper/table/row/task=.*first-epoch' -v -timeout 0
//
// Nothing is trained here. At scale paper the parameters are those of the results in the state
// folder, which PUSHDOWN_STATE names, and the test set must be where go run ./ci/corpora looks
// for it. At the other scales the networks are the small ones of package wikitext, whose
// parameters are in the repository, and the test set is the sample in the folder sample: five
// items of each test. The vocabulary of these networks has less than half of the sample's
// words, and no full stop. Their scores only show that the pipeline works.
//
// At paper scale each of the nine runs of table 2, and one first epoch of each network
// (task=first-epoch in package wikitext), is scored on its own, one category after the other.
// With PUSHDOWN_RESUME=only, runs without a result are skipped. A run has 279,252 different
// sentences with 2.5 million words to score. Most of them begin like others, and what is
// predicted after the same words is computed once. Scoring the baseline in all categories took
// less than five minutes of one processor.
//
// So far the three networks have been scored after the first epoch. These rows end in
// -first-epoch and decide nothing.
//
// # Test set
//
// An item has a grammatical and an ungrammatical sentence that differ in one word. In tests of
// negative polarity items (NPIs) such as ever, it has a third sentence, the intrusive one. In
// npi_across, this sentence has a word such as no at a place where it does not license the NPI:
//
//	grammatical     no authors that the security guards like will ever be popular
//	intrusive       the authors that no security guards like will ever be popular
//	ungrammatical   most authors that the security guards like will ever be popular
//
// In simple_npi, the sentence called intrusive has no such word at all: "the authors will ever
// be popular".
//
// There are 22 tests. Two tests of one construction, with animate and with inanimate subjects,
// form one category. For tests of NPIs, each of three comparisons is a category: grammatical and
// intrusive (gi), intrusive and ungrammatical (iu), grammatical and ungrammatical (gu). This
// gives 19 categories ([Categories]), as many as the paper counts. Table 3 prints four of them:
// "cross clause" is the test npi_across, and "simple" is simple_npi.
//
// # Score
//
// A pair is right if its first sentence, in the order named above, has the higher probability:
// that of its words and of a full stop, after <eos>, from the initial state. A tie counts as
// wrong. An attention model chooses one cell at each word, as in the perplexities of table 2.
// The sentences are those published with the paper of the test set (EMNLP 2018).
//
// # Readings
//
//   - The paper does not say how many cells the attention model of table 3 has. The row
//     attention has five, as in figure 6; the row attention2 has two.
//   - Sentences are in lower case, as in the test set; WikiText-2 is not. Words outside the
//     vocabulary become <unk>. The vocabulary of WikiText-2 lacks admires, bankers,
//     congratulated, senators, skater, skaters, smiles, surgeons and swims. The unit
//     test-pair-acc-known-% leaves out the pairs that have such a word.
//   - Claim S14 speaks of a loss that the paper shows in a picture only: the loss of the word
//     "like" in the intrusive sentence above. Runs with task=example measure the loss of each
//     of its words.
//   - Claim S12 counts categories by the difference in accuracy between the baseline and the
//     attention model. The categories with larger differences are the four that the paper
//     prints. Our accuracies are those over all pairs, also those with <unk>.
package syneval
