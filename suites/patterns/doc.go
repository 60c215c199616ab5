// Package patterns measures what the paper on stack-augmented recurrent networks,
// stack-rnn, says of its algorithmic patterns: table 2 (which lengths of five
// counting languages each of five methods predicts), table 3 (the stacks of a small
// network on a^n b^2n), figure 2 (memorization and binary addition) and figure 3
// (the stacks during an addition).
//
//	go test ./suites/patterns -run Learns -v                         # two networks learn to count
//	PUSHDOWN_SCALE=paper go test ./suites/patterns -run Table2 -v    # table 2
//
// # Task
//
// A network reads an endless stream of strings without a mark between them and
// predicts each next symbol. What the pattern leaves to chance (how many a's there
// are, what is to be memorized) it cannot know; all else it can. For each n from 1
// to 60 it is tested on 200 strings, and n counts if of 199 of them every symbol is
// predicted that follows from those before: after the first b (of a^n b^m c^(n+m)
// the first c), the separator or the equals sign, to the end and, of a counting
// language, the first symbol of the next string. [Test] runs it; test-lengths-% is
// the share of the 60 lengths, and above a third of them the network goes beyond
// the lengths of training.
//
// # Protocol
//
// It is that of the authors' program: an update after every symbol by SGD at 0.1,
// the gradient going back 50 steps through what was computed when they were read;
// every error within 15; epochs of 2,000 strings whose longest n rises by one from
// epoch to epoch; stacks emptied every 1,000 strings. After each epoch come 1,000
// validation strings. Once more than half as many epochs as the longest n have
// passed, an epoch without a new best halves the rate and goes back to the best
// parameters; training ends at a rate below 1e-5 or after 100 epochs. A restart whose
// loss is no longer finite ends there, with its best parameters if it has been
// validated, and its golden trajectory says diverged. Package train has all of it
// ([train.Online]); [Experiment] says where a run differs.
//
// # Restarts
//
// The paper restarts a network at random and takes the best by validation; of how
// many restarts it does not say. Here every restart is a seed and has a line of its
// own in the golden file: 10 of each network with stacks or lists, and of RNN and
// LSTM as many as give each of their sizes three. All restarts of a row train on the
// same strings. A printed figure is held against that of the restart which the
// validation strings choose out of ten, be it the best on the test strings or not;
// ten, as there are ten of most networks. The verdict draws ten of ours again and
// again, and so do the claims J01 to J06, J11 and J14. J07 and J08 speak of all
// restarts. Beside it a table has the chosen restart, from how many it was chosen,
// and how many of them succeed ([Select]). Once there are more rows, or rules have
// changed,
//
//	go test ./suites/patterns -run Verdicts -update "<reason>"
//
// judges what has been run anew.
//
// # Figures
//
// golden/patterns/figures has figure 2, table 3 and figure 3 of our runs at paper
// scale: of figure 2 the strings of each length that each restart answers, of the
// others the trace of the restart that the validation strings choose, along the third
// of the traced strings. A test draws them from there and from kept parameters.
//
// # Found
//
//   - Table 2: of the rows that have been run, the restart that validation chooses
//     predicts all lengths of a^n b^n, with rounding and without. Two restarts of ten are
//     perfect, with rounding five; all go beyond the lengths of training. Of
//     a^n b^m c^(n+m) with rounding five are perfect and nine go beyond; the chosen one
//     is right on all lengths but one (98.3).
//   - Where a single length is missing, it may be for one string (see Readings): each of
//     the two kept networks with 98.3, of the short run of a^n b^m c^(n+m) and of table
//     3, fails on one of 12,000 alone, the former on the first.
//   - Of a^n b^2n and a^n b^n c^n no rounded restart is right on all sixty lengths, where
//     the paper has 100. The chosen ones are at 98.3, and at 100 by the program's count,
//     which is of the lengths 2 to 59. a^n b^n c^n d^n is learned by two of ten (93.3 and
//     95), neither of which validation chooses.
//   - Without rounding the paper has 43.3 for a^n b^m c^(n+m). Six of ours are at 33.3
//     to 51.7, but three of ten are perfect, and the one that validation chooses is
//     right on all lengths but one (98.3). Which one is chosen depends on the ten: 43.3
//     is within what ten restarts give, at its lower end. What the paper took for a
//     weakness of the network is one of most restarts.
//   - An RNN predicts 8.3 to 53.3 per cent of the lengths of a^n b^n, the one of 500
//     units that validation chooses 30, where the paper has 25. Two of ten go beyond
//     a third of them, which validation does not see.
//   - Table 3 (J11): one restart of ten counts to 60 and two b's to an a, and it is the
//     one that validation chooses. Its stacks do what the paper says of them: one is
//     pushed on with every a and popped from until it is empty, then the other is, up
//     to the last b but one; on the last, after which an a is predicted, it is pushed on.
//     Of the other nine one does the same and yet predicts no length.
//
// # Readings
//
//   - n of training is below 20 in table 2, as the text has it. The authors' script
//     has 10 to 20, by task; these runs stand beside (TestScript). n starts at 2, as
//     in their program, although the test begins with 1.
//   - An epoch is 2,000 strings, the program's own number, of additions 10,000. Its
//     script has others, from 1,000 to 10,000, mostly in examples with a no-op.
//   - Of a^n b^m c^(n+m) there is no string of length 1; that length counts as right.
//   - Networks without stacks or lists are updated after every 25 symbols, because a
//     step of theirs costs up to fifty times as much, at 0.5 times the mean of the 25
//     gradients. At 2.5, the sum of the program's steps, an RNN of 40 units did not
//     learn to count a^n b^n (no length of 60 right, nor with updates of that size
//     with 100 units); at 0.5 it predicts 14 and one of 100 units 17 lengths, and at
//     0.1 after every symbol 18. For the LSTM the paper states no protocol; it has the
//     same, reads symbols as vectors and starts as all LSTMs of this project do.
//   - Of figure 2 the text has a no-op on memorization, the script has none: the
//     Stack RNN is there with and without.
//   - An addition is learnt from at its answer alone, and a gradient goes back as many
//     steps as symbols have been predicted since stacks were emptied, at most 50, as in
//     the program. Tried on validation, in nats per symbol of the answers, with up to
//     25 epochs: through all 50 steps, at the rate 0.1, two restarts of two come to
//     0.86 and 0.96, worse than a guess; as in the program one of two learns (0.008),
//     the other does not (0.70). Through all 50 steps at 0.03 one of one learns
//     (0.015), but the program's rate is 0.1. With 25 steps, with errors within 1 or
//     with stacks emptied before every string the loss in training is lower than with
//     all of the program's 50, too. These were trials, as those of the updates above:
//     no test repeats them.
//   - Memorization takes its time: a Stack RNN without no-op is at 0.84 after 13
//     epochs, at 0.48 after 20 and at 0.472 at the end, after 46, where 0.462 is the
//     least that a network can come to: ln 18 + 10.5 ln 2 nats of chance in the 22 symbols
//     of a string. No setting was changed for it.
//   - Numbers of an error of stacks and lists below 2^-96 are dropped. The program
//     has 64 bits; in 32 such errors become subnormal numbers, and slow.
//   - What h and the pushed values are the sigmoid of is kept within 50 of 0, as in the
//     program. Full stacks drive all of h to 0 in the first epochs, and in some
//     restarts for good; without the bound those trained at a tenth of the speed, in
//     trials that no test repeats.
//   - A stack has 200 cells in training, 400 at test. Soft pushes fill it to the
//     bottom at every length; a rounded network of any use needs as many cells as
//     the longest string has symbols.
//   - The initial weights are normal with deviation 0.1 where the program adds three
//     uniform numbers with the same spread.
//   - The first symbol of an epoch is read and not predicted, and stacks are empty after
//     it, as in the program; within an epoch both empty them before the last symbol of
//     a string. Validation and test begin as an epoch does. In the program they begin
//     with the last symbol of the alphabet for empty stacks, and the test with n = 2.
//     The symbol can make a difference of one length of 60: with it the rounded network
//     of the short run predicts all (TestTheFirstString). In trials with it in both, the
//     networks of the second and third restart with rounding on a^n b^2n predict as
//     many lengths as without, 98.3 and 95 per cent. In the test alone it does harm:
//     seven of twenty rounded networks, which validation has chosen without it, are
//     wrong from there on.
package patterns
