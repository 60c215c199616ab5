package patterns

import (
	"fmt"
	"io"
	"strings"

	"pushdown/corpora/formal"
	"pushdown/harness/kernel"
	"pushdown/harness/metric"
	"pushdown/harness/train"
	"pushdown/models"
)

// Action is what a stack does.
type Action uint8

// The actions, in the order of [models.StackRNN].
const (
	Push Action = iota
	Pop
	Noop
)

// String names the action as the paper does.
func (a Action) String() string { return [...]string{"PUSH", "POP", "NO-OP"}[a] }

// Step is one step of a trace.
type Step struct {
	String, At int   // the symbol that comes next: its string and its place there
	Current    uint8 // symbol read
	Next       uint8
	Predicted  uint8
	Known      bool      // Next follows from the symbols before it
	Prob       float32   // of Next
	Actions    []Action  // of each stack: the largest
	Tops       []float32 // of each stack, after them
}

// Trace is what the stacks of a network do along some strings.
type Trace struct {
	Task    formal.Pattern
	Strings []formal.PatternString
	Steps   []Step
}

// traced reports whether a table or a figure shows the stacks.
func (e Experiment) traced() bool {
	return e.Row.Table == "3" || e.Row.Figure == "3"
}

// The traced strings: those of table 3 have n = 6, additions 20 digits, so that
// each role of a stack is seen often.
const (
	tracedN, tracedStrings       = 6, 4
	tracedDigits, tracedSums     = 20, 100
	tracedReset              int = 10
)

// Follow runs the network over the strings.
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

// tracer notes the strings and the steps as they are read.
type tracer struct {
	*Stream
	t *Trace
}

// Fill makes p the string i.
func (r tracer) Fill(i int, p *train.Piece) {
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

// Shown are the steps that a table or a figure shows: those that read string i but
// for its last symbol, and before them the one that reads the last symbol of the
// string before; after them, of a counting task, the last symbol.
func (t *Trace) Shown(i int) []Step {
	var list []Step
	for _, s := range t.Steps {
		if s.String == i || s.String == i+1 && s.At == 0 && t.Task.Counts() {
			list = append(list, s)
		}
	}
	return list
}

// Table writes steps as table 3 of the paper does: the symbols, the probability of
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
