package main

import "pushdown/harness/verdict"

// marks maps each outcome to the symbol that stands for it on a page.
var marks = map[verdict.Outcome]string{
	verdict.Matches: "✓", verdict.Better: "▲", verdict.Worse: "▼", verdict.OpenRuns: "○", verdict.Undetermined: "◐", verdict.OpenSpread: "◇", verdict.Misprinted: "†",
	unfinished: "…",
}

// Outcomes of numbers that are not judged.
const (
	shown      verdict.Outcome = "shown"
	unfinished verdict.Outcome = "unfinished" // no run has ended
)

// example explains a place of a table whose printed number is 70, with ours below it: an open
// number whose mean is 52.10, with an interval from 20.40 to 83.80, and with five of ten runs
// above 50.
const example = `The paper prints 70, the mean of its ten runs. Ours have the mean 52.10. From their spread, a repetition of the paper's ten runs would
give a mean between 20.40 and 83.80 (19 times out of 20): too wide to tell. Five of our ten runs are above 50; this is shown where runs lie on both
sides. For a run chosen by its validation loss, ours is the chosen run; for a best of ten, the median of the bests of ten drawn from our runs or, of fewer than ten, the best of all. Runs is the number of our runs. Lines with ↳
are variants of the row above, which the paper does not have; the mark says what their outcome would be, but they are not counted, unless the page says
that a variant is a reading that numbers are judged under. Rows in
italics are networks, or kinds of data, that the paper does not print.`

// fitted says what to think of readings that were decided after results were seen.
const fitted = "Where we chose a reading because certain printed numbers come out with it, those numbers do not confirm it."

// meanings has the meaning of each outcome.
var meanings = []struct {
	Outcome verdict.Outcome
	Text    string
}{
	{verdict.Matches, "our runs predict the printed number: it lies in the interval or within the margin of its unit, and the interval is narrow"},
	{verdict.Better, "the printed number lies outside the interval and the margin, and ours are better (with several readings: it lies outside under each, and ours are better under the first)"},
	{verdict.Worse, "the same, and ours are worse"},
	{verdict.Undetermined, "the paper leaves a reading open, and the number matches under one and differs under another; the mark under each reading stands below"},
	{verdict.OpenRuns, "our runs do not tell yet, under some reading; a mean or a loss needs at least three, or one if rows of the same paper lend it their spread (\"spread of 3 rows\"), a best of ten thirty"},
	{verdict.OpenSpread, "if the paper's runs spread as ours do, under some reading (the marks below say which), its own figure would vary so much from repetition to repetition that hardly any number of our runs can confirm it"},
	{verdict.Misprinted, "the paper's own text or tables contradict the number"},
	{unfinished, "no run of ours has ended yet; a number after the mark is that of a run that stopped after one epoch"},
	{shown, "not judged: minutes, sizes, rows that the paper does not print"},
}
