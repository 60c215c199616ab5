package patterns

import (
	"bytes"
	"strings"
	"testing"

	"pushdown/corpora/formal"
	"pushdown/harness/metric"
	"pushdown/harness/plot"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/traces"
)

// printed is table 3 of the paper. The table in the paper lacks one of the rows that the
// string a^6 b^12 needs. Here the missing row is added as the fourth from the end.
const printed = `
b a a POP  POP  -1   0.53
a a a PUSH POP  0.01 0.97
a a a PUSH PUSH 0.18 0.99
a a a PUSH PUSH 0.32 0.98
a a a PUSH PUSH 0.40 0.97
a a a PUSH PUSH 0.46 0.97
a b a PUSH PUSH 0.52 0.97
b b b PUSH PUSH 0.57 0.97
b b b POP  PUSH 0.52 0.56
b b b POP  PUSH 0.46 0.01
b b b POP  PUSH 0.40 0.00
b b b POP  PUSH 0.32 0.00
b b b POP  PUSH 0.18 0.00
b b b POP  PUSH 0.01 0.00
b b b POP  POP  -1   0.00
b b b POP  POP  -1   0.00
b b b POP  POP  -1   0.00
b b b POP  POP  -1   0.01
b a a POP  POP  -1   0.56
`

// published returns the paper's trace as a Trace of the third string.
func published(t *testing.T) *Trace {
	t.Helper()
	tr := &Trace{Task: formal.AnB2n}
	for line := range strings.Lines(strings.TrimSpace(printed)) {
		f := strings.Fields(line)
		act := func(s string) Action { return map[string]Action{"PUSH": Push, "POP": Pop}[s] }
		top := func(s string) float32 {
			return map[bool]float32{true: -1}[s == "-1"] // only empty stacks matter
		}
		s := Step{String: 2, At: len(tr.Steps), Current: f[0][0] - 'a', Next: f[1][0] - 'a', Predicted: f[2][0] - 'a',
			Actions: []Action{act(f[3]), act(f[4])}, Tops: []float32{top(f[5]), top(f[6])}}
		if s.At == 18 {
			s.String, s.At = 3, 0
		}
		tr.Steps = append(tr.Steps, s)
	}
	return tr
}

// TestPattern checks that the paper's trace has the paper's pattern, whichever stack
// comes first, and that traces with other actions do not.
func TestPattern(t *testing.T) {
	if !published(t).Pattern() {
		t.Error("the paper's trace lacks its pattern")
	}
	for _, c := range []struct {
		name   string
		change func(steps []Step)
		want   bool
	}{
		{"stacks the other way round", func(steps []Step) {
			for _, s := range steps {
				s.Actions[0], s.Actions[1] = s.Actions[1], s.Actions[0]
				s.Tops[0], s.Tops[1] = s.Tops[1], s.Tops[0]
			}
		}, true},
		{"the first a is no push", func(steps []Step) { steps[1].Actions[0] = Pop }, true},
		{"two a's are no push", func(steps []Step) { steps[1].Actions[0], steps[4].Actions[0] = Pop, Pop }, false},
		{"a push among the pops", func(steps []Step) { steps[11].Actions[0] = Push }, false},
		{"the second stack is pushed on at the last b", func(steps []Step) { steps[18].Actions[1] = Push }, true},
		{"the second stack is pushed on before the last b", func(steps []Step) { steps[17].Actions[1] = Push }, false},
		{"the second stack begins late", func(steps []Step) { steps[14].Actions[1], steps[15].Actions[1] = Push, Push }, false},
		{"no b's", func(steps []Step) {
			for i := range steps {
				steps[i].Current = 0
			}
		}, false},
		{"the second stack begins early", func(steps []Step) {
			steps[10].Actions[1], steps[11].Actions[1], steps[12].Actions[1], steps[13].Actions[1] = Pop, Pop, Pop, Pop
		}, false},
		{"the first stack is never empty", func(steps []Step) {
			for _, s := range steps {
				s.Tops[0] = 0
			}
		}, false},
	} {
		tr := published(t)
		c.change(tr.Steps)
		if got := tr.Pattern(); got != c.want {
			t.Errorf("%s: pattern is %v, want %v", c.name, got, c.want)
		}
	}
	if (&Trace{}).Pattern() {
		t.Error("no trace has the pattern")
	}
}

