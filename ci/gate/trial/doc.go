// Package trial decides from the speeds of runs of two programs, base and head,
// whether head is slower. It does not read benchmark text.
//
// The programs run in turn; one run of each is a round. Four rounds in the order of
// FirstSide form a block:
//
//	base head  head base  head base  base head
//
// Runs are compared only within their block. Slower counts the pairs of a run of
// head and a run of base in the same block in which head is slower, and returns the
// probability of at least that count if the two programs do not differ. The count of
// a block is the Mann-Whitney statistic. The sum over the blocks is that of van
// Elteren (1960), On the combination of independent two sample tests of Wilcoxon,
// Bulletin of the International Statistical Institute 37, 351-361. Its distribution
// is computed, not approximated, and does not depend on the distribution of the
// noise: outliers and heavy tails reduce the sensitivity, but cause no false alarms.
//
// The reason for this test is drift: the clock, the temperature and the other
// processes of a machine change during the runs. A test that pools all runs of a
// side counts the drift as noise, and finds nothing. Pairs of one run each remove
// the drift, but 80 comparisons leave a significance level of 1/8000 to each, and
// sixteen pairs reach it only if none of them is reversed: a single slow run hides
// the loss. Blocks avoid both. A block is short compared with the drift, whose
// linear and quadratic parts cancel in the order above, and its runs can be divided
// between the sides in 70 ways, which leaves room for slow runs. The cost is a tenth
// more runs than a test without blocks needs on a machine without drift.
//
// Need estimates how many rounds suffice to detect a loss. It depends on the
// probability p that a run of a head that is slower by this loss is slower than a
// run of base. Need estimates p from the runs: two runs of the same side and block
// show how often the noise reverses the order. So this assumes no distribution of the
// noise either. Let k be the number of rounds in a block, and let a and b be the
// normal quantiles for the accepted probabilities of an alarm and of a miss. Then n
// rounds are enough if
//
//	n >= (2k+1)/(12k) ((a + 2b sqrt(p(1-p))) / (p - 1/2))^2
//
// This follows from the count of a block: its mean is k^2 p, and its variance is
// k^2 (2k+1)/12 without a loss and 4p(1-p) times that with one. For 80 comparisons it
// gives about 20 rounds at 2 % of noise and about 100 at 5 %.
//
// More rounds may be measured until Need is met: a number of rounds that depends only
// on the noise favours neither side. Measuring until a loss shows would bias the
// result.
//
// Holm corrects for multiple comparisons. It bounds the probability of even one
// false alarm among all of them, whatever their dependence. A gate needs this bound:
// controlling the false discovery rate would allow more alarms the more is wrong.
// Bonferroni's correction has the same bound but detects less if several things are
// slower at once.
package trial
