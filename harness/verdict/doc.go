// Package verdict decides whether our runs predict the numbers that a paper printed,
// and whether the claims of the paper hold for our runs.
//
// Verdicts are derived, not stored: they follow from the rows of golden files, the numbers and
// claims of package papers, and the measures of the suites. So a verdict can never disagree
// with the rows behind it, and a new row needs no second file. The page golden/numbers.csv,
// which has the outcome of each printed number, shows a change of outcomes in git diff.
//
// NewResults takes golden files, and the measures of the claims that no printed table
// covers; those of a suite are in suite.Suite.Claims. The methods of Results then give the
// verdict on a number (Results.Verdict), on a variant of a row (Results.Judge) or on a claim
// (Results.Claim), and count and explain verdicts. Each is computed when it is first asked for.
// Table shows a run beside golden rows, printed numbers and verdicts as text. The command
// ci/pages makes pages of the results.
//
// # Outcomes of numbers
//
// Let p be the printed number, and h half a unit of its last printed digit. A whole number
// in a column with decimals counts as if it were printed with them, unless it has a suffix such
// as M. Let n be the number of our runs, and k the number of the paper's runs behind the
// number. The file units.csv gives a margin and a width for each kind of number, with the
// reasons for them. The first rule that applies decides:
//
//   - A number that its own paper contradicts is a misprint and is not compared.
//     Our training times are shown next to the printed ones but not judged.
//   - A number that never varies matches if its distance from p ± h is at most the margin,
//     and differs otherwise. Such numbers are counts of parameters (assume=exact), whose
//     margin is 0, and those of n-gram models. Training does not change a count of parameters,
//     so a run that stops after the first epoch is enough for it.
//   - If n < 3, and the number is a loss of a language model that the paper prints of one run, our runs
//     give a prediction interval with the spread that rows with several runs have in common ([Pool]): those of
//     the same suite, of the paper that has the row, and in this unit. It is mean ± t s sqrt(1 + 1/n). A
//     spread of perplexities is relative. There must be at least two such rows and four degrees of freedom, and
//     the rows must be alike: the largest of their variances over the smallest must not be more than chance gives in
//     19 of 20 cases. That is a weak test: of two rows with three runs each, one may have six times the standard
//     deviation of the other. The rules below then apply, but the number cannot be
//     open (spread). Pages say of how many rows the spread is.
//   - Otherwise, if n < 3, the number is open (runs). If the paper prints the best of k runs,
//     or one of k runs chosen by its loss, the number is open if n < 3k.
//   - Otherwise our runs give a prediction interval for the paper's figure. For a
//     mean of k runs, or for a single run, where k = 1, the interval is mean ± t s
//     sqrt(1/k + 1/n), with Student's t of n-1 degrees of freedom. For a best of k
//     or a chosen run, the interval reaches from the 2.5th to the 97.5th percentile
//     over 10,000 draws, each of k of our runs with replacement. So does the interval of a mean of
//     k > 1 runs in per cent, if n is at least k and some of our runs are above 50 and some are not: networks
//     that succeed or fail altogether are not normally distributed. Each of its draws takes n of our runs,
//     and then k of these, because our own mean has an error, too. No interval reaches
//     below 0, because no measured value does, and none of percentages where higher is better
//     reaches above 100.
//   - If the distance of the interval from p ± h is more than the margin, the
//     number differs, for the better or the worse, however wide the interval is.
//   - If the interval is not wider than the width, the number matches.
//   - If the number is a mean or a single run, and 3.92 s / sqrt(k) would be more than
//     the width even if s were the least that it may be (a bound of 95 per cent), the number is open (spread). The interval would be that wide if we
//     had infinitely many runs, so more runs of ours could hardly make the number match.
//   - Otherwise it is open (runs). More runs may settle it, but not if chance decides which
//     of k runs is the best or is chosen.
//
// A paper may leave open what a number means. papers.Number.Readings lists its readings. The number is judged
// under each of them:
//
//   - A number matches if it matches under each reading, and differs if it differs under each, for the better or the
//     worse as it does under the first.
//   - If it matches under one reading and differs under another, it is undetermined by the paper, whatever it is under the
//     others.
//   - Otherwise it is open: open (runs) if it is that under some reading or if a reading has no runs, else open
//     (spread).
//
// Pages show the value and the interval of the first reading; a number is unfinished if that has no runs. If n is at least k, the
// value of a best is the median of the bests of k runs drawn from ours, as the best of all our runs would be better than one of k.
//
// Intervals, margins, widths and the distances between them are rounded to six significant
// digits before they are compared, so that an outcome does not depend on the last bits of a sum.
//
// The interval is the prediction interval for a replication [1]. The margin is a tolerance beside it. It is less than an
// equivalence test [2], for which the whole interval would have to lie within the margin: here its nearer end has to, and it must not be
// wider than the width. CORE-Bench [3] accepts a number within such an
// interval, too. If runs are normally distributed, the interval misses one number in twenty
// by chance. The pages state how many numbers that would be.
//
// The intervals assume that runs are independent. Runs of one row with different
// seeds are independent, and an interval uses only such runs. Runs of different
// rows with the same seed are not quite independent, because the streams of random
// numbers depend on the seed and not on the row: tensors of the same name and shape
// start with the same values, and strings come in the same order. Differences
// between two rows are therefore less noisy than their intervals suggest.
//
// [1] Spence and Stanley, Prediction Interval: What to Expect When You're Expecting ... A
// Replication, PLOS ONE 2016, doi 10.1371/journal.pone.0162874.
// [2] Anderson and Maxwell, There's More Than One Way to Conduct a Replication Study,
// Psychological Methods 2016, doi 10.1037/met0000051.
// [3] Siegel et al., CORE-Bench, 2024, arXiv 2409.11363.
//
// # Claims
//
// A claim is evaluated on 10,000 bootstrap draws. Each draw takes seeds of a group
// with replacement, and takes the same seeds for all units of the group. If the
// paper prints a mean, a draw takes as many seeds as the group has and computes
// their mean. Such means spread too little, and differences between equal networks
// would often be found. So each is moved away from the mean of all seeds by a factor
// that gives the spread of Student's t at a level of 95 per cent, 2.69 for three seeds
// and 1.06 for thirty, but not beyond 0 or 100 if it is a percentage where higher is
// better. Medians and other figures of a Measure are not moved. If the paper prints
// the best of k runs, or one of k runs chosen by its loss, a draw takes k seeds and
// selects the best or the chosen one. The claim holds if it is true in at least 9,566
// of the 10,000 draws. That is three standard errors beyond 95 per cent, so that other
// draws would almost surely give the same outcome.
//
// A claim about means fails if one of the m comparisons of which it consists is false
// in all draws but a share of 0.05/m, and three standard errors beyond: in 9,566 draws
// if there is one, in 9,797 if there are two, in all if there are 46 or more. For
// that, means are moved by the factor for the level 1 - 0.05/m, which is 6.60 for three
// seeds and twelve comparisons. The levels are two-sided and the limits one-sided, so a
// claim fails too rarely rather than too often. It would not do to ask in how many draws all of the
// comparisons are true, because that number falls with m even if each just holds. A
// claim about bests or chosen runs fails if it is false in 9,566 draws, because each of
// these is a repetition of the paper's experiment. Otherwise the claim is undecided.
//
// A claim may presume something, such as that a network has learned its task
// (Measure.Premise); a draw in which it has not, with means moved as for the whole claim,
// counts neither for nor against it. A claim is also undecided if samples are missing or have too few seeds;
// ClaimVerdict.Lacking then lists them. If numbers of the claim have several readings,
// it is decided in each combination of what the paper leaves open, with the same choice for all that have it. It holds or fails
// if it does so in each, is undetermined if it holds in one and fails in another, and is undecided otherwise. Random numbers come
// from SplitMix64, whose seeds are derived from the names of the groups. A claim that no
// printed table covers is decided by a Measure. A claim may also have both: a relation over
// printed numbers, and a Measure for the part that no table covers.
//
// # Limits
//
// The interval of a mean assumes that runs are normally distributed, unless some of them are above 50
// per cent and some are not. In recognition, networks succeed or fail altogether. If some of our seeds
// succeed and some fail, the interval comes from draws and is wide, and a number inside it is open, not a
// match. If none of our seeds
// succeeds, the interval is a point, although one seed in twenty might succeed. Numbers of
// such networks often differ by chance alone. If one run in ten succeeds, the paper's mean
// of ten runs differs from ten of ours in about a fifth of repeated experiments; if one run in five
// succeeds, it differs in about a tenth. Thirty of ours, of which half succeed, differ in one in fifty. The best
// of the paper's k runs is above the best
// of our 3k runs in a quarter of the experiments, and a run that validation chooses of k lies outside its interval in about
// an eighth, if its loss says nothing of its value. If one run in thirty fails, thirty of ours may all succeed, and then differ. TestChance simulates most of these experiments,
// TestClaimChance those of claims.
//
// Margins and widths are round numbers for each unit. They were chosen when most
// rows had results. They were not set by looking at a result, but they were not
// chosen blind either. Five rules were changed after reviews, when results were known: until then a claim on means failed if it was
// false as a whole in 9,566 draws, by which D13, S02 and S06 failed; means of draws were not moved, so that D07 held, nor moved further where a claim has
// several comparisons, which changed no outcome; a number that was better under
// one reading and worse under another was undetermined, not one that differs; and a number was open (spread) if s itself, not its bound, was too large.
package verdict
