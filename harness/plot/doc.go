// Package plot draws the figures of the suites: a [Grid] of panels with curves, bands,
// bars and levels over axes, and [Words], the heat map of a text. A suite provides the
// data and the axes. This package alone determines the style, so that the figures of all
// suites look alike. It draws with gonum.org/v1/plot.
//
//	g := plot.Grid{Title: "...", Source: "...", Rows: [][]plot.Panel{{panel}}}
//	err := plot.SVG(file, g)
//
// Every figure has a title that says what it shows, a line with the source of the
// data, and a legend with one entry for each name and style. It is an error if data
// cannot be drawn: if there are no points, if X and Y have different lengths, if a
// value is NaN or outside the axis, or if a band does not contain its line. An axis
// therefore never hides anything, and a figure shows all its data.
//
// # The same text everywhere
//
// A test compares the figures in the repository with figures drawn from their data,
// so the text of an SVG must be the same on every machine. Fonts come with the
// module and are measured in fixed point. Positions, however, are computed with
// sines and with sums of products, which some processors fuse and others do not. So
// every position is rounded to 1/32 of a point, 0.01 mm, before it is written. The
// boundary between rounding up and rounding down is at an unusual fraction of 1/32,
// away from the simple fractions at which computed positions cluster. Ticks are
// found by products, quotients and comparisons, which are the same on every
// processor. Logarithms are those of harness/numeric.
//
// An SVG does not contain its fonts. It names Liberation Sans and Mono, followed by fonts
// of the same widths that other systems have. A PNG has 144 dots per inch.
package plot
