package verdict

import (
	"encoding/csv"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// Numbers returns the entry of each printed number that runs measure, and the table that prints
// it, in the order of the tables.
func (r *Results) Numbers() iter.Seq2[*Layout, Entry] {
	return func(yield func(*Layout, Entry) bool) {
		for _, s := range papers.Shapes() {
			l := r.Layout(s)
			for _, line := range l.Lines {
				for _, e := range line.Entries {
					if e.Printed && e.Measured() && !yield(l, e) {
						return
					}
				}
			}
		}
	}
}

// csvHeader is the first line of the CSV format.
var csvHeader = []string{"paper", "table", "row", "metric", "stat", "model", "data", "unit", "better", "printed", "published", "of", "measured", "low", "high", "n", "outcome", "suite", "scale", "group"}

// CSV returns a header and a line for each printed number that runs measure: what the paper
// prints, what is measured, and the outcome. The columns published, measured, low and high are in
// the same unit; low and high are the ends of the prediction interval. The outcome is one of
// [golden.CellOutcomes], shown or unfinished.
func (r *Results) CSV() string {
	var b strings.Builder
	out := csv.NewWriter(&b) // writing to b cannot fail
	out.Write(csvHeader)
	for _, e := range r.Numbers() {
		c, q := e.Cell, e.Cell.Quantity
		line := []string{c.Paper, c.Table, c.Row, c.Metric, c.Stat, c.Model, c.Dataset, q.Unit, better(q.Higher), c.Value, golden.Number(c.Published), trials(q),
			"", "", "", strconv.Itoa(e.Runs), outcomeWord(e), "", "", c.Group()}
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

// outcomeWord returns the outcome of a printed number in a word.
func outcomeWord(e Entry) string {
	switch {
	case e.Runs == 0:
		return "unfinished"
	case e.Cell.Quantity.Shown:
		return "shown"
	}
	return string(e.Outcome)
}

// better returns the direction in which a quantity improves.
func better(higher bool) string {
	if higher {
		return "higher"
	}
	return "lower"
}

// trials says what the printed number is of the paper's runs: one, mean:10, best:10 or
// chosen:10.
func trials(q *papers.Quantity) string {
	switch {
	case q.ChosenBy != "":
		return fmt.Sprintf("chosen:%d", q.Trials)
	case q.Best:
		return fmt.Sprintf("best:%d", q.Trials)
	case q.Trials > 1:
		return fmt.Sprintf("mean:%d", q.Trials)
	}
	return "one"
}
