package main

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"

	"pushdown/harness/verdict"
)

// The elements of a JUnit report.
type (
	testSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		tally
		Suites []testSuite `xml:"testsuite"`
	}
	testSuite struct {
		Name string `xml:"name,attr"`
		tally
		Cases []testCase `xml:"testcase"`
	}
	tally struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Skipped  int `xml:"skipped,attr"`
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
	for e := range r.numbers() {
		v, judged := r.Verdict(e.InPaper.Key)
		matched := false
		if r.Since != nil {
			was, _ := r.Since.then.Verdict(e.InPaper.Key)
			matched = was.Outcome == verdict.Matches
		}
		if !judged && !matched {
			continue
		}
		if title := e.Table.Title(); len(all.Suites) == 0 || all.Suites[len(all.Suites)-1].Name != title {
			all.Suites = append(all.Suites, testSuite{Name: title})
		}
		s := &all.Suites[len(all.Suites)-1]
		c, n := testCase{
			Class: e.InPaper.Paper + ".table" + e.InPaper.Table, Name: fmt.Sprintf("%s %s %s", e.InPaper.Row, e.InPaper.Metric, e.InPaper.Stat), Output: e.Summary(),
			Properties: []property{{"outcome", string(v.Outcome)}, {"printed", e.InPaper.AsPrinted()}, {"measured", e.Number()}, {"runs", strconv.Itoa(e.Runs)}, {"group", string(e.Group)}},
		}, tally{}
		switch o := v.Outcome; {
		case matched && o != verdict.Matches:
			c.Failure, n.Failures = &message{fmt.Sprintf("matched in %s, now %s", r.Since.Commit, cmp.Or(o.Description(), "it has no outcome"))}, 1
		case !o.Differs() && o != verdict.Matches:
			c.Skipped, n.Skipped = &message{o.Description()}, 1
		}
		s.Cases = append(s.Cases, c)
		for _, to := range []*tally{&s.tally, &all.tally} {
			*to = tally{to.Tests + 1, to.Failures + n.Failures, to.Skipped + n.Skipped}
		}
	}
	text, err := xml.MarshalIndent(all, "", "\t")
	if err == nil {
		_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	}
	return err
}
