// Package verdict compares two Go benchmark texts, base and head, and decides
// whether head is slower. It reads the text with packages benchfmt and benchproc.
// Package trial does the statistics; read its documentation first.
//
// A comparison is one measurement of one benchmark, on both sides. These
// measurements are gated:
//
//	rates and times     GFLOP/s, tokens/s, ns/op, ns/row: units that end in /s, and time per something
//	allocs/op           the median must not rise
//	assume=exact units  the median must not get worse, if the better direction is declared
//
// Less time and fewer allocations are always better: a Unit line that says
// otherwise is an error. The better direction of another unit comes from benchfmt,
// which knows the units of package testing, or from a line such as
// "Unit tokens/s better=higher" in base. A rate without a direction is an error,
// and so is a line of head that reverses a direction. A declaration in head alone
// is ignored; otherwise a change could turn its own loss into a gain. All other
// units are listed and not judged: a share of the peak, for example, follows from
// the rate beside it.
//
// Benchmarks often report one measurement both as time and as rates. Units that
// differ only by a constant factor form one comparison, named after the first unit
// that is not time per operation. Counting each of them would make the correction
// for multiple comparisons stricter for no reason.
//
// A comparison is a loss if two conditions hold. The loss is statistically
// significant, after the correction for the number of comparisons. And its estimate
// is at least Options.MinLoss: with many samples even 0.2 % is significant, and the
// linker's placement of a loop changes the speed by that much. Two estimates are
// tried, the median of the ratios and the mean of their logarithms, and one of them
// is enough: a change that slows three processes in ten by half moves the median by
// less than the noise. Single outliers move the mean, but the mean decides only how
// large a loss is, not whether there is one, so it causes no false alarm where
// nothing is lost.
//
// A comparison has too few samples if trial.Plan needs more samples to detect
// Options.Loss, unless it already is a significant loss or gain.
//
// The verdict fails closed. It is "no loss" only if both sides have the same
// benchmarks with the same measurements, the same number of samples of each, no
// failed run and the same environment. The environment consists of all
// configuration lines (goos, cpu and whatever else the run prints) except pkg, which
// is part of the name, and commit and round, which may differ. The lines goos, goarch
// and cpu are required. Where samples have round lines, the n-th samples of the two
// sides must have the same round.
package verdict
