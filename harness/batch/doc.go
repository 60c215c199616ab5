// Package batch makes batches for training and evaluation from strings. A suite
// describes its data by a [Dataset]: the strings to read, the number of examples in
// each, and the predictions to make. The package sorts, packs and shuffles the strings
// and divides them into batches.
//
// Steps of use:
//
//	data := batch.Dataset[uint8]{
//		Text: corpus.String,                           // string i
//		List: batch.Whole(corpus.Len(), corpus.Input), // inputs: START b1 .. bn
//		Fill: batch.PredictNext[uint8],                // targets: b1 .. bn END
//	}
//	valid := data.Set(128)                    // the same batches in the same order
//	source, err := data.Shuffled(10, seed)    // batches of 10 strings, a new order for each epoch
//	source, err := data.ByExamples(512, seed) // batches of about 512 examples
//
// # Inputs
//
// A [Prefix] is a string or its beginning. A list of prefixes can therefore be a corpus
// of whole strings, of sentences truncated to a maximum length, or of all prefixes
// after which a prediction is made. Tokens are bytes, or int32 for large vocabularies.
//
// # Order
//
// The strings of a batch are sorted by descending length. Strings of equal length keep
// their order: that of the list in a [Set], and that of the shuffled list in a
// [Source]. This order determines the order in which losses and gradients are added,
// and so the bits of a result. [Packed.Row] returns the row of a token; see package
// kernel for packed rows.
//
// The permutation of an epoch of a source depends only on the number of the epoch and
// the run's random stream "order", so the batch of an update is a function of the
// update. Strings at the end of an epoch that do not fill a batch are dropped in that
// epoch. If batches are cut by examples, every string is in a batch.
//
// # Targets
//
// Fill is called once a batch has its tokens. It adds picks, targets and everything
// else that the graph reads. [PredictNext] asks at each row for the next token, as a
// language model does. The methods of [Packed] help to write other functions. The
// coordinates of random numbers are the string, the position in it and the update.
//
// # Long texts
//
// A batch may continue from the states of the previous batch (train.Batch.Continue).
// To read a long text in several columns, some steps at a time, let a string be the
// part of a column that one batch reads, and list the columns of one batch after those
// of another; see the example. A Set is also a source, which repeats its batches in the
// same order.
//
// # Memory and speed
//
// Making a batch does not allocate once there is memory for the largest one. Strings
// are sorted by counting lengths. Packing first reads a token of every cache line of
// all strings, because the cache misses of reads without writes in between overlap. It
// then copies eight steps at a time, one word of each string. The list of an epoch is
// shuffled in one loop for the same reason. Sets and sources are not safe for
// concurrent use.
package batch
