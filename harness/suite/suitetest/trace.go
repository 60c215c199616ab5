package suitetest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/traces"
	"pushdown/harness/train"
)

// Trained trains a row with the given seed and returns the trace of the run. It
// reports a test error if the trace does not agree with the measured values.
func Trained(t *testing.T, s *suite.Suite, row suite.Row, seed int) traces.Run {
	t.Helper()
	dev := suite.Open(t)
	x := Must(row.Build(uint64(seed)))(t)
	res := Must(train.Run(x, train.Options{Device: dev}))(t)
	m := Must(row.Measure(dev, x, res))(t)
	run := traces.Run{Seed: seed, Lines: Must(row.Trace(dev, x, res, m))(t)}
	if err := s.Agrees(row, run, golden.Row{Values: m.Values}); err != nil {
		t.Errorf("%s: %v", row.Place().Group(), err)
	}
	return run
}

// TraceOf parses a trace of one run. The last word of each line becomes Line.Word, and
// the words before it Line.First.
func TraceOf(seed int, text string) traces.Run {
	r := traces.Run{Seed: seed}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		last := len(words) - 1
		r.Lines = append(r.Lines, traces.Line{First: strings.Join(words[:last], " "), Word: words[last]})
	}
	return r
}

// Trace tests two functions of a suite: lines, which writes a trace, and parse, which reads
// it. The parameter text is the text of the given trace, in the form that TraceOf parses.
// Each element of the list bad is a change of the text after which parse must return an
// error: the string to replace, its replacement and a part of the error.
func Trace[T any](t *testing.T, trace T, seed int, text string, lines func(T) []traces.Line, parse func(traces.Run) (T, error), bad [][3]string) {
	t.Helper()
	if diff := cmp.Diff(TraceOf(seed, text).Lines, lines(trace)); diff != "" {
		t.Errorf("written (-want +have):\n%s", diff)
	}
	have, err := parse(TraceOf(seed, text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(trace, have); diff != "" {
		t.Errorf("read (-want +have):\n%s", diff)
	}
	for _, c := range bad {
		changed := strings.Replace(text, c[0], c[1], 1)
		if changed == text {
			t.Errorf("the text has no %q", c[0])
		}
		if _, err := parse(TraceOf(seed, changed)); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%q for %q: error %v, want one that says %s", c[1], c[0], err, c[2])
		}
	}
}