// TestValuesOfRoles checks the values of the roles along 110+11=1001., which is
// 6 + 3 = 9 with the lowest digit of the sum first.
func TestValuesOfRoles(t *testing.T) {
	x := formal.PatternString{Tokens: []uint8{1, 1, 0, 2, 1, 1, 3, 1, 0, 0, 1, 4}, From: 7, N: 5}
	for role, want := range [numRoles][]int{
		phase:       {0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2},
		firstDigit:  {-1, -1, -1, -1, -1, -1, -1, 0, 1, 1, 2, 2},
		secondDigit: {-1, -1, -1, -1, -1, -1, -1, 1, 1, 2, 2, 2},
		carried:     {-1, -1, -1, -1, -1, -1, -1, 0, 0, 1, 1, 0},
	} {
		var got []int
		for at := range x.Tokens {
			v, ok := valueOf(role, x, at)
			if !ok {
				v = -1
			}
			got = append(got, v)
		}
		suitetest.Equal(t, want, got, "role %d", role)
	}
}

// TestRoles checks that Roles counts the roles that invented stacks show.
func TestRoles(t *testing.T) {
	s := suitetest.Must(formal.Addition.Stream(1, formal.Test, 0, formal.Range{Min: 20, Max: 20}))(t)
	for _, c := range []struct {
		stacks []int // the role that each shows; numRoles: none
		want   int
	}{{[]int{phase, firstDigit, secondDigit, carried}, 4}, {[]int{carried, numRoles, phase}, 2}, {[]int{numRoles, numRoles}, 0}} {
		tr := &Trace{Task: formal.Addition}
		for i := range 60 {
			x := s.Next()
			x.Tokens = append([]uint8(nil), x.Tokens...)
			tr.Strings = append(tr.Strings, x)
			for at := range x.Tokens {
				step := Step{String: i, At: at, Tops: make([]float32, len(c.stacks))}
				if n := len(tr.Steps); n > 0 { // a step reads the tops of the previous step
					for j, role := range c.stacks {
						if role < numRoles {
							v, _ := valueOf(role, x, at)
							tr.Steps[n-1].Tops[j] = float32(v)/2 - 0.45
						}
					}
				}
				tr.Steps = append(tr.Steps, step)
			}
		}
		if got := tr.Roles(); got != c.want {
			t.Errorf("stacks that show %v have %d roles, want %d", c.stacks, got, c.want)
		}
	}
	if n := (&Trace{}).Roles(); n != 0 {
		t.Errorf("no trace has %d roles", n)
	}
}

// TestTrace checks that a trace has every symbol of its strings once, and that with
// rounded actions its stacks behave like discrete stacks.
func TestTrace(t *testing.T) {
	dev := suite.Open(t)
	for _, noop := range []bool{false, true} {
		e := Traced()[0]
		e.Networks = []Network{{Kind: Stack, Hidden: 6, Count: 3, Read: 2, Noop: noop, Round: true}}
		e.Cells = 60
		tr := suitetest.Must(e.Follow(dev, drawn(t, e, 5), 1))(t)
		var symbols []uint8
		for _, x := range tr.Strings {
			symbols = append(symbols, x.Tokens...)
		}
		var got []uint8
		depth := make([]int, 3)
		for i, s := range tr.Steps {
			if i == 0 {
				got = append(got, s.Current)
			}
			got = append(got, s.Next)
			for j, a := range s.Actions {
				switch a {
				case Push:
					depth[j]++
				case Pop:
					depth[j] = max(0, depth[j]-1)
				}
				if (depth[j] == 0) != (s.Tops[j] == -1) {
					t.Fatalf("step %d: stack %d holds %d numbers, its top is %v", i, j, depth[j], s.Tops[j])
				}
			}
		}
		suitetest.Equal(t, symbols, got, "symbols")
		svg := new(bytes.Buffer)
		if err := plot.SVG(svg, tr.Drawing("x", "y", tr.Shown(2))); err != nil || !strings.Contains(svg.String(), "#009D72") || strings.Contains(svg.String(), "#0071B1") {
			t.Errorf("%v, want a figure with green for PUSH and nothing in blue", err)
		}
		shown := tr.Shown(2)
		if len(shown) != 6+12+1 || shown[0].Current != 1 || shown[0].Next != 0 || shown[18].Next != 0 {
			t.Errorf("%d steps are shown, from %+v, want 19 from the last b before the string", len(shown), shown[0])
		}
		var b strings.Builder
		if err := tr.Table(&b, shown); err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(b.String(), "\n"); lines != 20 || !strings.HasPrefix(b.String(), "current next prediction proba(next) action1  action2  action3  stack1[top] stack2[top] stack3[top]\nb       a    ") {
			t.Errorf("%d lines, want 20:\n%s", lines, b.String())
		}
	}
}

