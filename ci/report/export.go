package main

import (
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
	"pushdown/harness/verdict"
)

// header is the first line of the CSV output.
var header = []string{"paper", "table", "row", "metric", "stat", "model", "data", "unit", "better", "printed", "published", "of", "measured", "low", "high", "n", "outcome", "suite", "scale", "group"}

// numbers calls the function each for each printed number that runs measure, in the order of
// tables.
func (r *report) numbers(each func(t *table, e verdict.Entry)) {
	for _, t := range r.tables {
		for _, line := range t.Lines {
			for _, e := range line.Entries {
				if e.Printed && e.Measured() {
					each(t, e)
				}
			}
		}
	}
}

// outcome returns the outcome of a printed number in a word: one of golden.CellOutcomes,
// shown or unfinished.
func outcome(e verdict.Entry) string {
	switch {
	case e.Runs == 0:
		return "unfinished"
	case e.Cell.Quantity.Shown:
		return "shown"
	}
	return string(e.Outcome)
}

// writeCSV writes a line for each printed number that runs measure.
func (r *report) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write(header)
	r.numbers(func(_ *table, e verdict.Entry) {
		c, q := e.Cell, e.Cell.Quantity
		line := []string{c.Paper, c.Table, c.Row, c.Metric, c.Stat, c.Model, c.Dataset, q.Unit, better(q.Higher), c.Value, golden.Number(c.Published), trials(q),
			"", "", "", strconv.Itoa(e.Runs), outcome(e), "", "", c.Group()}
		if e.Runs > 0 {
			line[12], line[17], line[18], line[19] = golden.Number(e.Value), e.File.Suite, e.File.Scale, string(e.Group)
		}
		if low, high, ok := e.Interval(); ok {
			line[13], line[14] = golden.Number(low), golden.Number(high)
		}
		out.Write(line)
	})
	out.Flush()
	return out.Error()
}

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

// The elements of a JUnit report.
type (
	testSuites struct {
		XMLName  xml.Name    `xml:"testsuites"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Suites   []testSuite `xml:"testsuite"`
	}
	testSuite struct {
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Skipped  int        `xml:"skipped,attr"`
		Cases    []testCase `xml:"testcase"`
	}
	testCase struct {
		Class      string     `xml:"classname,attr"`
		Name       string     `xml:"name,attr"`
		Properties []property `xml:"properties>property"`
		Skipped    *message   `xml:"skipped"`
		Failure    *message   `xml:"failure"`
		Output     string     `xml:"system-out"`
	}
	property struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	message struct {
		Message string `xml:"message,attr"`
	}
)

// writeJUnit writes a JUnit report with a test suite for each table and a test case for each
// number that has an outcome.
func (r *report) writeJUnit(w io.Writer) error {
	all := testSuites{Name: "pushdown"}
	var last *table
	r.numbers(func(t *table, e verdict.Entry) {
		v, judged := r.Verdict(e.Cell.Key)
		was := golden.Outcome("")
		if r.Since != nil {
			old, _ := r.Since.then.Verdict(e.Cell.Key)
			was = old.Outcome
		}
		if !judged && was != golden.Matches {
			return
		}
		if t != last {
			all.Suites = append(all.Suites, testSuite{Name: t.Title()})
			last = t
		}
		s := &all.Suites[len(all.Suites)-1]
		c := testCase{
			Class: t.Paper + ".table" + t.Table, Name: fmt.Sprintf("%s %s %s", e.Cell.Row, e.Cell.Metric, e.Cell.Stat), Output: v.Evidence,
			Properties: []property{{"outcome", string(v.Outcome)}, {"printed", e.Cell.AsPrinted()}, {"measured", e.Number()}, {"runs", strconv.Itoa(e.Runs)}, {"group", string(e.Group)}},
		}
		switch {
		case !judged:
			c.Failure = &message{fmt.Sprintf("matched in %s, now it has no outcome", r.Since.Commit)}
			s.Failures++
			all.Failures++
		case was == golden.Matches && v.Outcome != golden.Matches:
			c.Failure = &message{fmt.Sprintf("matched in %s, now %s", r.Since.Commit, v.Outcome.Description())}
			s.Failures++
			all.Failures++
		case v.Outcome == golden.OpenRuns, v.Outcome == golden.OpenSpread, v.Outcome == golden.Misprinted:
			c.Skipped = &message{v.Outcome.Description()}
			s.Skipped++
			all.Skipped++
		}
		s.Cases = append(s.Cases, c)
		s.Tests++
		all.Tests++
	})
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	out := xml.NewEncoder(w)
	out.Indent("", "\t")
	if err := out.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
