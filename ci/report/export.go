package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"

	"pushdown/harness/golden"
	"pushdown/harness/verdict"
)

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
	var last *verdict.Layout
	for l, e := range r.Numbers() {
		v, judged := r.Verdict(e.Cell.Key)
		was := golden.Outcome("")
		if r.Since != nil {
			old, _ := r.Since.then.Verdict(e.Cell.Key)
			was = old.Outcome
		}
		if !judged && was != golden.Matches {
			continue
		}
		if l != last {
			all.Suites = append(all.Suites, testSuite{Name: (&table{Layout: l}).Title()})
			last = l
		}
		s := &all.Suites[len(all.Suites)-1]
		c := testCase{
			Class: l.Paper + ".table" + l.Table, Name: fmt.Sprintf("%s %s %s", e.Cell.Row, e.Cell.Metric, e.Cell.Stat), Output: v.Evidence,
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
	}
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
