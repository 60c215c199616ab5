package patterns

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"pushdown/corpora/formal"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/metric"
	"pushdown/harness/suite"
	"pushdown/harness/traces"
	"pushdown/harness/train"
	"pushdown/models"
)

// Action is an action of a stack.
type Action uint8

// The actions, in the order of [models.StackRNN].
const (
	Push Action = iota
	Pop
	Noop
)

// String returns the paper's name of the action.
func (a Action) String() string { return [...]string{"PUSH", "POP", "NO-OP"}[a] }

// Step is one step of a trace.
type Step struct {
	String, At int   // index of the string of the next symbol, and its index in that string
	Current    uint8 // symbol read
	Next       uint8
	Predicted  uint8
	Known      bool      // the symbols before Next determine it
	Prob       float32   // probability of Next
	Actions    []Action  // most probable action of each stack
	Tops       []float32 // top of each stack after the action
}

// Trace records the actions and tops of a network's stacks along some strings.
type Trace struct {
	Task    formal.Pattern
	Strings []formal.PatternString
	Steps   []Step
}

// traced reports whether a table or a figure shows the stacks.
func (e Experiment) traced() bool {
	return e.Row.Table == "3" || e.Row.Figure == "3"
}

// The traced strings of table 3 have the length 6. The traced additions have 20 digits.
// There are many additions, so that everything that a stack can show, such as the carry,
// occurs often.
const (
	tracedN, tracedStrings       = 6, 4
	tracedDigits, tracedSums     = 20, 100
	tracedReset              int = 10
)

// Follow runs the network over the traced strings.
func (e Experiment) Follow(dev kernel.Device, p *train.Params, seed uint64) (*Trace, error) {
	n := e.Network(seed)
	m, err := n.Model(e.Task, Memory{Cells: e.Cells, Trace: true})
	if err != nil {
		return nil, err
	}
	length, count := tracedN, tracedStrings
	if e.Task == formal.Addition {
		length, count = tracedDigits, tracedSums
	}
	s := &Stream{Task: e.Task, Seed: testSeed, Split: formal.Test, Per: count, Follow: true,
		Lengths: func(int) formal.Range { return formal.Range{Min: length, Max: length} }}
	if e.Task == formal.Addition {
		s.ResetEvery = tracedReset
	}
	t := &Trace{Task: e.Task}
	set, err := train.NewStreamSet(tracer{s, t}, 0, count, readSymbols)
	if err != nil {
		return nil, err
	}
	v, actions, at := m.Vocabulary, 2, 0
	if n.Noop {
		actions = 3
	}
	_, err = train.Evaluate(m.Build, dev, set, seed, p, func(o *train.Outcome) error {
		logits, err := o.Output(models.OutputLogits, v)
		if err != nil {
			return err
		}
		prob, err := o.Output(models.OutputProb, v)
		if err != nil {
			return err
		}
		acts, err := o.Output(models.OutputActions, actions*n.Count)
		if err != nil {
			return err
		}
		tops, err := o.Output(models.OutputTops, n.Count)
		if err != nil {
			return err
		}
		for i, next := range o.Batch.Target {
			step := &t.Steps[at]
			at++
			step.Predicted, step.Prob = uint8(metric.Argmax(logits[i*v:(i+1)*v])), prob[i*v+int(next)]
			for j := range n.Count {
				step.Actions = append(step.Actions, Action(metric.Argmax(acts[(i*n.Count+j)*actions:][:actions])))
				step.Tops = append(step.Tops, tops[i*n.Count+j])
			}
		}
		return nil
	})
	return t, err
}

// tracer records the strings and the steps as they are read.
type tracer struct {
	*Stream
	t *Trace
}

// Fill fills p with string i.
func (r tracer) Fill(i int, p *train.StreamString) {
	r.Stream.Fill(i, p)
	x := r.Stream.draw(i)
	x.Tokens = append([]uint8(nil), x.Tokens...)
	r.t.Strings = append(r.t.Strings, x)
	first := len(x.Tokens) - len(p.Token)
	for j := range p.Token {
		r.t.Steps = append(r.t.Steps, Step{String: i, At: first + j, Current: uint8(p.Token[j]), Next: uint8(p.Target[j]),
			Known: first+j >= x.From || first+j == 0 && r.Task.Counts()})
	}
}

