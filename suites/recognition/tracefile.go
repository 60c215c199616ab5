package recognition

import (
	"fmt"
	"strconv"
	"strings"

	"pushdown/harness/golden"
	"pushdown/harness/traces"
)

// The text of the traces of a row, in the frame of package traces:
//
//	row paper=diffstk/table=1/row=diffstk-mrnn/task=batch8
//	seeds 1 2
//	epoch 1 0.2 100                  number, per cent
//	length 100 50 50 49              length, cases, right answers
//	step ( 1:0:0:0.9987 0:1:0:-1     symbol; push, pop, no-op, top
var kinds = []traces.Kind{{Name: "epoch", First: 1}, {Name: "length", First: 2}, {Name: "step", First: 1}}

// Format writes the traces. Equal ones give equal text.
func (s *Traces) Format() ([]byte, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	w := traces.NewWriter(s.Row, s.seeds())
	first := s.Runs[0]
	for i := range first.Epochs {
		w.Line(fmt.Sprintf("epoch %d", i+1), func(run int) string { return traces.Decimal(s.Runs[run].Epochs[i]) })
	}
	for i, c := range first.Lengths {
		w.Line(fmt.Sprintf("length %d %d", c.Length, c.Cases), func(run int) string { return strconv.Itoa(s.Runs[run].Lengths[i].Correct) })
	}
	for i, c := range first.Steps {
		w.Line("step "+c.Symbol, func(run int) string {
			s := s.Runs[run].Steps[i]
			return traces.Decimal(s.Push) + ":" + traces.Decimal(s.Pop) + ":" + traces.Decimal(s.Noop) + ":" + traces.Decimal(s.Top)
		})
	}
	return w.Bytes(), nil
}

// ParseTraces reads what [Traces.Format] writes, and nothing else: text that it
// would write otherwise is an error. name is that of the file, for errors.
func ParseTraces(name string, text []byte) (*Traces, error) {
	s := &Traces{}
	r := traces.Reader{
		Kinds: kinds,
		Row:   func(row golden.Name) { s.Row = row },
		Seed:  func(seed int) { s.Runs = append(s.Runs, Trace{Seed: seed}) },
		Word: func(run int, kind string, first []string, word string) error {
			return s.Runs[run].take(kind, first, word)
		},
		Again: s.Format,
	}
	if err := r.Parse(name, text); err != nil {
		return nil, err
	}
	return s, nil
}

// take adds to a run the word of its seed behind the first ones of a line.
func (t *Trace) take(kind string, first []string, word string) error {
	switch kind {
	case "epoch":
		x, err := traces.Within(word, 0, 100)
		if err != nil {
			return err
		}
		t.Epochs = append(t.Epochs, x)
	case "length":
		length, err := strconv.Atoi(first[0])
		if err != nil || length < 1 || len(t.Lengths) > 0 && length <= t.Lengths[len(t.Lengths)-1].Length {
			return fmt.Errorf("have length %.20q, need ascending ones from 1", first[0])
		}
		cases, right, err := traces.Counts(first[1], word)
		if err != nil {
			return err
		}
		t.Lengths = append(t.Lengths, Share{length, cases, right})
	case "step":
		parts := strings.Split(word, ":")
		if len(parts) != 4 {
			return fmt.Errorf("have %d numbers in %.40q, need push, pop, no-op and top", len(parts), word)
		}
		s := Step{Symbol: first[0]}
		for i, to := range []*float64{&s.Push, &s.Pop, &s.Noop, &s.Top} {
			low := 0.0
			if i == 3 {
				low = -1
			}
			x, err := traces.Within(parts[i], low, 1)
			if err != nil {
				return err
			}
			*to = x
		}
		t.Steps = append(t.Steps, s)
	}
	return nil
}
