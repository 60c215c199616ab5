// Package wordlm measures what the papers report about language models on words.
//
// It has the rows on words in table 2 of the paper resurgence, with the epochs and minutes
// that table 1 prints for the same networks ([Sentences]). It does not have table 5 of the
// paper diffstk and table 4 of the paper stack-rnn yet, whose networks read the text as a
// stream.
//
//	go test ./suites/wordlm -v                                            # short trainings on the embedded text
//	PUSHDOWN_SCALE=paper go test ./suites/wordlm -v -timeout 0            # on the Penn Treebank
//
// # Data
//
// Rows of the papers need the Penn Treebank, which is not part of the repository:
// go run ./ci/corpora says how to get it and where to put it. Without it these rows are
// skipped. Rows with task=shakespeare read the text that is embedded in package
// corpora/text and run everywhere. They test the pipeline on real text; no paper has
// them.
//
// A training example is one sentence, which is one line of the corpus. The model starts
// from its initial state, reads <eos> and the words, and predicts the words and <eos>. The
// vocabulary of the Penn Treebank has 10,000 words, <eos> included.
//
// # Readings of resurgence
//
// Section 5.3 states Adam at 0.001, gradient clipping at 3.5, batches of 128, at most 200
// epochs, early stopping with a patience of 5, an embedding of 64 and dropout of 0.25
// before the softmax. The rest is decided here:
//
//   - Gradients are clipped by their norm, because a single element hardly ever reaches 3.5.
//   - Back-propagation goes through the whole sentence.
//   - Of two layers only the upper one has dropout.
//   - Training ends after five epochs without a new best validation loss, and the best
//     parameters are the result. The learning rate is constant.
//   - The score is the mean cross-entropy in nats per predicted token, <eos> included.
//   - Parameters are counted as the paper counts them, with the embedding and the
//     read-out. The printed 2M is rounded; our counts of all rows are within 0.6 per cent
//     of it.
//   - Sentences that do not fill a batch at the end of an epoch are left out of that
//     epoch.
package wordlm
