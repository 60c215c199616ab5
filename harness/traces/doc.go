// Package traces is the text of what figures are drawn of: files beside the golden
// ones, one for each row of a table, with all its seeds.
//
//	row paper=diffstk/table=1/row=diffstk-mrnn
//	seeds 1 2
//	epoch 1 0.2 100
//	epoch 2 - 100
//	length 100 50 50 49
//
// A line has first words, which all seeds share, and then a word for each seed. The
// first of all is the kind of the line, such as epoch. Lines of one kind stand
// together. A run that has fewer lines of a kind than another, such as one that
// ended in an earlier epoch, has a dash in the others.
//
// [Parse] takes only what [File.Format] writes, so equal traces have equal text. A
// suite makes the lines of a run and reads them again; this package does not know
// what they mean.
package traces
