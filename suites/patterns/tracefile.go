package patterns

import (
	"fmt"
	"strconv"
	"strings"

	"pushdown/corpora/formal"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/metric"
	"pushdown/harness/suite"
	"pushdown/harness/traces"
	"pushdown/harness/train"
)

// What the runs of figure 2 leave behind has a line for each length, and what those of
// table 3 and figure 3 do has the loss that chooses a restart and a line for each step
// along the third of the traced strings:
//
//	length 20 199 186                length, strings, those that are right
//	valid-ce 0.4716                  nats
//	step 2 5 a b 1 b:0.97:PUSH,POP:0.46,-1
//
// A step has the string and the place of the symbol that comes next, the symbol read,
// the next one, and whether it is known; then what is predicted, the probability of
// the next symbol, and of each stack what it does and its top.

// shownString is the string that tables and figures show.
const shownString = 2

// Trace returns what the figures show of a run.
func (e Experiment) Trace(_ kernel.Device, _ *train.Experiment, _ *train.Result, m *suite.Measured) (list []traces.Line, err error) {
	d := m.Detail.(*detail)
	switch {
	case e.Row.Figure == "2":
		for n := max(shortest, e.Task.Shortest()); n <= e.Longest; n++ {
			s := d.lengths.Of(n)
			list = append(list, traces.Line{First: fmt.Sprintf("length %d %d", n, s.Cases), Word: strconv.FormatInt(s.Correct, 10)})
		}
	case d.trace != nil:
		list = append(list, traces.Line{First: "valid-ce", Word: strconv.FormatFloat(d.loss, 'g', -1, 64)})
		for _, s := range d.trace.Shown(shownString) {
			list = append(list, s.line(e.Task))
		}
	}
	return list, nil
}

// line writes a step.
func (s Step) line(task formal.Pattern) traces.Line {
	known := 0
	if s.Known {
		known = 1
	}
	var actions, tops []string
	for i, a := range s.Actions {
		actions, tops = append(actions, a.String()), append(tops, strconv.FormatFloat(float64(s.Tops[i]), 'g', -1, 32))
	}
	return traces.Line{
		First: fmt.Sprintf("step %d %d %s %s %d", s.String, s.At, task.Token(s.Current), task.Token(s.Next), known),
		Word: fmt.Sprintf("%s:%s:%s:%s", task.Token(s.Predicted), strconv.FormatFloat(float64(s.Prob), 'g', -1, 32),
			strings.Join(actions, ","), strings.Join(tops, ",")),
	}
}

// parseLengths reads the trace of a run of figure 2.
func parseLengths(r traces.Run) (*metric.Lengths, error) {
	l := metric.NewLengths(shortest, longest)
	for _, x := range r.Lines {
		w := strings.Fields(x.First)
		if len(w) != 3 || w[0] != "length" {
			return nil, fmt.Errorf("seed %d: have %q, want length and two numbers", r.Seed, x.First)
		}
		n, err := strconv.Atoi(w[1])
		if err != nil || n < shortest || n > longest || l.Of(n).Cases > 0 {
			return nil, fmt.Errorf("seed %d: %q: have %.20q, want a length from %d to %d, once", r.Seed, x.First, w[1], shortest, longest)
		}
		cases, right, err := traces.Counts(w[2], x.Word)
		if err != nil || cases > perLength {
			return nil, fmt.Errorf("seed %d: %q: have %d cases, want at most %d (%v)", r.Seed, x.First, cases, perLength, err)
		}
		for i := range cases {
			l.Add(n, i < right)
		}
	}
	return l, nil
}

// parseStacks reads the trace of a run of table 3 or figure 3, and its loss.
func parseStacks(task formal.Pattern, r traces.Run) (t *Trace, loss float64, err error) {
	t = &Trace{Task: task}
	for i, x := range r.Lines {
		if i == 0 && x.First == "valid-ce" {
			if loss, err = strconv.ParseFloat(x.Word, 64); err != nil {
				return nil, 0, fmt.Errorf("seed %d: valid-ce: have %.20q, want a number", r.Seed, x.Word)
			}
			continue
		}
		s, err := parseStep(task, strings.Fields(x.First), strings.Split(x.Word, ":"))
		if err == nil && len(t.Steps) > 0 && len(s.Tops) != len(t.Steps[0].Tops) {
			err = fmt.Errorf("have %d stacks, want %d as in the first step", len(s.Tops), len(t.Steps[0].Tops))
		}
		if err == nil && s.line(task) != x {
			err = fmt.Errorf("have it with %q, want it as it is written: %q", x.Word, s.line(task))
		}
		if err != nil {
			return nil, 0, fmt.Errorf("seed %d: %q: %w", r.Seed, x.First, err)
		}
		t.Steps = append(t.Steps, s)
	}
	if len(t.Steps) == 0 {
		return nil, 0, fmt.Errorf("seed %d: have no steps, want some", r.Seed)
	}
	return t, loss, nil
}

// parseStep reads the words of a step.
func parseStep(task formal.Pattern, first, words []string) (s Step, err error) {
	if len(first) != 6 || first[0] != "step" || len(words) != 4 {
		return s, fmt.Errorf("have %d words and %d parts, want 6 and 4", len(first), len(words))
	}
	number := func(text string) float32 {
		x, e := strconv.ParseFloat(text, 32)
		if e != nil && err == nil {
			err = fmt.Errorf("have %.20q, want a number", text)
		}
		return float32(x)
	}
	token := func(text string) uint8 {
		for i := range task.Vocabulary() {
			if task.Token(uint8(i)) == text {
				return uint8(i)
			}
		}
		if err == nil {
			err = fmt.Errorf("have the symbol %.20q, want one of %s", text, task)
		}
		return 0
	}
	s.String, s.At = int(number(first[1])), int(number(first[2]))
	s.Current, s.Next, s.Known = token(first[3]), token(first[4]), first[5] == "1"
	s.Predicted, s.Prob = token(words[0]), number(words[1])
	for _, text := range strings.Split(words[2], ",") {
		for a := Push; a <= Noop; a++ {
			if a.String() == text {
				s.Actions = append(s.Actions, a)
			}
		}
	}
	for _, text := range strings.Split(words[3], ",") {
		s.Tops = append(s.Tops, number(text))
	}
	if err == nil && len(s.Actions) != len(s.Tops) {
		err = fmt.Errorf("have %d actions and %d tops, want as many", len(s.Actions), len(s.Tops))
	}
	return s, err
}

// agrees compares a trace with the golden row of its run. What the stacks of figure 3
// have for roles takes more strings than the trace has.
func agrees(row suite.Row, run traces.Run, of golden.Row) error {
	e := row.(Experiment)
	want := map[string]float64{}
	if e.Row.Figure == "2" {
		l, err := parseLengths(run)
		if err != nil {
			return err
		}
		for _, v := range e.lengthValues(l) {
			want[v.Unit] = v.Value
		}
	} else {
		t, loss, err := parseStacks(e.Task, run)
		if err != nil {
			return err
		}
		if want["valid-ce"] = loss; !e.Answers() {
			want["pattern-%"] = percent(t.Pattern())
		}
	}
	for unit, v := range want {
		if have, ok := of.Value(unit); !ok || have != v {
			return fmt.Errorf("%s: have %v by the trace, want %v", unit, v, have)
		}
	}
	return nil
}
