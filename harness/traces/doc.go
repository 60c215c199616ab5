// Package traces reads and writes trace files, which have the data of figures. There is
// one file for each row of a table, with all its seeds, beside the golden files.
//
//	row paper=diffstk/table=1/row=diffstk-mrnn
//	seeds 1 2
//	epoch 1 0.2 100
//	epoch 2 - 100
//	length 100 50 50 49
//
// A line begins with words that all seeds share, called its first words. One word
// for each seed follows. The very first word is the kind of the line, such as
// epoch. Lines of one kind are adjacent. A run may have fewer lines of a kind than
// another run, for example because it ended in an earlier epoch. On each line that it
// lacks, its word is a dash.
//
// [Parse] accepts only the text that [File.Format] writes, so equal traces have
// equal text. The suites write and interpret the lines; this package does not know
// their meaning.
package traces
