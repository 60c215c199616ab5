// Package batch makes the batches of training and evaluation from strings. A
// suite says what is read, how many examples there are in it, and what is asked:
// a [Data]. The package sorts, packs, shuffles and counts.
//
// Steps of use:
//
//	data := batch.Data[uint8]{
//		Text:  corpus.String,                              // string i
//		Spans: batch.Whole(corpus.Len(), corpus.Input),    // what is read of each
//		Fill:  batch.PredictNext[uint8],                    // what is asked
//	}
//	valid := data.Set(128)                      // the same batches in the same order
//	source, err := data.Shuffled(10, seed)      // batches of 10 strings, a new order for each epoch
//	source, err := data.ByExamples(512, seed)   // batches of about 512 examples
//
// # What is read
//
// A [Span] is a part of a string: so a list of spans is a corpus of whole
// strings, of prefixes, of sentences cut at some length, or of a long text in
// columns. Tokens are bytes, or int32 where a vocabulary is large.
//
// # Order
//
// The strings of a batch stand with the longest first, ties by their place in
// what was drawn: the order of the list in a [Set], that of the shuffled list in
// a [Source]. The order decides in which order losses and gradients are added,
// and so the bits of a result. Row i of step t is at [Packed.Row]; see package
// kernel for packed rows.
//
// Epoch e of a source is the permutation e of the run's stream "order": the
// batch of an update is a function of the update alone. What does not fill a
// batch at the end of an epoch is left out of it, unless batches are cut by
// examples, where every string is in one.
//
// # What is asked
//
// Fill is called when tokens, steps and the order of strings are there, and adds
// picks, targets and whatever else a graph reads. [PredictNext] asks at each row for the
// token that follows, as a language model does; [Packed.All], [Packed.Next],
// [Packed.Row] and [Packed.Coord] are the parts of what else may be asked.
// Coordinates of random numbers are the string, the position in it and the
// update.
//
// # Long texts
//
// A batch of spans that do not begin where their strings do takes up the states
// of the batch before it (train.Batch.Continue). A text in columns that is read
// some steps at a time is therefore a Set whose spans are listed step by step,
// those of a batch column by column; see the example. A Set is a source as well,
// which gives its batches in order again and again.
//
// # Memory and speed
//
// No batch allocates once there is memory for the largest. Sorting counts
// lengths. Packing reads a token of every cache line of all strings first, since
// reads alone wait for memory side by side, and then copies eight steps at a
// time, a word of each string. Sets and sources are for one reader at a time.
package batch
