// Package plot draws the figures of the suites: a [Grid] of panels with curves,
// bands, bars and levels over axes, and [Words], the heat map of a text. A suite
// gives the data and says what the axes are; how a figure looks stands here alone,
// so that those of all suites look alike. The drawing is gonum.org/v1/plot.
//
//	g := plot.Grid{Title: "...", Source: "...", Rows: [][]plot.Panel{{panel}}}
//	err := plot.SVG(file, g)
//
// Every figure has a title, which says what it shows, a line on where the data come
// from, and a legend with one entry for each name. Data that cannot be drawn are
// errors: no points, a coordinate without its partner, a number that is none or that
// lies outside of the axis, a band that does not hold its line. So an axis never
// hides anything, and a figure that was drawn shows all that was given.
//
// # The same text everywhere
//
// Figures that stand in the repository are held against their data by a test: the
// text of an SVG must be the same on every machine. Fonts come with the module and
// are measured in fixed point. Positions, though, are made of sums of products, which
// one processor fuses and another does not, and of sines. So each is rounded to 1/32
// of a point, 0.01 mm, before it is written; the place where rounding turns lies at
// an odd fraction of that, away from the halves and quarters at which computed
// positions gather. Ticks are multiples of 1, 2 or 5 times a power of ten that are
// found by comparing alone, and logarithms are those of harness/numeric.
//
// An SVG names its fonts, Liberation Sans and Mono, and behind them those of the same
// widths that other systems have; it does not carry them. A PNG has 144 dots an inch.
package plot
