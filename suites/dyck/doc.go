// Package dyck measures what the papers say about m-bounded Dyck-k languages.
//
// It holds, of resurgence, the Dyck-RNN in the rows dyck-m4, dyck-m6 and dyck-m8
// of tables 1 and 2 ([Table2]), the experiment of section 6.2 with trained
// embeddings ([Unfrozen]) and the networks for natural language on the same task
// of section 5.4 ([Readouts]); of second-order-lstm the language models of table 1
// ([Table1]), with the model that the paper tried before, at other rates ([Rates])
// and on other lengths ([Lengths]).
//
//	go test ./suites/dyck -run WCPA -v              # Dyck-RNN
//	go test ./suites/dyck -run LanguageModels -v    # table 1 of second-order-lstm
//
// # Task
//
// For each closing bracket of a string the model reads the prefix before it and
// predicts the type of the bracket. WCPA is the lowest, over the distances
// between closing and opening bracket that occur in the test strings, of the
// share of brackets to which the model gives at least 0.8 of the probability.
//
// A language model reads START and the brackets and predicts each next symbol,
// END included. Its perplexity is exp of the mean loss over all of these. Its WCPA
// looks at the symbols that are closing brackets, and at the probability of the
// right one among the probabilities of all closing brackets. The public code of
// the language asks otherwise: wherever a bracket is open, for more than 0.8, and
// with distances that are less by one. Both are reported, and WCPA over distances
// with at least 20 cases, too: without a least number of cases rare distances, one
// or two brackets in all the strings, decide it.
//
// # Readings of resurgence
//
// What the paper leaves open is decided here:
//
//   - Lengths of strings: 6m(m-2)+20 to 8m(m-2)+60, as package formal has them;
//     10,000, 4,000 and 10,000 strings, whose sum is the paper's 24,000. The
//     corpus of each m has its own seed, m.
//   - A batch of 512 is 512 pairs of a prefix and a bracket, drawn without
//     replacement from the shuffled list of all pairs: the epochs and minutes of
//     table 1 scale with m that way and no other.
//   - Training stops after the first epoch with a mean loss over all closing brackets
//     of the development strings below 5.12e-3, or after 30,000 updates, so that a
//     configuration that fails ends. The printed threshold is 1e-5. Read as the mean
//     loss of an example it takes 18, 8 and 4 epochs where table 1 prints 4, 2 and 1.
//     Read as the sum over batches of their mean losses, divided by the number of
//     examples, it is 512 times as large, and gives those epochs. This reading was
//     chosen because it gives three printed numbers. The literal one is the task
//     literal of each row ([Literal]), with the loss looked at every 500 updates.
//   - No clipping and no patience: the paper states both for all models, but a
//     loss that has to fall below a threshold is a stopping rule of its own.
//   - Five trained numbers, whatever m is: W_proj, W_o and b_o. The brackets'
//     values 1, 2, -1, -2 are fixed, W_proj starts positive; see package models.
//
// For the networks of section 5.4 the paper states no sizes and no settings:
//
//   - m and 3m hidden units, an embedding of 30, the last state read out over the k
//     closing brackets; Adam at 0.001, gradients clipped to a norm of 3.5, at most
//     200 epochs, an end after five without a new best on the development strings,
//     whose parameters are taken: what the paper says of its models in general.
//   - No dropout and no batches of 128: section 5.3 states both of "all the models
//     described above", among which are these, but in the training on text. [Dropouts]
//     has both, and [Generators] trains the networks as language models, as section 4.1
//     says. The paper makes claim R08 next to the words "by using
//     only m hidden units", so it is judged at m.
//   - A batch holds whole strings with about 512 closing brackets, each of which is
//     an example: the same examples as prefixes at a fraction of the cost. An epoch
//     is cut into as many batches as 512 goes into its closing brackets.
//
// # Readings of second-order-lstm
//
//   - Strings as for resurgence. There is no PAD token: nothing is padded.
//   - Parameters are counted as the paper counts them, in the cells alone with one
//     bias for each map; its unit is thousands, not millions. The 8.6 of two cells for
//     m = 8 is a slip for 10.6: twice the baseline, as for m = 4 and m = 6.
//   - An epoch without a new best is one in which the validation loss falls by less
//     than a share of 1e-4. The rate is halved at the fourth of them in a row: the
//     paper's "patience parameter 3" is that of a library which lets three pass.
//     Training ends after six; the text says "of increasing perplexity". The best
//     parameters are taken.
//   - The temperature of the attention model is 1 in the first epoch and 0.9 times
//     as high in each that follows. Validations that decide are made at the present
//     one. Figures are those of the sharp choice, which the paper tests with ("an
//     arbitrarily low" temperature); those at the temperature of the best parameters
//     stand beside them as soft.
//   - The assignment model gives each type of bracket a cell; START and END go to
//     the first.
//   - Nothing is clipped and there is no dropout.
//   - The stated rate of 1e-4 does not come to the published perplexities in 100
//     epochs, so runs may have 300 of them; beside these stand runs of at most 100 at
//     1e-2, the rate of the public code of the language, and at 1e-3.
//
// # Figures
//
// [Figures] draws four figures of second-order-lstm from the traces of runs: the
// accuracy at every distance with its cases (figure 2), validation WCPA by epoch
// (figure 3), the principal angles between the hidden-to-hidden matrices of the two
// cells of an attention model, each of them 4h by h, beside those of two random
// matrices of that shape (figure 4), and for m = 4 the cell and the weight of each
// symbol of the paper's own string (figure 6). Each test leaves as artifacts the
// figures of what it ran, and the numbers of each row.
//
// The traces of the runs at paper scale ([Trace]) are in golden/dyck/traces, a file
// for each row. A run with -update takes its own into them. TestSuite holds them
// against the golden file of the same runs, and the figures that the README shows
// against them; with -update it draws these again.
//
// # Claims without a table
//
// S05 says that the WCPA of the baseline for m = 8 is zero because its accuracy is
// zero "near" distance 300. The first half is a relation over the table. For the
// second we take, of the distances of the lowest accuracy in the test strings, the
// one nearest to 300, and ask whether it is at most 30 away in the median run. S11,
// that a word always goes to the same cell, is so by what the model is; it is
// measured all the same: the assignment model that gives each symbol the cell of its
// largest score, with the other weights of the trained attention model, answers every
// test string with the same bits as that model with a sharp choice.
//
// # What reproduces of resurgence
//
// WCPA is 100 in all thirty runs of table 2, and the epochs are those of table 1, 4, 2
// and 1, in 29 of them: one seed of m = 4 needs 3. The epochs chose the reading of the
// threshold, so they are no evidence for it. With the threshold read literally WCPA is
// 100 as well, after 14,000 to 15,000 updates for every m. Two things the paper leaves
// open were varied then, for m = 4 and seed 1: values of the opening brackets of 1 and
// 4, 1 and 10, 1 and 20 end after 12,000, 11,000 and 10,500 updates, 5 and 10 or 10 and
// 20 after 15,000; W_proj starting at 5 instead of 1 changes little (TestBrackets runs
// them all). That epochs fall as m grows (claim R13) follows from the length of the
// list alone: the updates are about the same.
//
// In section 6.2 a trained embedding of two numbers reaches WCPA 100 in all thirty
// runs, after one epoch for every m. With one number no run does, and with the shift by
// one number none of ten; with the threshold read literally three of thirty and four
// of ten do: these runs go on, and some find a way out.
//
// That networks for natural language stay at or below a WCPA of 50 on closing
// brackets (claim R08) depends on their size, which the paper does not state. With m
// units nearly all do: in the median over seeds all but the mmLSTM for m = 8. With
// 3m, the size of the networks of second-order-lstm, all four reach 99 or more for
// m = 4, all but the RNN go beyond 50 for m = 6, and the mmLSTM does for m = 8. With m
// units and the dropout and batches of section 5.3 all 24 runs for m = 4 and m = 6 have a
// WCPA of 0; trained as language models ten of twelve for m = 4 do.
//
// # What does not reproduce of second-order-lstm
//
// Its table 1 comes out at a learning rate of 1e-2, not at the stated one of 1e-4.
// Perplexities on test strings, means of five seeds, two cells for attention:
//
//	                 published   1e-4    1e-3    1e-2   1e-2, 80 brackets or more
//	m = 4 baseline       2.393  2.418   2.397   2.404   2.395
//	      attention      2.387  2.434   2.408   2.400   2.390
//	      assignment            2.414   2.401   2.398
//	m = 6 baseline       2.533  2.557   2.529   2.533
//	      attention      2.530  2.547   2.530   2.530
//	      assignment            2.540   2.528   2.541
//	m = 8 baseline       2.617  2.655   2.606   2.619
//	      attention      2.611  2.734   2.603   2.610
//	      assignment            2.617   2.601   2.605
//
// At 1e-4 a run stops, by the patience of six epochs, after 64 to 204 of them and
// before it has the perplexities of the others. At 1e-2 all means for m = 6 and m = 8
// lie within 0.002 of the published numbers. Those for m = 4 do not: 2.387 is less
// than the entropy of our strings allows, 2.388, so the paper's were others. With 80
// brackets or more in place of 68, its numbers are within 0.004 of ours.
//
// An attention model is judged by its sharp choice. Where the best epoch comes while
// the scores of a symbol are still about equal, the sharp choice is a network that was
// never trained: 2.507 in place of 2.445 for seed 1 of m = 4 at the stated rate, 3.084
// in place of 2.714 for seed 5 of m = 8, a WCPA of 0 in place of 99.7 for seed 5 of
// m = 4 at 1e-3. Claims S01 to S04 rest on these figures. At 1e-2 the attention model
// is better than the baseline by 0.003, 0.004 and 0.009 in the mean for m = 4, 6 and 8
// (printed are 0.006, 0.003 and 0.006), at the stated rate for m = 6 alone.
// The assignment model, which has nothing to choose, is the best of the three at the
// stated rate for every m.
//
// WCPA is decided by one or two brackets at distances that hardly occur: for m = 8 at
// 1e-2 a seed has 50 where one of two brackets is wrong. The baseline for m = 8 has
// the printed WCPA of 0 in every seed at the stated rate, in two of five at 1e-3 and
// in none at 1e-2. Its distances of the lowest accuracy lie within 30 of 300, as the
// paper says (claim S05), in three of five seeds at 1e-4, one at 1e-3 and all five at
// 1e-2.
//
// Validation WCPA does not rise more steadily for the attention model (claim S06): at
// the stated rate the falls from epoch to epoch sum up to 520 against 720 of the
// baseline for m = 4, in the median, but to 1,644 against 874 for m = 6, and for m = 8
// no baseline ever leaves 0. Fewer epochs to the best one (claim S07) are what the
// medians say, 152 against 173, 165 against 167 and 110 against 143, within the spread
// of the seeds.
//
// The split of openings and closings between two cells (claim S10) appears for m = 4
// in one of five seeds at 1e-4, in one at 1e-3 and in none at 1e-2.
//
// Epochs are updates over the updates in one pass through the list, a fraction.
// Minutes are training alone, on one thread.
package dyck
