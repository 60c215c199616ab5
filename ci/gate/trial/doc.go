// Package trial tells from runs of two programs, base and head, whether head is
// slower. It knows no benchmark text, only speeds.
//
// The runs are taken in turn, and a round is one run of each. Four rounds in the
// order of First are a block:
//
//	base head  head base  head base  base head
//
// Runs are compared within their block only: Slower counts the pairs of a run of
// head and a run of base of the same block in which head is the slower, and asks
// how likely so many are if the two programs do not differ. The count of a block
// is the statistic of Mann and Whitney, their sum that of van Elteren (1960), On
// the combination of independent two sample tests of Wilcoxon, Bulletin of the
// International Statistical Institute 37, 351-361. Its distribution is computed,
// not approximated, and does not depend on that of the noise: outliers and heavy
// tails cost sensitivity and make no false alarms.
//
// Why this test. A machine drifts: its clock, its temperature and its neighbours
// change while the runs last. A test that throws all runs of a side together
// takes the drift for noise, and finds nothing. Pairs of one run each drop the
// drift, but sixteen of them tell a loss from chance only if not one of the
// sixteen is reversed: at a chance of 1/8000, which 80 comparisons leave to each,
// an occasional slow run hides the loss. A block keeps what is good in both. It
// is short against the drift, whose linear and quadratic part cancels in the
// order above, and its 70 ways of being two sides leave room for slow runs. The
// price is a tenth of the runs that a test without blocks needs on a machine
// that does not drift.
//
// Need answers how many rounds suffice to see a loss. What decides is the chance
// p that a run of a head that has lost so much is slower than a run of base. It
// is read off the runs themselves: two runs of one side and one block show how
// often the noise turns the order round. No shape of the noise is assumed there
// either. With k rounds in a block and the quantiles a and b of the normal
// distribution for the accepted chances of an alarm and of a miss, n rounds are
// enough if
//
//	n >= (2k+1)/(12k) ((a + 2b sqrt(p(1-p))) / (p - 1/2))^2
//
// from the mean k^2 p of a block's count and its variance, k^2 (2k+1)/12 without
// a loss and 4p(1-p) times that with one. For 80 comparisons this makes about 20
// rounds at 2 % of noise and about 100 at 5 %.
//
// A count of rounds that depends on the noise alone does not favour either side,
// so the rounds may go on until Need is met. They may not go on until a loss
// shows.
//
// Holm corrects for many comparisons. It bounds the chance of a single false
// alarm among all of them, whatever depends on what, which is what a gate is
// after: rates of false discoveries would allow more alarms the more is wrong.
// Bonferroni's bound does the same and sees less where several things are slower
// at once.
package trial