// Shown returns the steps that a table or a figure shows for string i: those that predict
// its symbols, beginning with the step that reads the last symbol of the string before. In
// a counting task, the length of a string is certain after its first half, so the first symbol
// of the next string can be predicted. Shown adds the step that predicts it.
func (t *Trace) Shown(i int) []Step {
	var list []Step
	for _, s := range t.Steps {
		if s.String == i || s.String == i+1 && s.At == 0 && t.Task.Counts() {
			list = append(list, s)
		}
	}
	return list
}

// Table writes the given steps as table 3 of the paper does: the symbols, the probability of
// the next one, the action of each stack and its top.
func (t *Trace) Table(w io.Writer, steps []Step) error {
	var b strings.Builder
	b.WriteString("current next prediction proba(next)")
	for j := range steps[0].Actions {
		fmt.Fprintf(&b, " action%-2d", j+1)
	}
	for j := range steps[0].Tops {
		fmt.Fprintf(&b, " stack%d[top]", j+1)
	}
	b.WriteByte('\n')
	for _, s := range steps {
		fmt.Fprintf(&b, "%-7s %-4s %-10s %-11.2f", t.Task.Token(s.Current), t.Task.Token(s.Next), t.Task.Token(s.Predicted), s.Prob)
		for _, a := range s.Actions {
			fmt.Fprintf(&b, " %-8v", a)
		}
		for _, top := range s.Tops {
			fmt.Fprintf(&b, " %11.2f", top)
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// The trace of a run of figure 2 has a line for each length. The trace of a run of table 3
// or figure 3 has the loss that chooses a restart, and a line for each step along the
// third traced string:
//
//	length 20 199 186                length, strings, right strings
//	valid-ce 0.4716                  nats
//	step 2 5 a b 1 b:0.97:PUSH,POP:0.46,-1
//
// A step has the fields of [Step]: String, At, Current, Next, and Known as 1 or 0. After
// them come Predicted, Prob, Actions and Tops.

// shownString is the index of the string that tables and figures show.
const shownString = 2

// Trace returns the lines that the figures need from a run.
func (e Experiment) Trace(_ kernel.Device, _ *train.Experiment, _ *train.Result, m *suite.Measured) (list []traces.Line, err error) {
	d := m.Detail.(*detail)
	switch {
	case e.Row.Figure == "2":
		for n := max(shortest, e.Task.Shortest()); n <= e.Longest; n++ {
			s := d.lengths.At(n)
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

// line returns the step as a line of text.
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

// parseLengths parses the trace of a run of figure 2.
func parseLengths(r traces.Run) (*metric.Lengths, error) {
	l := metric.NewLengths(shortest, longest)
	for _, x := range r.Lines {
		w := strings.Fields(x.First)
		if len(w) != 3 || w[0] != "length" {
			return nil, fmt.Errorf("seed %d: have %q, want length and two numbers", r.Seed, x.First)
		}
		n, err := strconv.Atoi(w[1])
		if err != nil || n < shortest || n > longest || l.At(n).Cases > 0 {
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

// parseStacks parses the trace of a run of table 3 or figure 3. It also returns the
// validation loss of the run.
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
			err = fmt.Errorf("have %q, want %q, as Trace formats the step", x, s.line(task))
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

// parseStep parses the words of a step.
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
		err = fmt.Errorf("have %d actions and %d tops, want one of each for every stack", len(s.Actions), len(s.Tops))
	}
	return s, err
}

// agrees returns an error unless a trace agrees with the golden row of its run. It does not
// check the number of roles of stacks that figure 3 shows, because computing it takes more
// strings than the trace has.
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
			return fmt.Errorf("%s: have %v in the trace, want %v as in the golden file", unit, v, have)
		}
	}
	return nil
}
