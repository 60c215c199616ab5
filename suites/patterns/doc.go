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
// 60. A length n is right if the network predicts every predictable symbol in the first
// 199 of these strings. The predictable symbols are those after the first b (after the
// first c in a^n b^m c^(n+m)), after the separator, or after the equals sign, up to the end
// of the string. In a counting language, the first symbol of the next string is
// predictable too. [Test] implements the test.
//
// test-lengths-% is the share of right lengths as the paper counts them: for counting
// languages, these are the lengths from 2 to 59 and two that always count as right (see
// Readings). A network generalises if this share is above a third. test-lengths-1to60-% is
// the share of right lengths among those from 1 to 60.
//
// # Protocol
//
// The protocol is that of the authors' program. SGD at 0.1 updates the parameters after
// every symbol. The gradient goes back 50 steps, through the values computed when those
// symbols were read. Every error is clamped to [-15, 15]. An epoch has 2,000 strings, and
// the greatest n grows by one from epoch to epoch. Stacks are emptied every 1,000 strings.
// Each epoch is followed by a validation on 1,000 strings. Once the number of epochs
// exceeds half the greatest n of the task, an epoch without a new best halves the learning
// rate and restores the best parameters. Training ends when the rate falls below 1e-5 or
// after 100 epochs. A restart ends when its loss is no longer finite. If it was validated
// before, its best parameters are its result, and its golden trajectory is marked
// diverged. Package train implements the protocol ([train.Online]); [Experiment] says
// where a run differs from it.
//
// # Restarts
//
// The paper trains each network from several random starts and reports the start with the
// best validation; it does not say how many starts there are. Here every restart is a
// seed with a line of its own in the golden file. In table 2, each network has thirty
// restarts, at least five for each size; in the figures, each network with stacks or lists
// has ten. All restarts of a row train on the same strings.
//
// A printed number is compared with the result of one of our restarts: the one with the
// lowest validation loss out of ten, whether or not it is the best on the test strings. That
// it is one of ten is our reading; the paper gives no number. Ten restarts are too few to
// know the distribution of a choice out of ten; that takes thirty. The tables show the
// restart chosen of all thirty, and the interval of a choice of ten. For the claims J01 to
// J05 ten of our restarts are drawn again and again; for J06, J11 and J14 as many as the
// row has, which is ten, or three for RNN and LSTM in figure 2. J07 and J08 use all
// restarts. The variants have ten restarts, and their chosen one is that with the lowest
// validation loss of these ten.
//
// # Figures
//
// golden/patterns/figures has figure 2, table 3 and figure 3 of our runs at paper scale,
// drawn from golden/patterns/traces. Figure 2 shows, for each restart and each length, the
// share of strings that are right. Table 3 and figure 3 show the steps of the restart that
// validation chooses, along the third traced string.
//
// # Found
//
// golden/patterns/README.md has all results. Percentages below are shares of right
// lengths as the paper counts them; the chosen restart is the one that validation
// chooses.
//
//   - Table 2, Stack RNN. On each task some of the thirty restarts are right on all lengths.
//     (Validation strings are longer than training strings, except on a^n b^2n.) With
//     rounding, the restart that validation chooses of the thirty is right on 96.7 to 100
//     per cent of the lengths on every task. Without rounding it is so on three tasks, but
//     on a^n b^n it is right on 38 per cent of the lengths, although eight other restarts
//     are right on at least 98. The choice is much a matter of luck: if ten are drawn from
//     the thirty with replacement, the one chosen has less than 50 per cent in 4 to 85
//     per cent of the draws in seven of the ten cells, and in fewer in the other three.
//     Claims J03 and J04, by which the Stack RNN is perfect on four tasks without
//     rounding and on all five with it, fail: they hold in 0.3 and 1.1 per cent of the
//     draws. With n below 20 in both training and validation, validation chooses a
//     restart that is right on all lengths in three of eight cells.
//   - Without rounding the paper prints 43.3 for a^n b^m c^(n+m). Of our restarts 22 are
//     below 50 and five at 98.3 or 100, so the weakness is one of most restarts and not of
//     the network.
//   - Counted from 1 to 60, three of the five chosen restarts with 100 per cent have only
//     98.3: they are wrong on length 1, which does not occur in training.
//   - The chosen restart of the RNN is right on the lengths of training, one fewer, or two
//     more; one of all 150 restarts is right on more than half of the lengths. The LSTM is
//     right on some more: of thirty restarts, the chosen one is right on 33 to 42 per cent of the
//     lengths, where the paper prints 68.3 to 100. All five numbers differ. Of all
//     150 restarts 17 are above 50, and the best is at 80. On a^n b^n c^n d^n twelve of
//     thirty restarts diverge; on the other tasks, two of 120 do. The protocol of the LSTM
//     is ours (see Readings) and too rough for some sizes.
//   - Of thirty restarts of the List RNN, the chosen one is right on 98.3 per cent of the
//     lengths of a^n b^n c^n, on all of a^n b^m c^(n+m), on 78.3 per cent of those of
//     a^n b^2n, and on 33.3 per cent on the other two tasks. Of all 150 restarts 59 are right
//     on more than half of the lengths and 33 on at least 98 per cent.
//   - Figure 2, memorization. A Stack or List RNN either learns it or stays at 0.74 to
//     0.85 nats, where the least possible is 0.46 (see Readings). Of ten Stack RNNs with
//     a no-op three learn it, and two of these copy nearly all strings of 21 to 59
//     symbols. Of ten Stack RNNs without a no-op five learn it, and four of these copy
//     nearly all such strings. Of ten List RNNs six learn it, and three of these copy
//     nearly all such strings. RNN and LSTM copy at most 3 per cent of such strings.
//   - Figure 2, addition. Two of ten restarts learn it, at 0.05 and 0.004 nats a digit.
//     They answer 28 and 76 per cent of the sums of 21 to 59 digits.
//   - Figure 3 (J14). With rounding none of ten restarts learns to add. The best restart
//     answers a tenth of the longer sums, and no stack has a role. J14 presumes a restart that
//     adds, so it is undecided.
//   - Table 3 (J11). One restart of ten counts to 60 with two b's for each a, and
//     validation chooses it. Its stacks behave as the paper says: one stack is pushed on
//     with every a and popped until it is empty, then the second stack is popped up to the
//     last b but one. The last b, after which an a is predicted, pushes on the second
//     stack. One of the other nine restarts has the same pattern, yet it is right on no
//     length.
//
// # Readings
//
//   - In table 2, networks with stacks or lists train on n below the bound in the authors'
//     script, which is 10, 15 or 20 depending on task and rounding. They are validated on
//     n up to 19. The text says that n grows "until it reaches some N" and N < 20, which
//     the script does not contradict. We expected that validation on strings as
//     short as those of training hardly distinguishes networks that count from networks
//     that do not, but runs with n below 20 in both, which are reported beside them
//     (TestVariants), choose no worse: in three of twelve cells the chosen restart is right
//     on less than half of the lengths, and with the lengths of the script in four. RNN and
//     LSTM are not in the script and train on n below 20. n starts at 2, as in the program.
//   - Sixty lengths are counted: those from 2 to 59, which the program tests, and two that
//     always count as right. The printed percentages are multiples of a sixtieth, and
//     33.3 per cent is the 18 lengths from 2 to 19 and two more. We inferred which two
//     these are, and that they count as right. The count from 1 to 60 is reported too.
//   - TestVariants also has an LSTM with a forget bias of 1, 100 units, and an update
//     every 25 symbols whose gradient goes back 25 steps. The chosen restarts are right on
//     36.7 to 41.7 per cent of the lengths, and the best of all 50 on 55 per cent.
//   - An epoch has 2,000 strings, the program's default, and 10,000 for additions. The
//     script has other numbers, from 1,000 to 10,000, mostly in examples with a no-op.
//   - a^n b^m c^(n+m) has no string of length 1; that length counts as right.
//   - Networks without stacks or lists are updated after every 25 symbols, because a
//     step of theirs costs up to fifty times as much as one of a network with stacks.
//     The rate is 0.5 on the mean of the 25 gradients, a fifth of the sum of the program's
//     25 steps. The paper states no protocol for the LSTM. Ours is that of the RNN; the LSTM
//     reads symbols as one-hot vectors and has the initial weights of all LSTMs in this
//     repository. TestVariants has baselines of at most 100 units in a layer that are updated after every
//     symbol at a rate of 0.1, as the program does.
//   - For memorization in figure 2, the text has a no-op and the script has none. The
//     Stack RNN is run with and without a no-op.
//   - Only the answer of an addition is predicted. A gradient goes back as many steps as
//     symbols were predicted since the stacks were emptied, at most 50, as in the program.
//   - Memorization takes long: the loss of a Stack RNN without a no-op is 0.84 after 13
//     epochs, 0.48 after 20, and 0.472 at the end, after 46. The least that a network can
//     reach is 0.462: ln 18 + 10.5 ln 2 nats of chance in the 22 symbols of a string. We
//     did not change any setting to make it faster.
//   - In the errors of stacks and lists, numbers below 2^-96 are set to 0. The program
//     uses 64 bits; in 32 bits such errors become subnormal numbers, which are slow.
//   - The arguments of the sigmoids of h and of the pushed values are clamped to [-50,
//     50], as in the program. In the first epochs full stacks drive all of h to 0, in some
//     restarts for good.
//   - A stack has 200 cells in training and 400 in the test. Soft pushes fill it to the
//     bottom at every length; a rounded network that works needs as many cells as the
//     longest string has symbols.
//   - Initial weights are normal with a standard deviation of 0.1. The program adds three
//     uniform numbers, with the same spread.
//   - The first symbol of an epoch is read but not predicted, and the stacks are empty
//     after it, as in the program. Within an epoch, the stacks are emptied before the last
//     symbol of a string is read, also as in the program. Validation and test start as an
//     epoch does. In the program, validation and test start with empty stacks and first
//     read the last symbol of the alphabet, and the test starts with n = 2. Reading this
//     symbol can change the result for one length of 60: with it, the rounded network of
//     the short run predicts all lengths (TestTheFirstString).
package patterns
