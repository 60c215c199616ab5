// Package dyck measures what the papers say about m-bounded Dyck-k languages.
//
// So far it holds the Dyck-RNN of resurgence: the rows dyck-m4, dyck-m6 and
// dyck-m8 of its tables 1 and 2 ([Table2]), and the experiment of its section
// 6.2 with trained embeddings ([Unfrozen]).
//
//	go test ./suites/dyck -run WCPA -v
//
// # Task
//
// For each closing bracket of a string the model reads the prefix before it and
// predicts the type of the bracket. WCPA is the lowest, over the distances
// between closing and opening bracket that occur in the test strings, of the
// share of brackets to which the model gives at least 0.8 of the probability.
//
// # Readings
//
// What the paper leaves open is decided here:
//
//   - Lengths of strings: 6m(m-2)+20 to 8m(m-2)+60, as package formal has them;
//     10,000, 4,000 and 10,000 strings, whose sum is the paper's 24,000. The
//     corpus of each m has its own seed, m.
//   - A batch of 512 is 512 pairs of a prefix and a bracket, drawn without
//     replacement from the shuffled list of all pairs: the epochs and minutes of
//     table 1 scale with m that way and no other.
//   - Training stops when the loss over all closing brackets of the development
//     strings, looked at every 500 updates, is below 1e-5, as printed; or after
//     30,000 updates, so that a configuration that fails ends.
//   - No clipping and no patience: the paper states both for all models, but a
//     loss that has to fall below 1e-5 is a stopping rule of its own.
//   - Five trained numbers, whatever m is: W_proj, W_o and b_o. The brackets'
//     values 1, 2, -1, -2 are fixed, W_proj starts positive; see package models.
//
// # What does not reproduce
//
// WCPA does; the epochs of table 1 do not. The paper's 4, 2 and 1 epochs are
// about 3,000 to 3,700 updates for each m; ours need 14,000 to 15,000 to bring
// the loss below 1e-5. Two things the paper leaves open were varied, for m = 4 and
// seed 1: values of the opening brackets of 1 and 4, 1 and 10, 1 and 20 end after
// 12,000, 11,000 and 10,500 updates, 5 and 10 or 10 and 20 after 15,000; W_proj
// starting at 5 instead of 1 changes little (TestBrackets runs them all). That epochs fall as m grows (claim
// R13) follows from the length of the list alone: the updates are the same. The
// runs that do end after about 4, 2 and 1 epochs (4.8, 2.0, 1.1) are those of
// section 6.2 with a trained embedding of two numbers.
//
// With a trained embedding of one number three of thirty runs reach WCPA 100
// all the same: the paper's failure is that of an unlucky sign, of the embedding
// or of W_proj, which no later update mends.
//
// Epochs are updates over the updates in one pass through the list, a fraction.
// Minutes are training alone, on one thread.
package dyck
