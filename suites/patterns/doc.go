// Package patterns measures what the paper on stack-augmented recurrent networks,
// stack-rnn, reports about its algorithmic patterns: table 2 (which lengths of five
// counting languages each of five methods predicts), table 3 (the stacks of a small
// network on a^n b^2n), figure 2 (memorization and binary addition) and figure 3 (the
// stacks during an addition).
//
//	go test ./suites/patterns -run Learns -v                         # a network learns to count
//	PUSHDOWN_SCALE=paper go test ./suites/patterns -run Table2 -v    # table 2
//
// # Task
//
// A network reads an endless stream of strings without a mark between them and predicts
// each next symbol. Some symbols are random (the number of a's, the symbols to memorize)
// and cannot be predicted; all others can. The test has 200 strings for each n from 1 to
// 60. n is right if, in the first 199 of its strings, the network predicts every symbol
// that follows from those before it. These are the symbols after the first b (for
// a^n b^m c^(n+m) the first c), the separator or the equals sign, through the end of the
// string and, in a counting language, the first symbol of the next string. [Test]
// implements the test.
//
// test-lengths-% is the share of right lengths as the paper counts them: for counting
// languages from 2 to 59, with two more added (see Readings). A network generalises if
// this share is above a third. test-lengths-1to60-% is the share of all 60.
//
// # Protocol
//
// The protocol is that of the authors' program. SGD at 0.1 updates the parameters after
// every symbol. The gradient goes back 50 steps, through the values computed when those
// symbols were read. Every error is clamped to [-15, 15]. An epoch has 2,000 strings, and
// its longest n grows by one from epoch to epoch. Stacks are emptied every 1,000 strings.
// Each epoch is followed by a validation of 1,000 strings. Once there are more epochs
// than half the longest n, an epoch without a new best halves the learning rate and
// restores the best parameters. Training ends when the rate falls below 1e-5 or after 100
// epochs. A restart whose loss is no longer finite ends there. If it was validated
// before, its best parameters are its result and its golden trajectory is marked
// diverged. Package train implements the protocol ([train.Online]); [Experiment] says
// where a run differs from it.
//
// # Restarts
//
// The paper restarts a network at random, an unstated number of times, and reports the
// restart with the best validation. Here every restart is a seed with a line of its own
// in the golden file. Each network with stacks or lists has 10. RNN and LSTM have at
// least three for each of their sizes. All restarts of a row train on the same strings.
//
// A printed number is compared with that of the restart that the validation strings
// choose out of ten, whether or not it is the best on the test strings. Ten restarts are
// too few to know the distribution of a choice out of ten. That takes thirty; until then
// the numbers of table 2 are open. The claims J01 to J06, J11 and J14 resample ten of our
// restarts repeatedly. J07 and J08 use all restarts. After new rows have run or rules
// have changed,
//
//	go test ./suites/patterns -run Suite/Verdicts -update "<reason>"
//
// judges the existing runs again.
//
// # Figures
//
// golden/patterns/figures has figure 2, table 3 and figure 3 of our runs at paper scale,
// drawn from golden/patterns/traces. Figure 2 shows, for each restart, the share of
// strings of each length that it answers. The others show the steps of the restart that
// validation chooses, along the third of the traced strings.
//
// # Found
//
// golden/patterns/README.md has all results. Percentages below are shares of right
// lengths as the paper counts them; the chosen restart is the one that validation
// chooses.
//
//   - Table 2, networks with stacks. On each task some restarts are right on all lengths.
//     In seven of ten cells validation chooses one of them, where the paper prints 100.
//     (Its strings are longer than those of training, except on a^n b^2n.) With n below
//     20 in both training and validation it did so in five cells. On a^n b^n without
//     rounding it does not: the chosen restart has the lowest validation loss by 1.4 per
//     cent but only 25 per cent of the lengths, while three others have all.
//   - Without rounding the paper prints 43.3 for a^n b^m c^(n+m). Six of our restarts are
//     at 20 to 30 and four at 98.3 or 100, so the weakness is one of most restarts and
//     not of the network.
//   - By the count from 1 to 60 most of the chosen restarts that are right are at 98.3:
//     the length that they miss is 1, which does not occur in training.
//   - The RNN stays within the lengths of training, or a few beyond. The LSTM goes a
//     little further, where the paper prints 68.3 to 100; the best of 90 restarts is at
//     80. On a^n b^n c^n d^n nine of 18 restarts diverge in their second to fifth epoch,
//     elsewhere two of 75. The protocol of the LSTM is ours (see Readings) and too rough
//     for some sizes.
//   - Figure 2, memorization. A Stack or List RNN either learns it or stays at 0.74 to
//     0.85 nats, where the least possible is 0.46 (see Readings). Of ten Stack RNNs with
//     a no-op three learn it, and two of these copy nearly all strings of 21 to 59
//     symbols. Without a no-op five learn it and four copy them, of ten List RNNs six and
//     three. RNN and LSTM copy at most 3 per cent of them.
//   - Figure 2, addition. Two of ten restarts learn it, at 0.05 and 0.004 nats a digit.
//     They answer 28 and 76 per cent of the sums of 21 to 59 digits. Up to 20 digits the
//     second one is wrong on the first sum after the stacks were emptied and on hardly
//     any other (341 and 4 of 4,000, in a trial): the gradient of the first digits after
//     that goes back only a few steps, as in the program.
//   - Figure 3 (J14). With rounding none of ten restarts learns to add. The best answers
//     a tenth of the longer sums, and no stack has a role.
//   - Table 3 (J11). One restart of ten counts to 60 with two b's to an a, and validation
//     chooses it. Its stacks behave as the paper says: one stack is pushed on with every
//     a and popped until it is empty, then the other is popped up to the last b but one.
//     The last b, after which an a is predicted, pushes on it. One of the other nine has
//     the same pattern and yet predicts no length.
//
// # Readings
//
//   - In table 2, networks with stacks or lists train on the n of the authors' script, 10
//     to 20 by task and rounding, and are validated on n up to 19. The text says that n
//     grows "until it reaches some N" and N < 20, which the script does not contradict.
//     Validation on strings as short as those of training hardly distinguishes networks
//     that count from networks that do not. Runs with n below 20 in both are reported
//     beside them (TestVariants). RNN and LSTM are not in the script and train on n below
//     20. n starts at 2, as in the program.
//   - Lengths are counted from 2 to 59, which the program tests, and two are added as
//     right, out of 60. The printed percentages are multiples of a sixtieth, and "above
//     33.3" is the 18 lengths from 2 to 19 and two more. Which two they are, and that
//     they count as right, is inferred. The count from 1 to 60 is reported too.
//   - TestVariants also has an LSTM with a forget bias of 1, 100 units, and an update
//     every 25 symbols whose gradient goes back 25 steps. It has not been run to its end
//     yet.
//   - An epoch has 2,000 strings, the program's default, and 10,000 for additions. The
//     script has other numbers, from 1,000 to 10,000, mostly in examples with a no-op.
//   - a^n b^m c^(n+m) has no string of length 1; that length counts as right.
//   - Networks without stacks or lists are updated after every 25 symbols, because their
//     step costs up to fifty times as much, at a rate of 0.5 on the mean of the 25
//     gradients. At 2.5, the sum of the program's steps, an RNN of 40 units did not learn
//     to count a^n b^n (no length of 60 right; nor did one of 100 units). At 0.5 it
//     predicts 14 lengths and one of 100 units 17; at 0.1 after every symbol, 18. The
//     paper states no protocol for the LSTM. It has the same one, reads symbols as
//     one-hot vectors and starts as all LSTMs of this project do.
//   - For figure 2 the text has a no-op in memorization and the script has none. The
//     Stack RNN is run with and without.
//   - An addition trains on its answer only. A gradient goes back as many steps as
//     symbols were predicted since the stacks were emptied, at most 50, as in the
//     program. Trials on validation, with up to 25 epochs, in nats per symbol of the
//     answers: through all 50 steps at 0.1, two restarts of two reach 0.86 and 0.96,
//     worse than a guess; as in the program, one of two learns (0.008) and the other does
//     not (0.70); through all 50 steps at 0.03 one of one learns (0.015), but the
//     program's rate is 0.1. With 25 steps, with errors within 1 or with stacks emptied
//     before every string, the training loss is also lower than with all 50 steps. No
//     test repeats these trials, nor those of the updates above.
//   - Memorization takes long: a Stack RNN without no-op is at 0.84 after 13 epochs, at
//     0.48 after 20 and at 0.472 at the end, after 46. The least that a network can reach
//     is 0.462: ln 18 + 10.5 ln 2 nats of chance in the 22 symbols of a string. No
//     setting was changed for it.
//   - In the errors of stacks and lists numbers below 2^-96 are set to 0. The program
//     uses 64 bits; in 32 bits such errors become subnormal numbers, which are slow.
//   - The arguments of the sigmoids of h and of the pushed values are clamped to [-50,
//     50], as in the program. Full stacks drive all of h to 0 in the first epochs, in
//     some restarts for good; without the clamp those trained at a tenth of the speed, in
//     trials that no test repeats.
//   - A stack has 200 cells in training and 400 in the test. Soft pushes fill it to the
//     bottom at every length; a rounded network that works needs as many cells as the
//     longest string has symbols.
//   - Initial weights are normal with a standard deviation of 0.1. The program adds three
//     uniform numbers with the same spread.
//   - The first symbol of an epoch is read but not predicted, and the stacks are empty
//     after it, as in the program. Within an epoch both empty them before the last symbol
//     of a string. Validation and test start as an epoch does. In the program they start
//     with empty stacks and the last symbol of the alphabet, and the test with n = 2.
//     That symbol can make a difference of one length of 60: with it the rounded network
//     of the short run predicts all (TestTheFirstString). In trials with it in validation
//     and test, the second and third restart with rounding on a^n b^2n predict as many
//     lengths as without, 98.3 and 95 per cent. In the test alone it does harm: seven of
//     twenty rounded networks, which validation chose without it, are wrong from there
//     on.
package patterns
