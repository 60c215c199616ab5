// Package batch makes the batches of training and evaluation from strings. A
// suite says what is read, how many examples there are in it, and what is asked:
// a [Dataset]. The package sorts, packs, shuffles and counts.
//
// Steps of use:
//
//	data := batch.Dataset[uint8]{
//		Text: corpus.String,                           // string i
//		List: batch.Whole(corpus.Len(), corpus.Input), // what is read: START b1 .. bn
//		Fill: batch.PredictNext[uint8],                // what is asked: b1 .. bn END
//	}
//	valid := data.Set(128)                    // the same batches in the same order
//	source, err := data.Shuffled(10, seed)    // batches of 10 strings, a new order for each epoch
//	source, err := data.ByExamples(512, seed) // batches of about 512 examples
//
// # What is read
//
// A [Prefix] is a string or the beginning of one. So a list of them is a corpus of
// whole strings, of sentences cut at some length, or of all the prefixes that
// something is asked after. Tokens are bytes, or int32 where a vocabulary is large.
//
// # Order
//
// The strings of a batch stand with the longest first, ties by their place in
// what was drawn: the order of the list in a [Set], that of the shuffled list in
// a [Source]. This order decides in which order losses and gradients are added,
// and so the bits of a result. [Packed.Row] says where a token stands; see package
// kernel for packed rows.
//
// An epoch of a source is the permutation of its number by the run's stream
// "order": the batch of an update is a function of the update alone. What does not
// fill a batch at the end of an epoch is left out of it, unless batches are cut by
// examples, where every string is in one.
//
// # What is asked
//
// Fill is called when a batch has its tokens, and adds picks, targets and whatever
// else the graph reads. [PredictNext] asks at each row for the token that follows,
// as a language model does. The methods of [Packed] are the parts of what else may
// be asked. Coordinates of random numbers are the string, the position in it and
// the update.
//
// # Long texts
//
// A batch may take up the states of the one before it (train.Batch.Continue). For
// a text in columns that is read some steps at a time, a string is what a column
// reads in a batch, and the list goes through the columns of one batch after the
// other; see the example. A Set is a source as well, which gives its batches in
// order again and again.
//
// # Memory and speed
//
// No batch allocates once there is memory for the largest. Sorting counts
// lengths. Packing reads a token of every cache line of all strings first, since
// reads alone wait for memory side by side, and then copies eight steps at a
// time, a word of each string. An epoch's list is shuffled at once, for the same
// reason. Sets and sources are for one reader at a time.
package batch
