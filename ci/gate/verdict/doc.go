// Package verdict judges two sets of Go benchmark text, base and head: has head
// lost speed? Packages benchfmt and benchproc read the text, package trial does
// the statistics: read package trial first.
//
// A comparison is a measurement of a benchmark. What is gated:
//
//	rates and times     GFLOP/s, tokens/s, ns/op, ns/row: what ends in /s, and time per something
//	allocs/op           may not rise at all, taken by the median
//	assume=exact units  may not get worse at all, where a better direction is declared
//
// Less is better of time and of allocations, always: a Unit line that says
// otherwise is an error. The direction of another unit is that of benchfmt, which
// knows those of package testing, or of a line "Unit tokens/s better=higher" in
// base. A rate without direction is an error, and so is a line of head that reverses
// a direction; what head alone says of a unit counts for nothing, or a change could
// make its own loss a gain. All other units are named and left alone: a share of
// the peak, say, follows from the rate beside it.
//
// Benchmarks often report one measurement as time and as rates. Those that differ
// by a constant factor only are one comparison, under the first name that is not
// time per operation. Otherwise the correction for many comparisons would pay for
// each of them.
//
// A comparison is lost if the loss is beyond chance, corrected for the number of
// comparisons, and is at least as large as Options.Least: with many samples a fifth
// of a per cent is beyond chance, too, and where the linker puts a loop makes as
// much. Either of two estimates may be as large, the median of the ratios and
// their mean (of logarithms): what slows three processes of ten by a half moves the
// median by less than the noise. The mean follows single outliers, but decides about
// the size of a loss only, never about whether there is one, so it makes no false
// alarm where nothing is lost.
//
// A comparison has too few samples if trial.Plan needs more of them to see
// Options.Loss, unless it is lost or gained beyond chance already.
//
// The verdict fails closed. No loss is said only where both sides hold the same
// benchmarks with the same measurements, as many samples of each, no failed run
// and one environment. Environment is every configuration line (goos, cpu and
// what else the run prints) but pkg, which belongs to the name, and commit and
// round, which may differ. goos, goarch and cpu must be there. Samples that carry
// a round line must agree in it pair by pair.
package verdict
