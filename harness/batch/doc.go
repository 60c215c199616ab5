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
// A [Prefix] is a string or its beginning. A list of prefixes can therefore be a corpus of
// whole strings, or of sentences truncated to a maximum length. If a string is read once
// for each prediction, the list has all prefixes after which a prediction is made. Tokens
// are bytes, or int32 for large vocabularies.
//
// # Order
//
// The strings of a batch are sorted by descending length. Strings of equal length keep the
// order that they have in the list of a [Set] or in the shuffled list of a [Source]. This
// order determines the order in which losses and gradients are added, and so the bits of a
// result. [Packed.Row] returns the row of a token; see package kernel for packed rows.
//
// A source permutes the strings in each epoch. The permutation depends only on the number of
// the epoch and on the run's random stream "order", so the batch of an update does not depend
// on earlier batches. The source that Dataset.Shuffled returns drops the strings at the end
// of an epoch that do not fill a batch. The source that Dataset.ByExamples returns puts every
// string into a batch.
//
// # Targets
//
// Dataset.Fill is called for each batch, after its tokens are set. It adds the rows at
// which the graph makes predictions (train.Batch.ExampleRows), the targets, and all other
// inputs of the graph. [PredictNext] adds a prediction of the next token at each row, as
// for a language model. The methods of [Packed] help to write another function for
// Dataset.Fill. The coordinates of random numbers are the string, the position in the
// string and the update.
//
// # Long texts
//
// A batch may continue from the states of the previous batch
// (train.Batch.Continue). To read a long text in several columns, some steps at a
// time, make a string of each part of a column that one batch reads. List the
// strings of the first batch, one for each column, then those of the second batch,
// and so on; see the example. Use a Set as the source, since a Set gives its
// batches in the same order in every epoch.
//
// # Memory and speed
//
// Making a batch does not allocate once there is memory for the largest one.
// Strings are sorted by a counting sort. Tokens that are bytes are packed in two
// passes. The first reads a token of every cache line of all strings, because the
// cache misses of reads overlap if there are no writes in between. The second
// copies eight steps at a time, one word of each string. Tokens that are int32 are
// copied by a plain loop. The strings of an epoch are permuted in one loop, so that
// cache misses overlap there, too. Sets and sources are not safe for concurrent
// use.
package batch
