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
// to 60 it is tested on 200 strings, and n is right if of 199 of them every symbol is
// predicted that follows from those before: after the first b (of a^n b^m c^(n+m)
// the first c), the separator or the equals sign, to the end and, of a counting
// language, the first symbol of the next string. [Test] runs it. test-lengths-% is the
// share of right lengths as the paper counts them, of counting languages from 2 to 59 with
// two more (Readings), and above a third of them the network is said to generalise;
// test-lengths-1to60-% is the share of all 60.
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
// ten, as there are ten of most networks. Ten of ours are too few to say what the choice of
// ten comes to: that takes thirty, and until then the numbers of table 2 are open. The
// claims J01 to J06, J11 and J14 draw ten of ours again and again. J07 and J08 speak of all
// restarts. Once there are more rows, or rules have changed,
//
//	go test ./suites/patterns -run Suite/Verdicts -update "<reason>"
//
// judges what has been run anew.
//
// # Figures
//
// golden/patterns/figures has figure 2, table 3 and figure 3 of our runs at paper
// scale, drawn of golden/patterns/traces: of figure 2 the strings of each length that
// each restart answers, of the others the steps of the restart that the validation
// strings choose, along the third of the traced strings.
//
// # Found
//
// In per cent, of the restart that validation chooses, as the paper counts lengths; behind
// it the number of restarts of ten, of the LSTM of 18, that are above a third; then the
// paper's figure. Of the List RNN four tasks have been run with n below 20 alone.
//
//	             a^n b^n      a^n b^n c^n     a^n b^n c^n d^n  a^n b^2n        a^n b^m c^(n+m)
//	RNN          33.3 (4) 25  31.7 (1) 23.3   33.3 (0) 13.3    36.7 (2) 23.3   31.7 (0) 33.3
//	LSTM         36.7 (18) 100  35 (17) 100   50 (9) 68.3      38.3 (18) 75    33.3 (17) 100
//	List RNN                                                   36.7 (7) 100
//	Stack RNN    25 (8) 100   100 (8) 100     100 (4) 100      100 (6) 100     26.7 (4) 43.3
//	  rounded    100 (10) 100  98.3 (9) 100   100 (4) 100      100 (8) 100     100 (7) 100
//
// What stands behind these figures, and what the others show:
//
//   - With stacks, each task has restarts that are right on all lengths, and validation,
//     whose strings are longer than those of training but of a^n b^2n, chooses one of them
//     in seven cells of ten, as printed. With n below 20 in both it did in five. Where it
//     does not, on a^n b^n without rounding, the chosen restart has the least loss by 1.4
//     per cent and is right on 25 per cent, and three others are right on all.
//   - Without rounding the paper has 43.3 for a^n b^m c^(n+m). Six of our restarts are at
//     20 to 30 and four at 98.3 or 100: what it took for a weakness of the network is one
//     of most restarts.
//   - By the count from 1 to 60 most of the chosen restarts are at 98.3: the length that
//     is wrong is 1, which training does not have.
//   - The RNN stays within the lengths of training, or a few beyond. The LSTM goes little
//     beyond, where the paper has 68.3 to 100; the best of 90 restarts is at 80. On
//     a^n b^n c^n d^n nine of 18 diverge in their second to fifth epoch, elsewhere two of
//     75: the protocol is ours (Readings), and too rough for some sizes.
//   - Figure 2, memorization: a restart learns it or stays at 0.74 to 0.85 nats, where
//     0.46 is the least (Readings). Of ten Stack RNNs with a no-op three learn it and two
//     copy nearly all strings of 21 to 59 symbols; without it five and four do; of List
//     RNNs six and three. RNN and LSTM copy at most 3 per cent of them.
//   - Figure 2, addition: two of ten restarts learn it (0.05 and 0.004 nats a digit).
//     They answer 28 and 76 per cent of the sums of 21 to 59 digits. Up to 20 the second
//     is wrong on the first sum after stacks were emptied and on hardly any other (341
//     and 4 of 4,000, in a trial): the gradient of the first digits after that reaches
//     back but a few steps, as in the program.
//   - Figure 3 (J14): with rounding no restart of ten learns to add, the best answers a
//     tenth of the longer sums, and no stack has a role.
//   - Table 3 (J11): one restart of ten counts to 60 and two b's to an a, and it is the
//     one that validation chooses. Its stacks do what the paper says of them: one is
//     pushed on with every a and popped from until it is empty, then the other is, up
//     to the last b but one; on the last, after which an a is predicted, it is pushed on.
//     Of the other nine one does the same and yet predicts no length.
//
// # Readings
//
//   - Of networks with stacks or lists, n of training in table 2 is that of the authors'
//     script, 10 to 20 by task and rounding, and validation has n up to 19. The text says
//     that n grows "until it reaches some N" and N < 20, which the script does not
//     contradict; validation by strings as short as those of training hardly tells
//     networks that count from those that do not. Runs with n below 20 in training and
//     validation stand beside them (TestVariants). RNN and LSTM are not in the script and
//     have n below 20. n starts at 2, as in the program.
//   - Lengths are counted from 2 to 59, as the program tests them, and two are added,
//     out of 60: the printed figures are multiples of a sixtieth, and "above 33.3" is the
//     18 lengths from 2 to 19 and two more. Which two they are, and that they are right, is
//     inferred. The count from 1 to 60 is reported, too.
//   - Beside the LSTM stands one with a forget bias of 1, of 100 units, with an update
//     every 25 symbols and a gradient that goes back as far (TestVariants). It has not
//     been run to its end yet.
//   - An epoch is 2,000 strings, the program's own number, of additions 10,000. Its
//     script has others, from 1,000 to 10,000, mostly in examples with a no-op.
//   - Of a^n b^m c^(n+m) there is no string of length 1; from 1 to 60 it counts as right.
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
