package patterns

import (
	"slices"
	"testing"

	"pushdown/corpora/formal"
	"pushdown/harness/metric"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/traces"
)

// TestLengthsAsText: what is written of the strings of each length is read as it was.
func TestLengthsAsText(t *testing.T) {
	e := Figure2()[0]
	l := metric.NewLengths(shortest, longest)
	for range 3 {
		l.Add(20, true)
	}
	l.Add(20, false)
	write := func(l *metric.Lengths) []traces.Line {
		list := suitetest.Must(e.Trace(nil, nil, nil, &suite.Measured{Detail: &detail{lengths: l}}))(t)
		return slices.DeleteFunc(list, func(x traces.Line) bool { return x.First[len(x.First)-2:] == " 0" }) // lengths without strings
	}
	have := suitetest.Must(parseLengths(suitetest.TraceOf(1, "length 20 4 3\n")))(t)
	if a, b := write(l), write(have); len(a) != 1 || !slices.Equal(a, b) || a[0] != (traces.Line{First: "length 20 4", Word: "3"}) {
		t.Errorf("written %v, read and written %v", a, b)
	}
	for _, text := range []string{"length 0 4 3\n", "length 61 4 3\n", "length 20 4 5\n", "length 20 0 0\n", "length 20 201 3\n", "length 20 3\n", "width 20 4 3\n", "length 2 4 3\nlength 2 4 3\n"} {
		if _, err := parseLengths(suitetest.TraceOf(1, text)); err == nil {
			t.Errorf("%q: have no error, want one", text)
		}
	}
}

// TestStacksAsText: so are the steps of a trace.
func TestStacksAsText(t *testing.T) {
	const text = `valid-ce 0.4716
step 2 5 a b 1 b:0.97:PUSH,POP:0.46,-1
step 3 0 b a 1 a:1:POP,NO-OP:-0.123456,0
`
	run := suitetest.TraceOf(4, text)
	tr, loss := suitetest.Must2(parseStacks(formal.AnB2n, run))(t)
	var lines []traces.Line
	for _, s := range tr.Steps {
		lines = append(lines, s.line(formal.AnB2n))
	}
	if loss != 0.4716 || !slices.Equal(lines, run.Lines[1:]) {
		t.Errorf("loss %v and %v, want what was read", loss, lines)
	}
	for _, text := range []string{
		"valid-ce x\nstep 2 5 a b 1 b:0.97:PUSH:0.46\n", "valid-ce 1\n", "step 2 5 a b 1 b:0.97:PUSH\n", "step 2 5 a b b:0.97:PUSH:0.46\n",
		"step 2 5 a q 1 b:0.97:PUSH:0.46\n", "step 2 5 a b 1 b:x:PUSH:0.46\n", "step 2 5 a b 1 b:0.97:SHOVE:0.46\n", "step 2 5 a b 1 b:0.970:PUSH:0.46\n",
		"step 2 5 a b 1 b:0.97:PUSH:0.46\nstep 2 6 a b 1 b:0.97:PUSH,POP:0.46,1\n",
	} {
		if _, _, err := parseStacks(formal.AnB2n, suitetest.TraceOf(1, text)); err == nil {
			t.Errorf("%q: have no error, want one", text)
		}
	}
}
