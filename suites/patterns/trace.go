package patterns

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
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

// actionNames has the paper's names of the actions.
var actionNames = []string{"PUSH", "POP", "NO-OP"}

// String returns the paper's name of the action.
func (a Action) String() string { return actionNames[a] }

// MarshalText returns the name of the action.
func (a Action) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText sets the action by its name.
func (a *Action) UnmarshalText(name []byte) error {
	i := slices.Index(actionNames, string(name))
	if i < 0 {
		return fmt.Errorf("action: have %.20q, want one of %v", name, actionNames)
	}
	*a = Action(i)
	return nil
}

// Step is one step of a trace.
type Step struct {
	String    int       `json:"string"`  // index of the string of the next symbol
	At        int       `json:"at"`      // index of the next symbol in that string
	Current   uint8     `json:"current"` // symbol read, by its index in the task's vocabulary
	Next      uint8     `json:"next"`
	Predicted uint8     `json:"predicted"`
	Known     bool      `json:"known"`   // the symbols before Next determine it
	Prob      float32   `json:"prob"`    // probability of Next
	Actions   []Action  `json:"actions"` // most probable action of each stack
	Tops      []float32 `json:"tops"`    // top of each stack after the action
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
	_, err = train.Evaluate(m.Build, dev, set, seed, p, func(o *train.BatchOutput) error {
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

// shownString is the index of the string that tables and figures show.
const shownString = 2

// A record is the trace of a run as it is kept: the lengths for a run of figure 2, the loss and the
// steps for one of table 3 or figure 3.
type record struct {
	Lengths []metric.Count `json:"lengths,omitempty"`
	Loss    float64        `json:"valid_ce,omitempty"` // nats; it chooses a restart
	Steps   []Step         `json:"steps,omitempty"`    // along the traced string with the index shownString
}

// Trace returns what the figures need from a run, or nil if no figure shows the row.
func (e Experiment) Trace(_ kernel.Device, _ *train.Experiment, _ *train.Result, m *suite.Measured) (any, error) {
	d := m.Detail.(*detail)
	switch {
	case e.Row.Figure == "2":
		var k record
		for n := max(shortest, e.Task.Shortest()); n <= e.Longest; n++ {
			if s := d.lengths.At(n); s.Cases > 0 {
				k.Lengths = append(k.Lengths, metric.Count{Distance: n, Share: s})
			}
		}
		return k, nil
	case d.trace != nil:
		return record{Loss: d.loss, Steps: d.trace.Shown(shownString)}, nil
	}
	return nil, nil
}

// decodeLengths decodes the trace of a run of figure 2.
func decodeLengths(r traces.Run) (*metric.Lengths, error) {
	k, err := traces.Decode(r, record.checkLengths)
	if err != nil {
		return nil, err
	}
	l := metric.NewLengths(shortest, longest)
	for _, s := range k.Lengths {
		for i := range s.Cases {
			l.Add(s.Distance, i < s.Correct)
		}
	}
	return l, nil
}

func (k record) checkLengths() (err error) {
	before := 0
	for _, s := range k.Lengths {
		if s.Distance > longest || s.Cases > perLength {
			return fmt.Errorf("length %d: have %d cases, want lengths up to %d and at most %d cases", s.Distance, s.Cases, longest, perLength)
		}
		err = cmp.Or(err, traces.CheckShare("length", before, s.Distance, s.Correct, s.Cases))
		before = s.Distance
	}
	return err
}

// decodeStacks decodes the trace of a run of table 3 or figure 3. It also returns the validation
// loss of the run.
func decodeStacks(task formal.Pattern, r traces.Run) (t *Trace, loss float64, err error) {
	k, err := traces.Decode(r, func(k record) error { return k.checkSteps(task.Vocabulary()) })
	if err != nil {
		return nil, 0, err
	}
	return &Trace{Task: task, Steps: k.Steps}, k.Loss, nil
}

func (k record) checkSteps(symbols int) error {
	if len(k.Steps) == 0 {
		return errors.New("have no steps, want some")
	}
	for i, s := range k.Steps {
		if int(max(s.Current, s.Next, s.Predicted)) >= symbols || len(s.Tops) != len(s.Actions) || len(s.Tops) != len(k.Steps[0].Tops) {
			return fmt.Errorf("step %d: have symbols %d, %d and %d, %d actions and %d tops, want symbols below %d, and one of each for every stack of the first step",
				i+1, s.Current, s.Next, s.Predicted, len(s.Actions), len(s.Tops), symbols)
		}
	}
	return nil
}

// agrees returns an error unless a trace agrees with the golden row of its run. It does not
// check the number of roles of stacks that figure 3 shows, because computing it takes more
// strings than the trace has.
func agrees(row suite.Row, run traces.Run, of golden.Row) error {
	e := row.(Experiment)
	want := map[string]float64{}
	if e.Row.Figure == "2" {
		l, err := decodeLengths(run)
		if err != nil {
			return err
		}
		for _, v := range e.lengthValues(l) {
			want[v.Unit] = v.Value
		}
	} else {
		t, loss, err := decodeStacks(e.Task, run)
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
