package main

import (
	"encoding/csv"
	"iter"
	"strconv"
	"strings"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
	"pushdown/harness/verdict"
)

// numbers returns the entry of each printed number that runs measure, in the order of the tables.
func (r *report) numbers() iter.Seq[entry] {
	return func(yield func(entry) bool) {
		for _, t := range r.Tables {
			for _, line := range t.Lines {
				for _, e := range line.Entries {
					if e.Printed && e.Measured() && !yield(e) {
						return
					}
				}
			}
		}
	}
}

// csvHeader is the first line of the CSV format. The column of says what the printed number is of
// the paper's runs, such as mean:10.
var csvHeader = []string{"paper", "table", "row", "metric", "stat", "model", "data", "unit", "better", "printed", "published", "of", "measured", "low", "high", "n", "outcome", "suite", "scale", "group", "readings"}

// csv returns a header and a line for each printed number that runs measure: what the paper
// prints, what is measured, and the outcome. The columns published, measured, low and high are in
// the same unit; low and high are the ends of the prediction interval. The outcome is one of
// [verdict.Outcomes], shown or unfinished. If the paper leaves several readings open, the column readings has
// the outcome under each.
func (r *report) csv() string {
	var b strings.Builder
	out := csv.NewWriter(&b) // writing to b cannot fail
	out.Write(csvHeader)
	for e := range r.numbers() {
		c, q := e.InPaper, e.InPaper.Quantity
		better, of := "lower", statisticOf(q)
		if q.Higher {
			better = "higher"
		}
		if of != "one" {
			of += ":" + strconv.Itoa(q.Trials)
		}
		line := []string{c.Paper, c.Table, c.Row, c.Metric, c.Stat, c.Model, c.Dataset, q.Unit, better, c.Value, golden.Number(c.Published), of,
			"", "", "", strconv.Itoa(e.Runs), string(e.Result()), "", "", c.Group(), e.UnderEach(func(o verdict.Outcome) string { return string(o) + ":" })}
		if e.Runs > 0 {
			line[12], line[17], line[18], line[19] = golden.Number(e.Value), e.File.Suite, e.File.Scale, string(e.Group)
		}
		if low, high, ok := e.Interval(); ok {
			line[13], line[14] = golden.Number(low), golden.Number(high)
		}
		out.Write(line)
	}
	out.Flush()
	return b.String()
}

// statisticOf says what the printed number is of the paper's runs: mean, best, chosen, or one if
// it is a single run.
func statisticOf(q *papers.Quantity) string {
	switch {
	case q.ChosenBy != "":
		return "chosen"
	case q.Best:
		return "best"
	case q.Trials > 1:
		return "mean"
	}
	return "one"
}
