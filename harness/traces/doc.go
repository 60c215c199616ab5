// Package traces is the text of what figures are drawn of: files beside the golden
// ones, one for each row of a table. Behind the first words of a line stands a word
// for each seed.
//
//	row paper=diffstk/table=1/row=diffstk-mrnn
//	seeds 1 2
//	epoch 1 0.2 100
//	length 100 50 50 49
//
// After row and seeds come the kinds of line of a suite ([Kind]), in the order in
// which it writes them. A suite makes the text with a [Writer] and reads it with a
// [Reader], which hands out the words seed by seed, has written again what was
// read, and takes no text that is written otherwise: so equal traces have equal
// text.
package traces
