// Package recognition measures what the paper diffstk reports about networks that
// recognise strings: twelve networks on two, three and six types of brackets and on
// palindromes, tables 1 to 4 ([Table]); noise, carry-forward and the order of strings,
// tables 6 to 8 ([Table6], [Table7], [Table8]); and experiments that the paper mentions
// without numbers ([Announced]).
//
//	go test ./suites/recognition -run Table1 -v                      # some rows, trained in full
//	PUSHDOWN_SCALE=paper go test ./suites/recognition -timeout 0     # all rows, ten seeds
//
// # Task
//
// A network reads a string symbol by symbol. After each symbol it predicts the next one
// and whether the string is in the language (yhat); see models.Recognizer. Half of all
// strings are not in the language; see formal.Recognition. The parts of the corpus
// (training, development, test and two parts of longer strings) have no string in common.
//
// # Accuracy
//
// The paper's accuracy is "percentage of strings classified correctly". Its networks
// without a stack reach 0 to 4 per cent, where chance gives half of the strings. Its best
// networks reach 100, which even a perfect judge of prefixes cannot under the paper's own
// definition, the mean of yhat over all steps. So every run is scored by five readings;
// see metric.Recognition:
//
//   - acc (N): in each string of the language, wherever a bracket is open, the right
//     closing bracket is the most probable of all closing brackets. This is the reading
//     closest to the public code of two of the baselines, and the only one that separates
//     the networks as the printed numbers do.
//   - acc-star (N*): N with the end symbol ranked among the closing brackets.
//   - acc-a (A): the paper's definition.
//   - acc-f (F): yhat at the end of the string alone.
//   - acc-c (C): yhat at every step tells whether the prefix is viable.
//
// Almost every run succeeds or fails as a whole: N on the test strings is near 0 or near
// 100. A mean over seeds says little without the number of seeds that succeed. Where the
// seeds of a mean lie on both sides of 50, golden/recognition/README.md shows how many
// are above. The interval of such a mean is wide, and a printed number inside it is open,
// not a match. Each row has ten seeds, fixed before they ran. Ten suffice for means, but
// are too few to judge a best of ten.
//
// # Readings
//
// The paper leaves these points open. The suite decides them as follows:
//
//   - An update has one string, and Adam runs at 2e-3, as printed. Beside it, task=batch8
//     has eight strings at 1e-2 (four, task=batch4, for DiffStk-LSTM, -MLSTM and -MIRNN).
//     The paper states neither the number of strings nor this rate.
//   - The loss of an update is the mean over its strings of the sum over their steps. The
//     loss of the next symbol counts only in strings of the language. If it counts in the
//     others too, networks with a stack learn D2 in a quarter to half of the runs.
//   - Each of 30 epochs ends with a validation. The learning rate is halved at the third
//     in a row without a new best loss, but not below 1e-4, as in an earlier program of
//     the authors. Results are those of the best parameters by that loss. "The best
//     testing score" may mean the best epoch on the test strings: test-acc-top has it.
//   - Back-propagation is truncated every 50 symbols from the start of a string.
//     Gradients of parameters are clipped element by element at 15.
//   - There is one stack of numbers, as deep as the longest string: of training in
//     training, of all parts in evaluation. POP fills the bottom with the value of empty
//     cells, so more cells make no difference.
//   - Tables 1 to 4 have noise and carry-forward. The paper does not say so there, but
//     its other tables imply it: all six rows "with changes" of table 7 and "sequential"
//     of table 8, which have both, equal the test columns of table 1 digit for digit. In
//     table 6, which has noise alone, those of DiffStk-MRNN and -MIRNN do not. Runs
//     without either are only the control of tables 6 and 7. They cannot be the control
//     of table 8, although its printed numbers are the same.
//   - Noise has a standard deviation of 0.05, which the paper does not give. It is added
//     to the state of every network, because table 7 has rows of RNN, LSTM and Stack RNN
//     with changes, and these have no NO-OP at which to carry the state forward.
//   - The paper does not say how often it checks validation. So rows with task=late-cuts,
//     for all networks alike and with updates of one string, do not cut the rate before
//     epoch 20. For palindromes, late-cuts-by-length also adds strings by length as in
//     table 8. Late cuts were found in trials whose results on test strings were looked
//     at.
//   - The paper has no schedule for the order by length of table 8. Ours has ten blocks.
//     A block is added after an epoch with N above 95 on the training strings that are in
//     use, and after two epochs at the latest. An epoch keeps its number of updates and
//     passes through the strings in use as often as that takes.
//   - Training without difficult strings outside of the language leaves the test strings
//     unchanged. Claims about it and about labels are judged by N, which does not depend
//     on yhat; acc-f and acc-c are reported beside it.
//   - The corpus of a language has one seed, 1. The seed of a run determines initial
//     weights, the order of strings and noise.
//
// # At paper scale
//
// golden/recognition/README.md has all results. Below, a seed succeeds if its N on the
// test strings is above 95. Each row has ten seeds.
//
// As the paper says, networks without a stack fail in all runs, and networks with a stack
// can learn. Every DiffStk network is right on all test strings in some run (claim D04
// holds). Claim D05 says this of every network with a stack. It is undecided, because
// other bootstrap draws could decide otherwise, and the paper's own tables contradict it
// for Baby-NTM. Claim D01 fails: it puts the best LSTM on D2 at 4, and ours is at 8.9. The
// order among networks with a stack differs. On D6 the most reliable network is
// DiffStk-MRNN, as printed (D03D6: 9 seeds). On D2 it is the Stack RNN: all ten seeds
// succeed, and the paper prints 70 per cent. DiffStk-MLSTM learns least: one to three
// seeds on each of D2, D3, D6 and the palindromes, where the paper prints 96 per cent on
// D2.
//
// Of the 154 seeds that succeed in tables 1 to 4, 120 also have N above 95 at n = 160,
// and the lowest has 40. The paper's means there fall to 50 to 90. Many seeds of the
// DiffStk networks lose the language again in later epochs; the best parameters by
// validation are from before.
//
// Palindromes are hardly learned, where the paper has means of 50 to 65: four of eighty
// seeds of networks with a stack succeed, and seven without a cut of the rate before
// epoch 20.
//
// On D2, noise (table 6) raises the successful seeds of DiffStk-MRNN from five to seven,
// of DiffStk-RNN from nine to ten and of -MIRNN from none to one. With carry-forward too
// (table 7) they are seven, nine and six. With carry-forward alone (section 3) nine seeds
// of the MRNN succeed and eight of the RNN. Adding strings by length (table 8) does harm:
// two seeds of DiffStk-RNN instead of nine, three of the MRNN instead of seven, nine of
// the Stack RNN instead of ten; six of -MIRNN as before.
//
// Without a cut of the rate before epoch 20 (task=late-cuts) 65 instead of 57 of the 80
// seeds of networks with a stack succeed on D2, 61 instead of 57 on D3, and 40 instead of
// 36 on D6. DiffStk-LSTM, -MIRNN and -MRNN gain two seeds each on D2, and together one on
// D6. Fewer seeds of Baby-NTM succeed, eight instead of nine, on D2. The curves of the 120 runs on
// D2 show when other readings of "has not improved in the last three checks"
// would first cut the rate. Three epochs without a new best, the reading judged here, cut
// at epoch 14 in the median. Three epochs none of which is better than the one before it
// cut at epoch 20 or later in 94 runs, and a check every five epochs does so in all.
//
// With eight or four strings an update (task=batch8, batch4) 70 of the 80 seeds succeed on
// D2 and 69 on D3. DiffStk-MRNN and -RNN then succeed in all seeds on both, -LSTM in nine,
// and -MLSTM in four and six. On D3 the -MIRNN does worse, with four seeds instead of six.
// The means of DiffStk-MRNN on D2 then agree with the printed ones on all strings.
//
// Also on D2 (section 3), all ten seeds of DiffStk-RNN and -MRNN succeed without
// difficult strings in training. With a label at the end alone ten and seven do, and with
// a label that says whether each prefix is viable ten and five.
//
// The networks in package models and the strings in package formal document further
// readings.
package recognition
