// Package recognition measures what the paper diffstk says about networks that
// recognise strings: twelve networks on two, three and six types of brackets and
// on palindromes, tables 1 to 4 ([Table]); noise, carry-forward and the order of
// strings, tables 6 to 8 ([Table6], [Table7], [Table8]); and what the paper speaks
// of without figures ([Announced]).
//
//	go test ./suites/recognition -run Table1 -v                      # some rows, all of their training
//	PUSHDOWN_SCALE=paper go test ./suites/recognition -timeout 0     # all rows, ten seeds
//
// # Task
//
// A network reads a string symbol by symbol. After each it says what comes next and
// whether the string is in the language; see models.Recognizer. Half of all strings
// are not in it; see formal.Recognition. The parts of the corpus, training,
// development, test and two of longer strings, have no string in common.
//
// # Accuracy
//
// The paper's accuracy is "percentage of strings classified correctly". Networks
// without a stack reach 0 to 4 of 100 where half of the strings would be right by
// chance, and the best ones 100, which even a perfect judge of prefixes cannot
// have under the paper's own definition, the mean of yhat over all steps. So there
// are five readings of every run; see metric.Recognition. The figure acc is reading
// N, the closest to the public code of two of the baselines and the only one that
// separates the networks as the printed numbers do: in strings of the language,
// wherever a bracket is open, the right closing one is the most probable of the
// closing ones. acc-star (N*) ranks the end symbol among them, acc-a (A) is the
// paper's definition, acc-f (F) asks at the end of a string alone, acc-c (C) at
// every step whether the prefix is viable.
//
// Runs succeed or fail altogether: N on the test strings is near 0 or near 100. A
// mean over seeds says little without the number of those that succeed. Beside each
// mean whose seeds lie on both sides of 50, golden/recognition/README.md has the
// number of those above. The interval of such a mean is wide, and a number in it is open
// and not a match. Ten seeds a row, fixed before they ran, do for means; of a best of ten
// they are too few to tell.
//
// # Readings
//
// What the paper leaves open is decided here:
//
//   - One string in an update and Adam at 2e-3, as printed; and beside it, as
//     task=batch8, eight strings at 1e-2 (four, task=batch4, for DiffStk-LSTM,
//     -MLSTM and -MIRNN). These rows have not been run with noise yet.
//   - The loss of an update is the mean over its strings of the sum over their
//     steps. The next symbol counts in strings of the language only: with it in the
//     others, too, networks with a stack learn D2 in a quarter to half of the runs.
//   - A validation after each of 30 epochs. The rate is halved at the third in a row
//     without a new best loss, not below 1e-4, as in an earlier program of the
//     authors. Figures are those of the best parameters by that loss. "The best
//     testing score" may mean the best epoch on the test strings: that is
//     test-acc-top.
//   - Back-propagation is cut every 50 symbols from the start of a string, gradients
//     of parameters are clipped element by element at 15.
//   - One stack of numbers, as deep as the longest string: of training in training,
//     of all parts in evaluation. POP feeds in at the bottom what empty cells hold,
//     so more cells make no difference.
//   - Noise and carry-forward are on in tables 1 to 4. The paper does not say so there,
//     but its other tables do: all six rows "with changes" of table 7 and "sequential"
//     of table 8, which have both, are the test columns of table 1 digit for digit, and
//     of table 6, which has noise alone, those of DiffStk-MRNN and -MIRNN are not.
//     Runs without either are the control of tables 6 and 7 and nothing else; that of
//     table 8, whose printed numbers are the same, cannot be. Noise has a standard
//     deviation of 0.05, which the paper does not give, and is added to the state of
//     every network: table 7 has rows of RNN, LSTM and Stack RNN with changes, which
//     have no NO-OP to carry forward at.
//   - The paper does not say how often it looks at validation. So there are rows without
//     a cut of the rate before epoch 20, as task=late-cuts, of all networks alike, with
//     updates of one string; of palindromes also late-cuts-by-length, whose strings come
//     in as in table 8. Late cuts were found by trial, and the trial was looked at on
//     test strings. They have been run on D2 and on palindromes, all strings at once.
//   - Table 8's order by length has no schedule in the paper: ten blocks, one more
//     after an epoch with N above 95 on the strings of training that are there, and
//     after two epochs at the latest. An epoch keeps its updates, and goes through
//     the strings that are there as often as that takes.
//   - Strings without difficult ones outside of the language are those of training
//     alone; the same strings are tested. Claims on them and on labels are judged by
//     N, which does not ask yhat; beside it stand acc-f and acc-c.
//   - The corpus of a language has one seed, 1; a run's seed drives initial weights,
//     the order of strings and noise.
//
// # At paper scale
//
// Of ten seeds, so many succeed (N above 95 on the test strings), with the mean of N:
//
//	                   D2        D3        D6        palindrome
//	Stack RNN          10, 100   10, 100    7,  71    0,  0
//	Stack-RNN+Softmax   9,  99   10, 100    8,  92    0,  0
//	Baby-NTM+Softmax    9,  98    4,  81    5,  63    1, 10
//	DiffStk-RNN         9,  99    9,  90    0,  64    1, 10
//	DiffStk-LSTM        6,  60    6,  59    3,  40    0,  0
//	DiffStk-MRNN        7,  70   10, 100    9,  99    0,  0
//	DiffStk-MLSTM       1,  15    2,  20    3,  30    2, 19
//	DiffStk-MIRNN       6,  60    6,  60    1,  23    0,  0
//	RNN, LSTM, GRU, Delta-RNN: none
//
// That networks without a stack fail and those with one can learn is as the paper says,
// and that each network with a stack, Baby-NTM aside as printed, is right on all test
// strings in some run (D04, D05). D01 fails, which has the best LSTM on D2 at 4: ours has
// 13. The order among those with a stack is not the paper's: DiffStk-MRNN is the surest on
// D6, as printed (D03D6), but on D2 the Stack RNN is, of which the paper has 70.
// DiffStk-MLSTM, at 96 on D2 in the paper, learns least.
//
// Of the 154 seeds that succeed 120 have N above 95 at n = 160, too, and the least has 40,
// where the paper's means fall to 50 to 90. Many seeds of the DiffStk networks lose the
// language again in later epochs; the best parameters by validation are from before.
//
// Palindromes are hardly learned, where the paper has means of 50 to 65: by four of eighty
// seeds of networks with a stack, and without a cut of the rate before epoch 20 by seven.
//
// On D2 noise (table 6) makes DiffStk-MRNN succeed with seven seeds instead of five,
// DiffStk-RNN with ten instead of nine, -MIRNN with one instead of none; with
// carry-forward, too (table 7), it is seven, nine and six. By itself (section 3)
// carry-forward has nine seeds of the MRNN succeed, eight of the RNN. Strings that
// come in by length (table 8) do harm: two of DiffStk-RNN instead of nine, three of
// the MRNN instead of seven, nine Stack RNNs instead of ten, six -MIRNNs as before.
//
// Without a cut of the rate before epoch 20 (task=late-cuts) more succeed on D2: eight of
// DiffStk-LSTM and -MIRNN, nine of -MRNN and -RNN, three of -MLSTM, ten of the Stack RNN
// with softmax or without, eight of Baby-NTM. The curves of these 120 runs tell when another
// reading of "has not improved in the last three checks" would first have cut: the one
// judged here, three epochs without a new best, at epoch 14 in the median; three epochs of
// which none is better than the one before it at epoch 20 or later in 94 runs, and a check
// every five epochs in all.
//
// Also on D2 (section 3): without difficult strings in training DiffStk-RNN and
// -MRNN succeed with all ten seeds, with a label at the end alone with ten and seven, with
// one that tells the truth about each prefix with ten and five.
//
// Further readings stand with the networks in package models and with the strings in
// package formal.
package recognition
