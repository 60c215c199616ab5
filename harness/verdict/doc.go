// Package verdict decides whether our runs predict the numbers that a paper printed,
// and whether the claims of the paper hold for our runs. It judges the rows of golden
// files, shows rows, printed numbers and verdicts side by side, and writes printed
// numbers as a column for benchstat.
//
// Tests pass Rules to golden.Check. Claims that no printed table covers are in
// suite.Suite.Claims; the Main of the suite registers them with RegisterMeasure. Table
// shows one file and a run as text. Summary and Markdown show several files as pages.
//
// # Outcomes of numbers
//
// Let p be the printed number and h half of its last digit; a whole number has the
// decimals of its column. Let n be the number of our runs and k that of the paper's.
// margin and width come from units.csv, which gives the reasons for them. The first
// rule that applies decides:
//
//   - A number that its own paper contradicts is a misprint and is not compared.
//     Training times are shown next to the printed ones and not judged.
//   - A count that never varies (assume=exact) matches if it is within h of p, and
//     differs otherwise.
//   - If n < 3, the number is open (runs). For a best of k, and for the one of k runs
//     chosen by its loss, it is open if n < 3k.
//   - Otherwise our runs give a prediction interval for the paper's figure. For a mean
//     of k runs, or a single run with k = 1, it is mean ± t s sqrt(1/k + 1/n), with
//     Student's t of n-1 degrees of freedom. For a best of k and a chosen run, it goes
//     from the 2.5th to the 97.5th percentile of 10,000 draws of k of our runs with
//     replacement. Intervals of shares are cut to 0 to 100.
//   - If the distance of the interval from p ± h is more than margin, the number
//     differs, for the better or the worse, however wide the interval is.
//   - If the interval is not wider than width, the number matches.
//   - If 3.92 s / sqrt(k) > width for a mean or a single run, the number is open
//     (spread): the paper's own k runs vary so much that more runs of ours could not
//     make it match.
//   - Otherwise it is open (runs).
//
// The interval is that of a replication [1], and the margin that of an equivalence test
// with a margin fixed in advance [2]. CORE-Bench [3] accepts a number within such an
// interval, too. For normal runs the interval misses one number in twenty by chance. The
// pages state how many that is.
//
// The intervals assume that runs are independent. Seeds of the same row are; an interval
// uses no others. Rows with the same seed are not quite independent of each other,
// because streams of random numbers depend on the seed and not on the row: tensors of
// the same name and shape start with the same values, and strings come in the same
// order. So differences between two rows are less noisy than their intervals suggest.
//
// [1] Spence and Stanley, Prediction Interval: What to Expect When You're Expecting ... A
// Replication, PLOS ONE 2016, doi 10.1371/journal.pone.0162874.
// [2] Anderson and Maxwell, There's More Than One Way to Conduct a Replication Study,
// Psychological Methods 2016, doi 10.1037/met0000051.
// [3] Siegel et al., CORE-Bench, 2024, arXiv 2409.11363.
//
// # Claims
//
// A claim is evaluated on 10,000 bootstrap draws over seeds. Each draw takes seeds of a
// group with replacement, and the same seeds for all units of the group: n of the n
// seeds for a mean, k for a best of k or a chosen one of k. It reduces them as the paper
// did, to the mean, the best or the chosen one. The claim holds if it is true in more
// than 95 per cent of the draws, and fails if it is true in less than 5 per cent, by
// three standard errors of 10,000 draws, so that other draws would agree. Otherwise it
// is undecided. It is also undecided if cells are missing or have too few
// seeds; the evidence then says which. The draws come from SplitMix64, with seeds
// derived from the names of the groups. For claims that no printed table covers,
// RegisterMeasure registers functions that decide them. A claim may also have both: a
// relation over printed cells, and a function for the part that no table covers.
//
// Evidence has six significant digits, and outcomes depend only on these.
//
// # Limits
//
// The interval of a mean assumes normal runs. In recognition, networks succeed or fail
// altogether. If some of our seeds succeed and some fail, the interval is wide, and a
// number inside it is open, not a match. If none of our seeds succeeds, the interval is a
// point, although one seed in twenty might succeed. Such figures often differ by chance
// alone: a mean of ten differs in about a fifth of the experiments if one run in ten
// succeeds, and in about a tenth if one in five does. The best of the paper's k runs is
// above the best of our 3k runs in a quarter of the experiments. TestChance simulates
// such experiments. Therefore, if a mean in per cent comes from seeds on both sides of
// 50, the pages also give the number of seeds above 50. Claims assume nothing about the
// spread and are better evidence.
//
// Margins and widths are round numbers for each unit. They were chosen when most rows had
// results. No result was looked at to set them, but they were not chosen blind.
package verdict
