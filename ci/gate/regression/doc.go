// Package regression compares two Go benchmark texts, base and head, and decides
// whether head is slower. It reads the texts with packages benchfmt and benchproc.
// Package trial does the statistics; read its documentation first.
//
// A comparison is one measurement of one benchmark, on both sides. These
// measurements are gated:
//
//	rates and times     GFLOP/s, tokens/s, ns/op, ns/row: units that end in /s, and time per something
//	allocs/op           the median must not rise
//	assume=exact units  the median must not get worse, if the better direction is declared
//
// Less time and fewer allocations are better, whatever a text declares. The better direction
// of any other unit comes from a line in base such as "Unit tokens/s better=higher", or from
// benchfmt, which knows the units of package testing. A rate without a direction is an error,
// and so is a line in head that contradicts one in base. A declaration in head alone is
// ignored; otherwise a change could turn its own loss into a gain. All other units are listed
// but not judged. A share of the peak, for example, follows from a rate that the
// benchmark also reports.
//
// Benchmarks often report one measurement both as time and as rates. Units that
// differ only by a constant factor form one comparison, named after the first unit
// that is not time per operation. Counting each of them would make the correction
// for multiple comparisons stricter for no reason.
//
// A comparison of rates or times is a loss if two conditions hold. First, head is
// significantly slower, after the correction for the number of comparisons. Second, the
// estimated loss is at least MinLoss. Without the second condition, many samples
// would make even a loss of 0.2 % an alarm, although the linker's placement of a loop
// can cause it.
//
// The loss is estimated by the median of the ratios and by the mean of their
// logarithms. It is enough if one estimate reaches MinLoss. If a change makes
// three processes in ten take half as long again, the median moves by less than the
// noise, and only the mean shows the loss. Single outliers move the mean, too. But the
// mean only decides how large a loss is, not whether there is one. So outliers cause
// no false alarm if head is not slower.
//
// A comparison has too few samples if Need of package trial asks for more of them to detect
// Report.Loss, unless it is already decided as a loss or a significant gain.
//
// A report has rows, and warnings beside them. A warning has a status, and the most severe one is
// that of the report.
//
// The status fails closed. It is "no loss" only if head has all benchmarks and all
// measurements of base, with equal numbers of samples, which are enough; if no run
// failed; and if the environments are the same. Head may have more benchmarks. The
// environment consists of all configuration lines (goos, cpu and whatever else the run
// prints) except four: pkg is part of the name, and commit, commit-time and round may
// differ. The lines goos, goarch and cpu are required. Where samples have round lines, the n-th
// samples of the two sides must have the same round.
//
// # A history
//
// A comparison of two commits cannot see that many commits each lose 1 %. JudgeHistory also
// judges head by earlier commits, which were measured on the same machine at other times. All
// texts must have the same environment.
//
// A benchmark has one value for each commit: the median of its samples. The unit is peak-% if
// head reports it, because a share of a bound that is measured in the same process does not
// depend on the clock. Otherwise it is the first rate or time, or else the time of an
// iteration. If a commit changes how the bound is computed, its values cannot be compared
// with earlier ones. Such a commit should rename the benchmark, or the gate should be run with
// -after the time of the commit.
//
// The newest eight commits, head included, are compared with the up to 22 before them, by the
// one-sided Mann-Whitney test of package benchmath. What counts as noise is therefore how much
// the values of commits vary among themselves. A benchmark is lost if two conditions hold.
// First, the newest commits are significantly slower, with Holm's correction for the number of
// benchmarks. Second, their median is slower by at least Report.Loss. Eight commits are enough
// to be significant in spite of the correction, and few enough to notice a loss soon. A history
// is judged as soon as it is long enough for a significant loss: 18 commits for 125 benchmarks.
// A shorter one is no fault, and neither is a machine without history.
//
// If no commit changes the speed and the noise of the commits is independent, at most one run in
// 200 has a significant loss, whatever the distribution of the noise and however much the
// benchmarks of a commit vary together. In simulations of 1,000 such runs with 125 benchmarks,
// three or fewer have a significant loss and two or fewer an alarm. A drift of 1 % a commit
// after 22 even commits raises an alarm after 9 to 11 commits in the median if the noise
// between commits is 1 to 3 %, and a step of 10 % after 7 commits. A drift from the first commit
// on raises it after 19. The tests count this.
//
// The promise does not hold on a machine whose speed wanders: where the noise of 2 % decays
// over five commits, and differently for each benchmark, a quarter of the runs raise an alarm.
// The report says by how much all benchmarks have changed in the median. If this is about the
// loss, it may be the machine.
package regression
