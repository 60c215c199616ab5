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
	run := Must(traces.New(golden.Name(x.Name), Must(row.Trace(dev, x, res, m))(t)))(t)
	if err := s.Agrees(row, run, golden.Row{Values: m.Values}); err != nil {
		t.Errorf("%s: %v", row.ID().Group(), err)
	}
	return run
}

// Trace tests the struct with the trace of a suite, and the function that decodes it. The parameter
// text is the given trace as JSON. Each element of the list bad is a change of the text after which
// decode must return an error: the string to replace, its replacement and a part of the error.
func Trace[T any](t *testing.T, trace T, seed int, text string, decode func(traces.Run) (T, error), bad [][3]string) {
	t.Helper()
	run := Must(traces.New(golden.Name("paper=x/table=1/row=x").WithSeed(seed), trace))(t)
	if diff := cmp.Diff(text, string(run.Trace)); diff != "" {
		t.Errorf("written (-want +have):\n%s", diff)
	}
	have, err := decode(run)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(trace, have); diff != "" {
		t.Errorf("read (-want +have):\n%s", diff)
	}
	for _, c := range bad {
		run.Trace = []byte(strings.Replace(text, c[0], c[1], 1))
		if string(run.Trace) == text {
			t.Errorf("the text has no %q", c[0])
		}
		if _, err := decode(run); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%q for %q: error %v, want one that says %s", c[1], c[0], err, c[2])
		}
	}
}
