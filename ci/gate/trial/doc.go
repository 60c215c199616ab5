// Package trial decides from the speeds of runs of two programs, base and head,
// whether head is slower. It does not read benchmark text.
//
// The programs run in turn; one run of each is a round. Four rounds in the order of
// FirstSide form a block:
//
//	base head  head base  head base  base head
//
// Runs are compared only within their block. Slower takes every pair of a run of head
// and a run of base in the same block, and counts the pairs in which head is slower. It
// returns the probability of at least that count if the programs do not differ. The
// count of one block is the Mann-Whitney statistic. The sum over the blocks is the
// statistic of van Elteren (1960), On the combination of independent two sample tests of
// Wilcoxon, Bulletin of the International Statistical Institute 37, 351-361. Its
// distribution is computed, not approximated, and does not depend on the distribution
// of the noise: outliers and heavy tails reduce the sensitivity, but cause no false
// alarms.
//
// The reason for this test is drift: the clock, the temperature and the other
// processes of a machine change during the runs. Two simpler tests fail:
//
//   - A test that pools all runs of a side counts the drift as noise, which hides the
//     loss.
//   - A test that compares only the two runs of a round removes the drift. But an alarm
//     probability of 0.005 for 80 comparisons leaves a significance level of 1/16,000
//     for each. Sixteen rounds reach this level only if head is slower in every one of
//     them: a single slow run of base hides the loss.
//
// Blocks avoid both faults. A block is short compared with the drift, and the linear and
// quadratic parts of the drift cancel in the order above. The runs of a block can be
// divided between the sides in 70 ways, so a loss can be significant in spite of some slow
// runs of base. On a machine without drift, blocks need a tenth more runs than a test that
// pools all runs of a side.
//
// Need estimates how many rounds suffice to detect a loss. Let p be the probability that a
// run of head is slower than a run of base, if head is slower by this loss. Need estimates
// p from the differences of runs of the same side and block, which are noise alone. So it
// does not assume a distribution of the noise, either. Let k be the number of rounds in a
// block. Let a be the upper normal quantile of the accepted probability of an alarm in one
// comparison, which is that of any alarm divided by the number of comparisons. Let b be the
// upper normal quantile of the accepted probability of a miss. Then n rounds are enough if
//
//	n >= (2k+1)/(12k) ((a + 2b sqrt(p(1-p))) / (p - 1/2))^2
//
// This follows from the number of pairs in a block in which head is slower. Its mean is
// p*k^2. Its variance is k^2 (2k+1)/12 without a loss; with a loss it is 4p(1-p) times as
// large. For 80 comparisons the formula gives about 20 rounds at 2 % of noise and about 100
// at 5 %.
//
// More rounds may be measured until Need is met: a number of rounds that depends only
// on the noise favours neither side. Measuring until a loss shows would bias the
// result.
//
// Holm corrects for multiple comparisons. It bounds the probability of even one false alarm
// among all comparisons, however they depend on each other. A gate needs this bound. A
// method that controls the false discovery rate would allow more false alarms if more
// comparisons have a real loss. Bonferroni's correction has the same bound but detects less
// if several comparisons have a loss.
package trial
