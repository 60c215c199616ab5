// Package papers holds the numbers that the four papers print and the
// statements they make about them, so that every test, table and report takes
// them from one place.
//
// # Tables
//
// tables/<paper>_table<N>.csv has one printed cell per line. Five columns name
// it, [paper:table:row:metric:stat], and stand for it wherever a cell is
// mentioned; model, config and dataset describe it; value is the text as
// printed, with trailing zeros. The papers are
//
//	resurgence         Second-order RNNs: Resurgence of Recurrence
//	diffstk            Recognizing Long Grammatical Sequences using Recurrent
//	                   Networks Augmented with an External Differentiable Stack
//	second-order-lstm  Modeling Long-Distance Dependencies with Second-Order LSTMs
//	stack-rnn          Inferring Algorithmic Patterns with Stack-Augmented
//	                   Recurrent Nets
//
// A value that is printed to a digit says the truth only to half of that
// digit: Cell.Half. Four things make that less simple than it sounds. Whole
// millions of parameters were written out in the transcription of resurgence
// (4.5M became 4500000), so their trailing zeros are no digits. The M behind
// parameter counts of second-order-lstm means a thousand in its table 1 (2.1M
// for an LSTM of 12 units) and a million in its table 2 (2.2M for 600 units);
// the sizes leave no other reading. And shares such as 0.994 are reported by
// this project in per cent, so the value and its half digit move together. And a whole
// number in a column with decimals has those of its column: a WCPA of 0 beside 0.994 is
// not 0 ± 50 per cent, and an accuracy of 70 beside 1.40 is 70 ± 0.005. Counts of
// parameters keep their own digits.
//
// # Units
//
// units.csv says for every (paper, table, metric, stat) that occurs in a table
// what this project measures for it: see Quantity. A cell that nothing maps,
// and a mapping that no cell uses, are errors of Load. A quantity that no run
// measures (a layer count, one step of a printed trace) is mapped to "-" and
// stays out of every comparison. Each line has the margin and the width by which package
// verdict judges, with a reason.
//
// Beside the tables stand Misprints, numbers that their own paper contradicts;
// FittedReadings, what was decided after results had been seen; and TableReadings, what was
// tried of tables with numbers that differ.
//
// # Claims
//
// tables/claims.csv lists what the papers say of their tables, each with a
// relation over cells; ParseRelation gives the grammar. Its column
// holds_in_published is the relation evaluated on the printed cells; a test
// evaluates it again. A "no" there is a statement that the paper's own table
// contradicts.
//
// Published loads and checks everything once. The files are compiled in, so
// the package needs no working directory.
package papers
