// Package verdict says whether our seeds predict what a paper printed, and whether
// its claims are true of them. It judges the rows of golden files, shows rows,
// printed numbers and verdicts side by side, and writes printed numbers as a column
// for benchstat.
//
// A test hands Rules to golden.Check. The claims that no printed table holds are in
// suite.Suite.Claims, which its Main gives to RegisterMeasure. Table shows one file and a run as text; Summary and
// Markdown show several as pages.
//
// # Verdicts
//
// A published cell is reproduced if the printed number, plus or minus half of
// its last digit, meets the interval in which our seeds predict it with 95 per
// cent:
//
//   - one run: mean ± t s sqrt(1 + 1/n), Student's t with n-1 degrees of freedom;
//   - a mean of k runs: mean ± t s sqrt(1/k + 1/n);
//   - a best of k runs: 2.5 to 97.5 per cent of the best of k seeds drawn with
//     replacement, 10,000 times;
//   - the one of k runs that a validation loss chooses: the same of the value of the
//     drawn seed with the least loss, whether it is the best or not;
//   - no spread: the value itself.
//
// Else it is better or worse, in the unit's direction. Fewer than three seeds
// decide nothing (k for a best or a choice of k, one where the unit is
// assume=exact).
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
// The prediction interval takes runs for normal. Where seeds succeed or fail
// altogether, as in recognition, it is wide, and reproduced says little. So tables
// and pages mark a reproduced cell as wide whose interval takes up more than half
// of 0 to 100 per cent, which a number drawn blindly would meet rather than miss,
// and count it apart. And beside a mean in per cent, of seeds on both sides of 50,
// they have the number of those above. Figures that are not in per cent have no
// range to compare with. Claims assume nothing about the spread and are the better
// evidence.
package verdict
