// Package recognition measures what the paper diffstk reports about networks that
// recognise strings: twelve networks on two, three and six types of brackets and on
// palindromes, tables 1 to 4 ([Table]); noise, carry-forward and the order of strings,
// tables 6 to 8 ([Table6], [Table8]); and experiments that the paper mentions without
// numbers ([Announced]). Table 7 has no runs of its own: its networks with changes are those
// of table 1, and those without are those of table 6.
//
//	go test ./suites/recognition -run Table1 -v                      # some rows, trained in full
//	PUSHDOWN_SCALE=paper go test ./suites/recognition -timeout 0     # all rows, ten or thirty seeds
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
// networks reach 100. By the paper's own definition, the mean of yhat over all steps, even
// a perfect judge of prefixes cannot reach 100. So every run is scored by several readings of
// accuracy; see metric.Recognition:
//
//   - acc (N): in each string of the language, wherever a bracket is open, the right
//     closing bracket is the most probable of all closing brackets. This is the reading
//     closest to the public code of two of the baselines, and the only one that separates
//     the networks as the printed numbers do.
//   - acc-star (N*): N with the end symbol ranked among the closing brackets.
//   - acc-a (A): the paper's definition.
//   - acc-f (F): yhat at the end of the string alone.
//   - acc-c (C): at every step, yhat is above 1/2 if and only if the prefix read so far can
//     be continued to a string of the language.
//   - acc-m (M): more than half of the next symbols are predicted if and only if the string is
//     in the language, as a sentence of section 5 says. Searched rows have it, of the test strings. A
//     network with N of 100 has at most 96.1 on D2 and 98.8 on the others, because even an ideal one cannot know the next symbol, and one
//     with N of 0 has 49.7 or more. The paper prints 100 and 0, so M is ruled out.
//
// Almost every run succeeds or fails as a whole: N on the test strings is near 0 or near
// 100. A mean over seeds says little without the number of seeds that succeed. Where the
// seeds of a mean lie on both sides of 50, golden/recognition/README.md shows how many
// are above. The interval of such a mean is wide, and a printed number inside it is open,
// not a match. Each variant has ten seeds, which suffice to judge a mean. Rows with searched settings, which are
// judged, and rows as printed have thirty, because ten are too few to judge a best of ten. Of the rows as printed, twenty
// were run after the results of ten had been seen.
//
// # Readings
//
// The paper leaves these points open. The suite decides them as follows:
//
//   - An update has one string, and Adam runs at 2e-3, as printed. Further rows have eight
//     strings in an update and a rate of 1e-2, with task=batch8. For DiffStk-LSTM, -MLSTM
//     and -MIRNN it is four strings, with task=batch4. The paper states neither the
//     number of strings nor this rate.
//   - The loss of an update is the mean over its strings of the sum over their steps.
//     The loss of the next symbol counts only in strings of the language. Equation 1 has it in
//     every string, as rows with task=all-strings have. With one stack, two of ten seeds of the
//     Stack RNN then succeed on D2 instead of all thirty, five of ten of DiffStk-RNN instead of 27 of
//     thirty, and five of ten of -MRNN instead of 25. With ten stacks and one string an update
//     (task=all-strings-stacks10) nine, nine and ten of ten succeed, instead of 30, 30 and 27 of
//     thirty. So the printed mean of 70 of the Stack RNN is above ours with one stack and below with ten.
//     Rows for all networks and languages are listed, with ten seeds; the others have not been run. Rows with
//     task=small-corpus have 2,000 strings in each of training, development and test, the other size that the paper
//     states, and the settings searched with 6,230. They have not been run either.
//   - Each of 30 epochs ends with a validation. After three validations in a row without a
//     new best loss, the learning rate is halved, but not below 1e-4, as in an earlier
//     program of the authors. Results are those of the parameters with the best validation
//     loss. The paper's "best testing score" may be that of the best epoch on the test
//     strings, which test-acc-top reports.
//   - Back-propagation is truncated every 50 symbols from the start of a string.
//     Gradients of parameters are clipped element by element at 15.
//   - There is one stack of numbers, or ten in rows whose task says so. It is as deep as the longest training string in
//     training, and as deep as the longest string of all parts in evaluation. POP fills the
//     bottom with the value of empty cells, so more cells make no difference.
//   - Runs of tables 1 to 4 have noise and carry-forward. The paper does not say so about
//     these tables, but its other tables imply it. All six rows "with changes" of table 7
//     and "sequential" of table 8 have noise and carry-forward, and they equal the test
//     columns of table 1 digit for digit. In table 6, which has noise alone, the rows of
//     DiffStk-MRNN and -MIRNN do not equal them. Runs without noise and carry-forward are
//     the control of tables 6 and 7 only. Table 8 prints the same numbers as table 7, but
//     its control is "sequential".
//   - Noise has a standard deviation of 0.05, which the paper does not give. It is added
//     to the state of every network, because table 7 has rows of RNN, LSTM and Stack RNN
//     with changes, and these have no NO-OP at which to carry the state forward.
//   - The paper does not say how often it checks validation. So rows with task=late-cuts,
//     for all networks alike and with updates of one string, do not cut the rate before
//     epoch 20. For palindromes, late-cuts-by-length also adds strings by length as in
//     table 8. We chose late cuts after trials in which we looked at results on test
//     strings.
//   - The paper chose settings by validation loss (section 5.1) and does not say which. Rows with
//     task=search-..., ten seeds each, are the settings among which we search ([Grid]): one stack or
//     ten, and 1, 8, 32 or 64 strings in an update. The list was fixed before any of these rows was
//     run. They are not judged. The settings with the lowest mean validation loss are, in rows with
//     task=searched-stacks10 or task=searched, with thirty other seeds; see [Searched]. In tables 6 and 8 the tasks are
//     with-noise-searched and so on. Where the search chooses ten stacks, the best settings with one are judged, too; see
//     package verdict for a number that has another outcome with them.
//   - The paper does not say which palindromes it means. There are three readings; see
//     [formal.Palindrome]. A number of table 4 is judged under each. Rows without such a task have a marker and the
//     same letters in both halves. The other readings are rows with task=mapped-... and task=mapped-unmarked-....
//   - The paper has no schedule for the order by length of table 8. Ours has ten blocks.
//     A block is added after an epoch with N above 95 on the training strings that are in
//     use, and after two epochs at the latest. The number of updates in an epoch does not
//     change: an epoch passes through the strings in use several times if necessary.
//   - Training without difficult strings leaves the test strings unchanged. Claims about
//     such training and about labels (D15 and D19) are judged by acc-f, because yhat is what
//     difficult strings and labels train; N does not depend on it.
//   - The corpus of a language has one seed, 1. The seed of a run determines initial
//     weights, the order of strings and noise.
//
// # At paper scale
//
// golden/recognition/README.md has all results. Below, a seed succeeds if its N on the
// test strings is above 95. Rows with searched settings, which are judged, and rows as printed have
// thirty seeds, all others ten.
//
// On D2 settings have been searched. Ten stacks with one string an update have the lowest mean validation loss
// in each of the six networks that may have several stacks, and one string in all others. 32 and 64 strings
// are never chosen. Of thirty fresh seeds with ten stacks all succeed for the Stack RNN, DiffStk-RNN and -LSTM, 29 for
// DiffStk-MIRNN, 27 for -MRNN and 24 for -MLSTM. With one stack, as equations 4 to 7 show it, it is 30, 28 and 21,
// 19, 17 and 12; here -MRNN has eight strings an update. So both readings have the Stack RNN near 100, where the paper
// prints 70. In the search only 64 strings an update with ten stacks come near that number, and their validation loss is
// far from the lowest.
//
// On D3 all twelve networks have been searched. Those that may have several stacks were searched with one string an update.
// Ten stacks are chosen for all of these but DiffStk-MRNN, for which it is one stack. Of thirty fresh seeds with ten stacks all succeed for the Stack RNN, where the
// paper has a mean of 69, DiffStk-RNN and -LSTM, 24 for -MIRNN and 22 for -MLSTM; with one stack it is 30, 22, 12, 13 and 8.
// 22 of DiffStk-MRNN succeed, all ten in the search. It is 29 for the Stack RNN with a softmax, 14 for the Baby-NTM, and none
// for networks without a stack.
//
// On D6, too, all twelve have been searched. Ten stacks with one string an update are chosen again for the Stack RNN, DiffStk-RNN,
// -LSTM, -MLSTM and -MIRNN, and one stack for DiffStk-MRNN, whose fresh seeds have a higher mean loss, 0.772, than the ten of the
// search, 0.731. Of thirty fresh seeds with ten stacks all succeed for the Stack RNN, with the printed mean of 99.8, and for
// DiffStk-LSTM, 27 of DiffStk-RNN, and 21 each of -MLSTM and -MIRNN; with one stack it is 24, 8, 6, 8 and 3, and 24 of
// DiffStk-MRNN. It is 25 for the Stack RNN with a softmax, 12 for the Baby-NTM, and none for networks without a stack. If cells
// have three numbers and only the top cell is read (task=wide-cell), five of ten seeds of DiffStk-RNN succeed.
//
// On palindromes, too, all twelve have been searched: on those with the same letters in both halves and a marker (P1), those
// with letters of their own in the second half (P2), and these without the marker (P3). Ten stacks are chosen for all that may
// have several, and one string an update wherever eight were tried, too. Networks without a stack fail on all three, as
// printed. Of thirty fresh seeds of the others, so many succeed with ten stacks and with one:
//
//	                 P1      P2      P3
//	Stack RNN         0  0    5  3   23 15
//	with a softmax       0       9      19
//	Baby-NTM             1      12      27
//	DiffStk-RNN       6  3   26 19   28 25
//	DiffStk-LSTM      3  1   19 14   20  5
//	DiffStk-MRNN      2  1   12 16   18 18
//	DiffStk-MLSTM    10  6   24 13   23 13
//	DiffStk-MIRNN     2  0   11 12   13 12
//
// No reading gives all printed means, which are 50 for the Stack RNN, 60 with a softmax, 53 for the Baby-NTM and 61 to 65 for
// the DiffStk networks. With one stack, P3 gives 50 for the Stack RNN, 63 with a softmax, 63 for DiffStk-MRNN and 60 for
// -MLSTM, but 90 for the Baby-NTM, 83 for DiffStk-RNN, 34 for -LSTM and 41 for -MIRNN. P2 gives 63 for DiffStk-RNN and 69 for
// -LSTM, but 10 for the Stack RNN. With ten stacks both give 66 to 97 for the DiffStk networks. This was seen after the runs;
// no reading or order of readings was changed for it.
//
// Tables 6 to 8 have been run with the settings that the search chose on D2, with thirty fresh seeds a row. So many succeed
// with ten stacks and with one, where "both" is noise and carry-forward:
//
//	                neither   noise   both   both, by length
//	Stack RNN         30 30   30 30  30 30   29 28
//	DiffStk-RNN       30 30   30 30  30 28   29  7
//	DiffStk-MRNN      26  7   27  6  27 17   24  7
//	DiffStk-MIRNN     30  2   29  5  29 19   26 14
//
// With one stack DiffStk-MRNN has eight strings an update, all others one. The mean validation loss of its fresh seeds in
// table 1, 0.516, is above that of the ten in the search, 0.477. With ten stacks no number of these tables is judged worse
// than printed, and the means of the DiffStk networks lie within 3 of the printed ones, which are 97 to 100. The Stack RNN has
// 70 in print. Noise and carry-forward then raise the mean of DiffStk-RNN by 0.2 and that of -MRNN by 1.4, but that of -MIRNN
// falls by 0.6. Claims D11 and D12 ask a gain of all three and remain undecided. So does claim D13: the LSTM,
// which learns little either way, has a mean of 7.4 with strings by length and 6.2 without, but seeds differ as much.
//
// What follows is about rows that were not searched, with one stack and one string an update.
//
// As the paper says, networks without a stack fail in all runs, and networks with a stack
// can learn. The order among networks with a stack differs from the paper's. On D6 DiffStk-MRNN is the most reliable network, as
// printed: 27 of 30 seeds succeed. But the Stack RNN has 24, and with the settings searched, claim D03D6, about the
// means, is undecided.
// DiffStk-MLSTM, at 96 on D2 in the paper, learns least: 7 of 30 seeds
// succeed on D2 and 4 of 30 on D3, but 13 on D6, where DiffStk-MIRNN learns least, with 3
// of 30.
//
// Of the 456 seeds that succeed in tables 1 to 4, 385 also have N above 95 on the strings
// of 121 to 160 symbols, and the lowest has 40. In table 1 the paper's means of networks
// with a stack on these strings fall to 50 to 90. Some seeds of the DiffStk networks lose
// the language again in later epochs; the parameters with the best validation loss are
// from earlier epochs.
//
// Palindromes are hardly learned, where the paper has means of 50 to 65: 13 of 240 seeds
// of networks with a stack succeed, five of them seeds of DiffStk-MLSTM. In the variants it is
// seven of eighty without a cut of the rate before epoch 20, three if in addition the strings
// come by length, and five with eight or four strings an update.
//
// On D2, noise (table 6) raises the number of seeds that succeed from 15 to 21 of thirty for
// DiffStk-MRNN, from 28 to 30 for DiffStk-RNN, and from one to three for DiffStk-MIRNN.
// With noise and carry-forward (table 7) the numbers are 25, 27 and 20: of the three,
// DiffStk-RNN does not gain. With carry-forward alone (section 3)
// nine of ten seeds of DiffStk-MRNN succeed and eight of DiffStk-RNN. Adding strings by
// length (table 8) does harm: five of thirty seeds of DiffStk-RNN succeed instead of 27, ten
// of DiffStk-MRNN instead of 25, and 28 of the Stack RNN instead of thirty. For DiffStk-MIRNN
// it is 19 instead of 20. The paper, too, finds this order of strings worse, but hardly.
//
// Without a cut of the rate before epoch 20 (task=late-cuts), 81 per cent of the
// seeds of networks with a stack succeed on D2 instead of 74, 76 per cent on D3 instead of
// 64, and 50 on D6 instead of 47. By the reading judged here, a cut needs three epochs
// without a new best. By another reading of "has not improved in the last three checks", it
// needs three epochs in a row that are each no better than the epoch before
// (task=cuts-in-a-row, D2 only). With it 80 per cent of these
// seeds succeed, so that reading helps as much as late cuts do.
//
// With eight or four strings an update (task=batch8, batch4), 88 per cent of the seeds
// succeed on D2, 86 on D3 and 75 on D6. All ten seeds of DiffStk-MRNN succeed on each of
// the three. Of DiffStk-RNN all succeed on D2 and D3, and six of ten on D6 instead of five
// of thirty. The means of DiffStk-MRNN on D2 then agree with the printed ones on all strings.
//
// Also on D2 (section 3), all ten seeds of DiffStk-RNN and -MRNN succeed without
// difficult strings in training. With a label at the end alone, ten and seven seeds
// succeed. With a label that says whether each prefix is viable, it is ten and five. By
// yhat at the end (acc-f) the claim that difficult strings help (D15) fails, and the claim
// that labels at each step are better (D19) is undecided.
//
// The networks in package models and the strings in package formal document further
// readings.
package recognition