// TestTraceOfLengths checks that the trace of a run of figure 2 reads as it was written.
func TestTraceOfLengths(t *testing.T) {
	e := Figure2()[0]
	l := metric.NewLengths(shortest, longest)
	for range 3 {
		l.Add(20, true)
	}
	l.Add(20, false)
	written := suitetest.Must(e.Trace(nil, nil, nil, &suite.Measured{Detail: &detail{lengths: l}}))(t).(record)
	const text = `{"lengths":[{"distance":20,"correct":3,"cases":4}]}`
	decode := func(r traces.Run) (record, error) {
		l, err := decodeLengths(r)
		if err != nil {
			return record{}, err
		}
		return record{Lengths: []metric.Count{{Distance: 20, Share: l.At(20)}}}, nil
	}
	suitetest.Trace(t, written, 1, text, decode, [][3]string{
		{`"distance":20`, `"distance":0`, "length 0 after 0"},
		{`"distance":20`, `"distance":61`, "want lengths up to 60"},
		{`"correct":3`, `"correct":5`, "have 5 right answers to 4 cases"},
		{`"cases":4`, `"cases":201`, "have 201 cases"},
		{`lengths`, `widths`, `unknown field "widths"`},
		{`}]`, `},{"distance":20,"correct":3,"cases":4}]`, "length 20 after 20"},
	})
}

// TestTraceOfStacks checks that the steps of a trace read as they were written.
func TestTraceOfStacks(t *testing.T) {
	const text = `{"valid_ce":0.4716,"steps":[` +
		`{"string":2,"at":5,"current":0,"next":1,"predicted":1,"known":true,"prob":0.97,"actions":["PUSH","POP"],"tops":[0.46,-1]},` +
		`{"string":3,"at":0,"current":1,"next":0,"predicted":0,"known":true,"prob":1,"actions":["POP","NO-OP"],"tops":[-0.123456,0]}]}`
	decode := func(r traces.Run) (record, error) {
		tr, loss, err := decodeStacks(formal.AnB2n, r)
		if err != nil {
			return record{}, err
		}
		return record{Loss: loss, Steps: tr.Steps}, nil
	}
	suitetest.Trace(t, record{Loss: 0.4716, Steps: []Step{
		{2, 5, 0, 1, 1, true, 0.97, []Action{Push, Pop}, []float32{0.46, -1}},
		{3, 0, 1, 0, 0, true, 1, []Action{Pop, Noop}, []float32{-0.123456, 0}},
	}}, 4, text, decode, [][3]string{
		{`0.4716`, `"x"`, "cannot unmarshal string"},
		{`,"tops":[0.46,-1]`, `,"tops":[0.46]`, "step 1: have symbols 0, 1 and 1, 2 actions and 1 tops"},
		{`"actions":["POP","NO-OP"],"tops":[-0.123456,0]`, `"actions":["POP"],"tops":[0]`, "step 2: "},
		{`"next":1`, `"next":2`, "want symbols below 2"},
		{`"PUSH"`, `"SHOVE"`, `have "SHOVE", want one of [PUSH POP NO-OP]`},
		{`0.97`, `0.970`, "want it written as"},
		{text, `{"valid_ce":1}`, "have no steps"},
	})
}
