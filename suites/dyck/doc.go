// Package dyck measures what the papers report about m-bounded Dyck-k languages.
//
// It has three experiments of the paper resurgence: the Dyck-RNN, rows dyck-m4, dyck-m6
// and dyck-m8 of tables 1 and 2 ([Table2]); trained embeddings, section 6.2 ([Unfrozen]);
// and the networks for natural language on the same task, section 5.4 ([Readouts]). It
// also has the language models of table 1 of the paper second-order-lstm, and the
// assignment model, which the authors tried before ([Table1]). These models also run at
// other learning rates ([Rates]) and on other string lengths ([Lengths]).
//
//	go test ./suites/dyck -run WCPA -v              # Dyck-RNN
//	go test ./suites/dyck -run LanguageModels -v    # table 1 of second-order-lstm
//
// # Task
//
// For each closing bracket of a string the model reads the prefix before it and predicts
// the type of the bracket. A prediction is correct if the right type has a probability of
// at least 0.8. The accuracy (LDPA) is the share of correct predictions at a given
// distance between closing and opening bracket. WCPA is the lowest accuracy over all
// distances that occur in the test strings.
//
// A language model reads START and the brackets and predicts each next symbol, including
// END. Its perplexity is exp of the mean loss over all symbols. Its WCPA counts only
// predictions of closing brackets; the probabilities are normalized over the closing
// brackets.
//
// The public code of the language uses another rule: it asks wherever a bracket is open,
// requires a probability above 0.8, and counts distances that are smaller by one. Results
// by both rules are reported. WCPA over distances with at least 20 cases is reported, too,
// because rare distances with only one or two brackets decide WCPA otherwise.
//
// # Readings of resurgence
//
// The paper leaves these points open. The suite decides them as follows:
//
//   - Strings have at least 6m(m-2)+20 brackets and at most 8m(m-2)+60 tokens with END,
//     the defaults of package formal. There are 10,000 training, 4,000 development and
//     10,000 test strings, which add up to the paper's 24,000. The corpus of each m has
//     its own seed, m.
//   - A batch of 512 holds 512 pairs of a prefix and a bracket, drawn without replacement
//     from the shuffled list of all pairs. Only with this reading do the epochs and
//     minutes of table 1 scale with m as printed.
//   - Training stops after the first epoch whose mean loss over all closing brackets of the
//     development strings is below 5.12e-3, or after 30,000 updates, so that a failing
//     configuration ends. The printed threshold is 1e-5. If this is the mean loss of an
//     example, training takes 18, 8 and 4 epochs for m = 4, 6 and 8, where table 1 prints
//     4, 2 and 1. It may also be a quotient: the sum of the mean losses of all batches,
//     divided by the number of examples. Then the mean loss of an example can be 512 times
//     as large, and training takes the printed epochs. We chose the second reading because
//     it reproduces these three numbers. Each row also runs with the first reading, as the
//     task literal ([Literal]), with a validation every 500 updates.
//   - Gradients are not clipped, and no patience ends training. The paper states clipping
//     and patience for all models, but a loss threshold is a stopping rule of its own.
//   - For every m five numbers are trained: W_proj, W_o and b_o. The values of the
//     brackets, 1, 2, -1 and -2, are fixed. W_proj is positive at the start; see package
//     models.
//
// For the networks of section 5.4 the paper states neither sizes nor settings:
//
//   - They have m or 3m hidden units and an embedding of width 30. The last state is read
//     out over the k closing brackets. The optimizer is Adam at 0.001, with gradients
//     clipped to a norm of 3.5. Training takes at most 200 epochs. It stops after five
//     epochs without a new best loss on the development strings, and the best parameters
//     are kept. The paper states these settings for its models in general.
//   - They have no dropout and no batches of 128. Section 5.3 states both for "all the
//     models described above", which include these networks, but that section is about
//     training on text. [Dropouts] lists runs with dropout and batches of 128.
//     [Generators] lists runs that train the networks as language models, as section 4.1
//     says. Claim R08 stands next to the words "by using only m hidden units", so it is
//     judged for networks with m units.
//   - A batch holds whole strings with about 512 closing brackets, each of which is an
//     example. These are the same examples as prefixes, at a fraction of the cost. An
//     epoch has as many batches as the number of closing brackets divided by 512.
//
// # Readings of second-order-lstm
//
//   - Strings are those of resurgence. Nothing is padded, so there is no PAD token.
//   - Parameters are counted as in the paper: only those of the cells, with one bias for
//     each gate. The paper's unit is thousands, not millions. The printed number 8.6, for
//     two cells and m = 8, is a misprint for 10.6, which is twice the baseline, as for m
//     = 4 and m = 6.
//   - An epoch is a new best only if it lowers the best validation loss by more than a
//     relative 1e-4. The learning rate is halved at the fourth epoch in a row without a new best:
//     the paper's "patience parameter 3" is that of a library that tolerates three such
//     epochs. Training ends after six epochs in a row without a new best, where the text
//     says "of increasing perplexity". The best parameters are kept.
//   - The temperature of the attention model is 1 in the first epoch and is multiplied by
//     0.9 after each. Validation during training uses the current temperature. Reported
//     results use the sharp choice of the cell, because the paper tests with "an
//     arbitrarily low" temperature. Results at the temperature of the best parameters are
//     reported beside them as soft.
//   - The assignment model has one cell for each type of bracket. The first cell also reads
//     START and END.
//   - Gradients are not clipped, and there is no dropout.
//   - At the stated rate of 1e-4 training does not reach the published perplexities in
//     100 epochs, so these runs may take 300. Further rows have at most 100 epochs at
//     1e-2, the rate of the public code of the language, and at 1e-3.
//
// # Figures
//
// [Figures] draws four figures of second-order-lstm from the traces of runs:
//
//   - figure 2, the accuracy and the number of cases at every distance;
//   - figure 3, validation WCPA by epoch;
//   - figure 4, the principal angles between the hidden-to-hidden matrices of the two
//     cells of an attention model, each 4h by h, beside those of two random matrices of
//     that shape;
//   - figure 6, for m = 4, the cell and the weight of each symbol of the paper's own
//     string.
//
// Each test writes artifacts: the figures of its runs, and the numbers of each row.
//
// The traces of the runs at paper scale ([Trace]) are in golden/dyck/traces, one file for
// each row. A run with -update writes its trace there. TestSuite compares the traces with
// the golden file of the same runs, and the committed figures with the traces; with
// -update it redraws the figures.
//
// # Claims without a table
//
// S05 says that the WCPA of the baseline for m = 8 is zero because its accuracy is zero
// "near" distance 300. The first half is judged from the rows of the table. For the
// second half we find the distances with the lowest accuracy in the test strings, take
// the one nearest to 300, and require that it is at most 30 away in the median run.
//
// S11 says that each word is always read by the same cell. The model's equations imply this
// claim, but the suite measures it anyway. It builds an assignment model in which each
// symbol has the cell of its largest score; all other weights are those of the trained
// attention model. If the attention model makes a sharp choice, both models must give
// bit-identical answers on every test string.
//
// # What reproduces of resurgence
//
// golden/dyck/README.md has all results.
//
// WCPA is 100 in all thirty runs of table 2. In 29 of them the number of epochs is that of
// table 1: 4, 2 and 1. One seed of m = 4 needs 3. This is no evidence for our reading of
// the threshold, which was chosen to match these numbers. With the literal threshold WCPA
// is also 100, after 14,000 to 15,000 updates for every m. TestBrackets varies two points
// that the paper leaves open, for m = 4 and seed 1. Runs whose opening brackets have the
// values 1 and 4, 1 and 10, or 1 and 20 end after 12,000, 11,000 and 10,500 updates. Runs
// with the values 5 and 10 or 10 and 20 end after 15,000. Starting W_proj at 5 instead of
// 1 changes little. The number of epochs falls as m grows (claim R13) only because the
// list of pairs becomes longer: the number of updates hardly depends on m.
//
// In the experiments of section 6.2, a trained embedding of two numbers reaches a WCPA of
// 100 in all thirty runs, after one epoch for every m. An embedding of one number reaches
// it in no run, and neither does the variant that shifts by one number, in ten runs. With
// the literal threshold runs are longer: an embedding of one number then reaches 100 in
// three of thirty runs, and the variant in four of ten.
//
// Claim R08 says that networks for natural language stay at or below a WCPA of 50 on
// closing brackets. Whether it holds depends on their size, which the paper does not
// state. With m units the median over seeds is above 50 only for the mmLSTM and m = 8.
// With 3m units, the size of the networks in second-order-lstm, all four networks reach 99
// or more in the median run for m = 4. For m = 6 the medians of all but the RNN exceed 50,
// and for m = 8 only that of the mmLSTM. With m units and the dropout and batches of
// section 5.3, all 24 runs for m = 4 and m = 6 have a WCPA of 0. Of the runs that train the
// networks as language models, ten of
// twelve for m = 4 and all 24 for m = 6 and m = 8 have a WCPA of 0.
//
// # What does not reproduce of second-order-lstm
//
// The perplexities of table 1 do not come out at the stated learning rate of 1e-4. At 1e-2 and
// 1e-3 they are lower, and some match. At 1e-4 runs end after 64 to 204 epochs, after six without a
// loss that is lower by 1e-4 of it, before they reach the perplexities that runs at 1e-2 and 1e-3
// reach. The paper stops "after 6 epochs of increasing validation perplexity". Rows with
// task=any-gain, run for m = 4, end after six without any lower loss, and go on for 167 to 232
// epochs. The mean of the baseline is the same, 2.418 (printed 2.393), and that of the attention
// model 2.416 instead of 2.434 (2.387), as no run ends after 64 epochs. At
// 1e-2 the mean test perplexities of the baseline and the attention model for m = 6 and
// m = 8 are within 0.002 of the published numbers. Those for m = 4 are not: the published 2.387
// is 0.001 below the entropy bound of our strings. A network that knows its position
// exactly could reach that by sampling and rounding; more likely the paper's strings have
// other lengths. If our strings have at least 80 brackets instead of 68, the means are
// within 0.004 of the published numbers.
//
// An attention model is judged by its sharp choice. If the best epoch comes while the
// scores of a symbol are still about equal, the sharp choice gives a network that was never
// trained. Examples, sharp against soft: test perplexity 2.507 against 2.445 for seed 1
// of m = 4, and 3.084 against 2.714 for seed 5 of m = 8, both at the stated rate; WCPA 0
// against 99.7 for seed 5 of m = 4 at 1e-3. Claims S01 to S04 rest on the sharp results.
// At 1e-2 the mean perplexity of the attention model is 0.003, 0.004 and 0.009 below the
// baseline for m = 4, 6 and 8, where 0.006, 0.003 and 0.006 are published. At the stated
// rate it is below the baseline only for m = 6 in the judged rows, and for m = 4 in those of task=any-gain. The assignment model, which has no cell
// to choose, has the lowest mean of the three at the stated rate for every m.
//
// WCPA is decided by one or two brackets at rare distances: for m = 8 at 1e-2 a seed has
// 50 because one of two brackets is wrong. The baseline for m = 8 has the printed WCPA of
// 0 in every seed at the stated rate, in two of five at 1e-3 and in none at 1e-2. A
// distance of lowest accuracy lies within 30 of 300, as the paper says (claim S05), in
// three of five seeds at 1e-4, one at 1e-3 and all five at 1e-2.
//
// Whether validation WCPA rises more steadily for the attention model (claim S06) is undecided. At the
// stated rate and for m = 4, the falls of WCPA from epoch to epoch add up to 520 in the
// median run, against 720 for the baseline. For m = 6 they add up to 1,644 against 874. For
// m = 8, where the claim is not judged, the baseline never leaves 0. The falls are not
// divided by the number of epochs, which are 64 to 204. The median number of epochs to the
// best epoch is lower for the attention model (claim S07): 152 against 173, 165 against 167
// and 110 against 143. But these differences are within the spread of the seeds.
//
// The split of opening and closing brackets between two cells (claim S10) appears for m =
// 4 in one of five seeds at 1e-4, in one at 1e-3 and in none at 1e-2.
//
// Epochs are fractional: the number of updates of the run, divided by the number of updates
// in one pass through the list of examples. Minutes are training time alone, on one thread.
package dyck
