// Package papers holds the numbers that four papers print, and what the papers
// claim about them. Every test, table and report takes the numbers and claims from
// this package.
//
// # Tables
//
// A file tables/<paper>_table<N>.csv has one printed number per line. Five of its
// columns form the key of the number, written [paper:table:row:metric:stat], which
// identifies it everywhere. The columns model, config and dataset describe the number.
// The column value is the text as printed, with trailing zeros. The papers are
//
//	resurgence         Second-order RNNs: Resurgence of Recurrence
//	diffstk            Recognizing Long Grammatical Sequences using Recurrent
//	                   Networks Augmented with an External Differentiable Stack
//	second-order-lstm  Modeling Long-Distance Dependencies with Second-Order LSTMs
//	stack-rnn          Inferring Algorithmic Patterns with Stack-Augmented
//	                   Recurrent Nets
//
// A printed value is exact only to half a unit of its last digit, Number.HalfDigit.
// Five cases need care:
//
//   - The table files of the paper resurgence have millions of parameters in full: 4.5M
//     became 4500000. The trailing zeros of these counts are not digits.
//   - The M after the parameter counts of second-order-lstm means a thousand in its
//     table 1 (2.1M for an LSTM of 12 units) and a million in its table 2 (2.2M for 600
//     units). The sizes allow no other reading.
//   - This project reports fractions such as 0.994 in per cent, so both the value
//     and its HalfDigit are multiplied by 100.
//   - A whole number counts as if it were printed with the decimals of the other numbers
//     in its column. In a column with 0.994, a WCPA of 0 stands for 0.000, and in a column
//     with 1.40, an accuracy of 70 stands for 70.00. This rule does not apply to counts of
//     parameters.
//   - Means of the paper diffstk that are multiples of a half were rounded to them: 90 of 128
//     are. They are exact to a quarter of a per cent.
//
// # Units
//
// For every (paper, table, metric, stat) that occurs in a table, units.csv has a
// line, a Quantity, that says what this project measures for the numbers with these
// keys. Load returns an error if a number has no line or a line has no number. A
// quantity that no run measures, such as a number of layers or one step of a
// printed trace, has the unit "-" and is never compared. The other lines have a
// margin and a width, by which package verdict judges the numbers, and the reasons
// for both. Its other columns are
//
//	unit, better   the unit of the suite, and whether lower or higher is better
//	of             the runs behind a number: one, mean:10, best:10, or least:10:valid-ce, the one of ten with the least valid-ce
//	times          the power of ten that leads from the print to the unit; M=1000 if it is printed with that suffix
//	zeros          digits, or padding if trailing zeros are no digits
//	place          the row of the suite, in which {row} stands for that of the key
//	margin, width  a distance or, with %, a share of the printed number; - if it is only shown
//
// Three lists accompany the tables. Misprints are numbers that their own paper
// contradicts. PostHocReadings are readings of a paper that were chosen after results had
// been seen. TableInterpretations are the readings that were tried for tables whose printed
// numbers differ from ours.
//
// # Claims
//
// tables/claims.csv lists the claims of the papers about their results. Most claims
// have a relation over numbers, in the grammar of ParseRelation. A claim that no
// table covers has a description of what to measure instead. A claim that begins with
// "printed:" is one about the printed numbers, which no run can confirm. The column
// holds_in_published says whether the relation holds on the printed numbers, and a
// test checks this. The paper's own table contradicts a claim that has "no" in this
// column.
//
// Published loads and checks all files once. The files are compiled in, so the
// package works in any folder.
package papers
