// Package verdict says whether our runs predict what a paper printed, and whether
// its claims are true of them. It judges the rows of golden files, shows rows,
// printed numbers and verdicts side by side, and writes printed numbers as a column
// for benchstat.
//
// A test hands Rules to golden.Check. The claims that no printed table holds are in
// suite.Suite.Claims, which its Main gives to RegisterMeasure. Table shows one file and
// a run as text; Summary and Markdown show several as pages.
//
// # Outcomes of numbers
//
// p is the printed number and h half of its last digit; a whole number has the digits
// of its column. n is the number of our runs, k that of the paper's. margin and width
// stand in units.csv with their reasons. In this order:
//
//   - A number that its own paper contradicts is a misprint, and is compared with
//     nothing. Minutes are shown beside each other and not judged.
//   - A count, which never varies (assume=exact), matches if it is within h of p, and
//     differs if not.
//   - With n < 3, or n < 3k for a best of k or the one of k that a loss chooses, it is
//     open (runs).
//   - Else there is an interval in which our runs predict the paper's: for a mean of k,
//     or one run, k = 1, mean ± t s sqrt(1/k + 1/n) with Student's t of n-1 degrees of
//     freedom; for a best and a choice, 2.5 to 97.5 per cent of 10,000 draws of k of our
//     runs with replacement. Shares are cut to 0 to 100.
//   - If the interval is farther than margin from p ± h, the number differs, for the
//     better or the worse, however wide the interval is.
//   - Else, if the interval is no wider than width, it matches.
//   - Else it is open: by spread where the paper's own k runs vary so much, 3.92 s /
//     sqrt(k) > width, that no number of ours could make it match; else by runs.
//
// The interval is that of a replication [1], the margin that of an equivalence fixed
// beforehand [2]; CORE-Bench [3] accepts a number within such an interval, too. Of normal
// runs it misses one number in twenty by chance; pages say how many that is.
//
// Runs are taken for independent. They are not quite: rows with the same seed begin
// with the same values in tensors of the same name and shape, and read strings in the
// same order, because streams of random numbers have the seed in them and not the row.
// Within a row, which is all that an interval is made of, seeds are independent.
// Differences between two rows are less noisy than their intervals say.
//
// [1] Spence and Stanley, Prediction Interval: What to Expect When You're Expecting ... A
// Replication, PLOS ONE 2016, doi 10.1371/journal.pone.0162874.
// [2] Anderson and Maxwell, There's More Than One Way to Conduct a Replication Study,
// Psychological Methods 2016, doi 10.1037/met0000051.
// [3] Siegel et al., CORE-Bench, 2024, arXiv 2409.11363.
//
// # Claims
//
// A claim is evaluated on 10,000 bootstrap draws over seeds. Each draw takes n
// of a group's n seeds with replacement, the same ones for all its units, and
// condenses them as the paper did: to a mean, a best of k or a choice of k. The claim
// holds if it is true in at least 95 per cent of the draws and fails if in at
// most 5; between, or with cells missing or short of seeds, it is undecided
// and says why. The draws come from SplitMix64 with seeds fixed by the groups'
// names. Claims that no printed table holds are functions given to
// RegisterMeasure, and so is the half of a claim that none holds.
//
// Evidence has six significant digits, and outcomes depend on no more.
//
// # Limits
//
// The interval of a mean takes runs for normal. Where seeds succeed or fail altogether,
// as in recognition, it is wide if some do, and a number in it is open and not a match; if
// none of ours does, it is a point, though one of twenty might. A mean of ten of runs of
// which one in ten succeeds differs in about a fifth of the experiments by chance alone,
// one in five in about a tenth. A best of k lies above the best of our 3k runs in a quarter
// of the experiments. TestChance draws such experiments. So beside a mean in per cent, of
// seeds on both sides of 50, pages have the number of those above, and claims, which assume
// nothing about the spread, are the better evidence.
//
// Margins and widths were chosen when most rows had results: they are round numbers of a
// unit, and no number was looked at to set them, but they are not blind.
package verdict
